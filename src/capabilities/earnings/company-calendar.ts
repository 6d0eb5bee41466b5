// GET /earnings/calendar/{ticker} and its bulk form: a company's past and coming reports.
import { answerEach } from "../../market/bulk.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { canonical, parseTickers, type TickerRequest } from "../../market/ticker.ts";
import { Answer } from "../../platform/answer.ts";
import type { Memory } from "../../platform/cache/cache.ts";
import type { Clock } from "../../platform/clock.ts";
import { InvalidRequest, NotFound } from "../../platform/errors.ts";
import type { EarningsCollector, Reading } from "./collect.ts";
import { companyEvents, nextOf, type ReportEvent } from "./events.ts";
import { cacheOf, NOT_ASKED, oldWarning, type Refreshed, refresh, retold } from "./reader.ts";
import { reportTable } from "./report-table.ts";
import {
  type BulkCalendarResponse,
  type CalendarAsk,
  type CalendarResponse,
  type Report,
  ROWS,
} from "./schema.ts";
import type { EarningsStore } from "./store.ts";

/** Tickers of a bulk request worked on at once. */
const BULK_CONCURRENCY = 8;

export interface CalendarDeps {
  readonly collector: EarningsCollector;
  readonly surprises: Memory<Reading>;
  readonly next: Memory<Reading>;
  readonly store: EarningsStore;
  readonly clock: Clock;
  /** The source whose quarters are the frame. */
  readonly main: string;
  asOf(text: string | undefined): Temporal.Instant | null;
}

export function checkSpan({ from_date, to_date }: { from_date?: string; to_date?: string }): void {
  if (from_date !== undefined && to_date !== undefined && to_date < from_date)
    throw new InvalidRequest(
      "invalid_date_range",
      `to_date ${to_date} is earlier than from_date ${from_date}.`,
    );
}

/** A report as the answers show it, under the ticker as the client wrote it. */
export function reportOf(ticker: string, { symbol: _, other_dates, ...fields }: ReportEvent): Report {
  return { ticker, ...fields, other_dates: [...other_dates] };
}

export function companyCalendar(deps: CalendarDeps) {
  const { collector, store, clock, main } = deps;

  const refreshed = async (
    { symbol }: TickerRequest,
    force: boolean,
    signal: AbortSignal,
  ): Promise<{ surprises: Refreshed; next: Refreshed }> => {
    const [surprises, next] = await Promise.all([
      refresh(deps.surprises, symbol, (s) => collector.readSurprises(symbol, s), force, signal),
      refresh(deps.next, symbol, (s) => collector.readNext(symbol, s), force, signal),
    ]);
    return { surprises, next };
  };

  /** The failure that leaves nothing to serve; else what is missing, in words. */
  const missing = (
    { surprises, next }: { surprises: Refreshed; next: Refreshed },
    isEmpty: boolean,
    force: boolean,
  ): string[] => {
    const errors = [surprises.fault, next.fault].flatMap((error) => error ?? []);
    const [first] = errors;
    if (first && (force || (isEmpty && (errors.length === 2 || first instanceof NotFound)))) throw first;
    return [
      ...errors.map(oldWarning),
      ...(next.fault && !force ? ["The next report may be missing or old."] : []),
      ...surprises.warnings,
      ...next.warnings,
    ];
  };

  /** `note` is told of the readings even where the answer fails. */
  const one = async (
    request: TickerRequest,
    ask: CalendarAsk,
    signal: AbortSignal,
    note: (reads: readonly Refreshed[]) => void,
  ): Promise<CalendarResponse> => {
    const asOf = deps.asOf(ask.as_of);
    const force = ask.force_refresh ?? false;
    const reads =
      asOf === null ? await refreshed(request, force, signal) : { surprises: NOT_ASKED, next: NOT_ASKED };
    note([reads.surprises, reads.next]);
    const [surprises, reports] = await Promise.all([
      store.surprises(request.symbol, asOf, signal),
      store.reports(request.symbol, asOf, signal),
    ]);
    const events = companyEvents(surprises, reports, main);
    let warnings: string[];
    try {
      warnings = missing(reads, events.length === 0, force);
    } catch (error) {
      throw retold(error, request.ticker, request.symbol);
    }
    if (asOf !== null)
      warnings.push("With as_of only what this service had read by then is known, and nothing is fetched.");
    const today = newYorkDate(asOf ?? clock.now());
    const from = [ask.from_date ?? "", ask.include_past === false ? today : ""].sort()[1] ?? "";
    const wanted = events.filter(
      (event) =>
        (event.report_date_end ?? event.report_date) >= from && event.report_date <= (ask.to_date ?? "9999"),
    );
    const next = nextOf(events, today);
    const data = wanted.slice(0, ask.limit ?? ROWS.preset).map((event) => reportOf(request.ticker, event));
    return {
      ticker: request.ticker,
      next: next && reportOf(request.ticker, next),
      count: data.length,
      as_of: asOf?.toString({ smallestUnit: "millisecond" }) ?? null,
      warnings,
      data,
    };
  };

  const facts = (reads: readonly Refreshed[]) => ({ cache: cacheOf(reads, clock.nowMs()) });

  return {
    async one(given: string, ask: CalendarAsk, signal: AbortSignal): Promise<Answer<CalendarResponse>> {
      checkSpan(ask);
      const ticker = given.trim();
      const reads: Refreshed[] = [];
      const note = (made: readonly Refreshed[]) => void reads.push(...made);
      const body = await one({ ticker, symbol: canonical(ticker) }, ask, signal, note);
      const table = reportTable(`earnings_${ticker}`, body.data);
      return new Answer(() => body, { table, ...(ask.as_of === undefined ? facts(reads) : {}) });
    },

    async bulk(
      tickers: readonly string[],
      ask: CalendarAsk,
      signal: AbortSignal,
    ): Promise<Answer<BulkCalendarResponse>> {
      checkSpan(ask);
      const requests = parseTickers(tickers).tickers;
      const reads: Refreshed[] = [];
      const note = (made: readonly Refreshed[]) => void reads.push(...made);
      const body = await answerEach(requests, (request) => one(request, ask, signal, note), {
        concurrency: BULK_CONCURRENCY,
        signal,
      });
      return new Answer(() => body, facts(reads));
    },
  };
}
