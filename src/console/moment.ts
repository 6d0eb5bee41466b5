// The day the whole page is about, kept in the address so that it can be passed on.

/** The day in New York at an instant, YYYY-MM-DD. */
export const newYorkDay = (at: string): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone: "America/New_York" }).format(new Date(at));

export interface Moment {
  /** The day asked for; null: now. */
  readonly asOf: string | null;
  /** First and last day shown. */
  readonly start: string;
  readonly end: string;
}

/** The day `months` months before one; the last of the month where it has no such day. */
export function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const first = new Date(Date.UTC(year, month - 1 - months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(date, last));
  return first.toISOString().slice(0, 10);
}

/** `today` is the day by the service's clock, not the reader's. */
export function momentOf(search: string, today: string): Moment & { readonly months: number } {
  const query = new URLSearchParams(search);
  const given = query.get("as_of") ?? "";
  // A day that lies ahead is answered as of now, by the page as by the service.
  const asOf = /^\d{4}-\d{2}-\d{2}$/.test(given) && given <= today ? given : null;
  const months = [6, 12, 24, 60].find((n) => n === Number(query.get("months"))) ?? 12;
  const end = asOf ?? today;
  return { asOf, months, start: monthsBefore(end, months), end };
}
