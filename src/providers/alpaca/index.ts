// Alpaca Market Data, the brokerage feed: bars and snapshots of many symbols, splits and dividends.
import type { BarHistory, MarketAction, MarketActions } from "../../market/bar-history.ts";
import type { Calendar } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import type { Headlines } from "../../market/headline.ts";
import { fromAlpaca } from "../../market/spelling.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Upstream, UpstreamHealth } from "../../platform/upstream/policy.ts";
import { batchedDaily } from "./batched-daily.ts";
import { type AlpacaClient, type AlpacaKeys, alpacaClient, type RateLimit } from "./client.ts";
import { alpacaDaily, HISTORY_FIRST_DATE, type OneDailyRequest, SIP } from "./daily.ts";
import { askBars, type BarsAnswer, type BarsRequest } from "./endpoints/bars.ts";
import { askMarketActions, PAID_WITHIN_DAYS } from "./endpoints/corporate-actions.ts";
import { askNews, type NewsRequest } from "./endpoints/news.ts";
import { askSnapshots, type Snapshot } from "./endpoints/snapshots.ts";
import { dropInvalid, type WithoutInvalid } from "./invalid-symbols.ts";

/** Creates the function that reads the list. It throws what AlpacaClient.get throws. */
function alpacaMarketActions(ask: AlpacaClient): MarketActions["marketActions"] {
  return async ({ start, end, signal }) => {
    const listed = await askMarketActions(ask, start, addDays(end, PAID_WITHIN_DAYS), signal);
    return listed.flatMap(({ symbol: spelled, kind, ex_date }): MarketAction[] => {
      const symbol = fromAlpaca(spelled);
      if (symbol === null || ex_date < start || ex_date > end) return [];
      return [{ symbol, kind, date: ex_date }];
    });
  };
}

export { classifyAlpaca } from "./classify.ts";
export type { AlpacaKeys, RateLimit } from "./client.ts";
export { HISTORY_FIRST_DATE, SIP, SIP_DELAY_S } from "./daily.ts";
export {
  type BarsAnswer,
  type BarsRequest,
  barOrNull,
  readBarsPage,
  type Timeframe,
} from "./endpoints/bars.ts";
export { readActionsPage, readMarketPage } from "./endpoints/corporate-actions.ts";
export { type NewsRequest, readNewsPage } from "./endpoints/news.ts";
export { readSnapshots, type Snapshot } from "./endpoints/snapshots.ts";
export { alpacaPolicy } from "./policy.ts";

export interface AlpacaDeps {
  /** Created with `alpacaPolicy` and `classifyAlpaca`. */
  readonly upstream: Upstream;
  readonly keys: AlpacaKeys;
  readonly clock: Clock;
  readonly calendar: Calendar;
}

/** The provider. Every request throws NotConfigured while a key is missing, and what the upstream throws. */
export interface Alpaca extends MarketActions {
  /** Name of its daily bars in answers and in the lake. */
  readonly name: typeof SIP;
  isConfigured(): boolean;
  demandKeys(): void;
  /** Bars of at most 100 symbols in the feed's spelling; the answer lists those it refuses. */
  bars(request: BarsRequest): Promise<WithoutInvalid<BarsAnswer>>;
  snapshots(
    symbols: readonly string[],
    signal?: AbortSignal,
  ): Promise<
    WithoutInvalid<{ snapshots: ReadonlyMap<string, Snapshot | null>; receivedAt: Temporal.Instant }>
  >;
  /**
   * Daily bars of one symbol. Requests made at the same moment are combined, 100 symbols at a time. Throws
   * NotFound `no_data` where the feed has no bars, UpstreamRefused where its prices contradict its list of
   * actions.
   */
  daily(request: OneDailyRequest): Promise<BarHistory>;
  /** Articles page by page, ascending by the time of their last change. */
  news(request: NewsRequest): AsyncGenerator<Headlines>;
  /** The first day with bars. */
  readonly historyFrom: string;
  rateLimit(): RateLimit;
  health(): UpstreamHealth;
}

export function alpaca({ upstream, keys, clock, calendar }: AlpacaDeps): Alpaca {
  const ask = alpacaClient(upstream, keys, clock);
  const drop = dropInvalid(clock);
  return {
    name: SIP,
    isConfigured: ask.isConfigured,
    demandKeys: () => {
      ask.demandKeys();
    },
    bars: (request) => drop(request.symbols, (symbols) => askBars(ask, { ...request, symbols })),
    snapshots: (symbols, signal) => drop(symbols, (left) => askSnapshots(ask, left, signal)),
    news: (request) => askNews(ask, request),
    daily: batchedDaily(alpacaDaily({ ask, calendar, drop })),
    marketActions: alpacaMarketActions(ask),
    historyFrom: HISTORY_FIRST_DATE,
    rateLimit: ask.rateLimit,
    health: () => upstream.health(),
  };
}
