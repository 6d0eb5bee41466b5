// The acts behind the jobs and the command line: index days, read what is pending, follow the current feed.
import { newYorkDate } from "../../market/calendar.ts";
import type { Clock } from "../../platform/clock.ts";
import { AsofError } from "../../platform/errors.ts";
import type { FeedEntry } from "../../providers/edgar/index.ts";
import { FEED_FORMS, kindOf } from "./forms.ts";
import type { IndexDays } from "./index-days.ts";
import type { OwnershipReader, ReadCounts, ReadOptions } from "./reader.ts";
import type { OwnershipSource } from "./sources.ts";
import type { FilingFilter, IndexedFiling, OwnershipStore } from "./store.ts";

/** Told of each day as it ends; null where its index is not out. */
export type OnDay = (date: string, filings: number | null, error: Error | null) => void;

export interface IngestDeps {
  readonly source: OwnershipSource;
  readonly store: OwnershipStore;
  readonly days: IndexDays;
  readonly reader: OwnershipReader;
  readonly clock: Clock;
}

/** Entries of the feed, one a party, as filings. */
function filingsOf(entries: readonly FeedEntry[]): IndexedFiling[] {
  const wanted = entries.filter((entry) => kindOf(entry.form_type) !== null && entry.cik !== null);
  return [...Map.groupBy(wanted, (entry) => entry.accession_number).values()].flatMap((own) => {
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

export function ownershipIngest({ source, store, days, reader, clock }: IngestDeps) {
  /** Indexes days; a day that fails does not end it. Gives the filings they have. */
  const index = async (dates: readonly string[], onDay: OnDay, signal: AbortSignal): Promise<number> => {
    let taken = 0;
    for (const date of dates) {
      signal.throwIfAborted();
      try {
        const filings = await days.take(date, signal);
        taken += filings ?? 0;
        onDay(date, filings, null);
      } catch (error) {
        if (signal.aborted || !(error instanceof AsofError)) throw error;
        onDay(date, null, error);
      }
    }
    return taken;
  };

  /** Pages of the feed for a form, until all of one is known. Gives the filings met for the first time. */
  const followForm = async (form_type: string, signal: AbortSignal): Promise<string[]> => {
    const fresh: string[] = [];
    for (let start: number | null = 0; start !== null; ) {
      const page = await source.currentFeed({ form_type, amendments: true, start }, signal);
      const filings = filingsOf(page.entries);
      const added = store.add(filings, "feed");
      fresh.push(...added);
      // A page may hold nothing but other forms whose names begin the same.
      start = filings.length > 0 && added.length === 0 ? null : page.next_start;
    }
    return fresh;
  };

  return {
    index,

    /** Days to be taken in by the daily job: those missed since it first ran. */
    missed: (): string[] => days.missing(days.since()).filter((date) => date < newYorkDate(clock.now())),

    /** Days from `since` to today that are not in. */
    missingSince: (since: string): string[] => days.missing(since),

    pendingCount: (filter: FilingFilter = {}): number => store.count({ ...filter, status: ["pending"] }),

    /** Reads up to `limit` pending filings, newest first. */
    read: (limit: number, options: ReadOptions, filter: FilingFilter = {}): Promise<ReadCounts> =>
      reader.read(store.find({ ...filter, status: ["pending"] }, limit), options),

    /** Takes in what the current feed has, and reads it at once. */
    async follow(signal: AbortSignal): Promise<ReadCounts> {
      const fresh: string[] = [];
      for (const form of FEED_FORMS) fresh.push(...(await followForm(form, signal)));
      return reader.read(store.byAccessions(fresh), { signal });
    },
  };
}

export type OwnershipIngest = ReturnType<typeof ownershipIngest>;
