// Yahoo Finance, the price provider: bars, quotes, last closes, company profiles and lists of stocks.
import type { DailyBarRequest, MarketActions } from "../../market/bar-history.ts";
import { type Calendar, startOfDay } from "../../market/calendar.ts";
import type { CompanyProfile } from "../../market/company-profile.ts";
import { addDays } from "../../market/date.ts";
import type { FundProfile } from "../../market/fund-profile.ts";
import type { Headlines } from "../../market/headline.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Upstream, UpstreamHealth } from "../../platform/upstream/policy.ts";
import { type YahooLog, yahooCredentials } from "./credentials.ts";
import { askChart, type ChartRequest, type ChartResult } from "./endpoints/chart.ts";
import { askHeadlines } from "./endpoints/headlines.ts";
import { askQuotes, type QuotesResult } from "./endpoints/quote.ts";
import { askCalendarEvents, askFund, askProfile } from "./endpoints/quote-summary.ts";
import { askPredefined, askScreen, type PredefinedList, type ScreenPage } from "./endpoints/screener.ts";
import { askSparks, type SparkRange, type SparksResult } from "./endpoints/spark.ts";
import { askSplitCalendar } from "./endpoints/split-calendar.ts";
import { askTrending, type Trending } from "./endpoints/trending.ts";
import { askEarningsEvents, type EarningsEvents } from "./endpoints/visualization.ts";
import type { CalendarEvents } from "./parse/calendar-events.ts";
import type { Screen } from "./screen-query.ts";

export { classifyYahoo } from "./classify.ts";
export type { YahooLog } from "./credentials.ts";
export { askChart, type ChartRequest, type ChartResult, sessionWindow } from "./endpoints/chart.ts";
export { readHeadlines } from "./endpoints/headlines.ts";
export type { QuoteMissing, QuotesResult } from "./endpoints/quote.ts";
export {
  type PredefinedList,
  SCREEN_OFFSET_MAX,
  SCREEN_ROWS_MAX,
  type ScreenPage,
} from "./endpoints/screener.ts";
export type { Spark, SparkPoint, SparkRange, SparksResult } from "./endpoints/spark.ts";
export { readSplitCalendar } from "./endpoints/split-calendar.ts";
export type { Trending } from "./endpoints/trending.ts";
export { type EarningsEvent, type EarningsEvents, readEarningsEvents } from "./endpoints/visualization.ts";
export { classifyYahooHeadlines, yahooHeadlinesPolicy } from "./headlines-policy.ts";
export type { CalendarEvents } from "./parse/calendar-events.ts";
export type { DroppedRows } from "./parse/chart-bars.ts";
export type { ChartMeta } from "./parse/chart-meta.ts";
export { readFund } from "./parse/fund.ts";
export type { RowKind, ScreenerRow } from "./parse/screener-row.ts";
export type { ChartInterval } from "./parse/sessions.ts";
export { yahooPolicy, yahooSessionPolicy } from "./policy.ts";
export { SCREEN_FIELDS, type Screen, type ScreenSort, screenBody } from "./screen-query.ts";
export { Wire } from "./wire.ts";

export interface YahooDeps {
  /** Created with `yahooPolicy` and `classifyYahoo`. */
  readonly upstream: Upstream;
  /**
   * Created with `yahooSessionPolicy` and `classifyYahoo`. Without it, a blocked handshake blocks charts too.
   */
  readonly sessionUpstream?: Upstream;
  readonly clock: Clock;
  readonly calendar: Calendar;
  readonly log: YahooLog;
  /** File in the data folder that stores the session for quotes, with mode 600. */
  readonly credentialsPath: string;
}

/**
 * The provider. Symbols are canonical. What each method throws is documented where it is defined. Of the
 * whole market's actions it lists the splits.
 */
export interface Yahoo extends MarketActions {
  chart(request: ChartRequest): Promise<ChartResult>;
  /** Daily bars from `start` to `end`, both inclusive; throws as `chart`. */
  daily(request: DailyBarRequest): Promise<ChartResult>;
  quotes(symbols: readonly string[], signal?: AbortSignal): Promise<QuotesResult>;
  /** Default range: 5d. */
  spark(symbols: readonly string[], range?: SparkRange, signal?: AbortSignal): Promise<SparksResult>;
  /** Null when Yahoo has no profile, even though it may know the symbol. */
  profile(symbol: string, signal?: AbortSignal): Promise<CompanyProfile | null>;
  /**
   * Null when Yahoo has no data of this kind. Also answers for symbols that are not funds; see `quote_type`.
   */
  fund(symbol: string, signal?: AbortSignal): Promise<FundProfile | null>;
  predefined(
    list: PredefinedList,
    span: { readonly start: number; readonly count: number },
    signal?: AbortSignal,
  ): Promise<ScreenPage>;
  screen(screen: Screen, signal?: AbortSignal): Promise<ScreenPage>;
  trending(count: number, signal?: AbortSignal): Promise<Trending>;
  /** Null when Yahoo has no calendar for the symbol. */
  calendarEvents(symbol: string, signal?: AbortSignal): Promise<CalendarEvents | null>;
  /** All companies that report on a New York day. */
  earningsOn(date: string, signal?: AbortSignal): Promise<EarningsEvents>;
  health(): UpstreamHealth;
}

export function yahoo(needs: YahooDeps): Yahoo {
  const { upstream, sessionUpstream = upstream, clock, calendar, log, credentialsPath } = needs;
  const credentials = yahooCredentials({ upstream: sessionUpstream, clock, log, path: credentialsPath });
  return {
    chart: (request) => askChart(upstream, calendar, request),
    daily: ({ symbol, start, end, signal }) =>
      askChart(upstream, calendar, {
        symbol,
        interval: "1d",
        start: start === null ? null : startOfDay(start),
        end: startOfDay(addDays(end, 1)),
        prePost: false,
        signal,
      }),
    quotes: (symbols, signal) => askQuotes(upstream, credentials, symbols, signal),
    spark: (symbols, range = "5d", signal) => askSparks(upstream, symbols, range, signal),
    profile: (symbol, signal) => askProfile(upstream, credentials, symbol, signal),
    predefined: (list, span, signal) => askPredefined(upstream, credentials, list, span, signal),
    fund: (symbol, signal) => askFund(upstream, credentials, symbol, signal),
    screen: (screen, signal) => askScreen(upstream, credentials, screen, signal),
    trending: (count, signal) => askTrending(upstream, count, signal),
    calendarEvents: (symbol, signal) => askCalendarEvents(upstream, credentials, symbol, signal),
    marketActions: (request) => askSplitCalendar(upstream, credentials, request),
    earningsOn: (date, signal) => askEarningsEvents(upstream, credentials, date, signal),
    health: () => upstream.health(),
  };
}

/**
 * News about a symbol. Created with `yahooHeadlinesPolicy` and `classifyYahooHeadlines`, independent of the
 * prices.
 */
export interface YahooHeadlines {
  /** Null when Yahoo does not know the symbol. */
  headlines(symbol: string, signal?: AbortSignal): Promise<Headlines | null>;
  health(): UpstreamHealth;
}

export const yahooHeadlines = (upstream: Upstream): YahooHeadlines => ({
  headlines: (symbol, signal) => askHeadlines(upstream, symbol, signal),
  health: () => upstream.health(),
});
