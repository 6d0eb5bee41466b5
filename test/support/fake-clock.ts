// A clock for tests that stands still until it is moved.
import type { Clock } from "../../src/platform/clock.ts";

/** Stands still until it is moved; sleepers wake when it passes their time. */
export interface FakeClock extends Clock {
  set(at: string): void;
  advance(ms: number): void;
}

/** A clock for tests, set to `start` (RFC 3339). */
export function fakeClock(start: string): FakeClock {
  let ms = Temporal.Instant.from(start).epochMilliseconds;
  let sleepers: { until: number; wake: () => void }[] = [];
  const moveTo = (to: number) => {
    ms = to;
    const due = sleepers.filter((s) => s.until <= ms);
    sleepers = sleepers.filter((s) => s.until > ms);
    for (const s of due) s.wake();
  };
  return {
    now: () => Temporal.Instant.fromEpochMilliseconds(ms),
    nowMs: () => ms,
    sleep: (wait, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        if (wait <= 0) return resolve();
        const entry = { until: ms + wait, wake: resolve };
        sleepers.push(entry);
        signal?.addEventListener("abort", () => {
          sleepers = sleepers.filter((s) => s !== entry);
          reject(signal.reason);
        });
      }),
    set: (at) => moveTo(Temporal.Instant.from(at).epochMilliseconds),
    advance: (by) => moveTo(ms + by),
  };
}
