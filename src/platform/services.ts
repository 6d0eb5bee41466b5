// The services shared by all parts of the process. A part names those it uses: `Pick<Services, "lake" |
// "clock">`.
import type { CacheDeps } from "./cache/cache.ts";
import type { Clock } from "./clock.ts";
import type { Jobs } from "./jobs/jobs.ts";
import type { Lake } from "./lake/lake.ts";
import type { Log } from "./log.ts";
import type { Store } from "./sqlite/sqlite.ts";
import type { Vault } from "./vault.ts";

/** `C` is the calendar of the exchange, which belongs to the layer above. */
export interface StandingServices<C> {
  readonly clock: Clock;
  readonly log: Log;
  /** Series of market data, in Parquet files. */
  readonly lake: Lake;
  /** The operational database. */
  readonly sqlite: Store;
  /** Documents as they were fetched. */
  readonly vault: Vault;
  /** Sessions, holidays and half days of the exchange. */
  readonly calendar: C;
  /** The services that `createCache` needs. */
  readonly cacheDeps: CacheDeps;
  /** Runs a job on demand under its lock, with its row in the ledger. */
  readonly runNow: Jobs["runNow"];
}
