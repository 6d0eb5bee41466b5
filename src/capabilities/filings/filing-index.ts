// Keeps the index of a filer's filings up to date: fetches what is missing for the requested days. Concurrent
// requests share one fetch.
import { inBatches, mapSettled } from "../../market/bulk.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import type { Services } from "../../market/services.ts";
import { fromSec } from "../../market/spelling.ts";
import { NotFound } from "../../platform/errors.ts";
import { instantText } from "../../platform/instant-text.ts";
import { singleFlight } from "../../platform/upstream/single-flight.ts";
import type { FilingRow, OlderPage, Submissions } from "../../providers/edgar/index.ts";
import type { FilerRecord } from "./filer-store.ts";
import { acceptanceFields } from "./known-at.ts";
import type { FilingSource } from "./sources.ts";
import type { FilingsStore, IncomingFiling } from "./store.ts";

/** The filings of a filer that the index must contain. */
export interface IndexRequest {
  /**
   * First filing date needed; null: the newest pages, which contain everything for all but the busiest
   * filers.
   */
  readonly start: string | null;
  /** Time up to which it must be complete, epoch milliseconds: later filings do not matter. */
  readonly untilMs: number;
  /** Asks the regulator whatever is stored, and fills in unknown acceptance times. */
  readonly force: boolean;
}

/** A start before the first filing of any filer. */
export const EVERYTHING = "1900-01-01";
/** Time for which a filer's list is not read again. */
// A list read at 12:00 serves requests for the present until 12:05.
const FRESH_MS = 5 * 60_000;
/** Older pages fetched when no first day is requested; a page has about two thousand filings. */
// That is a filer's newest 16,000 filings or so.
const PAGES_DEFAULT = 8;
const PAGES_AT_ONCE = 4;
/** Filings of one filer whose acceptance time is read from their detail pages after a refresh. */
const ACCEPTANCES_PER_REFRESH = 50;

const tickersOf = (submissions: Submissions): string[] =>
  submissions.entity.tickers.map(({ ticker }) => fromSec(ticker) ?? ticker);

function incoming(row: FilingRow, company_name: string, nowMs: number): IncomingFiling {
  const { accession_number, cik, form_type, filing_date, report_date, size, is_xbrl, primary_document } = row;
  return {
    accession_number,
    cik,
    company_name,
    form_type,
    filing_date,
    report_date,
    size,
    is_xbrl,
    primary_document,
    ...acceptanceFields(row, nowMs),
    items: row.items.join(","),
  };
}

/** Whether all filings of a page were stored by an earlier refresh. */
function storedPages(known: FilerRecord | null): (page: OlderPage) => boolean {
  if (!known) return () => false;
  const refreshed = newYorkDate(Temporal.Instant.from(known.indexed_at));
  return (page) => page.filing_from >= known.covered_from && page.filing_to < refreshed;
}

/** Pages to fetch, newest first: those with filings of the requested days that are not stored. */
function pagesToFetch(
  pages: readonly OlderPage[],
  { start, force }: IndexRequest,
  known: FilerRecord | null,
): OlderPage[] {
  const isStored = storedPages(force ? null : known);
  const newestFirst = pages
    .filter((page) => !isStored(page))
    .toSorted((a, b) => (a.filing_to < b.filing_to ? 1 : -1));
  if (start === null) return newestFirst.slice(0, PAGES_DEFAULT);
  return newestFirst.filter((page) => page.filing_to >= start);
}

/** The first day from which no filing is missing, when the pages in `left` are not stored. */
function coveredFrom(left: readonly OlderPage[], known: FilerRecord | null): string {
  const isStored = storedPages(known);
  const newest = left
    .filter((page) => !isStored(page))
    .map((page) => page.filing_to)
    .sort()
    .at(-1);
  return newest === undefined ? EVERYTHING : addDays(newest, 1);
}

export interface FilingIndexDeps extends Pick<Services, "clock"> {
  readonly source: FilingSource;
  readonly store: FilingsStore;
  /**
   * Called after each refresh with the accession numbers of new current reports and of filings whose
   * acceptance time the list left open, newest first. The composition starts their background parsing here.
   */
  onNew(accessions: readonly string[]): void;
}

export function filingIndex({ source, store, clock, onNew }: FilingIndexDeps) {
  const flights = singleFlight<void>();
  const running = new Map<string, IndexRequest>();

  const isCovered = (cik: string, { start, untilMs }: IndexRequest): boolean => {
    const filer = store.filer(cik);
    if (!filer || (start !== null && start < filer.covered_from)) return false;
    const indexedMs = Temporal.Instant.from(filer.indexed_at).epochMilliseconds;
    return indexedMs >= untilMs || clock.nowMs() - indexedMs < FRESH_MS;
  };

  const refresh = async (cik: string, request: IndexRequest, signal: AbortSignal): Promise<void> => {
    const known = store.filer(cik);
    // Taken before the request: a filing made while it is under way may be missing from the answer.
    const requestedMs = clock.nowMs();
    const submissions = await source.submissions(cik, signal);
    if (!submissions)
      throw new NotFound("no_data", `The SEC knows no filer with the CIK ${cik}.`, { upstream: "edgar" });
    const { name, predecessor_ciks } = submissions.entity;
    const fresh: string[] = [];
    const save = (rows: readonly FilingRow[]) => {
      const incomingRows = rows.map((row) => incoming(row, name, requestedMs));
      fresh.push(...store.save(incomingRows, request.force));
    };
    const filer = {
      cik,
      name,
      tickers: tickersOf(submissions),
      predecessor_ciks,
      indexed_at: instantText(requestedMs),
    };
    save(submissions.filings);
    let left = [...submissions.older_pages];
    const saveFiler = () => store.saveFiler({ ...filer, covered_from: coveredFrom(left, known) });
    saveFiler();
    try {
      for (const batch of inBatches(pagesToFetch(left, request, known), PAGES_AT_ONCE)) {
        const pages = await mapSettled(batch, (page) => source.olderFilings(cik, page, signal), {
          concurrency: PAGES_AT_ONCE,
          signal,
        });
        for (const page of pages) {
          if (!page.ok) throw page.error;
          save(page.value);
          left = left.filter((other) => other !== page.item);
        }
        saveFiler();
      }
    } finally {
      // Also after a failure: what was stored until then can be parsed.
      onNew([...new Set([...fresh, ...store.ambiguous(cik, ACCEPTANCES_PER_REFRESH)])]);
    }
  };

  const covers = (running: IndexRequest | undefined, request: IndexRequest): boolean =>
    running !== undefined &&
    (running.force || !request.force) &&
    (request.start === null || (running.start !== null && running.start <= request.start));

  return {
    /**
     * Makes the index of a filer contain what is requested. Returns whether the regulator was asked. Throws
     * NotFound when there is no such filer, and the errors of the requests; what was read before an error
     * stays stored.
     */
    async ensure(cik: string, request: IndexRequest, signal: AbortSignal): Promise<boolean> {
      for (let asked = false; ; asked = true) {
        if (!request.force && isCovered(cik, request)) return asked;
        const joined = flights.has(cik) ? running.get(cik) : undefined;
        if (!joined) running.set(cik, request);
        await flights.run(cik, signal, (shared) => refresh(cik, request, shared));
        // A joined refresh may have requested less; an own one always fetches everything requested.
        if (!joined || covers(joined, request)) return true;
      }
    },
  };
}

export type FilingIndexUpdater = ReturnType<typeof filingIndex>;
