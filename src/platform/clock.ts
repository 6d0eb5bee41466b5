// The only place that reads the machine clock and sets timers, so that tests and replays can set the time.
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

/**
 * Limits on engines, clients and the process, and work that recurs. A Clock is the time of answers, and may
 * stand still or be set; these run on, so that a query of a frozen test is still cut off after its 20 s.
 */
export interface Timers {
  /** Milliseconds since some moment, never set back: for durations. */
  elapsedMs(): number;
  /**
   * Calls `call` once after `ms`, unless the function it returns is called first.
   * @param keepsAlive whether the process waits for it before it exits of itself; default true
   */
  after(ms: number, call: () => void, keepsAlive?: boolean): () => void;
  /** Calls `call` every `ms` until the function it returns is called; the process does not wait for it. */
  every(ms: number, call: () => void): () => void;
}

/** The machine's timers. */
export const systemTimers: Timers = {
  elapsedMs: () => performance.now(),
  after(ms, call, keepsAlive = true) {
    const timer = setTimeout(call, ms);
    if (!keepsAlive) timer.unref();
    return () => clearTimeout(timer);
  },
  every(ms, call) {
    const timer = setInterval(call, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
};

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
