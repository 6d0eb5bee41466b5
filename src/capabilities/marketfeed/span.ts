// The days of GET /marketfeed/intraday, and which of them it serves.
import { MARKETFEED_SESSIONS_DEFAULT } from "../../limits.ts";
import { type Calendar, newYorkDate } from "../../market/calendar.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import { SIP_DELAY_S } from "./sessions.ts";

export interface SpanQuery {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}

const NEW_YORK = "America/New_York";
const CLOSING_HOUR = 16;

/** Whether the day of `now` is served: after 16:00 in New York, on a half day after its close at 13:00. */
export function isDayOver(now: Temporal.Instant, calendar: Calendar): boolean {
  const today = newYorkDate(now);
  if (calendar.isHalfDay(today)) return Temporal.Instant.compare(now, calendar.sessionClose(today)) >= 0;
  return now.toZonedDateTimeISO(NEW_YORK).hour >= CLOSING_HOUR;
}

function refuseEnd(end: string, now: Temporal.Instant, calendar: Calendar): InvalidRequest {
  const today = newYorkDate(now);
  if (end > today)
    return new InvalidRequest(
      "end_date_not_allowed",
      `end_date ${end} is after today, ${today} in New York.`,
      { hint: "This route serves finished sessions only." },
    );
  const close = calendar.isHalfDay(today) ? "13:00, as it is a half day" : "16:00";
  return new InvalidRequest(
    "end_date_not_allowed",
    `end_date ${end} is today: its bars are served here after ${close}, America/New_York. For the running day use /api/v1/marketfeed/intraday/today.`,
    { hint: "Use /api/v1/marketfeed/intraday/today, or an end_date before today." },
  );
}

/** First and last day. Throws InvalidRequest `end_date_not_allowed` or `invalid_date_range`. */
export function spanOf(
  query: SpanQuery,
  now: Temporal.Instant,
  calendar: Calendar,
): { start: string; end: string } {
  const { end_date } = query;
  if (end_date !== undefined) {
    const today = newYorkDate(now);
    if (end_date > today || (end_date === today && !isDayOver(now, calendar)))
      throw refuseEnd(end_date, now, calendar);
  }
  const end = end_date ?? calendar.lastClosedSession(now.subtract({ seconds: SIP_DELAY_S }));
  const start = query.start_date ?? sessionsBack(end, calendar);
  if (end < start)
    throw new InvalidRequest("invalid_date_range", `end_date ${end} is earlier than start_date ${start}.`);
  if (!calendar.covers(start) || !calendar.covers(end))
    throw new InvalidRequest(
      "invalid_date_range",
      `The exchange calendar covers ${calendar.firstDate} to ${calendar.lastDate}.`,
    );
  return { start, end };
}

function sessionsBack(end: string, calendar: Calendar): string {
  if (!calendar.covers(end)) return end;
  let date = calendar.sessionOnOrBefore(end);
  for (let n = 1; n < MARKETFEED_SESSIONS_DEFAULT; n++) date = calendar.previousSession(date);
  return date;
}
