// Periods by their dates alone: days as numbers, lengths in months, and the fiscal year and quarter of a
// period.
import type { FinancialFact, FiscalPeriod } from "./records.ts";

const DAY_MS = 86_400_000;
export type Months = FinancialFact["period_months"];

const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** Days since 1970-01-01 of an existing `YYYY-MM-DD`; null for anything else. */
export function readDayNumber(text: unknown): number | null {
  if (typeof text !== "string" || !DATE.test(text)) return null;
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))];
  const date = new Date(Date.UTC(year, month - 1, day));
  // A month or a day that does not exist is counted on into another one; years before 100 are taken for ones
  // of the 1900s.
  const exists =
    date.getUTCFullYear() === year && date.getUTCMonth() + 1 === month && date.getUTCDate() === day;
  return exists ? date.getTime() / DAY_MS : null;
}

const utcDate = (day: number): Date => new Date(day * DAY_MS);
/** `YYYY-MM-DD` of a day number. */
export const dateOfDay = (day: number): string => utcDate(day).toISOString().slice(0, 10);
/** The calendar year of a day number. */
export const yearOf = (day: number): number => utcDate(day).getUTCFullYear();

/**
 * Lengths in days, both ends included, that count as 3, 6, 9 and 12 months: quarters of 12 to 17 weeks, years
 * of 52 and 53 weeks. Lengths between these ranges are stubs, such as the four or eight months before or
 * after a change of owners, transition periods and sums since inception.
 */
const LENGTHS = [
  [75, 119, 3],
  [160, 205, 6],
  [246, 295, 9],
  [350, 380, 12],
] as const;
export function monthsOfDays(days: number): Months {
  for (const [min, max, months] of LENGTHS) if (days >= min && days <= max) return months;
  return null;
}

/** A span of days, or a single day. */
export interface Period {
  readonly index: number;
  /** Null for an instant. */
  readonly start: string | null;
  readonly end: string;
  readonly startDay: number | null;
  readonly endDay: number;
  readonly months: Months;
}

/** The longest quarter: 17 weeks. */
export const QUARTER_DAYS_MAX = 119;
/** Two days this far apart may still be the same end of a fiscal year. */
export const JITTER_DAYS = 10;
const YEAR_DAYS = 365.25;
export const QUARTER_DAYS = YEAR_DAYS / 4;
/** The longest fiscal year: 53 weeks and some days. */
const YEAR_DAYS_MAX = 385;
/** Years of 52 or 53 weeks that end in the first days of a month belong to the month before. */
const EARLY_DAYS = 7;

/** The calendar year a fiscal year is named after. */
export function fiscalYearOf(endDay: number): number {
  const day = Math.round(endDay);
  return yearOf(utcDate(day).getUTCDate() <= EARLY_DAYS ? day - EARLY_DAYS : day);
}

/** True for two days whole years apart, give or take some days. */
export const isYearsApart = (a: number, b: number, slackDays: number = JITTER_DAYS): boolean =>
  Math.abs(b - a - Math.round((b - a) / YEAR_DAYS) * YEAR_DAYS) <= slackDays;

/** The last day of the calendar year before the one of `day`. */
export const yearBefore = (day: number): number => Date.UTC(yearOf(day), 0, 1) / DAY_MS - 1;

/**
 * The supposed end of the fiscal year before a year to date that begins on `day`. A year begins with a month,
 * give or take a week; a day within a month is the company's first, which says nothing about its years, and
 * the calendar's are supposed.
 */
export const yearEndBefore = (day: number): number => (isMonthBoundary(day) ? day - 1 : yearBefore(day));

/** True when a period that begins on the day may begin with a month, give or take a week. */
export function isMonthBoundary(day: number): boolean {
  const date = utcDate(day);
  return (
    date.getUTCDate() <= EARLY_DAYS + 1 || utcDate(day + EARLY_DAYS).getUTCMonth() !== date.getUTCMonth()
  );
}

export interface FiscalLabel {
  readonly fiscal_year: number | null;
  readonly fiscal_period: FiscalPeriod | null;
}
const NO_LABEL: FiscalLabel = { fiscal_year: null, fiscal_period: null };

/**
 * A period that a report is about although its dates do not show what it is: a first fiscal year or year to
 * date, which begins with the company, or the months between two fiscal years.
 */
