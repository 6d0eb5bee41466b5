// When a bar of Yahoo's is settled, and which bars lie outside regular hours.
import { INTRADAY_DELAY_MINUTES } from "../../../limits.ts";
import type { Calendar } from "../../../market/calendar.ts";
import { type Interval, intervalSeconds, isIntraday } from "../../../market/interval.ts";
import { type ChartFrame, dateIn } from "./chart-meta.ts";

/** Widths of bars a chart is asked for; quarters are Yahoo's own and only read. */
export type ChartInterval = Interval | "3mo";

/** Minutes of a bar within a session; null for a day and longer. */
export function minutesOf(interval: ChartInterval): number | null {
  return interval !== "3mo" && isIntraday(interval) ? intervalSeconds(interval) / 60 : null;
}

/** Types that trade in the hours of the New York exchanges when their zone is New York; futures and others do not. */
const NEW_YORK_TYPES = new Set(["EQUITY", "ETF", "MUTUALFUND", "INDEX"]);
const OPENING_TIME = "09:30:00";
/** A live row bears its last trade: of an index up to an hour and a half after the close, of a fund see `lastTrade`. */
const LATE_TRADE_S = 2 * 3_600;
/** Where no calendar is at hand, a day is over at this hour of the next day: before the next session opens. */
const NEXT_MORNING_HOUR = 8;

function instantOf(seconds: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(seconds * 1000);
}

function secondsOf(at: Temporal.Instant): number {
  return at.epochMilliseconds / 1000;
}

/** Hours and days of the exchange an answer is about. */
export interface Sessions {
  /** Where a bar lies in its day; "unknown" when neither the calendar nor the answer says. */
  phase(date: string, seconds: number): "before" | "regular" | "after" | "unknown";
  /**
   * True for a daily row that is of no day: stamped on one without a session, or hours after its close, as days
   * counted in another zone are. Known for New York's shares, funds and indices alone.
   */
  isMisplaced(date: string, seconds: number): boolean;
  /** True when nothing of a daily bar will change any more; see `dailySettled`. */
  isDailySettled(row: DailyRow): boolean;
  /** True when an intraday bar has ended and the feed has had the time to say all of it. */
  isIntradaySettled(seconds: number, minutes: number): boolean;
}

/** What a daily bar's settling depends on. */
export interface DailyRow {
  readonly date: string;
  readonly seconds: number;
  /** True when the answer holds a row of a later date. */
  readonly isFollowed: boolean;
}

/**
 * Rules for one answer, received at `receivedAt`.
 *
 * While a session runs and for hours after it, Yahoo's newest daily bar is a live one: it is stamped with the last
 * trade, and its open, high, low and volume differ from those of the settled bar, which is stamped with the
 * session's open. A settled stamp alone is not enough: volumes still move on the evening. So a daily bar is settled
 * when
 * - New York shares, funds and indices, days of the calendar: it is stamped with its session's open, that is not
 *   the moment of the last trade, and the next session has opened;
 * - all else (other exchanges, currencies, futures; New York before the calendar begins): it is stamped with the
 *   hour the current session opens at or is followed by a later day, that is not the moment of the last trade, and
 *   it is 08:00 of the next day in the zone of the exchange (so at least 8 hours after its last trade).
 */
export function sessionsOf(frame: ChartFrame, calendar: Calendar, receivedAt: Temporal.Instant): Sessions {
  const { zone, lastTrade, currentHours, sessionHours } = frame;
  const now = secondsOf(receivedAt);
  const isNewYork = zone === "America/New_York" && NEW_YORK_TYPES.has(frame.instrumentType ?? "");
  const openingTime = currentHours === null ? OPENING_TIME : timeIn(zone, currentHours.start);

  function isDailySettled({ date, seconds, isFollowed }: DailyRow): boolean {
    if (seconds === lastTrade) return false;
    if (isNewYork && calendar.covers(date)) {
      if (!calendar.isSession(date) || seconds !== secondsOf(calendar.sessionOpen(date))) return false;
      return date < calendar.lastDate && now >= secondsOf(calendar.sessionOpen(calendar.nextSession(date)));
    }
    const isStamped = isFollowed || timeIn(zone, seconds) === (isNewYork ? OPENING_TIME : openingTime);
    return isStamped && now >= secondsOf(nextMorning(zone, date));
  }

  function regularHours(date: string): { start: number; end: number } | null {
    if (isNewYork && calendar.covers(date)) {
      if (!calendar.isSession(date)) return null;
      return { start: secondsOf(calendar.sessionOpen(date)), end: secondsOf(calendar.sessionClose(date)) };
    }
    return sessionHours.find((h) => dateIn(zone, instantOf(h.start)) === date) ?? null;
  }

  const hoursByDate = new Map<string, { start: number; end: number } | null>();
  function hoursOf(date: string) {
    let hours = hoursByDate.get(date);
    if (hours === undefined) {
      hours = regularHours(date);
      hoursByDate.set(date, hours);
    }
    return hours;
  }

  return {
    phase(date, seconds) {
      const hours = hoursOf(date);
      if (hours === null) return "unknown";
      if (seconds < hours.start) return "before";
      return seconds < hours.end ? "regular" : "after";
    },
    isMisplaced(date, seconds) {
      if (!isNewYork || !calendar.covers(date)) return false;
      if (!calendar.isSession(date)) return true;
      return seconds !== lastTrade && seconds >= secondsOf(calendar.sessionClose(date)) + LATE_TRADE_S;
    },
    isDailySettled,
    isIntradaySettled(seconds, minutes) {
      // A row that starts between two bars is the last trade, not a bar. Sessions open at half hours at the finest.
      const isAligned = seconds % (Math.min(minutes, 30) * 60) === 0;
      return isAligned && now >= seconds + (minutes + INTRADAY_DELAY_MINUTES) * 60;
    },
  };
}

function timeIn(zone: string, seconds: number): string {
  return instantOf(seconds).toZonedDateTimeISO(zone).toPlainTime().toString({ smallestUnit: "second" });
}

function nextMorning(zone: string, date: string): Temporal.Instant {
  const plainTime = Temporal.PlainTime.from({ hour: NEXT_MORNING_HOUR });
  return Temporal.PlainDate.from(date)
    .add({ days: 1 })
    .toZonedDateTime({ timeZone: zone, plainTime })
    .toInstant();
}
