// The only place that reads the machine clock, so that tests and replays can set the time.
import { currentReading } from "./reading.ts";

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

/** The clock of answers: under a replayed version it stands still at the moment that counts as now there. */
export const answeringClock = (clock: Clock): Clock => ({
  now: () => currentReading()?.replay?.now ?? clock.now(),
  nowMs: () => currentReading()?.replay?.now?.epochMilliseconds ?? clock.nowMs(),
  sleep: (ms, signal) => clock.sleep(ms, signal),
});

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Temporal.Instant.fromEpochMilliseconds(Date.now()),
  nowMs: () => Date.now(),
  sleep: sleepReal,
};
