// Names fiscal years as the company does. The year that a report gives itself is a vote, since filers err in
// it: annual labels rise by one a year, and where the votes do not, the newest unbroken run of them shows the
// company's convention.
import {
  dateOfDay,
  type FinancialFact,
  FiscalCalendar,
  type FiscalPeriod,
  isAnnualForm,
  isMonthBoundary,
  isTransitionForm,
  monthsOfDays,
  readDayNumber,
  tierOf,
} from "../../../providers/edgar/index.ts";
import type { LabelSource } from "./records.ts";

/** The fiscal year and the part of it that a period is. */
export interface FiscalPlace {
  readonly fiscal_year: number | null;
  readonly fiscal_period: FiscalPeriod | null;
  readonly label_source: LabelSource | null;
}

/** A fiscal year that a report states. */
interface FiscalYear {
  readonly startDay: number | null;
  readonly endDay: number;
  /** The calendar year in which it ends. */
  readonly calendarYear: number;
  /** The labels that reports give it. */
  readonly votes: number[];
}

/**
 * How a company's names differ from the calendar years in which its fiscal years end: 0, or -1 for the year
 * of the start.
 */
interface Naming {
  readonly offset: number;
  readonly source: LabelSource;
}

const BY_CALENDAR: Naming = { offset: 0, source: "calendar" };
/** Days by which reports date the end of one fiscal year differently. */
const SAME_DAYS = 10;
const YEAR_DAYS = 365.25;
const QUARTER_DAYS = YEAR_DAYS / 4;
const YEAR_DAYS_MAX = 385;
/** Days by which the end of a fiscal year moves between years of 52 and 53 weeks. */
const MOVING_DAYS = 10;
/** A year that begins in the last days of a month belongs to the next. */
const EARLY_DAYS = 7;
const RUN_MIN = 2;

/** Whether the fact is of the balance sheet at the end of a fiscal year, in the annual report. */
const isYearEnd = ({ statement, fiscal_period, form }: FinancialFact): boolean =>
  statement === "balance_sheet" && fiscal_period === "FY" && isAnnualForm(form);

/** Whether the fact is of the year to date, at the end of the second or third quarter. */
const isToDate = ({ fiscal_period, form }: FinancialFact): boolean =>
  (fiscal_period === "6M" || fiscal_period === "9M") && tierOf(form) === "periodic";

/**
 * The year end before a year to date. One that is not of whole quarters began with the company, after the
 * year.
 */
function yearEndBefore({ fiscal_period, period_months, period_start, period_end }: FinancialFact): number {
  const [endDay, startDay] = [readDayNumber(period_end) ?? 0, readDayNumber(period_start)];
  const quarters = fiscal_period === "6M" ? 2 : 3;
  const isWhole = startDay !== null && period_months === 3 * quarters;
  return isWhole ? startDay - 1 : Math.round(endDay - quarters * QUARTER_DAYS);
}

type YearFact = FinancialFact & { readonly fiscal_year: number };

/** Whether the fact is about a whole fiscal year, in a periodic report. */
const isOfYear = (fact: FinancialFact): fact is YearFact =>
  fact.fiscal_period === "FY" &&
  fact.fiscal_year !== null &&
  fact.statement !== "balance_sheet" &&
  tierOf(fact.form) === "periodic";

/** The fiscal years of a company, oldest first, without votes. */
function yearsOf(facts: readonly YearFact[]): FiscalYear[] {
  const byEnd = new Map<string, YearFact>();
  for (const fact of facts) {
    const other = byEnd.get(fact.period_end);
    if (other === undefined || other.period_start === null) byEnd.set(fact.period_end, fact);
  }
  const years: FiscalYear[] = [];
  for (const [end, { period_start, fiscal_year }] of [...byEnd].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const endDay = readDayNumber(end) ?? 0;
    const last = years.at(-1);
    if (last && endDay - last.endDay <= SAME_DAYS) continue;
    const startDay = period_start === null ? null : readDayNumber(period_start);
    years.push({ startDay, endDay, calendarYear: fiscal_year, votes: [] });
  }
  return years;
}

/**
 * The last days of the months between two fiscal years of different ends, by the transition reports about
 * them.
 */
