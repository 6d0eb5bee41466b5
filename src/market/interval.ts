// Bar intervals: their names, accepted spellings, lengths, and how far back the provider has them.
import { INTRADAY_LOOKBACK_DAYS } from "../limits.ts";

/** Intervals made of whole sessions. */
export const DAILY_INTERVALS = ["1d", "5d", "1w", "1mo"] as const;
export type DailyInterval = (typeof DAILY_INTERVALS)[number];

/** Intervals within a session. */
export const INTRADAY_INTERVALS = ["1m", "2m", "5m", "15m", "30m", "1h", "90m"] as const;
export type IntradayInterval = (typeof INTRADAY_INTERVALS)[number];

export type Interval = DailyInterval | IntradayInterval;

// Maps, not objects: a client may send `constructor` as an interval.
const DAILY = new Map<string, DailyInterval>([
  ...DAILY_INTERVALS.map((name) => [name, name] as const),
  ["1wk", "1w"],
  ["1m", "1mo"],
]);

const INTRADAY = new Map<string, IntradayInterval>([
  ...INTRADAY_INTERVALS.map((name) => [name, name] as const),
  ["1min", "1m"],
  ["2min", "2m"],
  ["5min", "5m"],
  ["15min", "15m"],
  ["30min", "30m"],
  ["60m", "1h"],
  ["60min", "1h"],
  ["1hour", "1h"],
  ["90min", "90m"],
]);

/** Spellings that requests may use of the intervals that every source has. */
export const INTRADAY_SPELLINGS = [
  "1m",
  "1min",
  "5m",
  "5min",
  "15m",
  "15min",
  "30m",
  "30min",
  "1h",
  "60m",
  "60min",
  "1hour",
] as const;

const SECONDS: Record<IntradayInterval, number> = {
  "1m": 60,
  "2m": 120,
  "5m": 300,
  "15m": 900,
  "30m": 1800,
  "1h": 3600,
  "90m": 5400,
};

/** The daily interval of a spelling (`1wk` → `1w`), or null. `1m` is one MONTH here: minutes are intraday. */
export function dailyInterval(text: string): DailyInterval | null {
  return DAILY.get(text) ?? null;
}

/** The intraday interval of a spelling (`60m`, `60min`, `1hour` → `1h`), or null. `1m` is one MINUTE here. */
export function intradayInterval(text: string): IntradayInterval | null {
  return INTRADAY.get(text) ?? null;
}

/** The interval of a price history request: a daily one or `1h`, else null. `1m` is one MONTH here. */
export function priceInterval(text: string): DailyInterval | "1h" | null {
  const daily = dailyInterval(text);
  if (daily) return daily;
  return intradayInterval(text) === "1h" ? "1h" : null;
}

export function isIntraday(interval: Interval): interval is IntradayInterval {
  return (INTRADAY_INTERVALS as readonly string[]).includes(interval);
}

/** Length of a bar in seconds. */
export function intervalSeconds(interval: IntradayInterval): number {
  return SECONDS[interval];
}

/** Days back from now within which the price provider offers this interval (docs/contract.md, Price). */
export function lookbackDays(interval: IntradayInterval): number {
  const days = INTRADAY_LOOKBACK_DAYS[interval];
  if (days === undefined) throw new RangeError(`limits.ts has no look-back for ${interval}`);
  return days;
}
