// The daily job that finds changed dividends: reads the calendar of the coming weeks, then every followed
// symbol.
import { forEachSequential } from "../../market/bulk.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import type { Services } from "../../market/services.ts";
import type { Job } from "../../platform/jobs/job.ts";
import type { Log } from "../../platform/log.ts";
import type { DividendCollector } from "./collect.ts";
import type { DividendStore } from "./store.ts";

export interface WatchDeps extends Pick<Services, "calendar" | "clock"> {
  readonly collector: DividendCollector;
  readonly store: DividendStore;
  readonly log: Pick<Log, "warn">;
  /** Reads a symbol again and replaces its cached reading. */
  reread(symbol: string, signal: AbortSignal): Promise<unknown>;
}

/** How far ahead the calendar is read: most dividends are declared three to six weeks before they go ex. */
// On 3 August it reads the ex dates up to 14 September.
const DAYS_AHEAD = 42;
/** After this many failed readings in a row the provider counts as down. */
const FAILURES_MAX = 5;

export function dividendWatch({ collector, store, calendar, clock, log, reread }: WatchDeps): Job {
  const failed = (of: string, error: Error) =>
    log.warn("dividends could not be read", { of, reason: error.message });

  return {
    name: "dividend-calendar",
    description:
      "Reads the dividend calendar of the coming six weeks and the dividends of every ticker that clients asked for, to find changes.",
    schedule: "30 7 * * 1-5",
    zone: "America/New_York",
    deadlineMs: 3 * 60 * 60_000,
    catchUp: "once",
    fills: ["dividend_calendar", "dividend_day_readings", "dividend_readings"],
    async run({ signal }) {
      const options = { failuresMax: FAILURES_MAX, signal, failed };
      const today = newYorkDate(clock.now());
      const sessions = calendar.sessionsBetween(today, addDays(today, DAYS_AHEAD));
      let rows = 0;
      await forEachSequential(
        sessions,
        async (date) => {
          rows += await collector.readDay(date, signal);
        },
        options,
      );
      await forEachSequential(store.followedSymbols(), (symbol) => reread(symbol, signal), options);
      return { rows };
    },
  };
}
