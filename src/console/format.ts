// Formats numbers and times for display.

const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** 1234567 → "1.2 MB". */
export function bytes(value: number): string {
  let [left, unit] = [value, 0];
  while (left >= 1000 && unit < UNITS.length - 1) [left, unit] = [left / 1000, unit + 1];
  return `${left >= 100 || unit === 0 ? Math.round(left) : left.toFixed(1)} ${UNITS[unit]}`;
}

export const count = (value: number): string => value.toLocaleString("en-US");

/** A value of a statement: in millions when it is large, a dash when it is unknown. */
export function figure(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  const size = Math.abs(value);
  if (size >= 1e6)
    return `${(value / 1e6).toLocaleString("en-US", { maximumFractionDigits: size >= 1e8 ? 0 : 1 })} M`;
  return value.toLocaleString("en-US", { maximumFractionDigits: 4 });
}

/** How long ago an instant was; `now` is the service's time. */
export function ago(at: string | null, now: string): string {
  if (at === null) return "never";
  const seconds = Math.round((Date.parse(now) - Date.parse(at)) / 1000);
  if (seconds < 0) return at.slice(0, 16).replace("T", " ");
  if (seconds < 90) return `${seconds} s ago`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h ago`;
  return `${Math.round(seconds / 86_400)} days ago`;
}

/** An instant to the minute, in UTC. */
export const minute = (at: string | null): string =>
  at === null ? "–" : `${at.slice(0, 16).replace("T", " ")} UTC`;
