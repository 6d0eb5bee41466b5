// Prices: daily history, quotes and intraday bars. Its face: what it needs, and what it gives.
import { INTRADAY_CACHE_S, QUOTE_CACHE_S, UNKNOWN_TICKER_CACHE_S } from "../../limits.ts";
import type { Calendar } from "../../market/calendar.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Lake } from "../../platform/lake.ts";
import { type RememberNeeds, remember } from "../../platform/remember.ts";
import type { Store } from "../../platform/sqlite.ts";
import { priceAnswers } from "./answers.ts";
import { priceBackfill } from "./backfill.ts";
import { dailyAnswers } from "./daily.ts";
import { history as dailyHistory } from "./history.ts";
import { hourlyAnswers } from "./hourly.ts";
import { type IntradayAnswer, intradayAnswers } from "./intraday.ts";
import { quoteAnswers } from "./quote.ts";
import { priceRoutes } from "./routes.ts";
import type { BarSource, QuoteSource, SourceQuote } from "./sources.ts";
import { priceStore } from "./store.ts";
import { newestAnswers } from "./today.ts";

export interface PriceNeeds {
  readonly source: BarSource & QuoteSource;
  readonly lake: Lake;
  readonly sqlite: Store;
  readonly clock: Clock;
  readonly calendar: Calendar;
  readonly remembering: RememberNeeds;
  signalOf(request: Request): AbortSignal;
}

/** Composes the capability: its routes, and what the command line runs. */
export function price(needs: PriceNeeds) {
  const { source, lake, sqlite, clock, calendar, remembering } = needs;
  const store = priceStore({ lake, sqlite, clock });
  const deps = { source, calendar, clock, store };
  const history = dailyHistory(deps);
  const daily = dailyAnswers(deps, history);
  const intradayMemory = remember<IntradayAnswer>(
    { name: "price_intraday", ttlS: INTRADAY_CACHE_S, negativeS: UNKNOWN_TICKER_CACHE_S, durable: false },
    remembering,
  );
  const quoteMemory = remember<SourceQuote>(
    { name: "price_quote", ttlS: QUOTE_CACHE_S, negativeS: UNKNOWN_TICKER_CACHE_S, durable: false },
    remembering,
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
    routes: priceRoutes(answers, needs.signalOf),
    backfill: priceBackfill({ history, source, store, calendar, clock }),
    memories: () => [intradayMemory.stats(), quoteMemory.stats()],
    /** Every symbol the service has met. */
    knownSymbols: () => store.symbols(),
  };
}
