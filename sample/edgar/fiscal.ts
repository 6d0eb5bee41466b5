// Fiscal calendars: which days a filer's quarters and years have. Most end with a month; a few end on a
// weekday, and one changed its year end.
import { dateOf, dayOf } from "../sessions.ts";
import type { Filer } from "./filers.ts";

/** A fiscal quarter; day numbers, both ends included. */
export interface Quarter {
  readonly start: number;
  readonly end: number;
  /** First day of its fiscal year, or of its transition period. */
  readonly yearStart: number;
  /** The filer's name for its fiscal year: the calendar year in which it ends, with some one less. */
  readonly year: number;
  /** From 1; also how many quarters the year has had by its end. */
  readonly number: number;
  readonly closes: "quarter" | "year" | "transition";
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly year: number;
  readonly closes: "year" | "transition";
}

/** Years of 52 or 53 weeks; the 53rd goes to the last quarter. */
interface WeekRule {
  readonly weeks: readonly number[];
  /** Last day of the fiscal year that ends in or about the calendar year. */
  yearEnd(year: number): number;
  /** Added to the calendar year in which the year ends. */
  readonly label: number;
}

const WEEKS: Readonly<Record<string, WeekRule>> = {
  // The Saturday nearest to January 31; the year is called after the one in which most of it lies.
  HOOZ: {
    weeks: [13, 13, 13, 13],
    yearEnd(year) {
      const nominal = dayOf(`${year}-01-31`);
      const ahead = (((6 - nominal - 4) % 7) + 7) % 7;
      return nominal + (ahead > 3 ? ahead - 7 : ahead);
    },
    label: -1,
  },
  // The last Sunday of December, with a first quarter of sixteen weeks.
  PUDGQ: {
    weeks: [16, 12, 12, 12],
    yearEnd(year) {
      const nominal = dayOf(`${year}-12-31`);
      return nominal - ((nominal + 4) % 7);
    },
    label: 0,
  },
};

/** The filer that went over from June to December: a transition period of six months ends on this day. */
const CHANGED = { symbol: "LOOFQ", year: 2022, from: "0630", lastDay: "2022-12-31" };

const monthEnd = (year: number, month: number) => Date.UTC(year, month, 1) / 86_400_000 - 1;

/** `MMDD` as the regulator has it on a date. */
export function fiscalYearEndOn(filer: Filer, date: string): string {
  return filer.symbol === CHANGED.symbol && date <= CHANGED.lastDay ? CHANGED.from : filer.fiscalYearEnd;
}

/** The fiscal years that end in a calendar year, oldest first. */
function spansOf(filer: Filer, year: number): Span[] {
  const rule = WEEKS[filer.symbol];
  if (rule)
    return [
      {
        start: rule.yearEnd(year - 1) + 1,
        end: rule.yearEnd(year),
        year: year + rule.label,
        closes: "year",
      },
    ];
  const changed = filer.symbol === CHANGED.symbol && year <= CHANGED.year;
  const month = Number((changed ? CHANGED.from : filer.fiscalYearEnd).slice(0, 2));
  const end = monthEnd(year, month);
  const whole: Span = { start: monthEnd(year - 1, month) + 1, end, year, closes: "year" };
  if (!changed || year < CHANGED.year) return [whole];
  return [whole, { start: end + 1, end: dayOf(CHANGED.lastDay), year, closes: "transition" }];
}

function quartersOf(filer: Filer, { start, end, year, closes }: Span): Quarter[] {
  const weeks = WEEKS[filer.symbol]?.weeks;
  const [startYear = 0, startMonth = 0] = dateOf(start).split("-").map(Number);
  const found: Quarter[] = [];
  for (let first = start; first <= end; ) {
    const number = found.length + 1;
    const nominal = weeks
      ? first + 7 * (weeks[number - 1] ?? 13) - 1
      : monthEnd(startYear, startMonth - 1 + 3 * number);
    const last = weeks && number === weeks.length ? end : Math.min(nominal, end);
    found.push({
      start: first,
      end: last,
      yearStart: start,
      year,
      number,
      closes: last === end ? closes : "quarter",
    });
    first = last + 1;
  }
  return found;
}

/** The quarters of a filer that end from day `from` to day `to`, oldest first. */
export function quartersBetween(filer: Filer, from: number, to: number): Quarter[] {
  const found: Quarter[] = [];
  for (let year = Number(dateOf(from).slice(0, 4)); year <= Number(dateOf(to).slice(0, 4)) + 1; year++)
    for (const span of spansOf(filer, year)) found.push(...quartersOf(filer, span));
  return found.filter(({ end }) => end >= from && end <= to);
}
