// The financial routes behind the real edge, over a made-up world, with a data folder and a clock of their
// own.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FinancialDeps, financial } from "../../src/capabilities/financial/index.ts";
import { openStores } from "../../src/composition/context.ts";
import { readConfig } from "../../src/config.ts";
import { captureLog } from "./capture-log.ts";
import { type MovableClock, movableClock } from "./clock.ts";
import { FinancialWorld } from "./financial-world.ts";
import { serveCapability } from "./one-capability.ts";

type Outside = Pick<FinancialDeps, "source" | "company" | "companyAt" | "resolve" | "filings" | "fillCloses">;

/**
 * Opens them. `get` and `post` take the path below /api/v1/financial. A given data folder is left when they
 * are closed.
 */
export async function openFinancialApp(
  options: { world?: FinancialWorld; at?: string; priceMsMax?: number; dataDir?: string } = {},
) {
  const world = options.world ?? new FinancialWorld();
  const clock: MovableClock = movableClock(options.at ?? "2026-09-09T21:00:00Z");
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "asof-financial-")));
  const config = readConfig({ DATA_DIR: dataDir, JOBS: "off" });
  const log = captureLog();
  const stores = await openStores({ config, clock, log }, { publishes: false });
  const { sqlite, lake } = stores;
  const outside: Outside = world;
  const compose = () =>
    financial({
      ...outside,
      lake,
      sqlite,
      clock,
      log,
      ...(options.priceMsMax === undefined ? {} : { priceMsMax: options.priceMsMax }),
    });
  const capability = compose();
  const served = serveCapability({
    config,
    clock,
    routes: capability.routes,
    name: "financial",
    base: "/api/v1/financial",
  });
  return {
    world,
    clock,
    sqlite,
    lake,
    dataDir,
    capability,
    ...served,
    async close() {
      await capability.stop();
      await lake.close();
      sqlite.close();
      if (!options.dataDir) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export type FinancialApp = Awaited<ReturnType<typeof openFinancialApp>>;
