// Decides which rows of an answer to store: first values, revisions, and days that the provider withdrew.
// Pure.
import { endOfDay } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import { instantText } from "../../platform/instant-text.ts";
import type { SourceObservation } from "./sources.ts";

/** A row for the lake, without the fields that all rows of a fetch share. */
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
  /** The requested span. */
  readonly span: Span;
  /** Whether the answer has every observation of the span. */
  readonly complete: boolean;
  /** The provider's day of the fetch. */
  readonly today: string;
  readonly fetchedAtMs: number;
}

/**
 * A release has a day but no time: it is certainly known when that day ends, or at the fetch that shows it.
 */
export const knownAtMs = (day: string, fetchedAtMs: number): number =>
  Math.min(endOfDay(day).epochMilliseconds, fetchedAtMs);

const within = (date: string, { start, end }: Span) => date >= start && date <= end;

/** Withdraws stored days that a complete answer no longer has. */
// Made up: 2026-03 is stored and missing in a complete answer from 2026-01 to 2026-06: withdrawn today.
function withdrawals(current: ReadonlyMap<string, unknown>, fetch: Fetch): VintageRow[] {
  if (!fetch.complete) return [];
  const present = new Set(fetch.observations.map(({ date }) => date));
  return [...current.keys()]
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
 * The changes in an answer that covers only the present. `current` has the stored values by day. An unchanged
 * value adds no row, so a series that is fetched daily grows only by its revisions.
 */
export function changesOfToday(current: ReadonlyMap<string, number | null>, fetch: Fetch): VintageRow[] {
  const known_at = instantText(fetch.fetchedAtMs);
  const changed = fetch.observations
    .filter(({ date, value }) => !current.has(date) || current.get(date) !== value)
    .map(({ date, value }) => ({
      date,
      value,
      withdrawn: false,
      realtime_start: fetch.today,
      realtime_end: null,
      known_at,
    }));
  return [...changed, ...withdrawals(current, fetch)];
}

export const vintageKey = (date: string, realtimeStart: string): string => `${date} ${realtimeStart}`;

/**
 * A withdrawal row when the provider published nothing for the day between two vintages or after the last;
 * else null.
 */
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
 * The changes in a complete answer with every vintage of a period that reaches the present. `stored` has the
 * stored vintages by vintageKey (null value: missing; undefined: withdrawn); `current` is as for
 * changesOfToday.
 */
export function changesOfVintages(
  stored: ReadonlyMap<string, number | null | undefined>,
  current: ReadonlyMap<string, number | null>,
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
  return [...rows.filter(isNew), ...withdrawals(current, fetch)];
}