interface OddPeriod {
  readonly startDay: number;
  readonly endDay: number;
  readonly is: "year" | "to_date" | "transition";
}

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= JITTER_DAYS;
const TO_DATE = ["Q1", "6M", "9M", null] as const;

/** The known ends of fiscal years. Grows with each filing. */
export class FiscalCalendar {
  readonly #ends: number[] = [];
  readonly #odd: OddPeriod[] = [];
  #tentative: number | null = null;
  readonly #labels = new Map<number, FiscalLabel>();

  #hasEnd(day: number): boolean {
    for (const end of this.#ends) if (isNear(end, day)) return true;
    return false;
  }

  /** Learns the end of a fiscal year from an annual report. */
  learn(day: number): void {
    if (this.#hasEnd(day)) return;
    this.#ends.push(day);
    this.#ends.sort((a, b) => a - b);
    this.#labels.clear();
  }

  /**
   * Sets a tentative end of the previous fiscal year, from a year-to-date figure of a quarterly report. It is
   * used until an annual report is known.
   */
  suppose(day: number): void {
    if (this.#ends.length > 0) return;
    this.#tentative = day;
    this.#labels.clear();
  }

  /** Learns what a period is from the report about it. */
  learnOdd(period: OddPeriod): void {
    this.#odd.push(period);
    this.#labels.clear();
  }

  labelOf(period: Period): FiscalLabel {
    for (const odd of period.startDay === null ? [] : this.#odd)
      if (isNear(odd.startDay, period.startDay ?? 0) && isNear(odd.endDay, period.endDay))
        return this.#labelOdd(odd);
    const key = period.endDay * 16 + (period.startDay === null ? 0 : (period.months ?? 1));
    let label = this.#labels.get(key);
    if (!label) {
      label = this.#label(period);
      this.#labels.set(key, label);
    }
    return label;
  }

  #label({ endDay, startDay, months }: Period): FiscalLabel {
    const place = this.#placeOf(endDay);
    if (!place) return NO_LABEL;
    const { quarter, fiscal_year } = place;
    const at = (period: FiscalPeriod | null): FiscalLabel => ({ fiscal_year, fiscal_period: period });
    if (startDay === null) return at(quarter === 4 ? "FY" : (`Q${quarter}` as FiscalPeriod));
    if (months === 3) return at(`Q${quarter}` as FiscalPeriod);
    // A period that does not start with the fiscal year is another half year, or trailing months: it has no
    // label.
    if (months === 6) return at(quarter === 2 ? "6M" : null);
    if (months === 9) return at(quarter === 3 ? "9M" : null);
    return at(months === 12 && quarter === 4 ? "FY" : null);
  }

  #labelOdd({ endDay, is }: OddPeriod): FiscalLabel {
    const place = this.#placeOf(endDay);
    if (is === "year") return { fiscal_year: fiscalYearOf(endDay), fiscal_period: "FY" };
    if (!place) return NO_LABEL;
    const fiscal_period = is === "transition" ? null : (TO_DATE[place.quarter - 1] ?? null);
    return { fiscal_year: place.fiscal_year, fiscal_period };
  }

  /** The quarter that ends on a day, and its fiscal year; null while no end of a fiscal year is known. */
  #placeOf(day: number): { quarter: 1 | 2 | 3 | 4; fiscal_year: number } | null {
    if (this.#hasEnd(day)) return { quarter: 4, fiscal_year: fiscalYearOf(day) };
    const before = this.#yearStart(day);
    if (before === null) return null;
    const nth = Math.min(4, Math.max(1, Math.round((day - before) / QUARTER_DAYS)));
    const quarter = nth as 1 | 2 | 3 | 4;
    return { quarter, fiscal_year: fiscalYearOf(quarter === 4 ? day : before + 365) };
  }

  /**
   * The end of the fiscal year before the one that contains `day`: a known one, or whole years from a known
   * one.
   */
  #yearStart(day: number): number | null {
    const ends = this.#ends.length > 0 ? this.#ends : this.#tentative === null ? [] : [this.#tentative];
    const known = ends.findLast((end) => end < day - JITTER_DAYS);
    if (known !== undefined && day - known <= YEAR_DAYS_MAX) return known;
    const [nearest] = ends.toSorted((a, b) => Math.abs(a - day) - Math.abs(b - day));
    if (nearest === undefined) return null;
    const years = Math.floor((day - JITTER_DAYS - nearest) / YEAR_DAYS);
    return nearest + years * YEAR_DAYS;
  }
}
