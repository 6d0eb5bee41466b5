// The filings capability for a command: opened with the stores, ended by Ctrl-C between two steps, closed in the end.

import type { FilingIngest } from "../src/capabilities/filings/index.ts";
import { openStores } from "../src/composition/context.ts";
import { composeService } from "../src/composition/service.ts";
import { readConfig } from "../src/config.ts";
import { systemClock } from "../src/platform/clock.ts";
import { createLog } from "../src/platform/log.ts";

/** What a command works with. */
export interface FilingSession {
  readonly ingest: FilingIngest;
  /** Resolves when what was indexed is read. */
  idle(): Promise<void>;
  readonly signal: AbortSignal;
}

/** Runs `work`; says how to go on when it was stopped, and gives false then. */
export async function withFilings(work: (session: FilingSession) => Promise<void>): Promise<boolean> {
  const config = readConfig(process.env);
  const log = createLog({ level: "warn", clock: systemClock, to: "stderr" });
  const stores = await openStores({ config, clock: systemClock, log });
  const stopped = new AbortController();
  process.once("SIGINT", () => stopped.abort(new Error("stopped")));
  process.once("SIGTERM", () => stopped.abort(new Error("stopped")));
  const { filings } = composeService({ config, clock: systemClock, log, ...stores });
  stopped.signal.addEventListener("abort", () => void filings.stop());
  try {
    await work({ ingest: filings.ingest, idle: filings.idle, signal: stopped.signal });
  } catch (error) {
    if (!stopped.signal.aborted) throw error;
  } finally {
    await filings.stop();
    await stores.lake.close();
    stores.sqlite.close();
  }
  if (stopped.signal.aborted) console.log("Stopped: start the same command again to go on.");
  return !stopped.signal.aborted;
}
