// Answers on daily, weekly and monthly bars: one symbol in full, or many symbols side by side.
import type { Calendar } from "../../../market/calendar.ts";
import { withClientTicker } from "../../../market/client-ticker.ts";
import { addDays } from "../../../market/date.ts";
import { asOfInstant } from "../../../market/known-at.ts";
import type { TickerRequest } from "../../../market/ticker.ts";
import type { DateRange, Period, TimeSelection, TimeSpan } from "../../../market/time-span.ts";
import type { History, HistoryDeps } from "../fetch/history.ts";
import { adjustedBar } from "../request/adjustment.ts";
import {
  type DailyQuery,
  dailyIntervalOf,
  type FeedAnswers,
  fetchPlan,
  knownRanges,
  timeSpanOf,
  viewpointOf,
} from "../request/daily-query.ts";
import type { PriceDataResponse } from "../schema.ts";
import { freshnessOf } from "../store/columns.ts";
import type { SymbolFacts } from "../store/symbol-facts.ts";
import {
  failureWarnings,
  knownSince,
  leftOutWarnings,
  noBarsError,
  pointOf,
  seriesSource,
  seriesUnsettled,
  seriesWarnings,
  throughAt,
} from "./daily-answer.ts";
import { ManyAnswers, type ManyBars, sessionsWithin } from "./daily-many.ts";
import { type Series, seriesReader } from "./read-series.ts";

export interface DailyAnswers {
  /**
   * The history of one symbol. Without a time selection it has the period `fallback`; undefined makes one
   * required.
   */
  one(request: TickerRequest, query: DailyQuery, fallback: Period | undefined): Promise<PriceDataResponse>;
  /** The history of many symbols. A symbol that fails is named in `errors`; throws when all fail. */
  many(requests: readonly TickerRequest[], query: DailyQuery): Promise<ManyBars>;
  /**
   * The stored bars of a request for days; 0 where its sessions cannot add up to more than `most`, so that an
   * ordinary request is not counted.
   */
  countAbove(requests: readonly TickerRequest[], query: DailyQuery, most: number): Promise<number>;
  /** Has the brokerage feed fetch what many symbols miss, ahead of asking for one after the other. */
  feedFirst(requests: readonly TickerRequest[], query: DailyQuery): Promise<FeedAnswers>;
  /** Throws InvalidRequest when a time selection contradicts itself, before any ticker is worked on. */
  checkSpan(selection: TimeSelection): void;
}

/** The periods of a symbol without a trade for this long are counted back from its last trade. */
const STOPPED_AFTER_DAYS = 14;

const symbolsOf = (requests: readonly TickerRequest[]) => requests.map(({ symbol }) => symbol);

const NO_ANSWERS: FeedAnswers = new Map();

interface Answered {
  readonly series: Series;
  readonly facts: SymbolFacts;
  readonly asOf: Temporal.Instant | null;
  readonly lastDay: string;
}

/**
 * How recent an answer is, and the basis of its prices. With `as_of` neither depends on when the bars were
 * fetched.
 */
function validityOf({ series, facts, asOf, lastDay }: Answered, calendar: Calendar) {
  const { recorded_at, basis_date } = freshnessOf(series.stored);
  const adjusted_through = throughAt(facts.actionsThrough ?? basis_date, asOf);
  if (asOf !== null) return { last_updated: knownSince(lastDay, calendar), adjusted_through };
  return { last_updated: series.refreshed?.received_at ?? recorded_at, adjusted_through };
}

/** Later values of a series' stored bars, on its adjustment. */
async function revisionsOf(
  store: HistoryDeps["store"],
  symbol: string,
  { adjustment, factors }: Series,
  { ranges, asOf }: { readonly ranges: readonly DateRange[]; readonly asOf: Temporal.Instant | null },
) {
  const revisions = await store.revisions(symbol, ranges, asOf);
  return revisions.map((revision) => adjustedBar(revision, adjustment, factors));
}

/**
 * How a request is answered: its fields become an interval, a time span and a `FetchPlan` (daily-query.ts);
 * the series are read, fetched as the plan allows where days are missing (read-series.ts, history.ts), and
 * written out (daily-answer.ts).
 */
