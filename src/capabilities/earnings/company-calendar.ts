// GET /earnings/calendar/{ticker} and its bulk form: past and coming reports of a company.
import { pageFacts } from "../../market/answer-fields.ts";
import { answerEach } from "../../market/bulk.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { throwWithClientTicker } from "../../market/client-ticker.ts";
import { laterDay } from "../../market/date.ts";
import { checkDateRange } from "../../market/date-range.ts";
import { asOfInstant } from "../../market/known-at.ts";
import type { Services } from "../../market/services.ts";
import type { SplitsOf } from "../../market/share-split.ts";
import { canonical, parseTickers, type TickerRequest } from "../../market/ticker.ts";
import { Answer } from "../../platform/answer.ts";
import { NotFound } from "../../platform/errors.ts";
import type { ReadingCaches } from "./caches.ts";
import type { EarningsCollector } from "./collect.ts";
import { onOneBasis } from "./eps-basis.ts";
import { companyEvents, nextOf, onePerDay, type ReportEvent } from "./events.ts";
import {
  asOfText,
  cacheOf,
  explainedReports,
  NOT_ASKED,
  oldWarning,
  type Refreshed,
  refresh,
} from "./reader.ts";
import { reportTable } from "./report-table.ts";
import {
  type BulkCalendarResponse,
  type CalendarRequest,
  type CalendarResponse,
  type Report,
  ROWS,
} from "./schema.ts";
import type { EarningsStore } from "./store.ts";

/** How many tickers of a bulk request are answered at once. */
const BULK_CONCURRENCY = 8;

export interface CompanyCalendarDeps
  extends Pick<Services, "clock">,
    Pick<ReadingCaches, "surprises" | "next"> {
  readonly collector: EarningsCollector;
  readonly store: EarningsStore;
  readonly splitsOf: SplitsOf;
  /** The source whose quarters the others are merged into. */
  readonly mainSource: string;
}

/** Both readings of a company. */
interface CompanyReads {
  readonly surprises: Refreshed;
  readonly next: Refreshed;
}

/** Called with the readings of a company, also when its answer fails. */
type NoteReads = (reads: readonly Refreshed[]) => void;

/** A report as the answers show it, under the ticker as the client wrote it. */
export function reportOf(ticker: string, { symbol: _, other_dates, ...fields }: ReportEvent): Report {
  return { ticker, ...fields, other_dates: [...other_dates] };
}

/**
 * Warnings about what is missing. Throws the readings' error when nothing is left to serve or fresh data was
 * forced.
 */
function warningsOf({ surprises, next }: CompanyReads, isEmpty: boolean, force: boolean): string[] {
  const errors = [surprises.error, next.error].flatMap((error) => error ?? []);
  const [first] = errors;
  if (first && (force || (isEmpty && (errors.length === 2 || first instanceof NotFound)))) throw first;
  return [
    ...errors.map(oldWarning),
    ...(next.error && !force ? ["The next report may be missing or out of date."] : []),
    ...surprises.warnings,
    ...next.warnings,
  ];
}

/** The reports in the requested range of days. */
function selected(events: readonly ReportEvent[], query: CalendarRequest, today: string): ReportEvent[] {
  const from = laterDay(query.from_date ?? "", query.include_past === false ? today : "");
  const to = query.to_date ?? "9999";
  return events.filter(
    (event) => (event.report_date_end ?? event.report_date) >= from && event.report_date <= to,
  );
}

export function companyCalendar(deps: CompanyCalendarDeps) {
  const { collector, store, clock, mainSource } = deps;

  const readCompany = async (
    { symbol }: TickerRequest,
    force: boolean,
    signal: AbortSignal,
  ): Promise<CompanyReads> => {
    const [surprises, next] = await Promise.all([
      refresh(deps.surprises, symbol, (s) => collector.readSurprises(symbol, s), force, signal),
      refresh(deps.next, symbol, (s) => collector.readNext(symbol, s), force, signal),
    ]);
    return { surprises, next };
  };

  const calendarOf = async (
    request: TickerRequest,
    query: CalendarRequest,
    signal: AbortSignal,
    note: NoteReads,
  ): Promise<CalendarResponse> => {
    const asOf = asOfInstant(query.as_of);
    const force = query.force_refresh ?? false;
    const reads =
      asOf === null ? await readCompany(request, force, signal) : { surprises: NOT_ASKED, next: NOT_ASKED };
    note([reads.surprises, reads.next]);
    const [surprises, reports] = await Promise.all([
      store.surprises(request.symbol, asOf, signal),
      store.reports(request.symbol, asOf, signal),
    ]);
    const listed = onePerDay(reports);
    const based = onOneBasis(surprises, await deps.splitsOf(request.symbol, asOf, signal));
    const events = companyEvents(based, listed.rows, mainSource);
    const warnings = [...warningsOf(reads, events.length === 0, force), ...listed.warnings];
    const today = newYorkDate(asOf ?? clock.now());
    const next = nextOf(events, today);
    const matching = selected(events, query, today);
    const data = matching
      .slice(0, query.limit ?? ROWS.preset)
      .map((event) => reportOf(request.ticker, event));
    return {
      ticker: request.ticker,
      next: next && reportOf(request.ticker, next),
      count: data.length,
      total: matching.length,
      as_of: asOfText(asOf),
      warnings: explainedReports(data, warnings, asOf),
      data,
    };
  };

  const answerOf = (request: TickerRequest, query: CalendarRequest, signal: AbortSignal, note: NoteReads) =>
    calendarOf(request, query, signal, note).catch(throwWithClientTicker(request));

  const cacheFacts = (reads: readonly Refreshed[]) => ({ cache: cacheOf(reads, clock.nowMs()) });

  return {
    async one(given: string, query: CalendarRequest, signal: AbortSignal): Promise<Answer<CalendarResponse>> {
      checkDateRange(query);
      const ticker = given.trim();
      const reads: Refreshed[] = [];
      const note: NoteReads = (made) => void reads.push(...made);
      const body = await answerOf({ ticker, symbol: canonical(ticker) }, query, signal, note);
      const table = reportTable(`earnings_${ticker}`, body.data);
      return new Answer(() => body, {
        table,
        page: pageFacts(body),
        ...(query.as_of === undefined ? cacheFacts(reads) : {}),
      });
    },

    async bulk(
      tickers: readonly string[],
      query: CalendarRequest,
      signal: AbortSignal,
    ): Promise<Answer<BulkCalendarResponse>> {
      checkDateRange(query);
      const requests = parseTickers(tickers).tickers;
      const reads: Refreshed[] = [];
      const note: NoteReads = (made) => void reads.push(...made);
      const body = await answerEach(requests, (request) => answerOf(request, query, signal, note), {
        concurrency: BULK_CONCURRENCY,
        signal,
      });
      return new Answer(() => body, cacheFacts(reads));
    },
  };
}
