// Time limits within a request: a signal that aborts in time, and waiting that stops even when the work
// ignores the signal.
import type { Clock } from "../../platform/clock.ts";

export interface TimeLimit {
  readonly clock: Clock;
  readonly ms: number;
  /** The request's signal. */
  readonly signal: AbortSignal;
  /** The reason of the abort when the time is over. */
  readonly timeoutError: Error;
}

/**
 * Runs `work` with a signal that aborts with `timeoutError` after `ms`, or when the request's signal aborts.
 */
export async function withTimeLimit<T>(
  { clock, ms, signal, timeoutError }: TimeLimit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const done = new AbortController();
  clock.sleep(ms, done.signal).then(
    () => limit.abort(timeoutError),
    () => {},
  );
  try {
    return await work(AbortSignal.any([signal, limit.signal]));
  } finally {
    done.abort();
  }
}

/** The outcome of `work`, or a rejection with the signal's reason as soon as it aborts. */
function abortable<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}

/** As `withTimeLimit`, but rejects in time even when the work continues. */
export const withHardTimeLimit = <T>(
  limit: TimeLimit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => withTimeLimit(limit, (signal) => abortable(signal, work(signal)));
