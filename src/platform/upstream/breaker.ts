// Circuit breaker: stops requests to a provider that fails or refuses us, for longer each time, then lets one
// probe through. Not cockatiel's breaker: that one reads the machine clock and has no refusal that opens it
// at once.
import type { Clock } from "../clock.ts";

export type BreakerState = "closed" | "open" | "half_open";
export type BreakerCause = "failures" | "rate_limit";

/** The breaker is open: no request may be sent now. */
export class BreakerOpen extends Error {
  override readonly name = "BreakerOpen";
  constructor(
    readonly because: BreakerCause,
    readonly retryAfterS: number,
  ) {
    super(`no request for another ${retryAfterS} s`);
  }
}

/**
 * Permission for one request. The caller reports exactly one of four outcomes. An outcome that arrives after
 * the breaker has changed state is ignored.
 */
export interface Permit {
  succeed(): void;
  fail(): void;
  /** The provider says we send too many requests: opens at once, for at least `retryAfterS`. */
  refuse(retryAfterS?: number): void;
  /** The outcome is unknown, e.g. the caller aborted: the next request may be the probe. */
  release(): void;
}

export interface Breaker {
  /** Throws BreakerOpen when a request now would be refused. */
  check(): void;
  /** As check; when half open it also takes the one probe. */
  acquire(): Permit;
  state(): BreakerState;
  /** When a probe is let through; null unless open. */
  openUntil(): Temporal.Instant | null;
}

/** The part of a breaker that outlives the process. */
export interface StoredBreaker {
  readonly openings: number;
  readonly openUntilMs: number;
  readonly because: BreakerCause;
}

/** Stores a breaker that a restart must not close. */
export interface BreakerStore {
  /** Null when it is closed. */
  load(): StoredBreaker | null;
  /** Called at each opening, and with null when it closes. */
  save(mark: StoredBreaker | null): void;
}

/** Longest time a Retry-After keeps the breaker open: a wrong header must not stop requests for days. */
// A Retry-After of 600 keeps it open for ten minutes, one of 86,400 for an hour.
const RETRY_AFTER_S_MAX = 3_600;

// With 5 and [60 s, 300 s]: the fifth failure in a row opens it for 60 s, each probe that fails for 300 s
// more.
interface Limits {
  /** Consecutive failures that open it. */
  readonly failuresMax: number;
  /** How long it stays open the first, second, … time; the last value repeats. */
  readonly openMs: readonly number[];
}

class ProviderBreaker implements Breaker {
  private failures = 0;
  /** Times opened since the last success; selects how long it stays open. */
  private openings = 0;
  private openUntilMs: number | null = null;
  /** For how long it was opened: a machine clock set back must not extend that. */
  private openForMs = 0;
  private because: BreakerCause = "failures";
  private probing = false;
  /** Increases with each change of state, so that outcomes of requests from an earlier state are ignored. */
  private epoch = 0;

  constructor(
    private readonly limits: Limits,
    private readonly clock: Clock,
    private readonly store?: BreakerStore,
  ) {
    const mark = store?.load();
    if (!mark) return;
    this.openings = mark.openings;
    this.because = mark.because;
    this.openUntilMs = mark.openUntilMs;
    this.openForMs = Math.max(this.limits.openMs.at(-1) ?? 0, RETRY_AFTER_S_MAX * 1000);
  }

  /** Milliseconds until a probe is let through; 0 or less when one may be sent now, null while closed. */
  private leftMs(): number | null {
    if (this.openUntilMs === null) return null;
    const nowMs = this.clock.nowMs();
    this.openUntilMs = Math.min(this.openUntilMs, nowMs + this.openForMs);
    return this.openUntilMs - nowMs;
  }

  state(): BreakerState {
    const leftMs = this.leftMs();
    if (leftMs === null) return "closed";
    return leftMs > 0 ? "open" : "half_open";
  }

  openUntil(): Temporal.Instant | null {
    if (this.state() !== "open" || this.openUntilMs === null) return null;
    return Temporal.Instant.fromEpochMilliseconds(this.openUntilMs);
  }

  check(): void {
    const leftMs = this.leftMs();
    if (leftMs === null) return;
    if (leftMs > 0 || this.probing)
      throw new BreakerOpen(this.because, Math.max(1, Math.ceil(leftMs / 1000)));
  }

  acquire(): Permit {
    this.check();
    const { epoch } = this;
    const isProbe = this.openUntilMs !== null;
    this.probing = isProbe;
    let isSpent = false;
    const spend = (act: () => void) => {
      if (isSpent || this.epoch !== epoch) return;
      isSpent = true;
      act();
    };
    return {
      succeed: () => spend(() => (isProbe ? this.close() : this.clear())),
      fail: () =>
        spend(() => {
          this.failures++;
          if (isProbe || this.failures >= this.limits.failuresMax) this.open("failures", 0);
        }),
      refuse: (retryAfterS = 0) =>
        spend(() => this.open("rate_limit", Math.min(retryAfterS, RETRY_AFTER_S_MAX) * 1000)),
      release: () =>
        spend(() => {
          this.probing = false;
        }),
    };
  }

  private clear(): void {
    this.failures = 0;
    this.probing = false;
  }

  private open(cause: BreakerCause, atLeastMs: number): void {
    const { openMs } = this.limits;
    const step = openMs[Math.min(this.openings, openMs.length - 1)] ?? 0;
    this.clear();
    this.openings++;
    this.because = cause;
    this.openForMs = Math.max(step, atLeastMs);
    this.openUntilMs = this.clock.nowMs() + this.openForMs;
    this.epoch++;
    this.store?.save({ openings: this.openings, openUntilMs: this.openUntilMs, because: cause });
  }

  private close(): void {
    this.clear();
    this.openings = 0;
    this.openUntilMs = null;
    this.epoch++;
    this.store?.save(null);
  }
}

/** `store` restores it after a restart; without one it starts closed. */
export const breaker = (limits: Limits, clock: Clock, store?: BreakerStore): Breaker =>
  new ProviderBreaker(limits, clock, store);
