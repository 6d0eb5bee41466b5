// The days a request means: days back from today, or two dates. Pure.
import { newYorkDate } from "../../market/calendar.ts";
import { addDays, earlierDay } from "../../market/date.ts";
import { parseAsOf } from "../../market/known-at.ts";
import { resolveTimeSpan } from "../../market/time-span.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import { FIRST_FILE_DATE } from "./sources.ts";

export interface DayRange {
  readonly start: string;
  readonly end: string;
}

export interface RangeAsk {
  readonly days?: number | undefined;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}

/** The instant an `as_of` of a request means; null when everything known is asked for. */
export function asOfInstant(as_of: string | undefined): Temporal.Instant | null {
  if (as_of === undefined) return null;
  const parsed = parseAsOf(as_of);
  if (!parsed.ok) throw new InvalidRequest("bad_request", parsed.detail);
  return parsed.at;
}

/** Days back are counted from today, or from the day of `asOf` where that is earlier. Throws InvalidRequest. */
export function dayRange(
  ask: RangeAsk,
  daysDefault: number,
  now: Temporal.Instant,
  asOf: Temporal.Instant | null,
): DayRange {
  const { days, start_date, end_date } = ask;
  const today = newYorkDate(now);
  if (start_date === undefined && end_date === undefined) {
    const end = asOf ? earlierDay(today, newYorkDate(asOf)) : today;
    return { start: addDays(end, -(days ?? daysDefault)), end };
  }
  if (days !== undefined)
    throw new InvalidRequest(
      "conflicting_time_selection",
      "Give days, or start_date with end_date, not both together.",
    );
  const resolved = resolveTimeSpan({ start_date, end_date }, { today });
  if (!resolved.ok) throw new InvalidRequest(resolved.code, resolved.detail);
  return { start: resolved.span.start ?? FIRST_FILE_DATE, end: earlierDay(resolved.span.end, today) };
}
