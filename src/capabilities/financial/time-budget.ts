// A budget of time that several pieces of work in one request share.
import { systemTimers } from "../../platform/clock.ts";
import { AsofError } from "../../platform/errors.ts";

export interface TimeBudget {
  /**
   * Runs work that resolves to its failure or to null. Resolves to the budget's own error when no time is
   * left or when the time ends before the work does; the work's signal is then aborted. Throws the reason of
   * an aborted request.
   */
  within(
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<AsofError | null>,
  ): Promise<AsofError | null>;
}

/**
 * Makes a budget of `ms` milliseconds. It counts the time in which any of its work is under way, so that
 * pieces at the same moment count once, and time in between counts for nothing.
 */
export function timeBudget(ms: number, late: () => AsofError, timers = systemTimers): TimeBudget {
  let spent = 0;
  let running = 0;
  let since = 0;
  let isOver = false;
  const used = () => spent + (running > 0 ? timers.elapsedMs() - since : 0);
  const begin = () => {
    if (running === 0) since = timers.elapsedMs();
    running++;
  };
  const end = () => {
    const total = used();
    running--;
    if (running === 0) spent = total;
  };
  return {
    async within(signal, work) {
      const left = ms - used();
      if (isOver || left <= 0) return late();
      const over = new AbortController();
      const ended = Promise.withResolvers<AsofError>();
      const cancel = timers.after(left, () => {
        isOver = true;
        const error = late();
        ended.resolve(error);
        over.abort(error);
      });
      begin();
      const outcome = work(AbortSignal.any([signal, over.signal])).catch((error: unknown) => {
        signal.throwIfAborted();
        if (error instanceof AsofError) return error;
        throw error;
      });
      // After the time is over, no caller waits for the outcome.
      outcome.catch(() => {});
      try {
        return await Promise.race([outcome, ended.promise]);
      } finally {
        cancel();
        end();
      }
    },
  };
}
