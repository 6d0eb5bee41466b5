// A clock for tests that stands still until it is moved.
import type { Clock, Timers } from "../../src/platform/clock.ts";

/** Stands still until it is moved; sleepers and timers wake when it passes their time. */
export interface FakeClock extends Clock, Timers {
  set(at: string): void;
  advance(ms: number): void;
}

/** A clock for tests, set to `start` (RFC 3339). */
export function fakeClock(start: string): FakeClock {
  let ms = Temporal.Instant.from(start).epochMilliseconds;
  let sleepers: { until: number; wake: () => void }[] = [];
  const moveTo = (to: number) => {
    ms = to;
    const due = sleepers.filter((s) => s.until <= ms).toSorted((a, b) => a.until - b.until);
    sleepers = sleepers.filter((s) => s.until > ms);
    for (const s of due) s.wake();
  };
  const remove = (entry: (typeof sleepers)[number]) => {
    sleepers = sleepers.filter((s) => s !== entry);
  };
  const after = (wait: number, wake: () => void) => {
    const entry = { until: ms + wait, wake };
    sleepers.push(entry);
    return () => remove(entry);
  };
  return {
    elapsedMs: () => ms,
    after,
    every(wait, call) {
      const again = () => {
        cancel = after(wait, again);
        call();
      };
      let cancel = after(wait, again);
      return () => cancel();
    },
    now: () => Temporal.Instant.fromEpochMilliseconds(ms),
    nowMs: () => ms,
    sleep: (wait, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        if (wait <= 0) return resolve();
        const entry = { until: ms + wait, wake: resolve };
        sleepers.push(entry);
        signal?.addEventListener("abort", () => {
          remove(entry);
          reject(signal.reason);
        });
      }),
    set: (at) => moveTo(Temporal.Instant.from(at).epochMilliseconds),
    advance: (by) => moveTo(ms + by),
  };
}
