// The daily job that sees dividends change: the calendar of the coming weeks, then every symbol that was asked for.
import { forEachSequential } from "../../market/bulk.ts";
import { type Calendar, newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Job } from "../../platform/jobs/jobs.ts";
import type { Log } from "../../platform/log.ts";
import type { DividendCollector } from "./collect.ts";
import type { DividendStore } from "./store.ts";

export interface WatchDeps {
  readonly collector: DividendCollector;
  readonly store: DividendStore;
  readonly calendar: Calendar;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
  /** Reads a symbol anew, through the memory of readings. */
  reread(symbol: string, signal: AbortSignal): Promise<unknown>;
}

/** How far ahead the calendar is read: most dividends are declared three to six weeks before they go ex. */
const DAYS_AHEAD = 42;
/** Readings that fail one after the other, after which the provider is taken to be down. */
const FAULTS_MAX = 5;

export function dividendWatch({ collector, store, calendar, clock, log, reread }: WatchDeps): Job {
  const failed = (of: string, error: Error) =>
    log.warn("dividends could not be read", { of, reason: error.message });

  return {
    name: "dividend-calendar",
    description:
      "Reads the dividend calendar of the coming six weeks and the dividends of every ticker that was asked for, so that changes are seen.",
    schedule: "30 7 * * 1-5",
    zone: "America/New_York",
    deadlineMs: 3 * 60 * 60_000,
    catchUp: "once",
    async run({ signal }) {
      const how = { failuresMax: FAULTS_MAX, signal, failed };
      const today = newYorkDate(clock.now());
      const sessions = calendar.sessionsBetween(today, addDays(today, DAYS_AHEAD));
      let rows = 0;
      await forEachSequential(
        sessions,
        async (date) => {
          rows += await collector.readDay(date, signal);
        },
        how,
      );
      await forEachSequential(store.followedSymbols(), (symbol) => reread(symbol, signal), how);
      return { rows };
    },
  };
}
