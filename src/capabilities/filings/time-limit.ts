// Time limits within a request: a signal that ends in time, and waiting that heeds it whatever the work does.
import type { Clock } from "../../platform/clock.ts";

export interface Limit {
  readonly clock: Clock;
  readonly ms: number;
  /** The request's own. */
  readonly signal: AbortSignal;
  /** What the signal is aborted with when the time is over. */
  readonly late: Error;
}

/** Runs `work` with a signal that is aborted with `late` after `ms`, or with the request's own. */
export async function limited<T>(
  { clock, ms, signal, late }: Limit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const done = new AbortController();
  clock.sleep(ms, done.signal).then(
    () => limit.abort(late),
    () => {},
  );
  try {
    return await work(AbortSignal.any([signal, limit.signal]));
  } finally {
    done.abort();
  }
}

/** The outcome of `work`, or the signal's reason as soon as it is aborted. */
function heeding<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}

/** As `limited`, but rejects in time also when the work goes on. */
export const within = <T>(limit: Limit, work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
  limited(limit, (signal) => heeding(signal, work(signal)));
