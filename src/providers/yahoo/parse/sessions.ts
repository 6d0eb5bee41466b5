// Decides when a Yahoo bar is settled, and which bars lie outside regular hours.
import { INTRADAY_DELAY_MINUTES } from "../../../limits.ts";
import type { Calendar } from "../../../market/calendar.ts";
import { type Interval, intervalSeconds, isIntraday } from "../../../market/interval.ts";
import { type ChartFrame, dateIn } from "./chart-meta.ts";

/** Bar widths of a chart. Yahoo may answer in quarters, which are never requested. */
export type ChartInterval = Interval | "3mo";

/** Minutes of an intraday bar; null for a day and longer. */
export function minutesOf(interval: ChartInterval): number | null {
  return interval !== "3mo" && isIntraday(interval) ? intervalSeconds(interval) / 60 : null;
}

/** Types that trade in New York hours when their zone is New York; futures and others do not. */
const NEW_YORK_TYPES = new Set(["EQUITY", "ETF", "MUTUALFUND", "INDEX"]);
const OPENING_TIME = "09:30:00";
/**
 * A live row is stamped with its last trade: for an index up to 90 minutes after the close, for a fund see
 * `lastTrade`.
 */
// After a close at 16:00, a row stamped 17:30 is the day's; one stamped 18:00 belongs to no day.
const LATE_TRADE_S = 2 * 3_600;
/** Without a calendar, a day is over at this hour of the next day, which is before the next session opens. */
// A bar of London of 3 August is settled from 08:00 on 4 August, London time.
const NEXT_MORNING_HOUR = 8;

function instantOf(seconds: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(seconds * 1000);
}

function secondsOf(at: Temporal.Instant): number {
  return at.epochMilliseconds / 1000;
}

/** Hours and days of the exchange of an answer. */
export interface Sessions {
  /** The part of the day a bar lies in; "unknown" when neither the calendar nor the answer shows it. */
  phase(date: string, seconds: number): "before" | "regular" | "after" | "unknown";
  /**
   * True for a daily row that belongs to no day: stamped on a date without a session, or hours after its
   * close, as happens with days counted in another zone. Known only for New York's stocks, funds and indices.
   */
  isMisplaced(date: string, seconds: number): boolean;
  /** True when a daily bar no longer changes; see `dailySettled`. */
  isDailySettled(row: DailyRow): boolean;
  /** True when an intraday bar has ended and the feed has had time to complete it. */
  isIntradaySettled(seconds: number, minutes: number): boolean;
}

/** The facts that decide whether a daily bar is settled. */
export interface DailyRow {
  readonly date: string;
  readonly seconds: number;
  /** True when the answer has a row of a later date. */
  readonly isFollowed: boolean;
}

/**
 * Creates the rules for one answer, received at `receivedAt`.
 *
 * During a session and for hours after it, Yahoo's newest daily bar is a live one. It is stamped with the
 * last trade, and its open, high, low and volume differ from those of the settled bar, which is stamped with
 * the session's open. The stamp alone does not prove that a bar is settled, since volumes still change in the
 * evening. A daily bar is settled under these conditions:
 * - New York stocks, funds and indices, on days of the calendar: its stamp is the session's open and not the
 *   moment of the last trade, and the next session has opened.
 * - Everything else (other exchanges, currencies, futures; New York before the calendar begins): its stamp is
 *   the hour at which the current session opens, or a later day follows; its stamp is not the moment of the
 *   last trade; and it is past 08:00 of the next day in the exchange's zone (so at least 8 hours after its
 *   last trade).
 */
// Made up: stamped 09:30 on 3 August, in New York it is provisional at 09:29 on 4 August and settled at
// 09:30.
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
      // A five-minute bar of 10:00 is settled from 10:20 on, 15 minutes after its end.
      // A row that starts between two bars is the last trade, not a bar. Sessions open at half hours at the
      // finest.
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
