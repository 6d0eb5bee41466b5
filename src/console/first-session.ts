// The session in whose prices a filing could first show.
import type { TradingSession } from "../capabilities/stocks/schema.ts";

export type SessionEnd = Pick<TradingSession, "date" | "closes_at">;

/**
 * The day of the first session that ended after a filing was accepted: after the close it is the next
 * session's. Without a moment of acceptance a filing counts from the end of its day. Null where no session of
 * the list is late enough: the filing shows in no price of the chart. Sessions are in ascending order.
 */
export function firstSession(
  { accepted_at, filing_date }: { readonly accepted_at: string | null; readonly filing_date: string },
  sessions: readonly SessionEnd[],
): string | null {
  if (accepted_at === null) return sessionAfter(filing_date, sessions);
  const accepted = Date.parse(accepted_at);
  return sessions.find(({ closes_at }) => Date.parse(closes_at) > accepted)?.date ?? null;
}

/** The day of the first session after a day; null where the list has none. */
export const sessionAfter = (day: string, sessions: readonly SessionEnd[]): string | null =>
  sessions.find(({ date }) => date > day)?.date ?? null;
