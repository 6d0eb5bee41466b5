// The days that a calendar of the whole market is asked for.
import { MARKET_CALENDAR_DAYS_MAX } from "../limits.ts";
import { InvalidRequest } from "../platform/errors.ts";
import { addDays } from "./date.ts";
import { checkDateRange } from "./date-range.ts";

/** One day, or a span with both ends; neither is `preset`. */
export interface DaySpan {
  readonly date?: string | undefined;
  readonly from_date?: string | undefined;
  readonly to_date?: string | undefined;
}

/**
 * Every day of the span in ascending order. Throws InvalidRequest for a contradictory, reversed or too long
 * span.
 */
export function daysOfSpan({ date, from_date, to_date }: DaySpan, preset: string): readonly string[] {
  if (date !== undefined && (from_date !== undefined || to_date !== undefined))
    throw new InvalidRequest("conflicting_time_selection", "Give date, or from_date with to_date, not both.");
  if ((from_date === undefined) !== (to_date === undefined))
    throw new InvalidRequest("invalid_date_range", "Give from_date and to_date together.");
  checkDateRange({ from_date, to_date });
  const from = date ?? from_date ?? preset;
  const to = date ?? to_date ?? preset;
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    if (days.length === MARKET_CALENDAR_DAYS_MAX)
      throw new InvalidRequest(
        "invalid_date_range",
        `${from} to ${to} is more than ${MARKET_CALENDAR_DAYS_MAX} days.`,
        { hint: "Split the span into several requests." },
      );
    days.push(day);
  }
  return days;
}
