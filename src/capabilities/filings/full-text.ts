// Filings by the words of their documents: the regulator's search, in the shape of our own list.
import type { Static } from "@sinclair/typebox";
import { endOfDay, newYorkDate } from "../../market/calendar.ts";
import { addDays, earlierDay } from "../../market/date.ts";
import type { Clock } from "../../platform/clock.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import { indexPageUrl, type SearchHit, type SearchPage } from "../../providers/edgar/index.ts";
import type { Subject } from "./requested-filer.ts";
import type { FilingList, FilingSummary } from "./schema.ts";
import type { FilingSource } from "./sources.ts";
import type { FilingsStore, FoundFiling } from "./store.ts";
import { summaryOf } from "./summary.ts";

export interface FullTextAsk {
  readonly q: string | undefined;
  readonly subject: Subject | null;
  readonly forms: readonly string[] | null;
  readonly start: string | null;
  readonly end: string | null;
  readonly asOf: Temporal.Instant | null;
  readonly limit: number;
  readonly offset: number;
}

/** The regulator's pages, how deep they go, and its first day. */
const PAGE = 100;
const DEPTH = 10_000;
const FIRST_DAY = "2001-01-01";

/** `APPLE INC  (AAPL)  (CIK 0000320193)` without what stands in brackets behind the name. */
const nameOf = (text: string | undefined): string =>
  (text ?? "").replace(/\s*(?:\([A-Z0-9., -]+\)\s*)?\(CIK \d+\)\s*$/, "").trim();

function hitSummary(
  hit: SearchHit,
  stored: FoundFiling | undefined,
  ticker: string | null,
): Static<typeof FilingSummary> {
  const matched = { matched_document: hit.filename, matched_document_type: hit.file_type };
  if (stored) return { ...summaryOf(stored, ticker), ...matched };
  const cik = hit.ciks[0] ?? hit.accession_number.slice(0, 10);
  return {
    accession_number: hit.accession_number,
    cik,
    ticker,
    company_name: nameOf(hit.names[0]),
    form_type: hit.form_type,
    filing_date: hit.filing_date,
    report_date: hit.report_date,
    accepted_at: null,
    items: [...hit.items],
    parsed_status: null,
    primary_document: null,
    primary_document_url: null,
    filing_url: indexPageUrl({ accession_number: hit.accession_number, cik }),
    size: null,
    is_xbrl: null,
    ...matched,
  };
}

/** The last filing date all of whose filings could be read by then: of the running day nothing is certain. */
function lastDay(asOf: Temporal.Instant): string {
  const date = newYorkDate(asOf);
  return Temporal.Instant.compare(endOfDay(date), asOf) <= 0 ? date : addDays(date, -1);
}

export function fullText({
  source,
  store,
  clock,
}: {
  source: FilingSource;
  store: FilingsStore;
  clock: Clock;
}) {
  const pagesOf = async (
    ask: FullTextAsk,
    dates: { start_date?: string; end_date?: string },
    signal: AbortSignal,
  ) => {
    const first = Math.floor(ask.offset / PAGE) * PAGE;
    const pages: SearchPage[] = [];
    for (let from: number | null = first; from !== null && from < ask.offset + ask.limit; ) {
      const page: SearchPage = await source.search(
        {
          q: ask.q,
          forms: ask.forms ?? undefined,
          ciks: ask.subject ? [ask.subject.cik] : undefined,
          from,
          ...dates,
        },
        signal,
      );
      pages.push(page);
      from = page.next_from;
    }
    return { pages, first };
  };

  return async (ask: FullTextAsk, signal: AbortSignal): Promise<Static<typeof FilingList>> => {
    const { limit, offset, asOf, subject } = ask;
    if (offset >= DEPTH)
      throw new InvalidRequest("bad_request", `The full-text search goes ${DEPTH} documents deep.`, {
        hint: "Narrow it down by form_type or dates.",
      });
    const end = asOf === null ? ask.end : earlierDay(ask.end ?? lastDay(asOf), lastDay(asOf));
    const start = ask.start ?? (end === null ? null : FIRST_DAY);
    const nothing = { count: 0, total: 0, limit, offset, has_more: false, data: [], warnings: [] };
    if (start !== null && end !== null && end < start) return nothing;
    const dates = start === null ? {} : { start_date: start, end_date: end ?? newYorkDate(clock.now()) };
    const { pages, first } = await pagesOf(ask, dates, signal);
    const hits = pages.flatMap((page) => page.hits).slice(offset - first, offset - first + limit);
    const stored = new Map(
      store.byAccessions(hits.map((h) => h.accession_number)).map((f) => [f.accession_number, f]),
    );
    const total = pages[0]?.total ?? 0;
    const isExact = pages[0]?.total_is_lower_bound !== true;
    const tickerOf = (hit: SearchHit) =>
      subject?.ticker ?? store.filer(hit.ciks[0] ?? "")?.tickers[0] ?? null;
    return {
      count: hits.length,
      total: isExact ? total : null,
      limit,
      offset,
      has_more: offset + hits.length < Math.min(total, DEPTH),
      data: hits.map((hit) => hitSummary(hit, stored.get(hit.accession_number), tickerOf(hit))),
      warnings: [],
    };
  };
}

export type FullText = ReturnType<typeof fullText>;
