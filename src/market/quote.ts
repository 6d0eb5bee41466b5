// The latest prices of one symbol: as every price provider gives them, and as they are answered.
import { type Static, Type } from "@sinclair/typebox";
import { numberOrNull, textOrNull } from "./answer-fields.ts";
import { oneOf } from "./params.ts";

const MARKET_STATES = ["PRE", "REGULAR", "POST", "CLOSED"] as const;
export type MarketState = (typeof MARKET_STATES)[number];

export const change = (what: string) => numberOrNull(`${what}, in currency.`);
export const percent = (what: string) => numberOrNull(`${what}, in percent points (1.5 is 1.5 %).`);

export const QuoteResponse = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  name: textOrNull("Company or fund."),
  currency: textOrNull(
    "Of the prices: ISO 4217, or the provider's minor-unit code such as GBp; null when it gives none.",
  ),
  exchange: textOrNull("The provider's name of the exchange."),
  market_state: oneOf(MARKET_STATES, "Where the exchange's day stands. Overnight counts as CLOSED."),
  price: Type.Number({ description: "The newest price of the requested sessions, in currency." }),
  price_source: oneOf(["regular", "pre", "post"], "Session of `price`."),
  price_time: textOrNull("Time of the trade, RFC 3339 UTC: never the time of the request."),
  regular_market_price: Type.Number({ description: "Newest price of the regular session, in currency." }),
  regular_market_change: change("Against previous_close"),
  regular_market_change_percent: percent("Against previous_close"),
  regular_market_time: textOrNull("Time of that trade, RFC 3339 UTC."),
  regular_market_open: numberOrNull("First price of the session, in currency."),
  regular_market_day_high: numberOrNull("Highest price of the session, in currency."),
  regular_market_day_low: numberOrNull("Lowest price of the session, in currency."),
  regular_market_volume: numberOrNull("Shares traded in the regular session."),
  previous_close: numberOrNull("Close of the session before, in currency, split-adjusted by the provider."),
  pre_market_price: numberOrNull(
    "Newest price before the open, in currency; null outside these hours, or with use_prepost=false.",
  ),
  pre_market_change: change("Against regular_market_price"),
  pre_market_change_percent: percent("Against regular_market_price"),
  pre_market_time: textOrNull("Time of the trade, RFC 3339 UTC."),
  post_market_price: numberOrNull(
    "Newest price after the close, in currency; null outside these hours, or with use_prepost=false.",
  ),
  post_market_change: change("Against regular_market_price"),
  post_market_change_percent: percent("Against regular_market_price"),
  post_market_time: textOrNull("Time of the trade, RFC 3339 UTC."),
  bid: numberOrNull("Bid price, in currency."),
  ask: numberOrNull("Ask price, in currency."),
  bid_size: numberOrNull("As the provider gives it; it does not say whether in shares or round lots."),
  ask_size: numberOrNull("As the provider gives it; it does not say whether in shares or round lots."),
  market_cap: numberOrNull(
    "Market capitalisation in whole units of currency (pounds when prices are in pence).",
  ),
  fifty_two_week_high: numberOrNull("Highest price of 52 weeks, in currency."),
  fifty_two_week_low: numberOrNull("Lowest price of 52 weeks, in currency."),
  delay_minutes: numberOrNull("Delay of its prices in minutes, as the provider states it."),
});
export type QuoteResponse = Static<typeof QuoteResponse>;

/**
 * A provider's quote. `price` is from regular or extended hours. Before the open, the fields of the regular
 * market are those of the previous session.
 */
export interface Quote extends Readonly<Omit<QuoteResponse, "ticker">> {
  readonly symbol: string;
  /** The provider's code of the exchange (NMS) and its name (NasdaqGS). */
  readonly exchange: string | null;
  readonly exchange_name: string | null;
  readonly timezone: string | null;
  /** EQUITY, ETF, MUTUALFUND, INDEX, CURRENCY, CRYPTOCURRENCY, FUTURE, OPTION. */
  readonly quote_type: string | null;
}

/** The quote without extended hours: their fields are null, and `price` is that of regular hours. */
export function withoutExtended(quote: Quote): Quote {
  return {
    ...quote,
    price: quote.regular_market_price,
    price_source: "regular",
    price_time: quote.regular_market_time,
    pre_market_price: null,
    pre_market_change: null,
    pre_market_change_percent: null,
    pre_market_time: null,
    post_market_price: null,
    post_market_change: null,
    post_market_change_percent: null,
    post_market_time: null,
  };
}
