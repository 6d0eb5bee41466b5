// Limits the time and size of reading one filing, with the error that names the reason for giving up.
import type { Clock } from "../../../../platform/clock.ts";
import { UpstreamFailed } from "../../../../platform/errors.ts";

/** Why a filing cannot be read. Its raw bytes stay in the vault. */
export type ParseFailure =
  | "no_documents"
  | "truncated"
  | "too_large"
  | "too_many_nodes"
  | "too_deep"
  | "forbidden_declaration"
  | "too_slow"
  | "no_body"
  | "no_item_headings";

/** A filing cannot be read. `reason` is stable; the message is one sentence to show beside the filing. */
export class ParseFailed extends UpstreamFailed {
  readonly reason: ParseFailure;
  constructor(reason: ParseFailure, message: string) {
    super("edgar", message);
    this.reason = reason;
  }
}

export interface ParseLimits {
  /** Time for one filing, all its documents together. */
  readonly msMax: number;
  /**
   * Characters of one document. The largest 8-K bodies and press releases with inline pictures are smaller.
   */
  readonly documentCharsMax: number;
  /** Tags, comments and declarations of one filing. */
  readonly nodesMax: number;
  /** Open elements that need a closing tag. Real filings nest some tens deep. */
  readonly depthMax: number;
}

export const PARSE_LIMITS: ParseLimits = {
  msMax: 5_000,
  documentCharsMax: 64_000_000,
  nodesMax: 5_000_000,
  depthMax: 1_000,
};

/** Steps between two readings of the clock. */
const STEPS_PER_LOOK = 16_384;

/** Counts the work done on one filing and stops it when its time is used up. */
export class ParseBudget {
  readonly limits: ParseLimits;
  readonly #clock: Clock;
  readonly #startMs: number;
  #steps = 0;
  #nodes = 0;
  #nextLook = STEPS_PER_LOOK;

  constructor(clock: Clock, limits: Partial<ParseLimits> = {}) {
    this.limits = { ...PARSE_LIMITS, ...limits };
    this.#clock = clock;
    this.#startMs = clock.nowMs();
  }

  /** Work done so far: about one step for each character or tag. */
  get steps(): number {
    return this.#steps;
  }

  /** Adds work done. Throws ParseFailed `too_slow` when the time is used up. */
  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps < this.#nextLook) return;
    this.#nextLook = this.#steps + STEPS_PER_LOOK;
    if (this.#clock.nowMs() - this.#startMs > this.limits.msMax)
      throw new ParseFailed("too_slow", `the filing took longer than ${this.limits.msMax} ms to read`);
  }

  /** Adds one piece of markup. Throws ParseFailed `too_many_nodes` beyond the limit. */
  spendNode(): void {
    this.#nodes += 1;
    if (this.#nodes > this.limits.nodesMax)
      throw new ParseFailed("too_many_nodes", `the filing has more than ${this.limits.nodesMax} tags`);
    this.spend(1);
  }
}
