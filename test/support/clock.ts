// A clock for whole-service tests: it can be set, and its seconds pass quicker than real ones.
import type { Clock } from "../../src/platform/clock.ts";

export interface MovableClock extends Clock {
  /** Sets the present moment. */
  set(at: string): void;
  /** How many seconds pass in a real one from now on; waits that have begun keep their pace. */
  setSpeed(speed: number): void;
}

/** Waits of up to this are paces, and skipped by `hurriedClock`; longer ones are deadlines and leases. */
const PACE_MS_MAX = 5_000;
/** How much quicker than real ones deadlines pass: none is met, and what is killed while it waits is soon gone. */
const DEADLINE_SPEED = 4;

/**
 * For weeks that are stepped through: runs as real time does, but whoever waits for a turn is woken at once and the
 * clock put forward by as much, as if the waiting had been done.
 */
export function hurriedClock(start: string): MovableClock {
  const clock = movableClock(start, 1);
  const instant = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString();
  return {
    ...clock,
    async sleep(ms, signal) {
      if (ms > PACE_MS_MAX) return clock.sleep(ms / DEADLINE_SPEED, signal);
      const endMs = clock.nowMs() + ms;
      await clock.sleep(0, signal);
      if (clock.nowMs() < endMs) clock.set(instant(endMs));
    },
  };
}

/** Starts at `start`; `atFirst` seconds pass in one real one, sleeping included, so that paces and waits stay in proportion. */
export function movableClock(start: string, atFirst = 20): MovableClock {
  let speed = atFirst;
  let base = Temporal.Instant.from(start).epochMilliseconds;
  let since = performance.now();
  const nowMs = () => Math.floor(base + (performance.now() - since) * speed);
  return {
    nowMs,
    now: () => Temporal.Instant.fromEpochMilliseconds(nowMs()),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const onAbort = () => {
          clearTimeout(timer);
          reject(signal?.reason);
        };
        const timer = setTimeout(() => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        }, ms / speed);
        signal?.addEventListener("abort", onAbort, { once: true });
      }),
    set(at) {
      base = Temporal.Instant.from(at).epochMilliseconds;
      since = performance.now();
    },
    setSpeed(next) {
      base = nowMs();
      since = performance.now();
      speed = next;
    },
  };
}
