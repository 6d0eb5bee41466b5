// The daily job that sees calendars change: the days around now, then every symbol that was asked for.
import { forEachSequential } from "../../market/bulk.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Job } from "../../platform/jobs/job.ts";
import type { Log } from "../../platform/log.ts";
import type { EarningsStore } from "./store.ts";

export interface WatchDeps {
  readonly store: EarningsStore;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
  /** Read anew, through the memories of readings; the number is of new rows. */
  readDay(date: string, signal: AbortSignal): Promise<number>;
  readSymbol(symbol: string, signal: AbortSignal): Promise<unknown>;
}

/** Reports are entered and their figures filled in for some days after. */
const DAYS_BACK = 5;
/** Further ahead days are mostly a calendar's own guess. */
const DAYS_AHEAD = 30;
/** Readings that fail one after the other, after which the provider is taken to be down. */
const FAULTS_MAX = 5;

export function earningsWatch({ store, clock, log, readDay, readSymbol }: WatchDeps): Job {
  const failed = (of: string, error: Error) =>
    log.warn("earnings could not be read", { of, reason: error.message });

  return {
    name: "earnings-calendar",
    description:
      "Reads the earnings calendar from five days ago to thirty ahead and the earnings of every ticker that was asked for, so that changes are seen.",
    schedule: "45 6 * * *",
    zone: "America/New_York",
    deadlineMs: 3 * 60 * 60_000,
    catchUp: "once",
    async run({ signal }) {
      const how = { failuresMax: FAULTS_MAX, signal, failed };
      const today = newYorkDate(clock.now());
      const days = Array.from({ length: DAYS_BACK + DAYS_AHEAD + 1 }, (_, i) =>
        addDays(today, i - DAYS_BACK),
      );
      let rows = 0;
      await forEachSequential(
        days,
        async (day) => {
          rows += await readDay(day, signal);
        },
        how,
      );
      await forEachSequential(store.followedSymbols(), (symbol) => readSymbol(symbol, signal), how);
      return { rows };
    },
  };
}
