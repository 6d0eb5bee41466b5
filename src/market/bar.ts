// Price bars, and longer bars made of them. Numbers are reported ones: null is unknown, 0 is a reported zero.
import type { Calendar } from "./calendar.ts";
import { addDays, mondayOf, monthEnd, weekday } from "./date.ts";
import type { DailyInterval } from "./interval.ts";

/** One session of one symbol. */
export interface DailyBar {
  /** Session in New York (of the listing's own exchange when foreign). */
  date: string;
  open: number | null;
  high: number | null;
  low: number | null;
  close: number | null;
  volume: number | null;
  /** Close adjusted for splits and dividends. */
  adjusted_close: number | null;
  /** Cash paid per share with this ex date. */
  dividend?: number;
  /** New shares for one old, as of this date: 4 for 4:1, 0.1 for 1:10. */
  split_ratio?: number;
  /** The session is not settled: every number may still change. */
  provisional?: true;
}

/** A bar of several sessions, or one still growing. */
export interface PeriodBar extends DailyBar {
  /** Not the whole period: it runs still, the asked range cuts it, or a session in it is known to be missing. */
  partial?: true;
}

/** A bar within a session; `timestamp` is its start, ISO 8601 UTC. */
export interface IntradayBar {
  timestamp: string;
  open: number | null;
  high: number | null;
  low: number | null;
  close: number | null;
  volume: number | null;
  session: "pre" | "regular" | "post";
}

/** A day put together from its intraday bars. */
export interface DayFromBars {
  open: number | null;
  high: number | null;
  low: number | null;
  close: number | null;
  volume: number | null;
  /** Bars it was made of. */
  bar_count: number;
}

export interface AggregateOptions {
  /** The asked range's first day; null or absent when all history was asked for. */
  from?: string | null | undefined;
  /** Last day for which bars are whole: the asked range's last day or the last settled session, whichever is earlier. */
  through: string;
  /** Tells where holidays end a period; without it, or outside what it covers, every weekday counts as a session. */
  calendar?: Calendar | undefined;
  /** Sessions whose bar is known to be missing. */
  missing?: readonly string[] | undefined;
}

/** A close of null or zero is no price (interface.md): the row is missing and will be collected again. */
export function isMissing(bar: { close: number | null }): boolean {
  return bar.close === null || bar.close === 0;
}

interface Period {
  label: string;
  /** First and last session the period has when whole; `last` null when that is not known yet. */
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

/** Weeks are ISO weeks labelled by their Monday, months are labelled by their first day, as the provider labels them. */
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

/** Runs of five sessions from the first bar on, labelled by their first session; a missing bar does not shift them. */
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
    // A foreign listing trades on days New York does not: then its own bars are all there is to count.
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

function priceOf(bars: readonly Omit<DayFromBars, "bar_count">[]): Omit<DayFromBars, "bar_count"> {
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

/** Null when not one session of the period has a price. */
function combine(period: Period, rows: readonly DailyBar[], options: AggregateOptions): PeriodBar | null {
  const priced = rows.filter((row) => !isMissing(row));
  const last = priced.at(-1);
  if (!last) return null;
  const dividends = rows.flatMap((row) => (row.dividend === undefined ? [] : [row.dividend]));
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
    ...priceOf(priced),
    adjusted_close: last.adjusted_close,
    ...(dividends.length > 0 ? { dividend: dividends.reduce((a, b) => a + b) } : {}),
    ...(splits.length > 0 ? { split_ratio: splits.reduce((a, b) => a * b) } : {}),
    ...(provisional ? { provisional: true as const } : {}),
    ...(partial ? { partial } : {}),
  };
}

/**
 * Weekly, monthly or five-session bars from daily ones (any order; of two rows on one date the last holds).
 *
 * Open is the first priced session's, high and low the extremes of the known ones, close and adjusted close the last
 * priced session's, volume the sum of the known ones (null when none is), dividends add up, split ratios multiply.
 * Rows without a close give no price, but their dividend and split count. A period without any price is left out.
 */
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
 * Open, high, low, close and volume of one session from its intraday bars: regular hours only, bars without a close
 * left out, of two bars with one timestamp the last. Null when none is left (before the open, or no trade yet).
 */
export function aggregateIntradayToDay(bars: readonly IntradayBar[]): DayFromBars | null {
  const regular = bars.filter((bar) => bar.session === "regular" && !isMissing(bar));
  const byTime = new Map(regular.map((bar) => [Date.parse(bar.timestamp), bar]));
  const ordered = [...byTime.entries()].sort(([a], [b]) => a - b).map(([, bar]) => bar);
  return ordered.length === 0 ? null : { ...priceOf(ordered), bar_count: ordered.length };
}
