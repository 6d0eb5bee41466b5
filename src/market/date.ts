// Calendar dates as text, `YYYY-MM-DD`: checked, compared as strings, moved by whole days.

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** First and last year any date of a request may lie in; beyond it a typing error is likelier than a wish. */
export const YEAR_MIN = 1900;
export const YEAR_MAX = 2100;

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** True for a real calendar date written exactly `YYYY-MM-DD`, years 1900–2100 (2026-02-30 is false). */
export function isDate(text: string): boolean {
  const year = Number(text.slice(0, 4));
  return isRealDay(text) && year >= YEAR_MIN && year <= YEAR_MAX;
}

/** As isDate, for whatever year from 0001 to 9999. */
export function isRealDay(text: string): boolean {
  const match = DATE.exec(text);
  if (!match || match[1] === "0000") return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const days = month === 2 && isLeapYear(year) ? 29 : (DAYS_IN_MONTH[month - 1] ?? 0);
  return day >= 1 && day <= days;
}

/** The date `days` after `date` (before it when negative). RangeError when `date` is none. */
export function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString();
}

/** 1 = Monday … 7 = Sunday. RangeError when `date` is none. */
export function weekday(date: string): number {
  return Temporal.PlainDate.from(date).dayOfWeek;
}

/** The Monday of the ISO week `date` lies in. RangeError when `date` is none. */
export function mondayOf(date: string): string {
  return addDays(date, 1 - weekday(date));
}

/** The last day of the month `date` lies in. RangeError when `date` is none. */
export function monthEnd(date: string): string {
  const day = Temporal.PlainDate.from(date);
  return day.with({ day: day.daysInMonth }).toString();
}

/** The later of two days. */
export const laterDay = (a: string, b: string): string => (a > b ? a : b);

/** The earlier of two days. */
export const earlierDay = (a: string, b: string): string => (a < b ? a : b);
