// A clock for whole-service tests that can be set.
import type { Clock } from "../../src/platform/clock.ts";

export interface MovableClock extends Clock {
  /** Sets the present moment. */
  set(at: string): void;
  /**
   * How many seconds pass in a real one from now on, or as without a speed; waits that have begun keep their
   * length. Below 1 a wait that keeps a pace returns at once too: at 0.01 a limit of 20 s lasts half an hour,
   * in which any machine reads a body of 16 MB.
   */
  setSpeed(speed?: number): void;
  /**
   * Ends the wait that began last of those that are no pace, as if its time had passed: the time limit of a
   * request that a provider leaves without an answer.
   */
  endNewestWait(): void;
}

/** Waits of up to this keep a pace and are skipped; longer ones are deadlines and pauses. */
const PACE_MS_MAX = 5_000;

/** For a service that asks the archive of news, which it does every 10 s. */
export const ARCHIVE_PACE_MS_MAX = 9_999;

const timerMs = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });

/**
 * A clock that starts at `start`. Without `speed` it runs as real time does, so that no deadline depends on
 * how busy the machine is; a wait that keeps a pace returns at once and puts the clock forward by its length.
 * With `speed`, and after `setSpeed`, that many seconds pass in a real one, all waits included: for tests in
 * which a deadline is to be met. Where the clock is set during a wait, it stays as set: the wait's end was a
 * moment of the time before. `paceMsMax` is the length up to which a wait keeps a pace.
 */
export function movableClock(start: string, speed?: number, paceMsMax = PACE_MS_MAX): MovableClock {
  let perSecond = speed;
  let base = Temporal.Instant.from(start).epochMilliseconds;
  let since = performance.now();
  let settings = 0;
  /** Functions that each end a wait that is no pace, oldest first. */
  const waits = new Set<() => void>();
  const nowMs = () => Math.floor(base + (performance.now() - since) * (perSecond ?? 1));
  const moveTo = (ms: number) => {
    base = ms;
    since = performance.now();
  };
  return {
    nowMs,
    now: () => Temporal.Instant.fromEpochMilliseconds(nowMs()),
    async sleep(ms, signal) {
      if ((perSecond ?? 0) >= 1 || ms > paceMsMax) {
        const ended = Promise.withResolvers<void>();
        const beganMs = nowMs();
        const end = () => {
          moveTo(Math.max(nowMs(), beganMs + ms));
          ended.resolve();
        };
        waits.add(end);
        const timer = timerMs(ms / (perSecond ?? 1), signal).finally(() => waits.delete(end));
        return Promise.race([ended.promise, timer]);
      }
      const endMs = nowMs() + ms;
      const before = settings;
      await timerMs(0, signal);
      if (settings === before && nowMs() < endMs) moveTo(endMs);
    },
    set(at) {
      settings++;
      moveTo(Temporal.Instant.from(at).epochMilliseconds);
    },
    setSpeed(next) {
      moveTo(nowMs());
      perSecond = next;
    },
    endNewestWait() {
      const newest = [...waits].at(-1) ?? (() => {});
      waits.delete(newest);
      newest();
    },
  };
}
