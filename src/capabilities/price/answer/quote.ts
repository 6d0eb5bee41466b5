// The latest quote of one symbol, cached for a moment.
import { throwWithClientTicker } from "../../../market/client-ticker.ts";
import { type Quote, type QuoteResponse, withoutExtended } from "../../../market/quote.ts";
import type { Services } from "../../../market/services.ts";
import type { TickerRequest } from "../../../market/ticker.ts";
import type { Cache, CacheHit, LazySignal } from "../../../platform/cache/cache.ts";
import { NotFound } from "../../../platform/errors.ts";
import type { BarSource, QuoteSource } from "../sources.ts";

export interface QuoteDeps extends Pick<Services, "clock"> {
  readonly source: QuoteSource & BarSource;
  readonly cache: Cache<Quote>;
}

/** Days of bars requested to confirm that a symbol exists. */
const CONFIRM_DAYS = 7;

function shape(ticker: string, found: Quote, usePrepost: boolean): QuoteResponse {
  const shown = usePrepost ? found : withoutExtended(found);
  const { symbol: _, exchange_name: _name, timezone: _zone, quote_type: _type, ...quote } = shown;
  return { ticker, ...quote };
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
