// Prices: daily history, quotes and intraday bars. Its face: what it needs, and what it gives.
import { INTRADAY_CACHE_S, QUOTE_CACHE_S, UNKNOWN_TICKER_CACHE_S } from "../../limits.ts";
import type { Calendar } from "../../market/calendar.ts";
import type { Quote } from "../../market/quote.ts";
import { type CacheDeps, createCache } from "../../platform/cache/cache.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import { priceAnswers } from "./answers.ts";
import { priceBackfill } from "./backfill.ts";
import { dailyAnswers } from "./daily.ts";
import { history as dailyHistory } from "./history.ts";
import { hourlyAnswers } from "./hourly.ts";
import { type IntradayAnswer, intradayAnswers } from "./intraday.ts";
import { panelCloses, panelFill } from "./panel-fill.ts";
import { quoteAnswers } from "./quote.ts";
import { priceRoutes } from "./routes.ts";
import type { BarSource, DailyBarSource, FeedSource, QuoteSource } from "./sources.ts";
import { priceStore } from "./store.ts";
import { newestAnswers } from "./today.ts";

export interface PriceNeeds {
  readonly source: BarSource & DailyBarSource & QuoteSource;
  /** The brokerage feed, where there is one: the first source of daily history of many symbols. */
  readonly feed?: FeedSource;
  readonly lake: Lake;
  readonly sqlite: Store;
  readonly clock: Clock;
  readonly calendar: Calendar;
  readonly cacheDeps: CacheDeps;
}

/** Composes the capability: its routes, and what the command line runs. */
export function price(needs: PriceNeeds) {
  const { source, feed, lake, sqlite, clock, calendar, cacheDeps } = needs;
  const store = priceStore({ lake, sqlite, clock });
  const deps = { source, feed, calendar, clock, store };
  const history = dailyHistory(deps);
  const daily = dailyAnswers(deps, history);
  const intradayMemory = createCache<IntradayAnswer>(
    { name: "price_intraday", ttlS: INTRADAY_CACHE_S, negativeS: UNKNOWN_TICKER_CACHE_S, durable: false },
    cacheDeps,
  );
  const quoteMemory = createCache<Quote>(
    { name: "price_quote", ttlS: QUOTE_CACHE_S, negativeS: UNKNOWN_TICKER_CACHE_S, durable: false },
    cacheDeps,
  );
  const intraday = intradayAnswers({ source, calendar, clock, remembered: intradayMemory });
  const answers = priceAnswers({
    daily,
    intraday,
    hourly: hourlyAnswers({ intraday, calendar, clock, sourceName: source.name }),
    quote: quoteAnswers({ source, clock, remembered: quoteMemory }),
    newest: newestAnswers(deps, daily, intraday),
  });
  return {
    routes: priceRoutes(answers),
    backfill: priceBackfill({ history, source, store, calendar, clock }),
    /** What the brokerage feed fills the panel's bars through; null without a feed. */
    panel: feed
      ? { fill: panelFill({ feed, store, history, calendar, clock }), closes: panelCloses({ feed }) }
      : null,
    /** Every symbol the service has met. */
    knownSymbols: () => store.symbols(),
  };
}
