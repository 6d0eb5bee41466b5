// The financial routes behind the real edge, over a made-up world, with a data folder and a clock of their own.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Elysia } from "elysia";
import { type FinancialNeeds, financial } from "../../src/capabilities/financial/index.ts";
import { openStores } from "../../src/composition/context.ts";
import { readConfig } from "../../src/config.ts";
import { captureLog } from "../../src/platform/log.ts";
import { edge } from "../../src/server/edge.ts";
import { httpApp } from "../../src/server/http.ts";
import { openapiDocument } from "../../src/server/openapi.ts";
import { factsOf } from "../../src/server/request-facts.ts";
import { routeTable } from "../../src/server/route-table.ts";
import { type MovableClock, movableClock } from "./clock.ts";
import { FinancialWorld } from "./financial-world.ts";

type Outside = Pick<FinancialNeeds, "source" | "company" | "resolve" | "filings">;

/** Opens them. `get` and `post` take the path below /api/v1/financial. */
export async function openFinancialApp(options: { world?: FinancialWorld; at?: string } = {}) {
  const world = options.world ?? new FinancialWorld();
  const clock: MovableClock = movableClock(options.at ?? "2026-09-09T21:00:00Z");
  const dataDir = await mkdtemp(join(tmpdir(), "asof-financial-"));
  const config = readConfig({ DATA_DIR: dataDir, JOBS: "off" });
  const log = captureLog();
  const stores = await openStores({ config, clock, log });
  const { sqlite, lake } = stores;
  const outside: Outside = world;
  const compose = () =>
    financial({ ...outside, lake, sqlite, clock, signalOf: (request) => factsOf(request).signal });
  const capability = compose();
  const { app, seal } = httpApp({ parquet: lake, nowMs: clock.nowMs });
  const composed = app.use(new Elysia({ prefix: "/api/v1" }).use(capability.routes));
  seal(composed);
  const running = edge({
    config,
    clock,
    table: routeTable(composed),
    handle: (request) => composed.handle(request),
    record() {},
    unforeseen(error) {
      throw error;
    },
  });
  const send = async <T>(path: string, init?: RequestInit) => {
    const url = `http://localhost/api/v1/financial${path}`;
    const response = await running.fetch(new Request(url, init), "127.0.0.1");
    return { status: response.status, headers: response.headers, body: (await response.json()) as T };
  };
  return {
    world,
    clock,
    sqlite,
    lake,
    dataDir,
    capability,
    openapi: () => openapiDocument(composed, [{ name: "financial", description: "" }]),
    get: <T>(path: string) => send<T>(path),
    post: <T>(path: string, body: unknown) =>
      send<T>(path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    async close() {
      await lake.close();
      sqlite.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export type FinancialApp = Awaited<ReturnType<typeof openFinancialApp>>;
