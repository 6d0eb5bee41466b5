// The service without HTTP over hand-made ownership filings, with a data folder and a clock of its own.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InsiderBackfill, OwnershipIngest } from "../../src/capabilities/ownership/index.ts";
import { openStores } from "../../src/composition/context.ts";
import { composeService } from "../../src/composition/service.ts";
import { readConfig } from "../../src/config.ts";
import type { Job } from "../../src/platform/jobs/job.ts";
import type { JobRun } from "../../src/platform/jobs/ledger.ts";
import type { Lake } from "../../src/platform/lake/lake.ts";
import type { Store } from "../../src/platform/sqlite/sqlite.ts";
import { captureLog } from "./capture-log.ts";
import { type MovableClock, movableClock } from "./clock.ts";
import type { OwnershipWorld } from "./ownership-world.ts";

export interface OwnershipTestService {
  readonly clock: MovableClock;
  readonly lake: Lake;
  readonly sqlite: Store;
  readonly ingest: OwnershipIngest;
  readonly backfill: InsiderBackfill;
  /** Runs a job and gives its row of the ledger. */
  run(name: string): Promise<JobRun | null>;
  job(name: string): Job | undefined;
  stop(): Promise<void>;
}

/** Opens it at a moment; its seconds are quick. */
export async function openOwnershipService(
  world: OwnershipWorld,
  options: { at: string; env?: Record<string, string> },
): Promise<OwnershipTestService> {
  const dataDir = await mkdtemp(join(tmpdir(), "asof-ownership-"));
  const clock = movableClock(options.at);
  const log = captureLog();
  const config = readConfig({
    DATA_DIR: dataDir,
    UPSTREAM_GATEWAY: world.url,
    SEC_USER_AGENT: "Asof tests tests@example.com",
    ...options.env,
  });
  const stores = await openStores({ config, clock, log }, { publishes: false });
  const service = composeService({ config, clock, log, ...stores });
  const { ownership } = service;
  return {
    clock,
    lake: stores.lake,
    sqlite: stores.sqlite,
    ingest: ownership.ingest,
    backfill: ownership.backfill,
    run: (name) => service.jobs.runNow(name).done,
    job: (name) => ownership.jobs.find((job) => job.name === name),
    async stop() {
      await service.stop();
      await stores.lake.close();
      stores.sqlite.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
