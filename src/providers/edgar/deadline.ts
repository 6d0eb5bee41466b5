// Ends work that takes too long, including the time in our own queue and in retries.
import type { Clock } from "../../platform/clock.ts";
import { UpstreamTimeout } from "../../platform/errors.ts";

/**
 * Runs `work` with a signal that is aborted after `ms` milliseconds (UpstreamTimeout) or with the caller's
 * own.
 */
export async function withinDeadline<T>(
  clock: Clock,
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const timer = new AbortController();
  clock.sleep(ms, timer.signal).then(
    () => stop.abort(new UpstreamTimeout("edgar", `EDGAR did not send the document within ${ms / 1000} s`)),
    () => {},
  );
  try {
    return await work(signal ? AbortSignal.any([signal, stop.signal]) : stop.signal);
  } finally {
    timer.abort();
  }
}