function transitionEnds(facts: readonly FinancialFact[]): number[] {
  const ends = new Map<string, string>();
  for (const { accession_number, form, statement, fiscal_period, period_end } of facts) {
    if (statement === "balance_sheet" || fiscal_period !== null || !isTransitionForm(form)) continue;
    const newest = ends.get(accession_number) ?? "";
    if (period_end > newest) ends.set(accession_number, period_end);
  }
  return [...ends.values()].map((end) => readDayNumber(end) ?? 0);
}

/** A name is possible when it is the year in which the fiscal year ends or the one in which it begins. */
function isPossible({ startDay, calendarYear }: FiscalYear, vote: number): boolean {
  if (vote === calendarYear) return true;
  return startDay !== null && vote === Number(dateOfDay(startDay + EARLY_DAYS).slice(0, 4));
}

/** Adds the vote of each annual report to the year it is about: the last one that it states. */
function addVotes(years: readonly FiscalYear[], facts: readonly YearFact[]): void {
  const own = new Map<string, YearFact>();
  for (const fact of facts) {
    if (!isAnnualForm(fact.form) || isTransitionForm(fact.form)) continue;
    const newest = own.get(fact.accession_number);
    if (newest === undefined || newest.period_end < fact.period_end) own.set(fact.accession_number, fact);
  }
  for (const { period_end, filing_fiscal_year } of own.values()) {
    const endDay = readDayNumber(period_end) ?? 0;
    const year = years.find((one) => Math.abs(one.endDay - endDay) <= SAME_DAYS);
    if (year && filing_fiscal_year !== null && isPossible(year, filing_fiscal_year))
      year.votes.push(filing_fiscal_year - year.calendarYear);
  }
}

/** The offset that most reports of a year vote for; null without a vote or with a tie. */
function voteOf({ votes }: FiscalYear): number | null {
  const counts = [...Map.groupBy(votes, (vote) => vote)].sort(([, a], [, b]) => b.length - a.length);
  const [first, second] = counts;
  return first && first[1].length !== second?.[1].length ? first[0] : null;
}

/** Splits the years where the end of the fiscal year changed. */
function withSameEnd(years: readonly FiscalYear[]): FiscalYear[][] {
  const groups: FiscalYear[][] = [];
  for (const year of years) {
    const last = groups.at(-1)?.at(-1);
    const apart = last ? year.endDay - last.endDay : 0;
    const isSame = Math.abs(apart - Math.round(apart / YEAR_DAYS) * YEAR_DAYS) <= MOVING_DAYS;
    if (last && isSame) groups.at(-1)?.push(year);
    else groups.push([year]);
  }
  return groups;
}

/**
 * The naming of years with the same end: what all votes say, else what the newest run of agreeing votes says.
 */
function namingOf(years: readonly FiscalYear[]): Naming {
  const voted = years.map((year) => ({ year, vote: voteOf(year) })).filter(({ vote }) => vote !== null);
  const [oldest] = voted;
  if (!oldest || oldest.vote === null) return BY_CALENDAR;
  if (voted.every(({ vote }) => vote === oldest.vote)) return { offset: oldest.vote, source: "filings" };
  let run = 0;
  for (const [nth, { year, vote }] of [...voted.reverse().entries()]) {
    const later = voted[nth - 1];
    const goesOn = later?.vote === vote && later.year.calendarYear - year.calendarYear === 1;
    run = goesOn ? run + 1 : 1;
    if (run >= RUN_MIN && vote !== null) return { offset: vote, source: "convention" };
  }
  return BY_CALENDAR;
}

/** The names of a company's fiscal years, by the facts that were known at one moment. */
export class FiscalLabels {
  readonly #years: readonly FiscalYear[];
  readonly #namings = new Map<FiscalYear, Naming>();
  readonly #calendar = new FiscalCalendar();
  readonly #transitionEnds: readonly number[];

