// Prices: daily history, quotes and intraday bars. Composes the capability.
import { INTRADAY_CACHE_S, QUOTE_CACHE_S, UNKNOWN_TICKER_CACHE_S } from "../../limits.ts";
import type { MarketActions } from "../../market/bar-history.ts";
import type { Quote } from "../../market/quote.ts";
import type { Services } from "../../market/services.ts";
import { createCache } from "../../platform/cache/cache.ts";
import { changeListeners } from "../../platform/lake/write/change-listeners.ts";
import { priceAnswers } from "./answer/answers.ts";
import { dailyAnswers } from "./answer/daily.ts";
import { hourlyAnswers } from "./answer/hourly.ts";
import { type IntradayBars, intradayAnswers } from "./answer/intraday.ts";
import { quoteAnswers } from "./answer/quote.ts";
import { newestAnswers } from "./answer/today.ts";
import { actionWatch } from "./fetch/action-watch.ts";
import { priceBackfill } from "./fetch/backfill.ts";
import { closesFill } from "./fetch/closes.ts";
import { dailyHistory } from "./fetch/history.ts";
import { panelCloses, panelFill } from "./fetch/panel-fill.ts";
import { panelProvisional } from "./fetch/panel-provisional.ts";
import { priceRoutes } from "./routes.ts";
import type { BarSource, DailyBarSource, FeedSource, QuoteSource } from "./sources.ts";
import { priceStore } from "./store/store.ts";

export interface PriceDeps
  extends Pick<Services, "lake" | "sqlite" | "clock" | "log" | "calendar" | "cacheDeps"> {
  readonly source: BarSource & DailyBarSource & QuoteSource & MarketActions;
  /** The brokerage feed, where one is configured: the first source of the daily history of many symbols. */
  readonly feed?: FeedSource & MarketActions;
}

/** The capability: its routes, its job, and what the command line and the panel use of it. */
export function price({ source, feed, lake, sqlite, clock, log, calendar, cacheDeps }: PriceDeps) {
  const closes = changeListeners<readonly string[]>();
  const store = priceStore({ lake, sqlite, clock, calendar, stored: closes.notify });
  const deps = { source, feed, calendar, clock, log, store };
  const history = dailyHistory(deps);
  const daily = dailyAnswers(deps, history);
  const intradayCache = createCache<IntradayBars>(
    { name: "price_intraday", ttlS: INTRADAY_CACHE_S, negativeS: UNKNOWN_TICKER_CACHE_S, durable: false },
    cacheDeps,
  );
  const quoteCache = createCache<Quote>(
    { name: "price_quote", ttlS: QUOTE_CACHE_S, negativeS: UNKNOWN_TICKER_CACHE_S, durable: false },
    cacheDeps,
  );
  const intraday = intradayAnswers({ source, calendar, clock, cache: intradayCache });
  const answers = priceAnswers({
    daily,
    intraday,
    hourly: hourlyAnswers({ intraday, calendar, clock, sourceName: source.name }),
    quote: quoteAnswers({ source, clock, cache: quoteCache }),
    newest: newestAnswers({ calendar, clock }, daily, intraday),
  });
  return {
    routes: priceRoutes(answers),
    jobs: [actionWatch({ source, feed, history, store, calendar, clock, log })],
    backfill: priceBackfill({ history, source, store, calendar, clock }),
    /** Fills the panel's bars from the brokerage feed; null without a feed. */
    panel: feed
      ? {
          fill: panelFill({ feed, store, history, calendar, clock }),
          closes: panelCloses({ feed }),
          provisional: panelProvisional({ feed, store }),
        }
      : null,
    fillCloses: closesFill({ history, calendar, clock }),
    /** Adds a listener for symbols whose closes were stored. */
    onCloses: closes.subscribe,
    /** Ends fetching that goes on after its answers. */
    stop: history.stop,
    /** Every symbol the service has met. */
    knownSymbols: () => store.symbols(),
  };
}
