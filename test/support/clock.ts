// A clock for whole-service tests: it can be set, and its seconds pass quicker than real ones.
import type { Clock } from "../../src/platform/clock.ts";

export interface MovableClock extends Clock {
  /** Sets the present moment. */
  set(at: string): void;
  /** How many seconds pass in a real one from now on; waits that have begun keep their pace. */
  setSpeed(speed: number): void;
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
