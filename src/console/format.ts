// Formats numbers and times for display.

const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** 1234567 → "1.2 MB". */
export function bytes(value: number): string {
  let [left, unit] = [value, 0];
  while (left >= 1000 && unit < UNITS.length - 1) [left, unit] = [left / 1000, unit + 1];
  return `${left >= 100 || unit === 0 ? Math.round(left) : left.toFixed(1)} ${UNITS[unit]}`;
}

export const count = (value: number): string => value.toLocaleString("en-US");

/**
 * A number as it was published, its digits grouped and none of them changed: "-1234567.50" → "-1,234,567.50".
 */
export const grouped = (text: string): string =>
  text.replace(/^[-+]?\d+/, (whole) => whole.replace(/\B(?=(?:\d{3})+$)/g, ","));

/** A value of a statement: in millions when it is large, a dash when it is unknown. */
export function figure(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  const size = Math.abs(value);
  if (size >= 1e6)
    return `${(value / 1e6).toLocaleString("en-US", { maximumFractionDigits: size >= 1e8 ? 0 : 1 })} M`;
  // Small values keep their digits: none is shown as a zero that was not reported.
  if (size > 0 && size < 0.001) return value.toLocaleString("en-US", { maximumSignificantDigits: 4 });
  return value.toLocaleString("en-US", { maximumFractionDigits: 4 });
}

/** A price as reported, digits grouped; a dash when it is unknown. */
export const price = (value: number | null): string =>
  value === null
    ? "–"
    : value.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 8 });

/** How long ago an instant was; `now` is the service's time. */
export function ago(at: string | null, now: string): string {
  if (at === null) return "never";
  const seconds = Math.round((Date.parse(now) - Date.parse(at)) / 1000);
  if (seconds < 0) return minute(at);
  if (seconds < 90) return `${seconds} s ago`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h ago`;
  return `${Math.round(seconds / 86_400)} days ago`;
}

const NEW_YORK = new Intl.DateTimeFormat("en-CA", {
  timeZone: "America/New_York",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZoneName: "short",
});

/** An instant to the minute, in New York's time with its zone: 2026-09-08 16:30 EDT. */
export function minute(at: string | null): string {
  if (at === null) return "–";
  const parts = new Map(NEW_YORK.formatToParts(new Date(at)).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? "";
  return `${part("year")}-${part("month")}-${part("day")} ${part("hour")}:${part("minute")} ${part("timeZoneName")}`;
}

/** Since when a filing counts as known: from its acceptance, else from the end of its filing day. */
export const knownFrom = (filing: {
  readonly accepted_at: string | null;
  readonly filing_date: string;
}): string => (filing.accepted_at === null ? `end of ${filing.filing_date}` : minute(filing.accepted_at));

/** A reported value in full, digits grouped, with its unit: 11,572,240,000 shares. */
export function reported(value: number, unit: string): string {
  const digits = value.toLocaleString("en-US", { maximumFractionDigits: 10 });
  return `${digits} ${unit.replace("/shares", " per share")}`;
}
