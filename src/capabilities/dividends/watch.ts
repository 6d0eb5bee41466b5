// The daily job that sees dividends change: the calendar of the coming weeks, then every symbol that was asked for.
import { addDays } from "../../market/date.ts";
import { type Calendar, newYorkDate } from "../../market/calendar.ts";
import type { Clock } from "../../platform/clock.ts";
import { AsofError, NotFound } from "../../platform/errors.ts";
import type { Job } from "../../platform/jobs.ts";
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
  /** Works through a list; a failure of one is noted, a row of them ends the run with the last. */
  const each = async (items: readonly string[], work: (item: string) => Promise<unknown>, signal: AbortSignal) => {
    let faults = 0;
    let done = 0;
    for (const item of items) {
      signal.throwIfAborted();
      try {
        await work(item);
        done += 1;
        faults = 0;
      } catch (fault) {
        signal.throwIfAborted();
        if (!(fault instanceof AsofError)) throw fault;
        log.warn("dividends could not be read", { of: item, reason: fault.message });
        if (fault instanceof NotFound) continue;
        faults += 1;
        if (faults >= FAULTS_MAX) throw fault;
      }
    }
    return done;
  };

  return {
    name: "dividend-calendar",
    says: "Reads the dividend calendar of the coming six weeks and the dividends of every ticker that was asked for, so that changes are seen.",
    schedule: "30 7 * * 1-5",
    zone: "America/New_York",
    deadlineMs: 3 * 60 * 60_000,
    catchUp: "once",
    async run({ signal }) {
      const today = newYorkDate(clock.now());
      const sessions = calendar.sessionsBetween(today, addDays(today, DAYS_AHEAD));
      let rows = 0;
      await each(
        sessions,
        async (date) => {
          rows += await collector.readDay(date, signal);
        },
        signal,
      );
      await each(store.followedSymbols(), (symbol) => reread(symbol, signal), signal);
      return { rows };
    },
  };
}
