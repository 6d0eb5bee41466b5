// Takes everybody's ownership filings in by day, from the regulator's daily index; a day is noted once all of it is in.
import { newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import { federalBusinessDays, isFederalBusinessDay } from "../../market/federal-days.ts";
import type { Clock } from "../../platform/clock.ts";
import { NotFound } from "../../platform/errors.ts";
import type { IndexRow } from "../../providers/edgar/index.ts";
import { KINDS, kindOf } from "./forms.ts";
import type { OwnershipSource } from "./sources.ts";
import type { IndexedFiling, OwnershipStore } from "./store.ts";

/** A business day without an index after so long was none: the offices were shut by order. */
const NEVER_DAYS = 5;
/** How far back a service that was off looks for missed days. */
const MISSED_DAYS_MAX = 400;

/** The index has a line a party: one filing of all its lines. Of a joint filing the lines differ in nothing else. */
function filingsOf(rows: readonly IndexRow[]): IndexedFiling[] {
  const wanted = rows.filter((row) => kindOf(row.form_type) !== null);
  return [...Map.groupBy(wanted, (row) => row.accession_number).values()].flatMap((lines) => {
    const [first] = lines;
    if (!first) return [];
    const { accession_number, form_type, filing_date } = first;
    const ciks = [...new Set(lines.map((line) => line.cik))].sort();
    const parties = ciks.map((cik) => ({ cik, is_subject: null }));
    return [{ accession_number, form_type, filing_date, parties, public_from: null, accepted_at: null }];
  });
}

const laterDay = (a: string, b: string): string => (a < b ? b : a);

export interface IndexDayDeps {
  readonly source: OwnershipSource;
  readonly store: OwnershipStore;
  readonly clock: Clock;
}

export function indexDays({ source, store, clock }: IndexDayDeps) {
  const today = () => newYorkDate(clock.now());
  const note = (date: string, filings: readonly IndexedFiling[], source: "daily_index" | "closed") => {
    for (const kind of KINDS) {
      const own = filings.filter((filing) => kindOf(filing.form_type) === kind);
      store.saveDays(kind, [{ date, filings: own.length }], source);
    }
  };

  return {
    has: (date: string): boolean => KINDS.every((kind) => store.days(kind, date, date).has(date)),

    /**
     * Takes a day in, again where it is in already. Gives how many filings it has; null when its index is not out (and
     * the day not noted). Throws as the provider says.
     */
    async take(date: string, signal: AbortSignal): Promise<number | null> {
      const index = await source.dailyIndex(date, undefined, signal);
      if (index === "unchanged") return null;
      if (index === null) {
        if (addDays(date, NEVER_DAYS) >= today()) return null;
        note(date, [], "closed");
        return 0;
      }
      const filings = filingsOf(index.rows);
      store.add(filings, "daily_index");
      note(date, filings, "daily_index");
      return filings.length;
    },

    /** Business days from `since` to yesterday, or to today with its index out, that are not in. */
    missing(since: string): string[] {
      const known = KINDS.map((kind) => store.days(kind, since, today()));
      return federalBusinessDays(since, today()).filter((date) => !known.every((days) => days.has(date)));
    },

    /** Where the daily job begins: with what it took in first, else with the last business day. */
    since(): string {
      const oldest = addDays(today(), -MISSED_DAYS_MAX);
      const first = store.firstDay();
      if (first !== null) return laterDay(first, oldest);
      let date = addDays(today(), -1);
      while (!isFederalBusinessDay(date)) date = addDays(date, -1);
      return date;
    },

    /** Throws NotFound for a day that cannot have an index yet. */
    refuseFuture(date: string): void {
      if (date <= today()) return;
      throw new NotFound("no_data", `${date} is not over: nothing was filed on it yet.`);
    },
  };
}

export type IndexDays = ReturnType<typeof indexDays>;
