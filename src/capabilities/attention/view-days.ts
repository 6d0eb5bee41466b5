// Interprets the days that a page-view answer leaves out: no views, not published yet, or unknown. Pure.
import { addDays, laterDay } from "../../market/date.ts";
import { instantText } from "../../platform/instant-text.ts";
import type { Days } from "./sources.ts";

export interface StoredViews {
  readonly views: number;
  readonly is_reported: boolean;
}

export interface FetchedViews {
  readonly span: Days;
  readonly days: readonly { readonly date: string; readonly views: number }[];
  /** Last day for which views are published for any article; null when unknown. */
  readonly projectLast: string | null;
  readonly fetchedAtMs: number;
}

export interface NewViews {
  readonly date: string;
  readonly views: number;
  readonly is_reported: boolean;
  readonly known_at: string;
}

/** Counts of a day are published within 48 hours after its end. */
// Counts of 3 August are known from 6 August 00:00 UTC on, or from their fetch if that was earlier.
const PUBLISHED_DAYS = 2;

/**
 * When the first count of a day was known: when counts are published, or when it was fetched if that was
 * earlier.
 */
export function knownAt(date: string, fetchedAtMs: number): string {
  const published = Temporal.PlainDate.from(date)
    .add({ days: 1 + PUBLISHED_DAYS })
    .toZonedDateTime("UTC").epochMilliseconds;
  return instantText(Math.min(published, fetchedAtMs));
}

/**
 * Days of the span that are left out because they had no views: after the article's first view, and before
 * one of its later views or the project's last day. On that last day itself the counts of some articles may
 * not be published yet.
 */
function silentDays(
  { span, days, projectLast }: FetchedViews,
  stored: ReadonlyMap<string, StoredViews>,
): string[] {
  const seen = new Set(days.map(({ date }) => date));
  const observed = [
    ...seen,
    ...[...stored].filter(([, row]) => row.is_reported).map(([date]) => date),
  ].sort();
  const [first, last] = [observed[0], observed.at(-1)];
  if (first === undefined || last === undefined) return [];
  const until = projectLast === null ? last : laterDay(projectLast, last);
  const silent: string[] = [];
  for (let date = laterDay(first, span.start); date <= span.end && date < until; date = addDays(date, 1))
    if (!seen.has(date) && !stored.has(date)) silent.push(date);
  return silent;
}

/**
 * Returns the days of an answer that differ from what is stored. A left-out day never replaces a stored
 * count.
 */
// A day with a stored count of 120 that a later answer leaves out stays 120; one with 125 becomes a new
// version.
export function newViews(fetched: FetchedViews, stored: ReadonlyMap<string, StoredViews>): NewViews[] {
  const { days, fetchedAtMs } = fetched;
  const reported = days.flatMap(({ date, views }) => {
    const previous = stored.get(date);
    if (previous?.views === views) return [];
    const known_at = previous ? instantText(fetchedAtMs) : knownAt(date, fetchedAtMs);
    return [{ date, views, is_reported: true, known_at }];
  });
  const silent = silentDays(fetched, stored).map((date) => ({
    date,
    views: 0,
    is_reported: false,
    known_at: knownAt(date, fetchedAtMs),
  }));
  return [...reported, ...silent].sort((a, b) => (a.date < b.date ? -1 : 1));
}
