// When a failed run is tried again: after a minute, then after twice as long each time, until the job's next
// slot.
import type { FailedSlots } from "./ledger.ts";
import type { ScheduledJob } from "./missed-slots.ts";

// Tries after 1, 2, 4, … 256 minutes, and from the tenth on after six hours each.
const RETRY_MS_FIRST = 60_000;
const RETRY_MS_MAX = 6 * 3_600_000;

/** Whether failed runs of a job are tried again. */
export const isRetried = ({ job }: ScheduledJob): boolean => job.catchUp !== "gap" && job.retry !== false;

/** When the failed slots are tried again; null when there are none. */
export function retryAtMs(failed: readonly FailedSlots[]): number | null {
  const newest = failed.at(-1);
  if (!newest) return null;
  return newest.endedMs + Math.min(RETRY_MS_FIRST * 2 ** (newest.attempts - 1), RETRY_MS_MAX);
}
