// Parses dates of news feeds: RFC 822 and its dialects, and ISO 8601. An ambiguous date is null, never a
// guess.

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/**
 * Time zone names of RFC 822, without its single letters, whose signs the RFC printed the wrong way round.
 */
const ZONES: Readonly<Record<string, string>> = {
  gmt: "+00:00",
  ut: "+00:00",
  utc: "+00:00",
  z: "+00:00",
  est: "-05:00",
  edt: "-04:00",
  cst: "-06:00",
  cdt: "-05:00",
  mst: "-07:00",
  mdt: "-06:00",
  pst: "-08:00",
  pdt: "-07:00",
};
const RFC_822 =
  /^(?:[a-z]{3,9}\.?,?\s+)?(\d{1,2})[\s-]+([a-z]{3,9})\.?[\s-]+(\d{4}|\d{2})[,\s]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([a-z]{1,4}|(?:gmt|utc)?\s*[+-]\d{2}:?\d{2})(?:\s*\([^)]*\))?$/i;
const ISO = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})$/i;

/** Feeds are not older than the web. */
// "01 Jan 1970 00:00 GMT" and year 2101 are no dates: null.
const YEAR_MIN = 1990;
const YEAR_MAX = 2100;

function offsetOf(zone: string): string | null {
  const name = ZONES[zone.toLowerCase()];
  if (name !== undefined) return name;
  const [, sign, hours, minutes] = /([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  return sign === undefined ? null : `${sign}${hours}:${minutes}`;
}

function monthOf(word: string): string | null {
  const at = MONTHS.indexOf(word.slice(0, 3).toLowerCase());
  return at < 0 ? null : String(at + 1).padStart(2, "0");
}

/** Two-digit years as in RFC 2822: up to 49 are of this century. */
// "26" is 2026 and "49" is 2049; "50" is 1950, which no feed has.
const yearOf = (text: string) => (text.length === 4 ? text : Number(text) < 50 ? `20${text}` : `19${text}`);

function isoOf(text: string): string | null {
  const iso = ISO.exec(text);
  if (iso) {
    const [, date, minutes, seconds = "", zone = ""] = iso;
    const offset = offsetOf(zone);
    return offset && `${date}T${minutes}${seconds}${offset}`;
  }
  const [, day = "", word = "", year = "", hour = "", minute, second = "00", zone = ""] =
    RFC_822.exec(text) ?? [];
  const [month, offset] = [monthOf(word), offsetOf(zone)];
  if (day === "" || month === null || offset === null) return null;
  return `${yearOf(year)}-${month}-${day.padStart(2, "0")}T${hour.padStart(2, "0")}:${minute}:${second}${offset}`;
}

/**
 * Reads `Tue, 25 Aug 2026 11:30 GMT` (seconds, weekday and a two-digit year are optional; zones by name or
 * offset) and `2026-08-25T11:30:00Z`. Null without a zone, without a time, for days that do not exist, and
 * outside 1990–2100.
 */
export function readFeedDate(text: string | null): Temporal.Instant | null {
  if (text === null || text.length > 100) return null;
  const iso = isoOf(text.replace(/\s+/g, " ").trim());
  if (iso === null) return null;
  try {
    const at = Temporal.Instant.from(iso).round({ smallestUnit: "millisecond", roundingMode: "floor" });
    const { year } = at.toZonedDateTimeISO("UTC");
    return year >= YEAR_MIN && year <= YEAR_MAX ? at : null;
  } catch {
    return null;
  }
}
