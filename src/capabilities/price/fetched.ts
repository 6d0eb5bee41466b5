// A fetch of one symbol's daily bars, as the store and the answer receive it.
import type { ProviderBar } from "../../market/bar.ts";
import type { BarHistory, CorporateAction } from "../../market/bar-history.ts";
import type { ListingPeriod } from "./gaps.ts";

/** Days to fetch; both inclusive, `start` null for all history. */
export interface Window {
  readonly start: string | null;
  readonly end: string;
}

/**
 * An action that the provider listed only after bars of days before it were stored on a later basis, without
 * it.
 */
export interface LateAction {
  readonly kind: string;
  readonly ex_date: string;
  /** The newest basis of such bars. */
  readonly missing_through: string;
}

/** A seam between the stored bars and those of a fetch. */
export interface Seam {
  /** The factor that brings the prices of the fetch to the basis of the stored series. */
  readonly ratio: number;
  /** The divisor that does so for its volumes; null when they follow neither basis. */
  readonly volumeRatio: number | null;
  /**
   * The unexplained ratio, new shares for old: "4:1"; of an action that is not understood yet, its kind and
   * ex date.
   */
  readonly text: string;
  /** Only days before this one are off; null where all are. */
  readonly before: string | null;
  /** A fetch from this day on compares every stored bar, and may explain the seam. */
  readonly wholeFrom: string;
}

/** One symbol's fetch, ready to be stored. */
export interface Fetched {
  readonly symbol: string;
  readonly source: string;
  readonly answer: BarHistory;
  /** Settled bars with a close. */
  readonly settled: readonly ProviderBar[];
  /** Bars that may still change: served, never stored. */
  readonly provisional: readonly ProviderBar[];
  readonly actions: readonly CorporateAction[];
  /** Days with a row but no close, and expected days without a row. */
  readonly absent: readonly { readonly date: string; readonly kind: "null" | "absent" }[];
  readonly listing: ListingPeriod;
  /** Every action up to this day is known once this is stored. */
  readonly actionsThrough: string;
  /**
   * Every action from this day to `actionsThrough` is known once this is stored; null when some may be
   * missing.
   */
  readonly actionsFrom: string | null;
  /** Settled bars of later days in the same answer: compared with the stored ones, and not stored. */
  readonly compared?: readonly ProviderBar[] | undefined;
  /** Whether it was asked for all days that have a stored bar. */
  readonly isWhole?: boolean | undefined;
  /**
   * Set where its prices do not fit the stored ones: its bars, provisional all, are on the basis of those.
   */
  readonly seam?: Seam | undefined;
  /** Actions it lists that stored bars are without, though their basis is on or after the ex date. */
  readonly late?: readonly LateAction[] | undefined;
}

/** The days between which the actions of a symbol are stored completely, both inclusive. */
export interface KnownActions {
  /** Null when it is not known. */
  readonly from: string | null;
  /** Null when nothing is stored. */
  readonly through: string | null;
}

/** The settled bars of a refresh, on the basis of its fetch. */
export interface Refreshed {
  readonly source: string;
  readonly basis_date: string;
  /** When the provider's answer was complete, RFC 3339 UTC. */
  readonly received_at: string;
  readonly bars: readonly ProviderBar[];
}

export const refreshedOf = ({ source, answer, settled }: Fetched): Refreshed => ({
  source,
  basis_date: answer.basis_date,
  received_at: answer.received_at.toString(),
  bars: settled,
});
