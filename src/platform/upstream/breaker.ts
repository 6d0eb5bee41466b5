// Stops asking a provider that fails or refuses us, for longer each time, and feels its way back with one probe.
// Own code and not cockatiel's breaker: that one reads the machine's clock and has no refusal that opens it at once.
import type { Clock } from "../clock.ts";

export type BreakerState = "closed" | "open" | "half_open";
export type BreakerCause = "failures" | "rate_limit";

/** The provider is not to be asked now. */
export class BreakerOpen extends Error {
  override readonly name = "BreakerOpen";
  constructor(
    readonly because: BreakerCause,
    readonly retryAfterS: number,
  ) {
    super(`not asked for another ${retryAfterS} s`);
  }
}

/** Leave to ask once. Exactly one of its four ends is told; what a caller tells after the state has moved on is ignored. */
export interface Pass {
  succeed(): void;
  fail(): void;
  /** The provider says we ask too often: opens at once, for at least `retryAfterS`. */
  refuse(retryAfterS?: number): void;
  /** Nothing was learnt, e.g. the caller went: a probe may be tried by the next. */
  leave(): void;
}

export interface Breaker {
  /** Throws BreakerOpen when a request now would be refused. */
  check(): void;
  /** As check, and takes the one place of the probe when half open. */
  enter(): Pass;
  state(): BreakerState;
  /** When it lets a probe through; null unless open. */
  openUntil(): Temporal.Instant | null;
}

/** What of a breaker outlives the process. */
export interface BreakerMark {
  readonly openings: number;
  readonly openUntilMs: number;
  readonly because: BreakerCause;
}

/** Where a breaker is kept that a restart must not close. */
export interface BreakerMemory {
  /** Null when it was closed. */
  load(): BreakerMark | null;
  /** Called at each opening, and with null when it closes. */
  save(mark: BreakerMark | null): void;
}

/** Longest a provider's own Retry-After keeps the breaker open: a mistaken header must not silence it for days. */
const RETRY_AFTER_S_MAX = 3_600;

interface Limits {
  /** Consecutive failures that open it. */
  readonly failuresMax: number;
  /** How long it stays open each further time; the last value stands for all after it. */
  readonly openMs: readonly number[];
}

class ProviderBreaker implements Breaker {
  private failures = 0;
  /** Times opened without a success between; picks how long it stays open. */
  private openings = 0;
  private openUntilMs: number | null = null;
  /** For how long it was opened: a machine clock set back must not make that longer. */
  private openForMs = 0;
  private because: BreakerCause = "failures";
  private probing = false;
  /** Moves with each change of state, so that answers to requests of an earlier state count no more. */
  private epoch = 0;

  constructor(
    private readonly limits: Limits,
    private readonly clock: Clock,
    private readonly memory?: BreakerMemory,
  ) {
    const mark = memory?.load();
    if (!mark) return;
    this.openings = mark.openings;
    this.because = mark.because;
    this.openUntilMs = mark.openUntilMs;
    this.openForMs = Math.max(this.limits.openMs.at(-1) ?? 0, RETRY_AFTER_S_MAX * 1000);
  }

  /** Milliseconds until a probe is let through; 0 or less when one may go now, null while closed. */
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

  enter(): Pass {
    this.check();
    const { epoch } = this;
    const isProbe = this.openUntilMs !== null;
    this.probing = isProbe;
    let told = false;
    const tell = (act: () => void) => {
      if (told || this.epoch !== epoch) return;
      told = true;
      act();
    };
    return {
      succeed: () => tell(() => (isProbe ? this.close() : this.clear())),
      fail: () =>
        tell(() => {
          this.failures++;
          if (isProbe || this.failures >= this.limits.failuresMax) this.open("failures", 0);
        }),
      refuse: (retryAfterS = 0) =>
        tell(() => this.open("rate_limit", Math.min(retryAfterS, RETRY_AFTER_S_MAX) * 1000)),
      leave: () =>
        tell(() => {
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
    this.memory?.save({ openings: this.openings, openUntilMs: this.openUntilMs, because: cause });
  }

  private close(): void {
    this.clear();
    this.openings = 0;
    this.openUntilMs = null;
    this.epoch++;
    this.memory?.save(null);
  }
}

/** `memory` keeps it over restarts; without one it begins closed. */
export const breaker = (limits: Limits, clock: Clock, memory?: BreakerMemory): Breaker =>
  new ProviderBreaker(limits, clock, memory);
