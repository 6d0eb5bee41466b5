// The session in whose prices a filing could first show.

export interface SessionEnd {
  /** The day in New York. */
  readonly date: string;
  /** RFC 3339. */
  readonly closes_at: string;
}

/**
 * The day of the first session that ended after a filing was accepted: after the close it is the next session's. The filing
 * date where the moment of acceptance, or no session after it, is known. Sessions are in ascending order.
 */
export function firstSession(
  { accepted_at, filing_date }: { readonly accepted_at: string | null; readonly filing_date: string },
  sessions: readonly SessionEnd[],
): string {
  if (accepted_at === null) return filing_date;
  const accepted = Date.parse(accepted_at);
  return sessions.find(({ closes_at }) => Date.parse(closes_at) > accepted)?.date ?? filing_date;
}
