// Months as text, YYYY-MM, and the sessions that end them.
import type { Calendar } from "../../market/calendar.ts";
import { monthEnd } from "../../market/date.ts";

/** The month of a day. */
export const monthOf = (date: string): string => date.slice(0, 7);

/** Months from `start` to `end`, both included, ascending. */
export function monthsBetween(start: string, end: string): string[] {
  const months: string[] = [];
  let month = Temporal.PlainYearMonth.from(start);
  const last = Temporal.PlainYearMonth.from(end);
  while (Temporal.PlainYearMonth.compare(month, last) <= 0) {
    months.push(month.toString());
    month = month.add({ months: 1 });
  }
  return months;
}

export const monthBefore = (month: string): string =>
  Temporal.PlainYearMonth.from(month).subtract({ months: 1 }).toString();

/** The last session of a month the calendar covers. */
export const lastSessionOf = (month: string, calendar: Calendar): string =>
  calendar.sessionOnOrBefore(monthEnd(`${month}-01`));

/** The newest month whose last close is settled: the session after it has opened. */
export function lastSettledMonth(calendar: Calendar, now: Temporal.Instant): string {
  const settled = calendar.previousSession(calendar.latestSession(now));
  const month = monthOf(settled);
  if (lastSessionOf(month, calendar) === settled) return month;
  return monthBefore(month);
}
