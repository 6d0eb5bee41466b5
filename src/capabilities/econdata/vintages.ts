// Which rows of an answer are news to the store: first values, revisions, and days the provider has withdrawn. Pure.
import { endOfDay } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import { instantText } from "../../platform/instant-text.ts";
import type { SourceObservation } from "./sources.ts";

/** A row for the lake, without what all rows of a fetch share. */
export interface VintageRow {
  readonly date: string;
  readonly value: number | null;
  readonly withdrawn: boolean;
  readonly realtime_start: string;
  readonly realtime_end: string | null;
  readonly known_at: string;
}

/** Days of observations, both inclusive. */
export interface Span {
  readonly start: string;
  readonly end: string;
}

export interface Fetch {
  readonly observations: readonly SourceObservation[];
  /** The span that was asked for. */
  readonly span: Span;
  /** Whether every observation of the span is there. */
  readonly complete: boolean;
  /** The provider's day of the fetch. */
  readonly today: string;
  readonly fetchedAtMs: number;
}

/** A release has a day but no time: it is known for sure when that day has ended, or at the fetch that shows it. */
export const knownAtMs = (day: string, fetchedAtMs: number): number =>
  Math.min(endOfDay(day).epochMilliseconds, fetchedAtMs);

const within = (date: string, { start, end }: Span) => date >= start && date <= end;

/** Days in store that a complete answer no longer has. */
function withdrawnNow(held: ReadonlyMap<string, unknown>, fetch: Fetch): VintageRow[] {
  if (!fetch.complete) return [];
  const present = new Set(fetch.observations.map(({ date }) => date));
  return [...held.keys()]
    .filter((date) => within(date, fetch.span) && !present.has(date))
    .map((date) => ({
      date,
      value: null,
      withdrawn: true,
      realtime_start: fetch.today,
      realtime_end: null,
      known_at: instantText(fetch.fetchedAtMs),
    }));
}

/**
 * News of an answer about the present alone. `held`: values in store by day, as they stand now. A value that stands
 * already is no news, so a series fetched daily grows by its revisions only.
 */
export function newsOfToday(held: ReadonlyMap<string, number | null>, fetch: Fetch): VintageRow[] {
  const known_at = instantText(fetch.fetchedAtMs);
  const changed = fetch.observations
    .filter(({ date, value }) => !held.has(date) || held.get(date) !== value)
    .map(({ date, value }) => ({
      date,
      value,
      withdrawn: false,
      realtime_start: fetch.today,
      realtime_end: null,
      known_at,
    }));
  return [...changed, ...withdrawnNow(held, fetch)];
}

export const vintageKey = (date: string, realtimeStart: string): string => `${date} ${realtimeStart}`;

/** The provider published nothing for the day between two vintages, or after the last: a row that says so. */
function gapAfter(
  row: SourceObservation,
  next: SourceObservation | undefined,
  fetch: Fetch,
): VintageRow | null {
  if (row.realtime_end >= fetch.today) return null;
  const from = addDays(row.realtime_end, 1);
  if (next?.realtime_start === from) return null;
  return {
    date: row.date,
    value: null,
    withdrawn: true,
    realtime_start: from,
    realtime_end: null,
    known_at: instantText(knownAtMs(from, fetch.fetchedAtMs)),
  };
}

/**
 * News of a complete answer with every vintage of a period that reaches the present. `stored`: what is in store, by
 * vintageKey (null value: missing; undefined: withdrawn); `held` as for newsOfToday.
 */
export function newsOfVintages(
  stored: ReadonlyMap<string, number | null | undefined>,
  held: ReadonlyMap<string, number | null>,
  fetch: Fetch,
): VintageRow[] {
  const byDate = Map.groupBy(fetch.observations, ({ date }) => date);
  const rows = [...byDate.values()].flatMap((vintages) => {
    const inOrder = vintages.toSorted((a, b) => (a.realtime_start < b.realtime_start ? -1 : 1));
    return inOrder.flatMap((vintage, i): VintageRow[] => {
      const { date, value, realtime_start, realtime_end } = vintage;
      const gap = gapAfter(vintage, inOrder[i + 1], fetch);
      const row: VintageRow = {
        date,
        value,
        withdrawn: false,
        realtime_start,
        realtime_end: realtime_end >= fetch.today ? null : realtime_end,
        known_at: instantText(knownAtMs(realtime_start, fetch.fetchedAtMs)),
      };
      return gap ? [row, gap] : [row];
    });
  });
  const isNew = ({ date, realtime_start, value, withdrawn }: VintageRow) => {
    const key = vintageKey(date, realtime_start);
    return !stored.has(key) || stored.get(key) !== (withdrawn ? undefined : value);
  };
  return [...rows.filter(isNew), ...withdrawnNow(held, fetch)];
}
