// The date and span that the page shows, read from its URL so that a link reproduces them.

/** The day in New York at an instant, YYYY-MM-DD. */
export const newYorkDay = (at: string): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone: "America/New_York" }).format(new Date(at));

export interface Moment {
  /** The requested day or instant; null for now. */
  readonly asOf: string | null;
  /** First and last day shown. */
  readonly start: string;
  readonly end: string;
}

/** The day `months` months before `day`, or the last day of that month where it has no such day. */
export function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const first = new Date(Date.UTC(year, month - 1 - months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(date, last));
  return first.toISOString().slice(0, 10);
}

/**
 * Reads the date and span from the query of the URL. `today` is the day by the service's clock, not the
 * browser's.
 */
export function momentOf(search: string, today: string): Moment & { readonly months: number } {
  const query = new URLSearchParams(search);
  const given = query.get("as_of") || null;
  // A date in the future means now, as in the service, which refuses what is no moment.
  const isAhead = given !== null && /^\d{4}-\d{2}-\d{2}$/.test(given) && given > today;
  const asOf = isAhead ? null : given;
  const months = [6, 12, 24, 60].find((n) => n === Number(query.get("months"))) ?? 12;
  const end = lastDay(asOf, today);
  return { asOf, months, start: monthsBefore(end, months), end };
}

/**
 * The last day whose end lies before or at a moment, for routes that answer with whole days: a date itself,
 * of an instant the day before its day in New York. Null for now.
 */
export function lastWholeDay(moment: string | null): string | null {
  if (moment === null || !moment.includes("T")) return moment;
  const at = Date.parse(moment);
  if (Number.isNaN(at)) return moment;
  const day = new Date(`${newYorkDay(moment)}T12:00:00Z`);
  day.setUTCDate(day.getUTCDate() - 1);
  return day.toISOString().slice(0, 10);
}

/** The day in New York that a moment belongs to; `today` for now and for moments ahead. */
export function lastDay(moment: string | null, today: string): string {
  if (moment === null) return today;
  const day = moment.includes("T") && !Number.isNaN(Date.parse(moment)) ? newYorkDay(moment) : moment;
  return day <= today ? day : today;
}

/** The day `days` days after another. */
export function daysAfter(day: string, days: number): string {
  const at = new Date(`${day}T12:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}
