// The latest prices of one symbol, the same for every price provider.

export type MarketState = "PRE" | "REGULAR" | "POST" | "CLOSED";

/**
 * The latest prices of one symbol. Moments are RFC 3339 UTC; null is unknown; percentages in percent points.
 */
export interface Quote {
  readonly symbol: string;
  readonly name: string | null;
  readonly currency: string | null;
  /** The provider's code of the exchange (NMS) and its name (NasdaqGS). */
  readonly exchange: string | null;
  readonly exchange_name: string | null;
  readonly timezone: string | null;
  /** EQUITY, ETF, MUTUALFUND, INDEX, CURRENCY, CRYPTOCURRENCY, FUTURE, OPTION. */
  readonly quote_type: string | null;
  readonly market_state: MarketState;
  /** The newest price, from regular or extended hours; `price_time` is when it traded. */
  readonly price: number;
  readonly price_source: "regular" | "pre" | "post";
  readonly price_time: string | null;
  readonly regular_market_price: number;
  readonly regular_market_change: number | null;
  readonly regular_market_change_percent: number | null;
  /** Before the open, this and the fields of the day are those of the previous session. */
  readonly regular_market_time: string | null;
  readonly regular_market_open: number | null;
  readonly regular_market_day_high: number | null;
  readonly regular_market_day_low: number | null;
  readonly regular_market_volume: number | null;
  readonly previous_close: number | null;
  /** Changes in extended hours are measured against `regular_market_price`. */
  readonly pre_market_price: number | null;
  readonly pre_market_change: number | null;
  readonly pre_market_change_percent: number | null;
  readonly pre_market_time: string | null;
  readonly post_market_price: number | null;
  readonly post_market_change: number | null;
  readonly post_market_change_percent: number | null;
  readonly post_market_time: string | null;
  readonly bid: number | null;
  readonly ask: number | null;
  readonly bid_size: number | null;
  readonly ask_size: number | null;
  readonly market_cap: number | null;
  readonly fifty_two_week_high: number | null;
  readonly fifty_two_week_low: number | null;
  /** Minutes by which this exchange's prices are delayed, according to the provider. */
  readonly delay_minutes: number | null;
}
