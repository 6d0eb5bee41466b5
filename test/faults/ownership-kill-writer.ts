// Takes a day of ownership filings in, through the jobs that do so; as a process of its own, to be killed.

import { ENRICHMENT_JOB, INGEST_JOB } from "../../src/capabilities/ownership/index.ts";
import { openStores } from "../../src/composition/context.ts";
import { composeService } from "../../src/composition/service.ts";
import { readConfig } from "../../src/config.ts";
import { captureLog } from "../support/capture-log.ts";
import { movableClock } from "../support/clock.ts";

export async function takeIn(dataDir: string, upstream: string, date: string, now: string): Promise<void> {
  const clock = movableClock(now);
  const log = captureLog();
  const config = readConfig({
    DATA_DIR: dataDir,
    UPSTREAM_GATEWAY: upstream,
    SEC_USER_AGENT: "Asof tests tests@example.com",
  });
  const stores = await openStores({ config, clock, log });
  const service = composeService({ config, clock, log, ...stores });
  const { ingest } = service.ownership;

  /** Runs a job's work under its lock; while another process has it, waits for its turn. */
  async function locked(name: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    for (;;) {
      const run = service.jobs.runNow(name, async ({ signal }) => {
        await work(signal);
        return undefined;
      });
      const row = await run.done;
      if (run.started && row?.outcome === "succeeded") return;
      if (run.started && row?.error) process.stdout.write(`${name}: ${row.error}\n`);
      await Bun.sleep(20);
    }
  }

  await locked(INGEST_JOB, async (signal) => {
    await ingest.index([date], () => {}, signal);
  });
  while (ingest.pendingCount() > 0)
    await locked(ENRICHMENT_JOB, async (signal) => {
      const counts = await ingest.read(100, { signal });
      if (counts.outage) throw counts.outage;
    });
  await service.stop();
  await stores.lake.close();
  stores.sqlite.close();
}

const [dataDir = "", upstream = "", date = "", now = ""] = process.argv.slice(2);
if (import.meta.main) await takeIn(dataDir, upstream, date, now);