  /** @param facts those that were known then */
  constructor(facts: readonly FinancialFact[]) {
    const ofYears = facts.filter(isOfYear);
    this.#years = yearsOf(ofYears);
    this.#transitionEnds = transitionEnds(facts);
    addVotes(this.#years, ofYears);
    for (const group of withSameEnd(this.#years)) {
      const naming = namingOf(group);
      for (const year of group) this.#namings.set(year, naming);
    }
    const named = this.#years.map((year) => year.calendarYear + this.#namingAt(year.endDay).offset);
    // Two fiscal years of one name say that the votes are wrong.
    if (new Set(named).size < named.length) this.#namings.clear();
    for (const { startDay, endDay } of this.#years) {
      this.#calendar.learn(endDay);
      // A whole year begins where another ends; the first day of a shorter one, or one within a month, may be
      // the company's.
      const isWhole = startDay !== null && monthsOfDays(endDay - startDay + 1) === 12;
      if (isWhole && isMonthBoundary(startDay)) this.#calendar.learn(startDay - 1);
    }
    for (const fact of facts) {
      if (isYearEnd(fact)) this.#calendar.learn(readDayNumber(fact.period_end) ?? 0);
      // Until a year end is known, the year to date of a later report shows where the year of an earlier one
      // began.
      if (isToDate(fact)) this.#calendar.suppose(yearEndBefore(fact));
    }
  }

  /** The naming of the fiscal year that holds a day; after the last known year, that of the last. */
  #namingAt(day: number): Naming {
    const holds = ({ endDay }: FiscalYear) => endDay >= day - SAME_DAYS && endDay - day <= YEAR_DAYS_MAX;
    const year =
      this.#years.find(holds) ?? this.#years.findLast(({ endDay }) => endDay < day) ?? this.#years[0];
    return (year && this.#namings.get(year)) ?? BY_CALENDAR;
  }

  /**
   * The place of a fact's period. A period that was read before any end of a fiscal year was known, or was
   * placed in another year or quarter than that of the known year that it lies in, is placed by those that
   * are known now.
   */
  of(fact: FinancialFact): FiscalPlace {
    const endDay = readDayNumber(fact.period_end) ?? 0;
    const { fiscal_year, fiscal_period } = this.#isMisplaced(fact, endDay)
      ? this.#placeNow(fact, endDay)
      : fact;
    if (fiscal_year === null) return { fiscal_year, fiscal_period, label_source: null };
    const { offset, source } = this.#namingAt(endDay);
    const isBetween = fact.statement === "balance_sheet" && fiscal_period === "FY" && this.#isBetween(endDay);
    return {
      fiscal_year: fiscal_year + offset,
      fiscal_period: isBetween ? null : fiscal_period,
      label_source: source,
    };
  }

  /**
   * Whether a day ends the months between two fiscal years and no fiscal year: its balance sheet is no
   * year's.
   */
  #isBetween(day: number): boolean {
    const isNear = (other: number) => Math.abs(other - day) <= SAME_DAYS;
    return this.#transitionEnds.some(isNear) && !this.#years.some(({ endDay }) => isNear(endDay));
  }

  /** Whether the fact's year, or its quarter of a year that is known now, is another than the dates give. */
  #isMisplaced(fact: FinancialFact, endDay: number): boolean {
    const { fiscal_year, fiscal_period, period_start, form } = fact;
    if (fiscal_year === null) return true;
    const startDay = (period_start === null ? null : readDayNumber(period_start)) ?? endDay - SAME_DAYS;
    const years = this.#years.filter(
      (year) =>
        year.startDay !== null && startDay >= year.startDay - SAME_DAYS && endDay <= year.endDay + SAME_DAYS,
    );
    if (years.length === 0) return false;
    if (years.every(({ calendarYear }) => calendarYear !== fiscal_year)) return true;
    if (fiscal_period === null || isAnnualForm(form)) return false;
    const now = this.#placeNow(fact, endDay).fiscal_period;
    return now !== null && now !== fiscal_period;
  }

  #placeNow({ period_start, period_end }: FinancialFact, endDay: number) {
    const startDay = period_start === null ? null : readDayNumber(period_start);
    const months = startDay === null ? null : monthsOfDays(endDay - startDay + 1);
    return this.#calendar.labelOf({
      index: 0,
      start: period_start,
      end: period_end,
      startDay,
      endDay,
      months,
    });
  }
}
