// Keeps the index of a filer's filings: what is missing of the asked days is fetched, once however many ask.

import { inBatches, mapSettled } from "../../market/bulk.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import { fromSec } from "../../market/spelling.ts";
import type { Clock } from "../../platform/clock.ts";
import { NotFound } from "../../platform/errors.ts";
import { instantText } from "../../platform/instant-text.ts";
import { singleFlight } from "../../platform/upstream/single-flight.ts";
import type { FilingRow, OlderPage, Submissions } from "../../providers/edgar/index.ts";
import { momentsOf } from "./known-at.ts";
import type { FilingSource } from "./sources.ts";
import type { FilerRecord, FilingsStore, IncomingFiling } from "./store.ts";

/** What the index is to hold of a filer. */
export interface Wanted {
  /** First filing date needed; null: the newest pages, which is everything for all but the busiest filers. */
  readonly start: string | null;
  /** Milliseconds up to which it must be complete: filings of later moments do not matter. */
  readonly untilMs: number;
  /** Ask the regulator whatever is stored, and fill in acceptances that were not known. */
  readonly force: boolean;
}

/** Before the first filing there is. */
export const EVERYTHING = "1900-01-01";
/** So long a filer's list is not asked for again. */
const FRESH_MS = 5 * 60_000;
/** Older pages fetched where no first day is asked for; a page has some two thousand filings. */
const PAGES_UNASKED = 8;
const PAGES_AT_ONCE = 4;
/** Filings of one filer whose moment is looked up on their detail pages after a visit. */
const SETTLED_A_VISIT = 50;

const tickersOf = (submissions: Submissions): string[] =>
  submissions.entity.tickers.map(({ ticker }) => fromSec(ticker) ?? ticker);

function incoming(row: FilingRow, company_name: string, nowMs: number): IncomingFiling {
  const { accession_number, cik, form_type, filing_date, report_date, size, is_xbrl, primary_document } = row;
  return {
    ...{
      accession_number,
      cik,
      company_name,
      form_type,
      filing_date,
      report_date,
      size,
      is_xbrl,
      primary_document,
    },
    ...momentsOf(row, nowMs),
    items: row.items.join(","),
  };
}

/** Whether a page is wholly stored since the filer was last visited. */
function storedPages(known: FilerRecord | null): (page: OlderPage) => boolean {
  if (!known) return () => false;
  const visited = newYorkDate(Temporal.Instant.from(known.indexed_at));
  return (page) => page.filing_from >= known.covered_from && page.filing_to < visited;
}

/** Pages to fetch, newest first: those that reach into the wanted days and are not stored. */
function pagesToFetch(
  pages: readonly OlderPage[],
  { start, force }: Wanted,
  known: FilerRecord | null,
): OlderPage[] {
  const isStored = storedPages(force ? null : known);
  const newestFirst = pages
    .filter((page) => !isStored(page))
    .toSorted((a, b) => (a.filing_to < b.filing_to ? 1 : -1));
  if (start === null) return newestFirst.slice(0, PAGES_UNASKED);
  return newestFirst.filter((page) => page.filing_to >= start);
}

/** The first day from which nothing is missing, when these pages were left. */
function coveredFrom(left: readonly OlderPage[], known: FilerRecord | null): string {
  const isStored = storedPages(known);
  const newest = left
    .filter((page) => !isStored(page))
    .map((page) => page.filing_to)
    .sort()
    .at(-1);
  return newest === undefined ? EVERYTHING : addDays(newest, 1);
}

export interface FilingIndexDeps {
  readonly source: FilingSource;
  readonly store: FilingsStore;
  readonly clock: Clock;
  /** Told of current reports met for the first time, and of filings whose moment the list left open, newest first. */
  onNew(accessions: readonly string[]): void;
}

export function filingIndex({ source, store, clock, onNew }: FilingIndexDeps) {
  const flights = singleFlight<void>();
  const running = new Map<string, Wanted>();

  const hasAll = (cik: string, { start, untilMs }: Wanted): boolean => {
    const filer = store.filer(cik);
    if (!filer || (start !== null && start < filer.covered_from)) return false;
    const indexedMs = Temporal.Instant.from(filer.indexed_at).epochMilliseconds;
    return indexedMs >= untilMs || clock.nowMs() - indexedMs < FRESH_MS;
  };

  const visit = async (cik: string, wanted: Wanted, signal: AbortSignal): Promise<void> => {
    const known = store.filer(cik);
    // Before asking: what is filed while the answer is under way may not be in it.
    const askedMs = clock.nowMs();
    const submissions = await source.submissions(cik, signal);
    if (!submissions)
      throw new NotFound("no_data", `The SEC knows no filer with the CIK ${cik}.`, { upstream: "edgar" });
    const { name, predecessor_ciks } = submissions.entity;
    const fresh: string[] = [];
    const save = (rows: readonly FilingRow[]) => {
      const incomingRows = rows.map((row) => incoming(row, name, askedMs));
      fresh.push(...store.save(incomingRows, wanted.force));
    };
    const told = {
      cik,
      name,
      tickers: tickersOf(submissions),
      predecessor_ciks,
      indexed_at: instantText(askedMs),
    };
    save(submissions.filings);
    let left = [...submissions.older_pages];
    const saveFiler = () => store.saveFiler({ ...told, covered_from: coveredFrom(left, known) });
    saveFiler();
    try {
      for (const batch of inBatches(pagesToFetch(left, wanted, known), PAGES_AT_ONCE)) {
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
      // What was stored waits to be read whether or not the rest came.
      onNew([...new Set([...fresh, ...store.unsettled(cik, SETTLED_A_VISIT)])]);
    }
  };

  const covers = (flight: Wanted | undefined, wanted: Wanted): boolean =>
    flight !== undefined &&
    (flight.force || !wanted.force) &&
    (wanted.start === null || (flight.start !== null && flight.start <= wanted.start));

  return {
    /**
     * Makes the index of a filer hold what is wanted. Gives whether the regulator was asked. Throws NotFound when
     * there is no such filer, and what asking throws; what came until then is kept.
     */
    async ensure(cik: string, wanted: Wanted, signal: AbortSignal): Promise<boolean> {
      for (let asked = false; ; asked = true) {
        if (!wanted.force && hasAll(cik, wanted)) return asked;
        const joined = flights.has(cik) ? running.get(cik) : undefined;
        if (!joined) running.set(cik, wanted);
        await flights.run(cik, signal, (shared) => visit(cik, wanted, shared));
        // A flight joined may have been after less; its own always brings all there is.
        if (!joined || covers(joined, wanted)) return true;
      }
    },
  };
}

export type FilingIndexKeeper = ReturnType<typeof filingIndex>;
