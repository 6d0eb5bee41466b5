// A moment as a client writes it: ISO 8601, in New York time when it names no zone.
import { endOfDay } from "./calendar.ts";
import { isDate, YEAR_MAX, YEAR_MIN } from "./date.ts";

const ZONE = "America/New_York";
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)(.*)$/;
const OFFSET = /^(?:[Zz]|[+-]\d{2}(?::?\d{2})?)$/;

export type Moment = { ok: true; at: Temporal.Instant } | { ok: false; detail: string };

const refuse = (detail: string): Moment => ({ ok: false, detail });

/**
 * Parses a moment: `2026-09-04T15:30:00Z`, one with an offset, or `2026-09-04T11:30` for New York time. A
 * date alone means its end in New York. When the clocks go back, an ambiguous time means the first of the
 * two; a time skipped when they go forward means an hour later. `detail` is a sentence on what is wrong.
 */
// 2026-11-01T01:30 is 05:30 UTC, the first of two; 2026-03-08T02:30 does not exist and means 03:30, 07:30
// UTC.
export function parseMoment(text: string): Moment {
  const [date = text, time, zone] = DATE_TIME.exec(text)?.slice(1) ?? [];
  if (!isDate(date))
    return refuse(
      `the moment must be of ${YEAR_MIN}–${YEAR_MAX} and written as 2026-09-04T15:30:00Z, or as 2026-09-04T11:30 for New York.`,
    );
  if (time === undefined) return { ok: true, at: endOfDay(date) };
  if (zone?.startsWith(" "))
    return refuse("the moment has a blank before its offset: in a URL write + as %2B.");
  if (zone !== "" && !OFFSET.test(zone ?? ""))
    return refuse("the moment has an unknown zone: end it with Z for UTC or an offset such as -04:00.");
  try {
    const clock = `${date}T${time.replace(",", ".")}`;
    if (zone !== "") return { ok: true, at: Temporal.Instant.from(`${clock}${zone}`) };
    return { ok: true, at: Temporal.PlainDateTime.from(clock).toZonedDateTime(ZONE).toInstant() };
  } catch {
    return refuse("the moment has an impossible time or offset.");
  }
}
