// Decides whether filings that could not be fetched failed by themselves, or because the regulator was down.
import { type AsofError, UpstreamFailed, UpstreamTimeout } from "../../platform/errors.ts";
import { ParseFailed } from "../../providers/edgar/index.ts";
import type { FilingState } from "./filing-store.ts";

/** This many failures without a success in between are an outage. */
// Nine failures, a success and nine failures are the filings' own; ten in a row end the run.
const FAILURES_MAX = 10;

export interface FailedFetch {
  readonly filing: FilingState;
  readonly error: AsofError;
}

/** Failures of one run, by cause. */
export interface FailuresByCause {
  /** Failed by themselves: filings fetched before and after them succeeded. */
  readonly own: readonly FailedFetch[];
  /**
   * Answered with something that is not a filing, in a run in which no fetch succeeded: the cause is not
   * certain.
   */
  readonly uncertain: readonly FailedFetch[];
  /** The outage that a run without a single success met. */
  readonly outage: AsofError | null;
}

/** A failure that one filing may cause while others succeed. */
const mayBeOwn = (error: AsofError) => error instanceof UpstreamFailed || error instanceof UpstreamTimeout;

export class FailedFetches {
  #own: FailedFetch[] = [];
  #sinceSuccess: FailedFetch[] = [];
  #hasSucceeded = false;

  /** A filing was fetched: the failures before it were the filings' own. */
  succeeded(): void {
    this.#hasSucceeded = true;
    this.#own.push(...this.#sinceSuccess);
    this.#sinceSuccess = [];
  }

  /** Adds a failure. Returns true when it shows an outage. */
  add(filing: FilingState, error: AsofError): boolean {
    this.#sinceSuccess.push({ filing, error });
    return !mayBeOwn(error) || this.#sinceSuccess.length >= FAILURES_MAX;
  }

  /**
   * The failures of the whole run. `endedByOutage`: `add` returned true, so the latest failures say nothing.
   */
  byCause(endedByOutage: boolean): FailuresByCause {
    if (endedByOutage) return { own: this.#own, uncertain: [], outage: null };
    if (this.#hasSucceeded)
      return { own: [...this.#own, ...this.#sinceSuccess], uncertain: [], outage: null };
    const uncertain = this.#sinceSuccess.filter(({ error }) => error instanceof ParseFailed);
    return { own: this.#own, uncertain, outage: this.#sinceSuccess[0]?.error ?? null };
  }
}
