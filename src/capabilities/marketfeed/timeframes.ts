// The widths of intraday bars: what a client calls them, what the feed is asked for, and hours put together of halves.
import type { DayPart, FeedBar } from "../../market/bar.ts";
import type { Calendar } from "../../market/calendar.ts";
import type { FeedTimeframe } from "./sources.ts";

export const FRAME_WORDS = [
  ...["1m", "1min", "5m", "5min", "15m", "15min", "30m", "30min"],
  ...["1h", "60m", "60min", "1hour"],
] as const;

export type FrameName = "1m" | "5m" | "15m" | "30m" | "1h";

/** A bar as it is stored and answered; `at` is its start, epoch milliseconds. */
export interface IntradayRow extends Omit<FeedBar, "at"> {
  readonly at: number;
  readonly date: string;
  readonly session: DayPart;
  readonly close: number;
}

interface Frame {
  readonly name: FrameName;
  /** The bars behind it. */
  readonly of: FrameName;
  readonly timeframe: FeedTimeframe;
  readonly minutes: number;
}

const TIMEFRAMES: Record<FrameName, FeedTimeframe> = {
  "1m": "1Min",
  "5m": "5Min",
  "15m": "15Min",
  "30m": "30Min",
  "1h": "1Hour",
};
const MINUTES: Record<FrameName, number> = { "1m": 1, "5m": 5, "15m": 15, "30m": 30, "1h": 60 };

const WORDS = new Map<string, FrameName>([
  ...(Object.keys(MINUTES) as FrameName[]).map((name) => [name, name] as const),
  ...[1, 5, 15, 30].map((n) => [`${n}min`, `${n}m` as FrameName] as const),
  ["60m", "1h"],
  ["60min", "1h"],
  ["1hour", "1h"],
]);

/**
 * The frame a word means. The feed's hours begin at the full hour, so that the one at 09:00 mixes early trading with
 * the session's first half hour: hours of the regular session are put together of half hours instead, from 09:30 on.
 */
export function frameOf(word: string, isExtended: boolean): Frame {
  const name = WORDS.get(word);
  if (name === undefined) throw new RangeError(`${word} is not an intraday interval`);
  const of = name === "1h" && !isExtended ? "30m" : name;
  return { name, of, timeframe: TIMEFRAMES[of], minutes: MINUTES[name] };
}

const extreme = (values: readonly (number | null)[], pick: (...of: number[]) => number) => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : pick(...known);
};
/** Null as soon as one is unknown: a sum that leaves it out would be too small. */
const sum = (values: readonly (number | null)[]) => {
  let total = 0;
  for (const value of values) {
    if (value === null) return null;
    total += value;
  }
  return total;
};

function merged(at: number, rows: readonly IntradayRow[]): IntradayRow[] {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return [];
  const volume = sum(rows.map((row) => row.volume));
  const money = sum(
    rows.map((row) => (row.vwap === null || row.volume === null ? null : row.vwap * row.volume)),
  );
  return [
    {
      ...{ at, date: first.date, session: first.session, open: first.open, close: last.close, volume },
      high: extreme(
        rows.map((row) => row.high),
        Math.max,
      ),
      low: extreme(
        rows.map((row) => row.low),
        Math.min,
      ),
      vwap: money !== null && volume ? Number((money / volume).toPrecision(10)) : null,
      trade_count: sum(rows.map((row) => row.trade_count)),
    },
  ];
}

const HOUR_MS = 3_600_000;

/** Hours from the open on, of the half hours of regular sessions, ascending. */
export function hoursOf(rows: readonly IntradayRow[], calendar: Calendar): IntradayRow[] {
  const hours = Map.groupBy(rows, ({ at, date }) => {
    const open = calendar.sessionOpen(date).epochMilliseconds;
    return at - ((at - open) % HOUR_MS);
  });
  return [...hours].flatMap(([at, group]) => merged(at, group));
}
