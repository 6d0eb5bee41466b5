// The latest quote of one symbol, cached for a moment.
import { throwWithClientTicker } from "../../../market/client-ticker.ts";
import type { Quote } from "../../../market/quote.ts";
import type { Services } from "../../../market/services.ts";
import type { TickerRequest } from "../../../market/ticker.ts";
import type { Cache, CacheHit, LazySignal } from "../../../platform/cache/cache.ts";
import { NotFound } from "../../../platform/errors.ts";
import type { QuoteResponse } from "../quote-schema.ts";
import type { BarSource, QuoteSource } from "../sources.ts";

export interface QuoteDeps extends Pick<Services, "clock"> {
  readonly source: QuoteSource & BarSource;
  readonly cache: Cache<Quote>;
}

/** Days of bars requested to confirm that a symbol exists. */
const CONFIRM_DAYS = 7;

function shape(ticker: string, quote: Quote, usePrepost: boolean): QuoteResponse {
  return {
    ticker,
    name: quote.name,
    currency: quote.currency,
    exchange: quote.exchange,
    market_state: quote.market_state,
    price: usePrepost ? quote.price : quote.regular_market_price,
    price_source: usePrepost ? quote.price_source : "regular",
    price_time: usePrepost ? quote.price_time : quote.regular_market_time,
    regular_market_price: quote.regular_market_price,
    regular_market_change: quote.regular_market_change,
    regular_market_change_percent: quote.regular_market_change_percent,
    regular_market_time: quote.regular_market_time,
    regular_market_open: quote.regular_market_open,
    regular_market_day_high: quote.regular_market_day_high,
    regular_market_day_low: quote.regular_market_day_low,
    regular_market_volume: quote.regular_market_volume,
    previous_close: quote.previous_close,
    pre_market_price: usePrepost ? quote.pre_market_price : null,
    pre_market_change: usePrepost ? quote.pre_market_change : null,
    pre_market_change_percent: usePrepost ? quote.pre_market_change_percent : null,
    pre_market_time: usePrepost ? quote.pre_market_time : null,
    post_market_price: usePrepost ? quote.post_market_price : null,
    post_market_change: usePrepost ? quote.post_market_change : null,
    post_market_change_percent: usePrepost ? quote.post_market_change_percent : null,
    post_market_time: usePrepost ? quote.post_market_time : null,
    bid: quote.bid,
    ask: quote.ask,
    bid_size: quote.bid_size,
    ask_size: quote.ask_size,
    market_cap: quote.market_cap,
    fifty_two_week_high: quote.fifty_two_week_high,
    fifty_two_week_low: quote.fifty_two_week_low,
    delay_minutes: quote.delay_minutes,
  };
}

export function quoteAnswers({ source, cache, clock }: QuoteDeps) {
  /**
   * The quote answer leaves symbols out without a reason; the bar answer is an error when there is no such
   * symbol.
   */
  const confirmKnown = async (symbol: string, signal: AbortSignal) => {
    const now = clock.now();
    const start = now.subtract({ hours: 24 * CONFIRM_DAYS });
    await source.chart({ symbol, interval: "1d", start, end: now, prePost: false, signal });
  };

  return function answerQuote(
    request: TickerRequest,
    usePrepost: boolean,
    signal?: LazySignal,
  ): Promise<{ body: () => QuoteResponse; entry: CacheHit<Quote> }> {
    const { ticker, symbol } = request;
    const load = async (shared: AbortSignal) => {
      const { quotes, absent } = await source.quotes([symbol], shared);
      const quote = quotes.get(symbol);
      if (quote) return quote;
      await confirmKnown(symbol, shared);
      const reason = absent.get(symbol)?.reason;
      throw new NotFound("no_data", `No quote for ${symbol}.`, { upstream: source.name, hint: reason });
    };
    return cache
      .get(symbol, load, { signal })
      .then(
        (entry) => ({ body: () => shape(ticker, entry.value, usePrepost), entry }),
        throwWithClientTicker(request),
      );
  };
}
