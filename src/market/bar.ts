// Every shape of a price bar, and longer bars made of shorter ones. Null is unknown, 0 is a reported zero.
import type { Calendar } from "./calendar.ts";
import { addDays, mondayOf, monthEnd, weekday } from "./date.ts";
import { sumDigits } from "./float.ts";
import type { DailyInterval } from "./interval.ts";

/** The fields of every bar: prices in the symbol's currency, volume in shares. */
export interface Ohlcv {
  readonly open: number | null;
  readonly high: number | null;
  readonly low: number | null;
  readonly close: number | null;
  readonly volume: number | null;
}

/** The part of the trading day a bar starts in. */
export type DayPart = "pre" | "regular" | "post";

/** One session of one symbol, as answers give it. */
export interface DailyBar extends Ohlcv {
  /** Session in New York (of the listing's own exchange when foreign). */
  readonly date: string;
  /** Close adjusted for splits and dividends. */
  readonly adjusted_close: number | null;
  /** Cash paid per share with this ex date; null when its amount is unknown. */
  dividend?: number | null;
  /** Capital gain that a fund distributed with this ex date; null when its amount is unknown. */
  capital_gain?: number | null;
  /** New shares for one old, as of this date: 4 for 4:1, 0.1 for 1:10. */
  split_ratio?: number;
  /** A price of it is far off the closes around it. */
  outlier?: true;
  /** The session is not settled: every number may still change. */
  provisional?: true;
  /** Under `as_of`: the bar was fetched later, and its provider may have corrected it meanwhile. */
  backfilled?: true;
}

/** A bar of several sessions, possibly of a period that still runs. */
export interface PeriodBar extends DailyBar {
  /**
   * The period is incomplete: it still runs, the requested range cuts it, or one of its sessions is missing.
   */
  partial?: true;
}

/** A bar within a session, as answers give it. */
export interface IntradayBar extends Ohlcv {
  /** Its start, RFC 3339 UTC. */
  readonly timestamp: string;
  readonly session: DayPart;
}

/** A day aggregated from its intraday bars. */
export interface DayFromBars extends Ohlcv {
  /** Number of bars aggregated. */
  readonly bar_count: number;
}

/**
 * A bar as a provider of history gives it, daily or intraday; prices and volume on the answer's `basis_date`.
 */
export interface ProviderBar extends Ohlcv {
  /** Date of the bar's start in the exchange's zone; of a daily bar its session. */
  readonly date: string;
  /** Start of the bar; of a live daily bar the last trade. */
  readonly at: Temporal.Instant;
  readonly close: number;
  /** Close adjusted for splits and dividends by the provider; daily bars only. */
  readonly adj_close: number | null;
  /** The provider normally no longer changes any number of the bar. */
  readonly settled: boolean;
  readonly session: DayPart;
}

/** A bar as the brokerage feed gives it, with the trades behind it. */
export interface FeedBar extends Ohlcv {
  /** Its start; midnight in New York for a day. */
  readonly at: Temporal.Instant;
  readonly trade_count: number | null;
  /** Average price weighted by volume. */
  readonly vwap: number | null;
}

export interface AggregateOptions {
  /** First day of the requested range; null or absent for all history. */
  from?: string | null | undefined;
  /**
   * Last day with complete bars: the last day of the requested range or the last settled session, if that is
   * earlier.
   */
  through: string;
  /** Knows the holidays; without it, or on dates it does not cover, every weekday counts as a session. */
  calendar?: Calendar | undefined;
  /** Sessions whose bar is known to be missing. */
  missing?: readonly string[] | undefined;
  /** Whether a session traded though its prices are unknown: those of its period are then unknown too. */
  isUnknown?: ((bar: DailyBar) => boolean) | undefined;
}

/** True for a close of null or zero, which is not a price: the row counts as missing and is fetched again. */
export function isMissing(bar: Pick<Ohlcv, "close">): boolean {
  return bar.close === null || bar.close === 0;
}

interface Period {
  label: string;
  /** First and last session of the complete period; `last` null when that is not known yet. */
  first: string;
  last: string | null;
}

function firstSession(date: string, calendar: Calendar | undefined): string {
  if (calendar?.covers(date)) return calendar.sessionOnOrAfter(date);
  return weekday(date) > 5 ? addDays(date, 8 - weekday(date)) : date;
}

function lastSession(date: string, calendar: Calendar | undefined): string {
  if (calendar?.covers(date)) return calendar.sessionOnOrBefore(date);
  return weekday(date) > 5 ? addDays(date, 5 - weekday(date)) : date;
}

/** ISO weeks labelled by their Monday, or months labelled by their first day, as the provider does. */
function calendarPeriods(interval: "1w" | "1mo", calendar: Calendar | undefined): (date: string) => Period {
  const known = new Map<string, Period>();
  return (date) => {
    const label = interval === "1w" ? mondayOf(date) : `${date.slice(0, 7)}-01`;
    const found = known.get(label);
    if (found) return found;
    const end = interval === "1w" ? addDays(label, 6) : monthEnd(label);
    const period = { label, first: firstSession(label, calendar), last: lastSession(end, calendar) };
    known.set(label, period);
    return period;
  };
}

/**
 * Groups of five sessions from the first bar on, labelled by their first session; a missing bar does not
 * shift them.
 */
