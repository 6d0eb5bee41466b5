// Instants in the operational database: RFC 3339, UTC, always three decimals, so that text order is time
// order.

/** `2026-11-20T15:00:00.000Z` from milliseconds since the epoch. */
export const instantText = (ms: number): string => new Date(ms).toISOString();

/** Milliseconds since the epoch from such a text. */
export const instantMs = (text: string): number => Temporal.Instant.from(text).epochMilliseconds;

/** An instant as answers show it: whole seconds without decimals. */
export function shownInstant(text: string): string;
export function shownInstant(text: string | null): string | null;
export function shownInstant(text: string | null): string | null {
  return text?.replace(".000Z", "Z") ?? null;
}
