// Reads the reports of a company or of a day from the providers and stores what is new.
import { absent } from "../../market/absence.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { monthEnd } from "../../market/date.ts";
import type { Services } from "../../market/services.ts";
import { isOutage, NotFound } from "../../platform/errors.ts";
import { instantText } from "../../platform/instant-text.ts";
import { type ObservedBy, reviseReports, reviseSurprises, type SeenReport } from "./revise.ts";
import type { CompanyBehind, EarningsSource, NextReportSource, SourceNext, SourceReport } from "./sources.ts";
import type { EarningsStore } from "./store.ts";

/** The outcome of a reading; cached until the next one. */
export interface Reading {
  readonly read_at: string;
  readonly warnings: readonly string[];
}

export interface CollectDeps extends Pick<Services, "clock"> {
  readonly source: EarningsSource;
  readonly next: NextReportSource;
  readonly companyBehind: CompanyBehind;
  readonly store: EarningsStore;
}

/** The event key of a provider that names only the next report. */
const NEXT = "next";

const momentText = (at: Temporal.Instant) => instantText(at.epochMilliseconds);

/** Last day of a month given as YYYY-MM. */
const lastDay = (month: string) => monthEnd(`${month}-01`);

const observation = (source: string, at: Temporal.Instant): ObservedBy => ({
  source,
  today: newYorkDate(at),
  known_at: momentText(at),
});

/** A report in a day's list, with the fields that both providers' lists have. */
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

export function earningsCollector({ source, next, companyBehind, store, clock }: CollectDeps) {
  /**
   * Stores a day's list. A list that is empty or has less than half of the stored reports is broken and
   * withdraws nothing.
   */
  const saveDay = async (date: string, by: string, seen: readonly SeenReport[], at: Temporal.Instant) => {
    const symbols = [...new Set(seen.map((row) => row.symbol))];
    const stored = await store.newestOn(date, symbols, by);
    const expected = stored.filter((row) => row.report_date === date && row.event !== NEXT && !row.withdrawn);
    const isComplete = symbols.length > 0 && symbols.length * 2 >= expected.length;
    const withdraws = (row: { report_date: string; event: string }) =>
      isComplete && row.report_date === date && row.event !== NEXT;
    return store.appendReports(reviseReports(stored, seen, observation(by, at), withdraws));
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

  /** Reads the other provider's list of the day and stores it under that provider's name. */
  const readOtherDay = async (date: string, signal?: AbortSignal): Promise<number> => {
    const { rows, received_at } = await next.earningsOn(date, signal);
    const seen = rows.map((row) => ({ ...reportOf(row, date), is_confirmed: row.is_confirmed }));
    return saveDay(date, next.name, seen, received_at);
  };

  return {
    /** Reads all reports of a day; when the main provider fails, reads the other provider's list instead. */
    async readDay(date: string, signal?: AbortSignal): Promise<Reading & { readonly rows: number }> {
      try {
        const rows = await readMainDay(date, signal);
        return { read_at: momentText(clock.now()), warnings: [], rows };
      } catch (error) {
        signal?.throwIfAborted();
        if (!isOutage(error)) throw error;
        const rows = await readOtherDay(date, signal).catch(() => {
          signal?.throwIfAborted();
          throw error;
        });
        const warning = `The calendar of ${date} comes from ${next.name}, because ${source.name} could not be asked (${error.message}).`;
        return { read_at: momentText(clock.now()), warnings: [warning], rows };
      }
    },

    /**
     * Reads the surprises of a symbol. Throws NotFound `unknown_ticker` when no provider knows the ticker,
     * Upstream* when the provider fails.
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
        // An empty list means a company without estimates or an unknown ticker.
        if (rows.length === 0) await companyBehind(symbol, signal);
        const stored = (await store.surprises(symbol, null)).filter((row) => row.source === source.name);
        await store.appendSurprises(
          reviseSurprises(symbol, stored, seen, observation(source.name, received_at)),
        );
      } catch (error) {
        if (!(error instanceof NotFound)) throw error;
        await companyBehind(symbol, signal);
        warnings.push(absent("nothing_there", `${source.name} has no earnings of this ticker.`));
      }
      const read_at = momentText(clock.now());
      store.follow(symbol, { surprises_read_at: read_at });
      return { read_at, warnings };
    },

    /** Reads the next report of a symbol. Throws Upstream* when the provider fails. */
    async readNext(symbol: string, signal?: AbortSignal): Promise<Reading> {
      const found = await next.calendarEvents(symbol, signal).catch((error: unknown) => {
        if (error instanceof NotFound) return null;
        throw error;
      });
      const at = found ? Temporal.Instant.from(found.received_at) : clock.now();
      const seen = found?.report_date ? [nextReport(symbol, found, found.report_date)] : [];
      const stored = (await store.newestOf(symbol, next.name)).filter((row) => row.event === NEXT);
      await store.appendReports(reviseReports(stored, seen, observation(next.name, at), () => true));
      const read_at = momentText(clock.now());
      store.follow(symbol, { next_read_at: read_at });
      return { read_at, warnings: [] };
    },
  };
}

export type EarningsCollector = ReturnType<typeof earningsCollector>;
