// Reads one quote: decides which of the row's prices is the latest, and which of its fields are current.
import type { MarketState, Quote } from "../../../market/quote.ts";
import type { Wire } from "../wire.ts";

/**
 * Yahoo calls the hours before 04:00 and after 20:00 in New York PREPRE and POSTPOST; nothing trades then.
 */
const STATES: Readonly<Record<string, MarketState>> = {
  PREPRE: "CLOSED",
  PRE: "PRE",
  REGULAR: "REGULAR",
  POST: "POST",
  POSTPOST: "CLOSED",
  CLOSED: "CLOSED",
};

interface Extended {
  readonly price: number | null;
  readonly change: number | null;
  readonly percent: number | null;
  readonly time: Temporal.Instant | null;
}

const NOTHING: Extended = { price: null, change: null, percent: null, time: null };

/** A price; null for 0, which Yahoo writes when it has none (such as a bid and an ask at night). */
function priceAt(row: Wire, key: string): number | null {
  const price = row.at(key).numberOrNull();
  return price === 0 ? null : price;
}

/** Formatted answers have instants in `raw`. */
function timeAt(row: Wire, key: string): Temporal.Instant | null {
  return row.at(key).instantOrNull();
}

/**
 * The extended-hours price of one side, if it traded after the last regular trade; a stale one may still be
 * listed.
 */
function readExtended(
  row: Wire,
  side: "preMarket" | "postMarket",
  regular: Temporal.Instant | null,
): Extended {
  const price = priceAt(row, `${side}Price`);
  const time = timeAt(row, `${side}Time`);
  if (price === null || time === null || regular === null) return NOTHING;
  if (Temporal.Instant.compare(time, regular) <= 0) return NOTHING;
  const change = row.at(`${side}Change`).numberOrNull();
  return { price, change, percent: row.at(`${side}ChangePercent`).numberOrNull(), time };
}

/** Why a row has no price: a stub, a delisted name, or unknown. */
function whyPriceless(symbol: string, row: Wire): string {
  const type = row.at("quoteType").textOrNull();
  const exchange = row.at("exchange").textOrNull();
  if (type === "NONE") return `Yahoo keeps the name ${symbol} but no longer quotes it`;
  if (exchange === "YHD") return `${symbol} is no longer listed at Yahoo`;
  if (exchange === null) return `Yahoo has only a stub of ${symbol}`;
  return `Yahoo gives no price of ${symbol}`;
}

/**
 * Reads one row. State and time decide which extended price is current: before the open only the pre-market
 * one, during regular hours none, otherwise the last post-market one. An unknown state counts as closed and
 * shows only regular prices.
 */
// At 08:00 a pre-market trade of 07:59 is the price; at 11:00 the regular one is, whatever post-market price
// is listed.
export function readQuote(symbol: string, row: Wire): Quote | { readonly reason: string } {
  const regularPrice = priceAt(row, "regularMarketPrice");
  if (regularPrice === null) return { reason: whyPriceless(symbol, row) };
  const regularTime = timeAt(row, "regularMarketTime");
  const state = STATES[row.at("marketState").textOrNull() ?? ""];
  const hasPost = state === "POST" || state === "CLOSED";
  const pre = state === "PRE" ? readExtended(row, "preMarket", regularTime) : NOTHING;
  const post = hasPost ? readExtended(row, "postMarket", regularTime) : NOTHING;
  const number = (key: string) => row.at(key).numberOrNull();
  const text = (key: string) => row.at(key).textOrNull();
  return {
    symbol,
    name: text("longName") ?? text("shortName"),
    currency: text("currency"),
    exchange: text("exchange"),
    exchange_name: text("fullExchangeName"),
    timezone: text("exchangeTimezoneName"),
    quote_type: text("quoteType"),
    market_state: state ?? "CLOSED",
    price: pre.price ?? post.price ?? regularPrice,
    price_source: pre.price !== null ? "pre" : post.price !== null ? "post" : "regular",
    price_time: (pre.time ?? post.time ?? regularTime)?.toString() ?? null,
    regular_market_price: regularPrice,
    regular_market_change: number("regularMarketChange"),
    regular_market_change_percent: number("regularMarketChangePercent"),
    regular_market_time: regularTime?.toString() ?? null,
    regular_market_open: priceAt(row, "regularMarketOpen"),
    regular_market_day_high: priceAt(row, "regularMarketDayHigh"),
    regular_market_day_low: priceAt(row, "regularMarketDayLow"),
    regular_market_volume: number("regularMarketVolume"),
    previous_close: priceAt(row, "regularMarketPreviousClose"),
    pre_market_price: pre.price,
    pre_market_change: pre.change,
    pre_market_change_percent: pre.percent,
    pre_market_time: pre.time?.toString() ?? null,
    post_market_price: post.price,
    post_market_change: post.change,
    post_market_change_percent: post.percent,
    post_market_time: post.time?.toString() ?? null,
    bid: priceAt(row, "bid"),
    ask: priceAt(row, "ask"),
    bid_size: number("bidSize"),
    ask_size: number("askSize"),
    market_cap: number("marketCap"),
    fifty_two_week_high: priceAt(row, "fiftyTwoWeekHigh"),
    fifty_two_week_low: priceAt(row, "fiftyTwoWeekLow"),
    delay_minutes: number("exchangeDataDelayedBy"),
  };
}
