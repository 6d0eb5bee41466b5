// Which days an answer of page views speaks of: a day that is left out had none, is not out yet, or is unknown. Pure.
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
  /** Last day that any article can have views of; null when that is not known. */
  readonly projectLast: string | null;
  readonly fetchedAtMs: number;
}

export interface NewViews {
  readonly date: string;
  readonly views: number;
  readonly is_reported: boolean;
  readonly known_at: string;
}

/** Counts of a day are out within 48 hours after it ended. */
const PUBLISHED_DAYS = 2;

/** When the first number of a day was known: no later than when counts are published, sooner if it was fetched sooner. */
export function knownAt(date: string, fetchedAtMs: number): string {
  const published = Temporal.PlainDate.from(date)
    .add({ days: 1 + PUBLISHED_DAYS })
    .toZonedDateTime("UTC").epochMilliseconds;
  return instantText(Math.min(published, fetchedAtMs));
}

/**
 * Days of the span without a row that had no views: behind the article's first view, and before a later view of its
 * own or the project's last day. On that last day itself the counts of some articles may still be on their way.
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

/** What of an answer is new against what is stored. A stored number is never replaced by a day that was left out. */
export function newViews(fetched: FetchedViews, stored: ReadonlyMap<string, StoredViews>): NewViews[] {
  const { days, fetchedAtMs } = fetched;
  const reported = days.flatMap(({ date, views }) => {
    const held = stored.get(date);
    if (held?.views === views) return [];
    const known_at = held ? instantText(fetchedAtMs) : knownAt(date, fetchedAtMs);
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
