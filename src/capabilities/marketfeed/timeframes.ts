// The intervals of intraday bars: their spellings in requests, the feed's timeframes, and hours aggregated
// from half hours.
import type { DayPart, FeedBar } from "../../market/bar.ts";
import type { Calendar } from "../../market/calendar.ts";
import type { FeedTimeframe } from "./sources.ts";

export type FeedInterval = "1m" | "5m" | "15m" | "30m" | "1h";

/** A bar as it is stored and answered; `at` is its start, epoch milliseconds. */
export interface IntradayRow extends Omit<FeedBar, "at"> {
  readonly at: number;
  readonly date: string;
  readonly session: DayPart;
  readonly close: number;
}

/** An interval as it is requested from the feed and stored. */
export interface Timeframe {
  readonly name: FeedInterval;
  /** The interval of the bars it is made of, which are the stored ones. */
  readonly stored: FeedInterval;
  /** The feed's name of `stored`. */
  readonly timeframe: FeedTimeframe;
  readonly minutes: number;
  readonly storedMinutes: number;
}

const TIMEFRAMES: Record<FeedInterval, FeedTimeframe> = {
  "1m": "1Min",
  "5m": "5Min",
  "15m": "15Min",
  "30m": "30Min",
  "1h": "1Hour",
};
const MINUTES: Record<FeedInterval, number> = { "1m": 1, "5m": 5, "15m": 15, "30m": 30, "1h": 60 };

const BY_SPELLING = new Map<string, FeedInterval>([
  ...(Object.keys(MINUTES) as FeedInterval[]).map((name) => [name, name] as const),
  ...[1, 5, 15, 30].map((n) => [`${n}min`, `${n}m` as FeedInterval] as const),
  ["60m", "1h"],
  ["60min", "1h"],
  ["1hour", "1h"],
]);

/**
 * The timeframe of a spelling. The feed's hours begin at the full hour, so the one at 09:00 mixes early
 * trading with the session's first half hour: hours of the regular session are aggregated from half hours,
 * from 09:30 on.
 */
export function timeframeOf(spelling: string, isExtended: boolean): Timeframe {
  const name = BY_SPELLING.get(spelling);
  if (name === undefined) throw new RangeError(`${spelling} is not an intraday interval`);
  const stored = name === "1h" && !isExtended ? "30m" : name;
  return {
    name,
    stored,
    timeframe: TIMEFRAMES[stored],
    minutes: MINUTES[name],
    storedMinutes: MINUTES[stored],
  };
}

const extreme = (values: readonly (number | null)[], pick: (...of: number[]) => number) => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : pick(...known);
};
/** Null as soon as one is unknown: a sum without it would be too small. */
const sum = (values: readonly (number | null)[]) => {
  let total = 0;
  for (const value of values) {
    if (value === null) return null;
    total += value;
  }
  return total;
};

function aggregate(at: number, rows: readonly IntradayRow[]): IntradayRow[] {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return [];
  const volume = sum(rows.map((row) => row.volume));
  const money = sum(
    rows.map((row) => (row.vwap === null || row.volume === null ? null : row.vwap * row.volume)),
  );
  return [
    {
      at,
      date: first.date,
      session: first.session,
      open: first.open,
      high: extreme(
        rows.map((row) => row.high),
        Math.max,
      ),
      low: extreme(
        rows.map((row) => row.low),
        Math.min,
      ),
      close: last.close,
      volume,
      vwap: money !== null && volume ? Number((money / volume).toPrecision(10)) : null,
      trade_count: sum(rows.map((row) => row.trade_count)),
    },
  ];
}

const HOUR_MS = 3_600_000;

/** Hours from the open on, from the half hours of regular sessions, ascending. */
export function hoursOf(rows: readonly IntradayRow[], calendar: Calendar): IntradayRow[] {
  const hours = Map.groupBy(rows, ({ at, date }) => {
    const open = calendar.sessionOpen(date).epochMilliseconds;
    return at - ((at - open) % HOUR_MS);
  });
  return [...hours].flatMap(([at, group]) => aggregate(at, group));
}

/** Stored rows in the interval that was requested, without extended hours unless they are. */
export function rowsInTimeframe(
  rows: readonly IntradayRow[],
  frame: Timeframe,
  isExtended: boolean,
  calendar: Calendar,
): readonly IntradayRow[] {
  const shown = isExtended ? rows : rows.filter(({ session }) => session === "regular");
  return frame.stored === frame.name ? shown : hoursOf(shown, calendar);
}
