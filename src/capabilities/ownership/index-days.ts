// Indexes a day's ownership filings of all companies from the regulator's daily index.
import { newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import { federalBusinessDays, isFederalBusinessDay } from "../../market/federal-days.ts";
import type { Services } from "../../market/services.ts";
import { NotFound } from "../../platform/errors.ts";
import type { IndexRow } from "../../providers/edgar/index.ts";
import type { CoverageStore } from "./coverage-store.ts";
import type { FilingStore, IndexedFiling } from "./filing-store.ts";
import { KINDS, kindOf } from "./forms.ts";
import type { OwnershipSource } from "./sources.ts";

/**
 * A business day still without an index after this long had none: the regulator was closed, such as by
 * executive order.
 */
// A missing index of 5 January is asked for up to 10 January; on the 11th the day counts as closed.
const NO_INDEX_DAYS = 5;
/** How far back the daily job looks for days that were missed while the service was off. */
// After two years off, the newest 400 days are indexed.
const MISSED_DAYS_MAX = 400;

/**
 * The filings of an index, which has one line per party. The lines of a joint filing differ only in the
 * party.
 */
function filingsOf(rows: readonly IndexRow[]): IndexedFiling[] {
  const ownership = rows.filter((row) => kindOf(row.form_type) !== null);
  return [...Map.groupBy(ownership, (row) => row.accession_number).values()].flatMap((lines) => {
    const [first] = lines;
    if (!first) return [];
    const { accession_number, form_type, filing_date } = first;
    const ciks = [...new Set(lines.map((line) => line.cik))].sort();
    const parties = ciks.map((cik) => ({ cik, is_subject: null }));
    return [{ accession_number, form_type, filing_date, parties, public_from: null, accepted_at: null }];
  });
}

const laterDay = (a: string, b: string): string => (a < b ? b : a);

export interface IndexDayDeps extends Pick<Services, "clock"> {
  readonly source: OwnershipSource;
  readonly filings: FilingStore;
  readonly covered: CoverageStore;
}

export function indexDays({ source, filings: store, covered, clock }: IndexDayDeps) {
  const today = () => newYorkDate(clock.now());
  const markIndexed = (date: string, filings: readonly IndexedFiling[], source: "daily_index" | "closed") => {
    for (const kind of KINDS) {
      const own = filings.filter((filing) => kindOf(filing.form_type) === kind);
      covered.saveDays(kind, [{ date, filings: own.length }], source);
    }
  };

  return {
    /**
     * Indexes a day, even if it is indexed already. Returns the number of its filings, or null while its
     * index is not published; the day then stays missing. Throws as the provider documents.
     */
    async take(date: string, signal: AbortSignal): Promise<number | null> {
      const index = await source.dailyIndex(date, undefined, signal);
      if (index === "unchanged") return null;
      if (index === null) {
        if (addDays(date, NO_INDEX_DAYS) >= today()) return null;
        markIndexed(date, [], "closed");
        return 0;
      }
      const filings = filingsOf(index.rows);
      store.add(filings, "daily_index");
      markIndexed(date, filings, "daily_index");
      return filings.length;
    },

    /** Business days from `since` to today that are not indexed yet. */
    missing(since: string): string[] {
      const indexed = KINDS.map((kind) => covered.days(kind, since, today()));
      return federalBusinessDays(since, today()).filter((date) => !indexed.every((days) => days.has(date)));
    },

    /**
     * The day from which the daily job looks for missed days: the first it ever indexed, else the last
     * business day.
     */
    since(): string {
      const oldest = addDays(today(), -MISSED_DAYS_MAX);
      const first = covered.firstDay();
      if (first !== null) return laterDay(first, oldest);
      let date = addDays(today(), -1);
      while (!isFederalBusinessDay(date)) date = addDays(date, -1);
      return date;
    },

    /** Throws NotFound for a day in the future. */
    refuseFuture(date: string): void {
      if (date <= today()) return;
      throw new NotFound("no_data", `${date} is in the future: nothing was filed on it yet.`);
    },
  };
}

export type IndexDays = ReturnType<typeof indexDays>;
