// The daily job that finds changed calendars: reads the days around today, then every followed symbol.
import { forEachSequential } from "../../market/bulk.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import type { Services } from "../../market/services.ts";
import type { Job } from "../../platform/jobs/job.ts";
import type { Log } from "../../platform/log.ts";
import type { ReadingCaches } from "./caches.ts";
import type { EarningsCollector } from "./collect.ts";
import type { EarningsStore } from "./store.ts";

export interface WatchDeps extends Pick<Services, "clock"> {
  readonly store: EarningsStore;
  readonly collector: EarningsCollector;
  readonly caches: ReadingCaches;
  readonly log: Pick<Log, "warn">;
}

/** Providers add reports and fill in their figures for some days afterwards. */
// On 10 August it reads the days from 5 August to 9 September.
const DAYS_BACK = 5;
/** Days further ahead are mostly guesses of the calendar. */
const DAYS_AHEAD = 30;
/** After this many failed readings in a row the provider counts as down. */
const FAILURES_MAX = 5;

export function earningsWatch({ store, collector, caches, clock, log }: WatchDeps): Job {
  /** Reads a day again and replaces its cached reading. Returns the number of new rows. */
  const rereadDay = async (day: string, signal: AbortSignal): Promise<number> => {
    let rows = 0;
    const load = async (shared: AbortSignal) => {
      const reading = await collector.readDay(day, shared);
      rows = reading.rows;
      return reading;
    };
    await caches.days.get(day, load, { force: true, signal });
    return rows;
  };

  const rereadSymbol = async (symbol: string, signal: AbortSignal): Promise<void> => {
    const options = { force: true, signal };
    await caches.surprises.get(symbol, (shared) => collector.readSurprises(symbol, shared), options);
    await caches.next.get(symbol, (shared) => collector.readNext(symbol, shared), options);
  };

  const failed = (of: string, error: Error) =>
    log.warn("earnings could not be read", { of, reason: error.message });

  return {
    name: "earnings-calendar",
    description:
      "Reads the earnings calendar from five days ago to thirty days ahead and the earnings of every ticker that clients asked for, to find changes.",
    schedule: "45 6 * * *",
    zone: "America/New_York",
    deadlineMs: 3 * 60 * 60_000,
    catchUp: "once",
    fills: ["earnings_calendar", "earnings_surprises"],
    async run({ signal }) {
      const options = { failuresMax: FAILURES_MAX, signal, failed };
      const today = newYorkDate(clock.now());
      const days = Array.from({ length: DAYS_BACK + DAYS_AHEAD + 1 }, (_, i) =>
        addDays(today, i - DAYS_BACK),
      );
      let rows = 0;
      await forEachSequential(
        days,
        async (day) => {
          rows += await rereadDay(day, signal);
        },
        options,
      );
      await forEachSequential(store.followedSymbols(), (symbol) => rereadSymbol(symbol, signal), options);
      return { rows };
    },
  };
}
