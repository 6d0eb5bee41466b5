// Searches the text of documents through the regulator's full-text search, and shows the hits as our own list
// does.
import type { Static } from "@sinclair/typebox";
import { absent, explained } from "../../market/absence.ts";
import { endOfDay, newYorkDate } from "../../market/calendar.ts";
import { addDays, earlierDay } from "../../market/date.ts";
import type { Services } from "../../market/services.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import { indexPageUrl, type SearchHit, type SearchPage } from "../../providers/edgar/index.ts";
import type { RequestedFiler } from "./requested-filer.ts";
import type { FilingList, FilingSummary } from "./schema.ts";
import type { FilingSource } from "./sources.ts";
import type { FilingsStore, FoundFiling } from "./store.ts";
import { summaryOf } from "./summary.ts";

export interface FullTextRequest {
  readonly q: string | undefined;
  readonly filer: RequestedFiler | null;
  readonly forms: readonly string[] | null;
  readonly start: string | null;
  readonly end: string | null;
  readonly asOf: Temporal.Instant | null;
  readonly limit: number;
  readonly offset: number;
}

/** Rows per page of the regulator's search, the most rows it returns, and the first filing date it covers. */
const PAGE_SIZE = 100;
const RESULTS_MAX = 10_000;
const FIRST_DAY = "2001-01-01";

const NO_DOCUMENT = "The regulator's full-text search finds no document, or none is on this page.";
const UNSEARCHED = absent(
  "not_read",
  `The regulator's full-text search covers filings from ${FIRST_DAY}, and with as_of those of days that had ended: none of these days is searched.`,
);

/** The name in `APPLE INC  (AAPL)  (CIK 0000320193)`, without the brackets after it. */
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

/** The last filing date whose filings were all public at `asOf`. A day that has not ended does not count. */
// At noon of 4 September the last day is 3 September.
function lastDay(asOf: Temporal.Instant): string {
  const date = newYorkDate(asOf);
  return Temporal.Instant.compare(endOfDay(date), asOf) <= 0 ? date : addDays(date, -1);
}

export interface FullTextDeps extends Pick<Services, "clock"> {
  readonly source: FilingSource;
  readonly store: FilingsStore;
}

/** The first and last filing date to search; null: no limit. */
function searchedDates({ start, end, asOf }: FullTextRequest): { start: string | null; end: string | null } {
  const last = asOf === null ? end : earlierDay(end ?? lastDay(asOf), lastDay(asOf));
  return { start: start ?? (last === null ? null : FIRST_DAY), end: last };
}

/** Throws InvalidRequest where the page lies beyond what the regulator's search returns. */
function refuseBeyond(offset: number): void {
  if (offset < RESULTS_MAX) return;
  throw new InvalidRequest("bad_request", `The full-text search returns ${RESULTS_MAX} documents at most.`, {
    hint: "Narrow it down by form_type or dates.",
  });
}

const NONE = { count: 0, total: 0, has_more: false, data: [] };

export function fullText({ source, store, clock }: FullTextDeps) {
  /**
   * The regulator's pages that contain the requested rows, and the position of the first hit of the first
   * page.
   */
  const fetchPages = async (
    { q, forms, filer, offset, limit }: FullTextRequest,
    dates: { start_date?: string; end_date?: string },
    signal: AbortSignal,
  ) => {
    const first = Math.floor(offset / PAGE_SIZE) * PAGE_SIZE;
    const query = { q, forms: forms ?? undefined, ciks: filer ? [filer.cik] : undefined, ...dates };
    const pages: SearchPage[] = [];
    for (let from: number | null = first; from !== null && from < offset + limit; ) {
      const page: SearchPage = await source.search({ ...query, from }, signal);
      pages.push(page);
      from = page.next_from;
    }
    return { pages, first };
  };

  const summariesOf = (hits: readonly SearchHit[], filer: RequestedFiler | null) => {
    const filings = store.byAccessions(hits.map((hit) => hit.accession_number));
    const stored = new Map(filings.map((filing) => [filing.accession_number, filing]));
    return hits.map((hit) => {
      const ticker = filer?.ticker ?? store.filer(hit.ciks[0] ?? "")?.tickers[0] ?? null;
      return hitSummary(hit, stored.get(hit.accession_number), ticker);
    });
  };

  return async function searchFullText(
    request: FullTextRequest,
    signal: AbortSignal,
  ): Promise<Static<typeof FilingList>> {
    const { limit, offset, filer } = request;
    const warnings = [...(filer?.warnings ?? [])];
    refuseBeyond(offset);
    const { start, end } = searchedDates(request);
    if (start !== null && end !== null && end < start)
      return { ...NONE, limit, offset, warnings: [...warnings, UNSEARCHED] };
    const dates = start === null ? {} : { start_date: start, end_date: end ?? newYorkDate(clock.now()) };
    const { pages, first } = await fetchPages(request, dates, signal);
    const hits = pages.flatMap((page) => page.hits).slice(offset - first, offset - first + limit);
    const total = pages[0]?.total ?? 0;
    return {
      count: hits.length,
      total: pages[0]?.total_is_lower_bound === true ? null : total,
      limit,
      offset,
      has_more: offset + hits.length < Math.min(total, RESULTS_MAX),
      data: summariesOf(hits, filer),
      warnings: explained(hits, warnings, NO_DOCUMENT),
    };
  };
}

export type FullText = ReturnType<typeof fullText>;