export function dailyAnswers(deps: HistoryDeps, history: History): DailyAnswers {
  const { calendar, clock, source } = deps;
  const read = seriesReader(deps, history);
  const many = new ManyAnswers(deps, history, read);
  const viewpoint = (asOf: Temporal.Instant | null) => viewpointOf(asOf, { calendar, clock });

  /**
   * Reads one symbol. A period of a symbol that stopped trading is counted back from its last trade,
   * `stoppedOn`.
   */
  const readOne = async (symbol: string, query: DailyQuery, fallback: Period | undefined) => {
    const interval = dailyIntervalOf(query.interval);
    const asOf = asOfInstant(query.as_of);
    const seen = viewpoint(asOf);
    const readSpan = async (span: TimeSpan) => {
      const series = (await read([symbol], span.ranges, interval, query))(symbol);
      const basis = () => freshnessOf(series.stored).basis_date;
      const actionsThrough = (await history.actionsThrough([symbol], { ranges: span.ranges, basis }))(symbol);
      const facts = { ...history.facts([symbol])(symbol), actionsThrough };
      return { interval, asOf, today: seen.today, span, series, facts };
    };
    const found = await readSpan(timeSpanOf(query, seen, fallback));
    const { period } = found.span;
    const lastTrade = found.facts.listing?.last_trade_date ?? null;
    // A last trade long before as_of was the last one at that moment too; a later one says nothing of it.
    const hasStopped = lastTrade !== null && lastTrade < addDays(seen.today, -STOPPED_AFTER_DAYS);
    if (!hasStopped || period === null) return { ...found, stoppedOn: null };
    if (period === "max") return { ...found, stoppedOn: lastTrade };
    const atLastTrade = { ...seen, today: lastTrade, latestSession: lastTrade };
    return { ...(await readSpan(timeSpanOf({ period }, atLastTrade, undefined))), stoppedOn: lastTrade };
  };

  const one: DailyAnswers["one"] = async (request, query, fallback) => {
    const { symbol, ticker } = request;
    const { interval, asOf, today, span, series, facts, stoppedOn } = await readOne(symbol, query, fallback);
    const { start, end: end_date, period, ranges } = span;
    const { bars, collected, stored } = series;
    const { currency, listing } = facts;
    if (query.force_refresh && collected?.failure) throw withClientTicker(collected.failure, request);
    const { first_trade_date: firstTrade = null, timezone = null } = listing ?? {};
    if (bars.length === 0) throw noBarsError(request, series, { ranges, query, firstTrade });
    const leftOut = asOf && (await deps.store.count([symbol], ranges, asOf)) - stored.rowCount;
    return {
      ticker,
      interval,
      adjustment: series.adjustment,
      start_date: start ?? bars[0]?.date ?? null,
      end_date,
      period,
      currency,
      exchange_timezone: timezone,
      count: bars.length,
      data: bars.map((bar) => pointOf(bar, interval, timezone, calendar)),
      source: seriesSource(series) ?? source.name,
      cached: !(collected?.asked ?? false),
      refreshed: series.refreshed !== undefined,
      ...validityOf({ series, facts, asOf, lastDay: series.lastDay ?? today }, calendar),
      ...(asOf === null ? {} : { as_of: asOf.toString() }),
      ...(query.revisions
        ? { revisions: await revisionsOf(deps.store, symbol, series, { ranges, asOf }) }
        : {}),
      warnings: [
        ...(stoppedOn === null ? [] : [`${ticker} last traded on ${stoppedOn}: the period ends there.`]),
        ...seriesUnsettled(series),
        ...failureWarnings(series, request),
        ...leftOutWarnings(leftOut ?? 0),
        ...seriesWarnings(series, { facts, ranges }),
      ],
    };
  };

  return {
    one,
    many: (requests, query) => many.many(requests, query),
    async countAbove(requests, query, most) {
      const asOf = asOfInstant(query.as_of);
      const { ranges } = timeSpanOf(query, viewpoint(asOf), undefined);
      const mayExceed = requests.length * sessionsWithin(calendar, ranges) > most;
      if (dailyIntervalOf(query.interval) !== "1d" || !mayExceed) return 0;
      return deps.store.count(symbolsOf(requests), ranges, asOf, query.signal);
    },
    async feedFirst(requests, query) {
      if (query.stored_only || query.interval === "1h") return NO_ANSWERS;
      const asOf = asOfInstant(query.as_of);
      const ranges = knownRanges(timeSpanOf(query, viewpoint(asOf), undefined).ranges, asOf, calendar);
      if (ranges.length === 0) return NO_ANSWERS;
      const plan = fetchPlan({ ...query, feed: "first" });
      return history.feedFirst({ symbols: symbolsOf(requests), ranges, plan, signal: query.signal });
    },
    checkSpan(selection) {
      timeSpanOf(selection, viewpoint(null), undefined);
    },
  };
}
