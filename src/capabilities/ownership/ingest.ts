// Ingests filings for the jobs and the command line: indexes days, reads pending filings, follows the current
// feed.
import { newYorkDate } from "../../market/calendar.ts";
import type { Services } from "../../market/services.ts";
import { AsofError } from "../../platform/errors.ts";
import type { FeedEntry } from "../../providers/edgar/index.ts";
import type { FilingFilter, FilingStore, IndexedFiling } from "./filing-store.ts";
import { FEED_FORMS, kindOf } from "./forms.ts";
import type { IndexDays } from "./index-days.ts";
import type { OwnershipReader, ReadCounts, ReadOptions } from "./reader.ts";
import type { OwnershipSource } from "./sources.ts";
import type { OwnershipVersions } from "./version-state.ts";

/** Called after each day; `filings` is null while its index is not published. */
export type OnDay = (date: string, filings: number | null, error: Error | null) => void;

export interface IngestDeps extends Pick<Services, "clock"> {
  readonly source: OwnershipSource;
  readonly filings: FilingStore;
  readonly days: IndexDays;
  readonly reader: OwnershipReader;
  readonly versions: Pick<OwnershipVersions, "noteDays">;
}

/** The filings of feed entries, which the feed lists once per party. */
function filingsOf(entries: readonly FeedEntry[]): IndexedFiling[] {
  const ownership = entries.filter((entry) => kindOf(entry.form_type) !== null && entry.cik !== null);
  return [...Map.groupBy(ownership, (entry) => entry.accession_number).values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const { accession_number, form_type, filing_date, public_from, accepted_at } = first;
    const isSubject = ({ role }: FeedEntry) =>
      role === null ? null : role === "Issuer" || role === "Subject";
    const parties = own.flatMap((entry) =>
      entry.cik === null ? [] : [{ cik: entry.cik, is_subject: isSubject(entry) }],
    );
    return [{ accession_number, form_type, filing_date, public_from, accepted_at, parties }];
  });
}

export function ownershipIngest({ source, filings: store, days, reader, versions, clock }: IngestDeps) {
  /** Indexes days and returns the number of their filings. A day that fails does not stop the others. */
  const index = async (dates: readonly string[], onDay: OnDay, signal: AbortSignal): Promise<number> => {
    let indexed = 0;
    for (const date of dates) {
      signal.throwIfAborted();
      try {
        const filings = await days.take(date, signal);
        indexed += filings ?? 0;
        onDay(date, filings, null);
      } catch (error) {
        if (signal.aborted || !(error instanceof AsofError)) throw error;
        onDay(date, null, error);
      }
    }
    return indexed;
  };

  /**
   * Reads pages of the feed for a form until a page has nothing new. Returns the accession numbers of new
   * filings.
   */
  const followForm = async (form_type: string, signal: AbortSignal): Promise<string[]> => {
    const fresh: string[] = [];
    for (let start: number | null = 0; start !== null; ) {
      const page = await source.currentFeed({ form_type, amendments: true, start }, signal);
      const filings = filingsOf(page.entries);
      const added = store.add(filings, "feed");
      fresh.push(...added);
      // A page may have only other forms whose names start the same: then the next page is needed.
      start = filings.length > 0 && added.length === 0 ? null : page.next_start;
    }
    return fresh;
  };

  return {
    index,

    /** Days before today that are not indexed, since the daily job first ran. */
    missed: (): string[] => days.missing(days.since()).filter((date) => date < newYorkDate(clock.now())),

    /** Days from `since` to today that are not indexed. */
    missingSince: (since: string): string[] => days.missing(since),

    pendingCount: (filter: FilingFilter = {}): number => store.count({ ...filter, status: ["pending"] }),

    /** Reads up to `limit` pending filings, newest first. */
    async read(limit: number, options: ReadOptions, filter: FilingFilter = {}): Promise<ReadCounts> {
      const filings = store.find({ ...filter, status: ["pending"] }, limit);
      const counts = await reader.read(filings, options);
      if (counts.read > 0) await versions.noteDays([...new Set(filings.map((filing) => filing.filing_date))]);
      return counts;
    },

    /** Indexes the new filings of the current feed and reads them at once. */
    async follow(signal: AbortSignal): Promise<ReadCounts> {
      const fresh: string[] = [];
      for (const form of FEED_FORMS) fresh.push(...(await followForm(form, signal)));
      return reader.read(store.byAccessions(fresh), { signal });
    },
  };
}

export type OwnershipIngest = ReturnType<typeof ownershipIngest>;
