// The days on which something trades, as epoch seconds: exchange sessions, foreign exchange days, crypto
// days.
import type { Calendar } from "../src/market/calendar.ts";

/**
 * One session. All times epoch seconds; where there is no early or late trading `pre` = `open`, `post` =
 * `close`.
 */
export interface Session {
  readonly date: string;
  /** Days since 1970-01-01: the same number for the same date, whatever the table it stands in. */
  readonly day: number;
  readonly pre: number;
  readonly open: number;
  readonly close: number;
  readonly post: number;
}

/** Sessions of one kind of market, oldest first. */
export interface SessionTable {
  readonly zone: string;
  readonly sessions: readonly Session[];
}

const DAY_MS = 86_400_000;

/** Days since 1970-01-01 of a date. */
export function dayOf(date: string): number {
  return Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
}

/** The date of a day number. */
export function dateOf(day: number): string {
  return Temporal.Instant.fromEpochMilliseconds(day * DAY_MS)
    .toString()
    .slice(0, 10);
}

/** Epoch seconds of `time` (`HH:MM`) on `date` in `zone`. */
export function secondsAt(date: string, time: string, zone: string): number {
  return Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(zone).epochMilliseconds / 1000;
}

/** The date it is in `zone` at epoch second `at`. */
export function dateAt(at: number, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at * 1000)
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toString();
}

/** How far `zone` is ahead of UTC at `at`, seconds, and the name it goes by then (`EST`). */
export function offsetAt(at: number, zone: string): { gmtoffset: number; timezone: string } {
  const zoned = Temporal.Instant.fromEpochMilliseconds(at * 1000).toZonedDateTimeISO(zone);
  const gmtoffset = zoned.offsetNanoseconds / 1e9;
  const names: Record<string, string> = { "-18000": "EST", "-14400": "EDT", "3600": "BST" };
  return { gmtoffset, timezone: names[String(gmtoffset)] ?? (zone === "UTC" ? "UTC" : "GMT") };
}

const seconds = (at: Temporal.Instant) => at.epochMilliseconds / 1000;

/** Exchange sessions from `start` to `end`, with early and late trading. */
export function exchangeSessions(calendar: Calendar, start: string, end: string): SessionTable {
  const sessions = calendar.sessionsBetween(start, end).map((date) => ({
    date,
    day: dayOf(date),
    pre: seconds(calendar.preMarketOpen(date)),
    open: seconds(calendar.sessionOpen(date)),
    close: seconds(calendar.sessionClose(date)),
    post: seconds(calendar.postMarketClose(date)),
  }));
  return { zone: "America/New_York", sessions };
}

/**
 * Whole days from midnight in `zone`, the provider's way for currencies and crypto: they end a minute before
 * the next.
 */
export function wholeDaySessions(
  zone: string,
  start: string,
  end: string,
  weekdaysOnly: boolean,
): SessionTable {
  const sessions: Session[] = [];
  for (let day = dayOf(start); day <= dayOf(end); day++) {
    const date = dateOf(day);
    const weekday = (day + 4) % 7;
    if (weekdaysOnly && (weekday === 0 || weekday === 6)) continue;
    const open = secondsAt(date, "00:00", zone);
    const close = open + 86_340;
    sessions.push({ date, day, pre: open, open, close, post: close });
  }
  return { zone, sessions };
}

/** Index of the first session whose `field` is at or after `value`; the length when there is none. */
export function firstAtOrAfter(sessions: readonly Session[], field: "day" | "open", value: number): number {
  let low = 0;
  let high = sessions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sessions[middle]?.[field] ?? Number.POSITIVE_INFINITY) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last session that has opened by epoch second `at`; -1 when none has. */
export function lastOpenedBy(sessions: readonly Session[], at: number): number {
  return firstAtOrAfter(sessions, "open", at + 1) - 1;
}
