// `as_of`: the moment whose state of knowledge an answer reflects.
import { InvalidRequest } from "../platform/errors.ts";
import { endOfDay, newYorkDate, newYorkDateTime } from "./calendar.ts";
import { isDate, YEAR_MAX, YEAR_MIN } from "./date.ts";

export type AsOf = { ok: true; at: Temporal.Instant } | { ok: false; detail: string };

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(.*)$/;
const ZONE = /^(?:[Zz]|[+-]\d{2}:\d{2})$/;

const refuse = (detail: string): AsOf => ({ ok: false, detail });

/**
 * Parses `as_of`. A date means the END of that day in New York; a date-time needs a zone (RFC 3339, seconds
 * optional). `detail` is a sentence on what is wrong: no such day or time, a year outside 1900–2100, no zone.
 */
export function parseAsOf(text: string): AsOf {
  const [date, zone] = DATE_TIME.exec(text)?.slice(1) ?? [text, undefined];
  if (!isDate(date ?? "")) {
    return refuse(
      `as_of must be an existing day of ${YEAR_MIN}–${YEAR_MAX}, such as 2026-09-04, or an instant with its zone, such as 2026-09-04T15:30:00Z.`,
    );
  }
  if (zone === undefined) return { ok: true, at: endOfDay(text) };
  if (zone === "")
    return refuse("as_of has a time but no zone: end it with Z for UTC or an offset such as -04:00.");
  if (/^ \d{2}:\d{2}$/.test(zone))
    return refuse("as_of has a blank before its offset: in a URL write + as %2B.");
  if (!ZONE.test(zone))
    return refuse("as_of has an unknown zone: end it with Z for UTC or an offset such as -04:00.");
  try {
    return { ok: true, at: Temporal.Instant.from(text) };
  } catch {
    return refuse("as_of has an impossible time or offset.");
  }
}

/**
 * The moment that `as_of` means; null when it is absent. Throws InvalidRequest `bad_request` for an invalid
 * text.
 */
export function asOfInstant(text: string): Temporal.Instant;
export function asOfInstant(text: string | null | undefined): Temporal.Instant | null;
export function asOfInstant(text: string | null | undefined): Temporal.Instant | null {
  if (text === undefined || text === null) return null;
  const parsed = parseAsOf(text);
  if (parsed.ok) return parsed.at;
  throw new InvalidRequest("bad_request", parsed.detail);
}

/**
 * Replaces an `as_of` in the future by now, since later knowledge does not exist yet. Today's date in New
 * York stays: although its end lies ahead, clients ask for it all day. An invalid text stays too; the schema
 * refuses it later.
 */
// On 4 September 2026: "2026-09-04" stays, "2026-09-05" becomes the present moment.
export function notAhead(text: string, now: Temporal.Instant): string {
  const parsed = parseAsOf(text);
  if (!parsed.ok || Temporal.Instant.compare(parsed.at, now) <= 0) return text;
  return isDate(text) && text <= newYorkDate(now) ? text : now.toString();
}

/**
 * The moment from which a relative window (`days`, `window_days`, `period`) counts back: `as_of`, but never
 * later than now.
 */
// With `as_of` in 2030, `days=30` counts back from now; with one in 2020, from that moment.
export const windowEnd = (asOf: Temporal.Instant | null, now: Temporal.Instant): Temporal.Instant =>
  asOf !== null && Temporal.Instant.compare(asOf, now) < 0 ? asOf : now;

/**
 * The last day whose splits and dividends prices include at `asOf`: from the open at 09:30 in New York its
 * day, before that the day before.
 */
// A 4:1 split with ex date 4 August: at 09:29 that day the basis is 3 August, without it; at 09:30 it is 4
// August. Where the clocks go forward at night, 09:30 comes an hour sooner.
export const basisDay = (asOf: Temporal.Instant): string =>
  newYorkDateTime(asOf).subtract({ hours: 9, minutes: 30 }).toPlainDate().toString();

/** The New York day of `windowEnd`: the last day of a relative window. */
export const windowDay = (asOf: Temporal.Instant | null, now: Temporal.Instant): string =>
  newYorkDate(windowEnd(asOf, now));
