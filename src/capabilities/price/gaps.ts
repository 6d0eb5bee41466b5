// Which days of a series are missing: the exchange calendar and the symbol's listing against what is stored.
import type { Calendar } from "../../market/calendar.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";

/** The facts that decide on which days a symbol can have bars. */
export interface ListingPeriod {
  /** First day it ever traded, in its exchange's zone; null when the provider does not say. */
  readonly first_trade_date: string | null;
  /** Day of its last known trade; null when not known. */
  readonly last_trade_date: string | null;
  /** Zone of its exchange; null when not known. */
  readonly timezone: string | null;
  /** The provider's kind: EQUITY, ETF, CRYPTOCURRENCY, … */
  readonly instrument_type: string | null;
}

/** A day that was asked for and had no usable bar. */
export interface KnownGap {
  readonly date: string;
  /** `null`: the provider had a row without a close; `absent`: it had no row. */
  readonly kind: "null" | "absent";
  readonly last_asked_at_ms: number;
}

export const UNKNOWN_LISTING: ListingPeriod = {
  first_trade_date: null,
  last_trade_date: null,
  timezone: null,
  instrument_type: null,
};

const NEW_YORK = "America/New_York";
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** How long "no row" counts: briefly while the provider may still fill the day, then for a week. */
const RECENT_DAYS = 14;
const RECENT_GAP_MS = 5 * MINUTE_MS;
const OLD_GAP_MS = 7 * DAY_MS;
/** No provider has daily bars from before this day. */
export const EARLIEST_DATE = "1900-01-01";

const isNewYork = (listing: ListingPeriod) => listing.timezone === null || listing.timezone === NEW_YORK;

/**
 * The newest day whose bar can be settled at `now`: for New York, the session before the one that opened
 * last; elsewhere, the day before yesterday's end in that zone. A younger bar is still being corrected by the
 * provider.
 */
export function lastSettledDay(listing: ListingPeriod, calendar: Calendar, now: Temporal.Instant): string {
  if (isNewYork(listing)) return calendar.previousSession(calendar.latestSession(now));
  return addDays(
    now
      .toZonedDateTimeISO(listing.timezone ?? NEW_YORK)
      .toPlainDate()
      .toString(),
    -2,
  );
}

function isTradingDay(date: string, listing: ListingPeriod): boolean {
  if (listing.instrument_type === "CRYPTOCURRENCY") return true;
  return Temporal.PlainDate.from(date).dayOfWeek <= 5;
}

/**
 * Days from `start` to `end` (inclusive, null = from the first trade) on which a bar is to be expected:
 * sessions of the exchange calendar for New York symbols from 1990 on; weekdays where no calendar is known
 * (every day for cryptocurrencies), whose holidays become known gaps.
 */
export function expectedDays(
  listing: ListingPeriod,
  start: string | null,
  end: string,
  calendar: Calendar,
): string[] {
  const listedOn = listing.first_trade_date ?? EARLIEST_DATE;
  const from = start === null || start < listedOn ? listedOn : start;
  const days: string[] = [];
  const crypto = listing.instrument_type === "CRYPTOCURRENCY";
  const hasCalendar = isNewYork(listing) && !crypto;
  let date = from;
  while (date <= end && !(hasCalendar && date >= calendar.firstDate)) {
    if (isTradingDay(date, listing)) days.push(date);
    date = addDays(date, 1);
  }
  if (date > end) return days;
  const last = end < calendar.lastDate ? end : calendar.lastDate;
  for (const session of calendar.sessionsBetween(date, last)) days.push(session);
  return days;
}

/** Whether an empty day is a gap in the series: without a calendar a day without a row may be a holiday. */
export function isGap(
  { date, kind }: Pick<KnownGap, "date" | "kind">,
  listing: ListingPeriod | null | undefined,
  calendar: Calendar,
): boolean {
  const { instrument_type, timezone } = listing ?? UNKNOWN_LISTING;
  if (kind === "null" || instrument_type === "CRYPTOCURRENCY") return true;
  return (timezone === null || timezone === NEW_YORK) && date >= calendar.firstDate;
}

/** Whether a known gap is asked for again: a row without a close always, no row at all only after a while. */
export function isWorthAsking(knownGap: KnownGap, now: Temporal.Instant): boolean {
  if (knownGap.kind === "null") return true;
  const age = now.epochMilliseconds - knownGap.last_asked_at_ms;
  const recent = knownGap.date >= addDays(newYorkDate(now), -RECENT_DAYS);
  return age > (recent ? RECENT_GAP_MS : OLD_GAP_MS);
}

/** Expected days that are neither stored nor known to be empty, ascending. */
export function missingDays(
  expected: readonly string[],
  stored: ReadonlySet<string>,
  knownGaps: readonly KnownGap[],
  now: Temporal.Instant,
): string[] {
  const empty = new Set(knownGaps.filter((a) => !isWorthAsking(a, now)).map((a) => a.date));
  return expected.filter((date) => !stored.has(date) && !empty.has(date));
}
