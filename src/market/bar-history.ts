// The price history of one symbol as a provider gives it: bars, corporate actions, and the facts about the
// symbol.
import type { ProviderBar } from "./bar.ts";
import { addDays } from "./date.ts";
import type { Interval } from "./interval.ts";

/** The facts a provider gives about a symbol beside its bars. Dates are days in `timezone`. */
export interface InstrumentInfo {
  /** ISO 4217, or a provider's code of a minor unit: GBp, ILA, ZAc. */
  readonly currency: string | null;
  readonly exchange_name: string | null;
  /** IANA zone of the exchange; null when the provider knows nothing of the requested span. */
  readonly timezone: string | null;
  /** EQUITY, ETF, MUTUALFUND, INDEX, CURRENCY, CRYPTOCURRENCY, FUTURE, OPTION. */
  readonly instrument_type: string | null;
  readonly name: string | null;
  /** First session with a price. */
  readonly first_trade_date: string | null;
  /** Time of the last trade. */
  readonly regular_market_time: Temporal.Instant | null;
  /** Close of the session before the newest one; null when the answer does not state it. */
  readonly previous_close: number | null;
}

export const UNKNOWN_INSTRUMENT: InstrumentInfo = {
  currency: null,
  exchange_name: null,
  timezone: null,
  instrument_type: null,
  name: null,
  first_trade_date: null,
  regular_market_time: null,
  previous_close: null,
};

/**
 * A split, dividend or capital gain, or an entry of a list that can be none. Amounts per share, on the basis
 * of the answer: split-adjusted as its prices are.
 */
export interface CorporateAction {
  readonly ex_date: string;
  readonly kind: "split" | "dividend" | "capital_gain" | "unusable";
  /** Cash a share; null for splits. */
  readonly amount: number | null;
  /** Currency of the amount; may differ from that of the prices. */
  readonly currency: string | null;
  /** New shares for `denominator` old ones; null for cash. */
  readonly numerator: number | null;
  readonly denominator: number | null;
  /**
   * The factor for prices from before the ex date. Splits: denominator / numerator. Dividends: 1 − amount /
   * close of the last bar before the ex date. Null when this answer does not allow it to be computed.
   */
  readonly price_factor: number | null;
}

/** Splits of one ratio are one where their days are at most so far apart: from Friday to Tuesday. */
// Made up: 2:1 on Monday and 2:1 on Tuesday are one split; 2:1 in May and 2:1 in June are two.
const NEIGHBOURING_DAYS_MAX = 4;

type SplitEntry = Pick<CorporateAction, "ex_date" | "price_factor"> & { readonly kind: string };

/** Whether two actions are one split that is listed on neighbouring days. */
export const isSameSplit = (a: SplitEntry, b: SplitEntry): boolean =>
  a.kind === "split" &&
  b.kind === "split" &&
  a.price_factor === b.price_factor &&
  a.ex_date <= addDays(b.ex_date, NEIGHBOURING_DAYS_MAX) &&
  b.ex_date <= addDays(a.ex_date, NEIGHBOURING_DAYS_MAX);

/** Dividends after the last bar of a span in the past: the closes that measure them are not in the answer. */
export interface LaterDividends {
  /** The last settled bar's day. */
  readonly after: string;
  /** The part of the price that they leave, as the adjusted closes have it. */
  readonly part: number;
  /** How far, as a part of it, the true one may be from that. */
  readonly slack: number;
}

/** A provider's answer. */
export interface BarHistory {
  readonly meta: InstrumentInfo;
  /** Ascending, one per day (intraday: one per start), each with a close. */
  readonly bars: readonly ProviderBar[];
  /** Ascending by ex date. */
  readonly actions: readonly CorporateAction[];
  /**
   * Adjusted closes include dividends that are not listed under this symbol, such as those of a company since
   * its renaming.
   */
  readonly hasUnlistedDividends?: boolean;
  /** Set where adjusted closes include dividends after the last bar whose size is only estimated. */
  readonly laterDividends?: LaterDividends;
  /** Days of rows without a usable close. */
  readonly dropped: { readonly null_rows: readonly string[] };
  /** Prices are adjusted for every action with an ex date up to this day. */
  readonly basis_date: string;
  /** When the answer was complete. */
  readonly received_at: Temporal.Instant;
}

/** A request for the daily history of one symbol. */
export interface DailyBarRequest {
  /** Canonical. */
  readonly symbol: string;
  /** Both inclusive, days of the exchange; `start` null: all history. */
  readonly start: string | null;
  readonly end: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * An action as a list of the whole market names it: it says which symbol to ask for its actions, and is never
 * stored.
 */
export interface MarketAction {
  /** Canonical. */
  readonly symbol: string;
  /** `other`: a stock dividend or a spin-off, which providers treat differently. */
  readonly kind: "split" | "dividend" | "other";
  /** The ex date; of a split it may be some days off. */
  readonly date: string;
}

/** A provider's list of the whole market's actions. */
export interface MarketActions {
  /**
   * Actions of the days from `start` to `end`, both inclusive. Throws Upstream* when the list is not
   * complete.
   */
  marketActions(request: {
    readonly start: string;
    readonly end: string;
    readonly signal?: AbortSignal | undefined;
  }): Promise<readonly MarketAction[]>;
}

/** A request to fill bars of the point-in-time panel. */
export interface PanelFillRequest {
  /** At most 100. */
  readonly symbols: readonly string[];
  /** Both inclusive: the days fetched in one request. */
  readonly start: string;
  readonly end: string;
  /** The day whose holder of the symbol is meant; default today. */
  readonly asof?: string | undefined;
  /** The days of a symbol's own run; the rest of the answer is not stored. */
  within(symbol: string): { readonly start: string; readonly end: string };
  /**
   * The company is gone and another holds its symbol: no later action of that symbol applies to these bars.
   */
  readonly isFormer: boolean;
  readonly signal: AbortSignal;
}

/** A request for bars of one symbol. */
export interface BarRequest {
  /** Canonical symbol. */
  readonly symbol: string;
  readonly interval: Interval;
  /** First moment, inclusive; null: all history. */
  readonly start: Temporal.Instant | null;
  /** Exclusive. */
  readonly end: Temporal.Instant;
  /** Includes extended hours; intraday intervals only. */
  readonly prePost: boolean;
  readonly signal?: AbortSignal | undefined;
}
