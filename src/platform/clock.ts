// The only place that reads the machine clock, so that tests and replays can set the time.

/** Source of the current time and of timers. */
export interface Clock {
  /** The current instant. */
  now(): Temporal.Instant;
  /** Milliseconds since the epoch, UTC. */
  nowMs(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

function sleepReal(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.reject(signal.reason);
  if (ms <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
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
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Temporal.Instant.fromEpochMilliseconds(Date.now()),
  nowMs: () => Date.now(),
  sleep: sleepReal,
};

/** A clock that stands still until it is moved; its sleepers wake when it passes their time. */
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
