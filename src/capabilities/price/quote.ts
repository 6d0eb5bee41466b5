// The latest quote of one symbol, remembered for a moment.
import type { TickerRequest } from "../../market/ticker.ts";
import type { Clock } from "../../platform/clock.ts";
import { NotFound } from "../../platform/errors.ts";
import type { LazySignal, Memory, Recalled } from "../../platform/remember.ts";
import { retell } from "./retold.ts";
import type { QuoteResponse } from "./schema.ts";
import type { BarSource, QuoteSource, SourceQuote } from "./sources.ts";

export interface QuoteDeps {
  readonly source: QuoteSource & BarSource;
  readonly clock: Clock;
  readonly remembered: Memory<SourceQuote>;
}

/** Days of bars asked for to confirm that a symbol exists. */
const CONFIRM_DAYS = 7;

const EXTENDED_NULL = {
  pre_market_price: null,
  pre_market_change: null,
  pre_market_change_percent: null,
  pre_market_time: null,
  post_market_price: null,
  post_market_change: null,
  post_market_change_percent: null,
  post_market_time: null,
} as const;

function shape(ticker: string, quote: SourceQuote, usePrepost: boolean): QuoteResponse {
  const { symbol: _symbol, price, price_source, price_time, ...rest } = quote;
  const latest = usePrepost
    ? { price, price_source, price_time }
    : {
        price: rest.regular_market_price,
        price_source: "regular" as const,
        price_time: rest.regular_market_time,
      };
  return {
    ticker,
    name: rest.name,
    currency: rest.currency,
    exchange: rest.exchange,
    market_state: rest.market_state,
    ...latest,
    regular_market_price: rest.regular_market_price,
    regular_market_change: rest.regular_market_change,
    regular_market_change_percent: rest.regular_market_change_percent,
    regular_market_time: rest.regular_market_time,
    regular_market_open: rest.regular_market_open,
    regular_market_day_high: rest.regular_market_day_high,
    regular_market_day_low: rest.regular_market_day_low,
    regular_market_volume: rest.regular_market_volume,
    previous_close: rest.previous_close,
    ...(usePrepost
      ? {
          pre_market_price: rest.pre_market_price,
          pre_market_change: rest.pre_market_change,
          pre_market_change_percent: rest.pre_market_change_percent,
          pre_market_time: rest.pre_market_time,
          post_market_price: rest.post_market_price,
          post_market_change: rest.post_market_change,
          post_market_change_percent: rest.post_market_change_percent,
          post_market_time: rest.post_market_time,
        }
      : EXTENDED_NULL),
    bid: rest.bid,
    ask: rest.ask,
    bid_size: rest.bid_size,
    ask_size: rest.ask_size,
    market_cap: rest.market_cap,
    fifty_two_week_high: rest.fifty_two_week_high,
    fifty_two_week_low: rest.fifty_two_week_low,
    delay_minutes: rest.delay_minutes,
  };
}

/** The use case. */
export function quoteAnswers({ source, remembered, clock }: QuoteDeps) {
  /** Quotes leave symbols out without a word; bars say whether there is such a symbol at all, and in whose words. */
  const confirmKnown = async (symbol: string, signal: AbortSignal) => {
    const now = clock.now();
    const start = now.subtract({ hours: 24 * CONFIRM_DAYS });
    await source.chart({ symbol, interval: "1d", start, end: now, prePost: false, signal });
  };

  return async (
    { ticker, symbol }: TickerRequest,
    usePrepost: boolean,
    signal?: LazySignal,
  ): Promise<{ body: () => QuoteResponse; entry: Recalled<SourceQuote> }> => {
    const load = async (shared: AbortSignal) => {
      const { quotes, absent } = await source.quotes([symbol], shared);
      const quote = quotes.get(symbol);
      if (quote) return quote;
      await confirmKnown(symbol, shared);
      const reason = absent.get(symbol)?.reason;
      throw new NotFound("no_data", `No quote for ${symbol}.`, { upstream: source.name, hint: reason });
    };
    const entry = await remembered.get(symbol, load, { signal }).catch(retell(ticker));
    return { body: () => shape(ticker, entry.value, usePrepost), entry };
  };
}
