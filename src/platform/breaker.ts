// Stops asking a provider that fails or refuses us, for longer each time, and feels its way back with one probe.
// Own code and not cockatiel's breaker: that one reads the machine's clock and has no refusal that opens it at once.
import type { Clock } from "./clock.ts";

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

/** Longest a provider's own Retry-After keeps the breaker open: a mistaken header must not silence it for days. */
const RETRY_AFTER_S_MAX = 3_600;

export function breaker(
  limits: { readonly failuresMax: number; readonly openMs: readonly number[] },
  clock: Clock,
): Breaker {
  let failures = 0;
  /** Times opened without a success between; picks how long it stays open. */
  let openings = 0;
  let openUntilMs: number | null = null;
  let because: BreakerCause = "failures";
  let probing = false;
  /** Moves with each change of state, so that answers to requests of an earlier state count no more. */
  let epoch = 0;

  const state = (): BreakerState =>
    openUntilMs === null ? "closed" : clock.nowMs() < openUntilMs ? "open" : "half_open";

  const open = (cause: BreakerCause, atLeastMs: number) => {
    const step = limits.openMs[Math.min(openings, limits.openMs.length - 1)] ?? 0;
    openings++;
    failures = 0;
    because = cause;
    probing = false;
    openUntilMs = clock.nowMs() + Math.max(step, atLeastMs);
    epoch++;
  };
  const close = () => {
    openings = 0;
    failures = 0;
    probing = false;
    openUntilMs = null;
    epoch++;
  };

  const check = () => {
    if (openUntilMs === null) return;
    const leftMs = openUntilMs - clock.nowMs();
    if (leftMs > 0 || probing) throw new BreakerOpen(because, Math.max(1, Math.ceil(leftMs / 1000)));
  };

  return {
    check,
    enter() {
      check();
      const mine = epoch;
      const isProbe = openUntilMs !== null;
      probing = isProbe;
      let told = false;
      const tell = (act: () => void) => () => {
        if (told || epoch !== mine) return;
        told = true;
        act();
      };
      return {
        succeed: tell(() => {
          failures = 0;
          if (isProbe) close();
        }),
        fail: tell(() => {
          failures++;
          if (isProbe || failures >= limits.failuresMax) open("failures", 0);
        }),
        refuse: (retryAfterS = 0) =>
          tell(() => open("rate_limit", Math.min(retryAfterS, RETRY_AFTER_S_MAX) * 1000))(),
        leave: tell(() => {
          probing = false;
        }),
      };
    },
    state,
    openUntil: () =>
      openUntilMs === null || state() !== "open" ? null : Temporal.Instant.fromEpochMilliseconds(openUntilMs),
  };
}
