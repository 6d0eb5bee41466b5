// The days on which the regulator takes filings: weekdays without the federal holidays, which are not the exchange's.
import { addDays } from "./date.ts";

const plain = (year: number, month: number, day: number) => Temporal.PlainDate.from({ year, month, day });

/** The `n`th `weekday` (1 = Monday) of a month. */
function nth(n: number, weekday: number, year: number, month: number): Temporal.PlainDate {
  const first = plain(year, month, 1);
  return first.add({ days: ((weekday - first.dayOfWeek + 7) % 7) + 7 * (n - 1) });
}

/** A holiday on Saturday is kept on Friday, one on Sunday on Monday; so New Year may be kept in December. */
function kept(date: Temporal.PlainDate): Temporal.PlainDate {
  if (date.dayOfWeek === 6) return date.subtract({ days: 1 });
  return date.dayOfWeek === 7 ? date.add({ days: 1 }) : date;
}

function holidaysOf(year: number): Set<string> {
  const fixed = [
    plain(year, 1, 1),
    plain(year + 1, 1, 1),
    plain(year, 7, 4),
    plain(year, 11, 11), // Veterans
    plain(year, 12, 25),
    ...(year >= 2021 ? [plain(year, 6, 19)] : []), // Juneteenth
  ];
  const moving = [
    ...(year >= 1986 ? [nth(3, 1, year, 1)] : []), // Martin Luther King
    nth(3, 1, year, 2), // Washington
    nth(1, 1, year, 6).subtract({ days: 7 }), // Memorial: the last Monday of May
    nth(1, 1, year, 9), // Labor
    nth(2, 1, year, 10), // Columbus
    nth(4, 4, year, 11), // Thanksgiving
  ];
  return new Set([...fixed.map(kept), ...moving].map(String));
}

const years = new Map<number, Set<string>>();

/**
 * Whether a date is a federal business day by the rules. Days on which the offices were shut by order are not known
 * here: whoever needs to be sure asks for the day's index.
 */
export function isFederalBusinessDay(date: string): boolean {
  const day = Temporal.PlainDate.from(date);
  if (day.dayOfWeek > 5) return false;
  const known = years.get(day.year) ?? holidaysOf(day.year);
  years.set(day.year, known);
  return !known.has(date);
}

/** Federal business days from `start` to `end`, both included, ascending. */
export function federalBusinessDays(start: string, end: string): string[] {
  const days: string[] = [];
  for (let date = start; date <= end; date = addDays(date, 1))
    if (isFederalBusinessDay(date)) days.push(date);
  return days;
}
