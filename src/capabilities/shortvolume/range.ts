// The range of days of a request: days back from today, or two dates. Pure.
import { newYorkDate } from "../../market/calendar.ts";
import { addDays, earlierDay } from "../../market/date.ts";
import { windowDay } from "../../market/known-at.ts";
import { resolveTimeSpan } from "../../market/time-span.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import { FIRST_FILE_DATE } from "./sources.ts";

export interface DayRange {
  readonly start: string;
  readonly end: string;
}

export interface RangeRequest {
  readonly days?: number | undefined;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}

/**
 * The range of a request. Days back are counted from today, or from the day of `asOf` if that is earlier.
 * Throws InvalidRequest.
 */
export function dayRange(
  request: RangeRequest,
  daysDefault: number,
  now: Temporal.Instant,
  asOf: Temporal.Instant | null,
): DayRange {
  const { days, start_date, end_date } = request;
  const today = newYorkDate(now);
  if (start_date === undefined && end_date === undefined) {
    const end = windowDay(asOf, now);
    return { start: addDays(end, -(days ?? daysDefault)), end };
  }
  if (days !== undefined)
    throw new InvalidRequest(
      "conflicting_time_selection",
      "Give days, or start_date with end_date, not both together.",
    );
  const resolved = resolveTimeSpan({ start_date, end_date }, { today, isOpen: true });
  if (!resolved.ok) throw new InvalidRequest(resolved.code, resolved.detail);
  return { start: resolved.span.start ?? FIRST_FILE_DATE, end: earlierDay(resolved.span.end, today) };
}
