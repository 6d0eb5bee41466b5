// The days on which the SEC accepts filings: weekdays except federal holidays, which differ from the
// exchange's.
import { addDays, nthWeekday, observedOn, plainDate } from "./date.ts";

function holidaysOf(year: number): Set<string> {
  const fixed = [
    plainDate(year, 1, 1),
    plainDate(year + 1, 1, 1), // observed in December when it falls on a Saturday
    plainDate(year, 7, 4),
    plainDate(year, 11, 11), // Veterans
    plainDate(year, 12, 25),
    ...(year >= 2021 ? [plainDate(year, 6, 19)] : []), // Juneteenth
  ];
  const byWeekday = [
    ...(year >= 1986 ? [nthWeekday(3, 1, year, 1)] : []), // Martin Luther King
    nthWeekday(3, 1, year, 2), // Washington
    nthWeekday(1, 1, year, 6).subtract({ days: 7 }), // Memorial: the last Monday of May
    nthWeekday(1, 1, year, 9), // Labor
    nthWeekday(2, 1, year, 10), // Columbus
    nthWeekday(4, 4, year, 11), // Thanksgiving
  ];
  return new Set([...fixed.map(observedOn), ...byWeekday].map(String));
}

const years = new Map<number, Set<string>>();

/**
 * Whether a date is a federal business day by the rules. Closures by executive order are not known here;
 * whether a day's EDGAR index exists is the only sure answer.
 */
// On 12 October 2026, Columbus Day, the exchange trades and the SEC accepts no filings.
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
