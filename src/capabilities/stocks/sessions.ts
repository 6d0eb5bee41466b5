// Trading sessions of the New York exchanges: their days and hours, from the calendar.
import { ifEmpty } from "../../market/absence.ts";
import { pageFacts, pageOf } from "../../market/answer-fields.ts";
import type { Calendar } from "../../market/calendar.ts";
import { asOfInstant, basisDay } from "../../market/known-at.ts";
import { tableOf } from "../../market/stock-row.ts";
import { Answer } from "../../platform/answer.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import { instantText } from "../../platform/instant-text.ts";
import type { TradingSession } from "./schema.ts";

const COLUMNS = [
  ["date", "DATE"],
  ["opens_at", "TIMESTAMPTZ"],
  ["closes_at", "TIMESTAMPTZ"],
  ["is_half_day", "BOOLEAN"],
] as const;

/** Throws InvalidRequest where the days are in the wrong order or outside the calendar. */
function checkDays(calendar: Calendar, start: string, end: string): void {
  if (end < start)
    throw new InvalidRequest("invalid_date_range", `end_date ${end} is earlier than start_date ${start}.`);
  const { firstDate, lastDate } = calendar;
  if (!calendar.covers(start) || !calendar.covers(end))
    throw new InvalidRequest("invalid_date_range", `${start} to ${end} is not within the calendar.`, {
      hint: `The calendar covers ${firstDate} to ${lastDate}.`,
    });
}

/**
 * The sessions from `start` to `end`, both inclusive, oldest first. Under `asOf` an unscheduled closure
 * counts from 09:30 of its day: the calendar does not say when it was announced. Throws InvalidRequest.
 */
export function sessionsAnswer(known: Calendar, start: string, end: string, asOf: string | undefined) {
  checkDays(known, start, end);
  const moment = asOfInstant(asOf ?? null);
  const calendar = moment === null ? known : known.knownOn(basisDay(moment));
  const rows: TradingSession[] = calendar.sessionsBetween(start, end).map((date) => ({
    date,
    opens_at: instantText(calendar.sessionOpen(date).epochMilliseconds),
    closes_at: instantText(calendar.sessionClose(date).epochMilliseconds),
    is_half_day: calendar.isHalfDay(date),
  }));
  const page = pageOf(rows.length, rows.length, { limit: Math.max(1, rows.length), offset: 0 });
  const warnings = ifEmpty(rows, "nothing_there", `The calendar has no session from ${start} to ${end}.`);
  return new Answer(() => ({ start_date: start, end_date: end, ...page, data: rows, warnings }), {
    table: tableOf("sessions", COLUMNS, rows),
    page: pageFacts(page),
  });
}
