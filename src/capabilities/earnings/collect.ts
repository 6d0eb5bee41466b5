// Reads what the providers say of a company's reports, or of a day's, and stores what is new of it.
import { newYorkDate } from "../../market/calendar.ts";
import { monthEnd } from "../../market/date.ts";
import type { Clock } from "../../platform/clock.ts";
import {
  Busy,
  NotFound,
  UpstreamFailed,
  UpstreamRateLimited,
  UpstreamTimeout,
} from "../../platform/errors.ts";
import { reviseReports, reviseSurprises, type SeenReport, type Sight } from "./revise.ts";
import type { CompanyBehind, EarningsSource, NextReportSource, SourceNext, SourceReport } from "./sources.ts";
import type { EarningsStore } from "./store.ts";

/** What a reading came to; remembered until it is made again. */
export interface Reading {
  readonly read_at: string;
  readonly warnings: readonly string[];
}

export interface CollectDeps {
  readonly source: EarningsSource;
  readonly next: NextReportSource;
  readonly companyBehind: CompanyBehind;
  readonly store: EarningsStore;
  readonly clock: Clock;
}

/** The event of a provider that only ever names the next report. */
const NEXT = "next";

const ms = (at: Temporal.Instant) => at.toString({ smallestUnit: "millisecond" });

/** Last day of a month written YYYY-MM. */
const lastDay = (month: string) => monthEnd(`${month}-01`);

const revisionOf = (source: string, at: Temporal.Instant): Sight => ({
  source,
  today: newYorkDate(at),
  known_at: ms(at),
});

/** A line of a day's list: who, and what both providers' lists say. */
const reportOf = (row: SourceReport, date: string): SeenReport => ({
  symbol: row.symbol,
  event: date,
  report_date: date,
  report_date_end: null,
  report_time: row.report_time,
  fiscal_quarter_end: null,
  name: row.name,
  eps_estimate: row.eps_estimate,
  estimate_count: null,
  eps_actual: row.eps_actual,
  eps_last_year: null,
  revenue_estimate: null,
  is_confirmed: null,
});

const nextReport = (symbol: string, found: SourceNext, report_date: string): SeenReport => ({
  symbol,
  event: NEXT,
  report_date,
  report_date_end: found.report_date_end,
  report_time: found.report_time,
  fiscal_quarter_end: null,
  name: null,
  eps_estimate: found.eps_estimate,
  estimate_count: null,
  eps_actual: null,
  eps_last_year: null,
  revenue_estimate: found.revenue_estimate,
  is_confirmed: found.is_confirmed,
});

const isOutage = (error: unknown): error is Error =>
  error instanceof UpstreamFailed ||
  error instanceof UpstreamRateLimited ||
  error instanceof UpstreamTimeout ||
  error instanceof Busy;

export function earningsCollector({ source, next, companyBehind, store, clock }: CollectDeps) {
  /** Stores a day's list; one that is empty, or of less than half of what it had, is broken and withdraws nothing. */
  const saveDay = async (date: string, by: string, seen: readonly SeenReport[], at: Temporal.Instant) => {
    const symbols = [...new Set(seen.map((row) => row.symbol))];
    const stored = await store.newestOn(date, symbols, by);
    const expected = stored.filter((row) => row.report_date === date && row.event !== NEXT && !row.withdrawn);
    const isWhole = symbols.length > 0 && symbols.length * 2 >= expected.length;
    const withdraws = (row: { report_date: string; event: string }) =>
      isWhole && row.report_date === date && row.event !== NEXT;
    return store.appendReports(reviseReports(stored, seen, revisionOf(by, at), withdraws));
  };

  const readMainDay = async (date: string, signal?: AbortSignal): Promise<number> => {
    const { rows, received_at } = await source.earningsOn(date, signal);
    const seen = rows.map(
      (row): SeenReport => ({
        ...reportOf(row, date),
        event: row.fiscal_quarter ?? date,
        fiscal_quarter_end: row.fiscal_quarter === null ? null : lastDay(row.fiscal_quarter),
        estimate_count: row.estimate_count,
        eps_last_year: row.eps_last_year,
      }),
    );
    return saveDay(date, source.name, seen, received_at);
  };

  /** The other provider's list of the day, kept under its own name. */
  const readOtherDay = async (date: string, signal?: AbortSignal): Promise<number> => {
    const { rows, received_at } = await next.earningsOn(date, signal);
    const seen = rows.map((row) => ({ ...reportOf(row, date), is_confirmed: row.is_confirmed }));
    return saveDay(date, next.name, seen, received_at);
  };

  return {
    /** Reads everybody's reports of a day; where the calendar's provider fails, another's stands in. */
    async readDay(date: string, signal?: AbortSignal): Promise<Reading & { readonly rows: number }> {
      try {
        const rows = await readMainDay(date, signal);
        return { read_at: ms(clock.now()), warnings: [], rows };
      } catch (error) {
        signal?.throwIfAborted();
        if (!isOutage(error)) throw error;
        const rows = await readOtherDay(date, signal).catch(() => {
          signal?.throwIfAborted();
          throw error;
        });
        const description = `The calendar of ${date} comes from ${next.name}, since ${source.name} could not be asked (${error.message}).`;
        return { read_at: ms(clock.now()), warnings: [description], rows };
      }
    },

    /**
     * Reads the surprises of a symbol. Throws NotFound `unknown_ticker` when nobody knows it, Upstream* when the
     * provider fails.
     */
    async readSurprises(symbol: string, signal?: AbortSignal): Promise<Reading> {
      const warnings: string[] = [];
      try {
        const { rows, received_at } = await source.surprises(symbol, signal);
        const seen = rows.map((row) => ({
          fiscal_quarter_end: lastDay(row.fiscal_quarter),
          report_date: row.report_date,
          eps_actual: row.eps_actual,
          eps_estimate: row.eps_estimate,
        }));
        // An empty list may be a company nobody estimates, or no company at all.
        if (rows.length === 0) await companyBehind(symbol, signal);
        const stored = (await store.surprises(symbol, null)).filter((row) => row.source === source.name);
        await store.appendSurprises(
          reviseSurprises(symbol, stored, seen, revisionOf(source.name, received_at)),
        );
      } catch (error) {
        if (!(error instanceof NotFound)) throw error;
        await companyBehind(symbol, signal);
        warnings.push(`${source.name} has no earnings of this ticker.`);
      }
      const read_at = ms(clock.now());
      store.follow(symbol, { surprises_read_at: read_at });
      return { read_at, warnings };
    },

    /** Reads when a symbol reports next. Throws Upstream* when the provider fails. */
    async readNext(symbol: string, signal?: AbortSignal): Promise<Reading> {
      const found = await next.calendarEvents(symbol, signal).catch((error: unknown) => {
        if (error instanceof NotFound) return null;
        throw error;
      });
      const at = found ? Temporal.Instant.from(found.received_at) : clock.now();
      const seen = found?.report_date ? [nextReport(symbol, found, found.report_date)] : [];
      const stored = (await store.newestOf(symbol, next.name)).filter((row) => row.event === NEXT);
      await store.appendReports(reviseReports(stored, seen, revisionOf(next.name, at), () => true));
      const read_at = ms(clock.now());
      store.follow(symbol, { next_read_at: read_at });
      return { read_at, warnings: [] };
    },
  };
}

export type EarningsCollector = ReturnType<typeof earningsCollector>;
