// Calendar dates as text, `YYYY-MM-DD`: checked, compared as strings, moved by whole days.

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** First and last year any date of a request may lie in; a year outside is more likely a typing error. */
// 1929-10-29 is accepted; 0206-09-04 and 2206-09-04 are refused.
export const YEAR_MIN = 1900;
export const YEAR_MAX = 2100;

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** The number written in `count` digits of `text` from `at` on; NaN when one of them is not a digit. */
function numberAt(text: string, at: number, count: number): number {
  let number = 0;
  for (let i = at; i < at + count; i += 1) {
    const digit = text.charCodeAt(i) - 48;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    number = 10 * number + digit;
  }
  return number;
}

/** True for a real calendar date written exactly `YYYY-MM-DD`, years 1900–2100 (2026-02-30 is false). */
export function isDate(text: string): boolean {
  const year = numberAt(text, 0, 4);
  return year >= YEAR_MIN && year <= YEAR_MAX && isRealDay(text);
}

/** As isDate, for any year from 0001 to 9999. */
export function isRealDay(text: string): boolean {
  if (text.length !== 10 || text[4] !== "-" || text[7] !== "-") return false;
  const [year, month, day] = [numberAt(text, 0, 4), numberAt(text, 5, 2), numberAt(text, 8, 2)];
  if (!(year >= 1)) return false;
  const days = month === 2 && isLeapYear(year) ? 29 : (DAYS_IN_MONTH[month - 1] ?? 0);
  return day >= 1 && day <= days;
}

/** The date `days` after `date` (before it when negative). RangeError when `date` is not a date. */
export function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString();
}

/** 1 = Monday … 7 = Sunday. RangeError when `date` is not a date. */
export function weekday(date: string): number {
  return Temporal.PlainDate.from(date).dayOfWeek;
}

/** The Monday of the ISO week `date` lies in. RangeError when `date` is not a date. */
export function mondayOf(date: string): string {
  return addDays(date, 1 - weekday(date));
}

/** The last day of the month `date` lies in. RangeError when `date` is not a date. */
export function monthEnd(date: string): string {
  const day = Temporal.PlainDate.from(date);
  return day.with({ day: day.daysInMonth }).toString();
}

/** The later of two days. */
export const laterDay = (a: string, b: string): string => (a > b ? a : b);

/** The earlier of two days. */
export const earlierDay = (a: string, b: string): string => (a < b ? a : b);

/** A day as a Temporal date, for arithmetic on holidays. */
export function plainDate(year: number, month: number, day: number): Temporal.PlainDate {
  return Temporal.PlainDate.from({ year, month, day });
}

/** The `n`th `weekday` (1 = Monday) of a month. */
export function nthWeekday(n: number, weekday: number, year: number, month: number): Temporal.PlainDate {
  const first = plainDate(year, month, 1);
  return first.add({ days: ((weekday - first.dayOfWeek + 7) % 7) + 7 * (n - 1) });
}

/** The day on which a holiday is observed: the Friday before a Saturday, the Monday after a Sunday. */
// 4 July 2026 is a Saturday: it is observed on Friday 3 July.
export function observedOn(holiday: Temporal.PlainDate): Temporal.PlainDate {
  if (holiday.dayOfWeek === 6) return holiday.subtract({ days: 1 });
  return holiday.dayOfWeek === 7 ? holiday.add({ days: 1 }) : holiday;
}