// First bar on Monday 3 August 2026, none on the Wednesday: the next group still begins on Monday 10 August.
function fiveSessionPeriods(
  dates: readonly string[],
  calendar: Calendar | undefined,
): (date: string) => Period {
  const [first = "", last = ""] = [dates[0], dates.at(-1)];
  let sessions: readonly string[] = dates;
  if (calendar?.covers(first) && calendar.covers(last)) {
    const ahead = addDays(last, 14);
    const listed = calendar.sessionsBetween(first, calendar.covers(ahead) ? ahead : calendar.lastDate);
    const known = new Set(listed);
    // A foreign listing trades on days New York does not; then only its own bars can be counted.
    if (dates.every((date) => known.has(date))) sessions = listed;
  }
  const places = new Map(sessions.map((date, place) => [date, place]));
  return (date) => {
    const start = Math.floor((places.get(date) ?? 0) / 5) * 5;
    const label = sessions[start] ?? date;
    return { label, first: label, last: sessions[start + 4] ?? null };
  };
}

const extreme = (values: (number | null)[], pick: (...values: number[]) => number): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((a, b) => pick(a, b));
};

const sum = (values: (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((a, b) => a + b, 0);
};

function combineOhlcv(bars: readonly Ohlcv[]): Ohlcv {
  return {
    open: bars[0]?.open ?? null,
    high: extreme(
      bars.map((bar) => bar.high),
      Math.max,
    ),
    low: extreme(
      bars.map((bar) => bar.low),
      Math.min,
    ),
    close: bars.at(-1)?.close ?? null,
    volume: sum(bars.map((bar) => bar.volume)),
  };
}

/**
 * The figures of a period in which a session's prices are unknown; its volume is known where that of each
 * session is.
 */
const unknownOhlcv = (bars: readonly DailyBar[]): Ohlcv => ({
  open: null,
  high: null,
  low: null,
  close: null,
  volume: bars.some(({ volume }) => volume === null) ? null : sum(bars.map(({ volume }) => volume)),
});

/** A sum of amounts; null when one of them is unknown. */
// Made up: dividends of 0.20 and 0.25 are 0.45; 0.20 and one of an unknown amount are null.
const total = (amounts: readonly (number | null)[]): number | null => {
  const known = amounts.filter((amount) => amount !== null);
  return known.length < amounts.length ? null : sumDigits(known.reduce((a, b) => a + b, 0));
};

/** The bar of a period; null when none of its sessions has a price. */
function combine(period: Period, rows: readonly DailyBar[], options: AggregateOptions): PeriodBar | null {
  const { isUnknown = () => false } = options;
  const priced = rows.filter((row) => !isMissing(row) || isUnknown(row));
  const last = priced.at(-1);
  if (!last) return null;
  const dividends = rows.flatMap((row) => (row.dividend === undefined ? [] : [row.dividend]));
  const gains = rows.flatMap((row) => (row.capital_gain === undefined ? [] : [row.capital_gain]));
  const splits = rows.flatMap((row) => (row.split_ratio === undefined ? [] : [row.split_ratio]));
  const provisional = priced.some((row) => row.provisional);
  const end = period.last ?? "9999-12-31";
  const partial =
    provisional ||
    priced.length < rows.length ||
    end > options.through ||
    period.first < (options.from ?? period.first) ||
    (options.missing ?? []).some((date) => date >= period.first && date <= end);
  return {
    date: period.label,
    ...(priced.some(isUnknown) ? unknownOhlcv(priced) : combineOhlcv(priced)),
    adjusted_close: last.adjusted_close,
    ...(dividends.length > 0 ? { dividend: total(dividends) } : {}),
    ...(gains.length > 0 ? { capital_gain: total(gains) } : {}),
    ...(splits.length > 0 ? { split_ratio: splits.reduce((a, b) => a * b) } : {}),
    ...(provisional ? { provisional: true as const } : {}),
    ...(priced.some((row) => row.outlier) ? { outlier: true as const } : {}),
    ...(priced.some((row) => row.backfilled) ? { backfilled: true as const } : {}),
    ...(partial ? { partial } : {}),
  };
}

/**
 * Aggregates daily bars (in any order; the last of two rows on one date wins) to weekly, monthly or
 * five-session bars.
 *
 * The open is that of the first priced session, the high and low are the extremes of the known values, the
 * close and adjusted close are those of the last priced session, and the volume is the sum of the known
 * volumes (null when all are unknown). Dividends add up, split ratios multiply. Rows without a close give no
 * price, but their dividend and split count. A period without any price is left out.
 */
// Made up: closes of 10 on Monday, null on Tuesday and 12 on Friday make a week that closes at 12 and is
// partial.
export function aggregateDaily(
  bars: readonly DailyBar[],
  interval: Exclude<DailyInterval, "1d">,
  options: AggregateOptions,
): PeriodBar[] {
  const byDate = new Map(bars.map((bar) => [bar.date, bar]));
  const dates = [...byDate.keys()].sort();
  const periodOf =
    interval === "5d"
      ? fiveSessionPeriods(dates, options.calendar)
      : calendarPeriods(interval, options.calendar);
  const groups = new Map<string, { period: Period; rows: DailyBar[] }>();
  for (const date of dates) {
    const row = byDate.get(date);
    if (!row) continue;
    const period = periodOf(date);
    const group = groups.get(period.label);
    if (group) group.rows.push(row);
    else groups.set(period.label, { period, rows: [row] });
  }
  return [...groups.values()].flatMap(({ period, rows }) => combine(period, rows, options) ?? []);
}

/**
 * Aggregates the intraday bars of one session: regular hours only, without bars that have no close; the last
 * of two bars with one timestamp wins. Null when no bar remains (before the open, or no trade yet).
 */
export function aggregateIntradayToDay(bars: readonly IntradayBar[]): DayFromBars | null {
  const regular = bars.filter((bar) => bar.session === "regular" && !isMissing(bar));
  const byTime = new Map(regular.map((bar) => [Date.parse(bar.timestamp), bar]));
  const ordered = [...byTime.entries()].sort(([a], [b]) => a - b).map(([, bar]) => bar);
  return ordered.length === 0 ? null : { ...combineOhlcv(ordered), bar_count: ordered.length };
}
