// How long to wait before the next attempt: the provider's Retry-After, else a random back-off. Pure.

/**
 * Seconds from a Retry-After header: whole seconds, or an HTTP-date (RFC 9110 §10.2.3) against `nowMs`.
 * A date in the past gives 0; anything that is neither gives undefined.
 */
export function retryAfterS(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text);
  // Only HTTP-dates: Date.parse alone would also read "1.5" or "-3" as some year.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(text)) return undefined;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - nowMs) / 1000));
}

const BACKOFF_MS_BASE = 250;
const BACKOFF_MS_MAX = 4_000;

/**
 * Full jitter: a random wait up to the doubling step, so that clients that failed together do not retry
 * together.
 */
// The first retry waits up to 250 ms, the second up to 500 ms, every one from the fifth on up to 4 s.
export function backoffMs(attempt: number, random: () => number): number {
  return random() * Math.min(BACKOFF_MS_MAX, BACKOFF_MS_BASE * 2 ** attempt);
}
