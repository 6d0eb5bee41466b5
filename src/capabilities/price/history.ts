// Daily price history: fetches the days a request misses, as its plan allows, and stores them.
import { mapSettled } from "../../market/bulk.ts";
import type { DateRange } from "../../market/time-span.ts";
import { AsofError, NotFound } from "../../platform/errors.ts";
import { isReplaying } from "../../platform/reading.ts";
import type { FeedAnswers, FetchPlan } from "./daily-query.ts";
import { feedPass, type SymbolWindow } from "./feed-first.ts";
import type { DailyFetchDeps } from "./fetch-daily.ts";
import { windowFetcher } from "./fetch-window.ts";
import { isGap } from "./gaps.ts";
import { type Missing, missingFinder, type StoredDays } from "./missing-days.ts";
import { provisionalBars } from "./provisional.ts";
import { type Refreshed, refreshedOf } from "./refreshed.ts";
import type { FeedSource } from "./sources.ts";
import type { PriceStore } from "./store.ts";

/** What fetching came to for one symbol. */
export interface Collected {
  /** Whether a provider was asked. */
  readonly asked: boolean;
  /** Why the provider gave nothing; what is stored is served all the same. */
  readonly failure: AsofError | null;
  /** Days of the ranges that have no stored bar though one is expected, known to be empty or not. */
  readonly missing: readonly string[];
  /** What a provider says now of the days that were refetched; undefined when nothing was. */
  readonly refreshed?: Refreshed | undefined;
}

export interface HistoryDeps extends DailyFetchDeps {
  readonly store: PriceStore;
  /** The brokerage feed, where one is configured. */
  readonly feed?: FeedSource | undefined;
}

export interface CollectRequest {
  readonly symbols: readonly string[];
  /** Ascending, apart from each other. */
  readonly ranges: readonly DateRange[];
  readonly plan: FetchPlan;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Fetches one request has running or waiting for the provider's pace: enough to keep the provider busy, few enough that
 * another request waits seconds behind a request for 500 symbols, not minutes.
 */
const FETCHES_PER_REQUEST = 16;

const NO_ANSWERS: FeedAnswers = new Map();

/** `readAt` of a fetch that must be made, whatever has been fetched before. */
const ALWAYS = Number.POSITIVE_INFINITY;

/** The use case behind every daily route and the backfill. */
export function dailyHistory(deps: HistoryDeps) {
  const { store, calendar, clock, feed } = deps;
  const provisional = provisionalBars({ calendar, clock });
  const findMissing = missingFinder({ store, calendar, clock, provisional });
  const fetchWindow = windowFetcher({ store, calendar, clock, provisional });
  const fromProvider = providerCollector(deps, findMissing, fetchWindow);

  /**
   * Makes sure that what can be stored of the ranges is stored, and returns per symbol what came of it. A provider's failure
   * is part of the result; only the store's own failures and an aborted signal throw. `stored` saves reading the stored
   * days again; a refetch does not need them.
   */
  const collect = async (
    request: CollectRequest,
    stored?: StoredDays,
  ): Promise<ReadonlyMap<string, Collected>> => {
    if (request.plan.source !== "stored_only" && isReplaying()) return missingIn(request, stored);
    switch (request.plan.source) {
      case "stored_only":
        return new Map();
      case "provider":
        return fromProvider(request, NO_ANSWERS, stored);
      case "provider_after_feed":
        return fromProvider(request, request.plan.feedAnswers ?? NO_ANSWERS, stored);
      case "feed_then_provider": {
        const answered = await feedFirst(request, stored);
        return fromProvider(request, answered, answered.size > 0 ? undefined : stored);
      }
    }
  };

  /** What an earlier version lacks of the ranges. */
  const missingIn = async (
    { symbols, ranges }: CollectRequest,
    stored: StoredDays | undefined,
  ): Promise<ReadonlyMap<string, Collected>> => {
    const missingOf = await findMissing({ symbols, ranges, refetches: () => false }, stored);
    return new Map(
      symbols.map((symbol) => [symbol, { asked: false, failure: null, missing: missingOf(symbol).gaps }]),
    );
  };

  /**
   * Has the brokerage feed fetch what is missing, where one is configured; resolves to the symbols it answered for. The
   * feed's failures are not reported: the price provider is asked next. A refetch is one provider's: symbols of which the
   * feed does not have every requested day are left to the price provider as a whole.
   */
  const feedFirst = async (request: CollectRequest, stored?: StoredDays): Promise<FeedAnswers> => {
    if (!feed?.isConfigured() || isReplaying()) return NO_ANSWERS;
    const readAt = stored?.readAt ?? performance.now();
    const { symbols, ranges, plan, signal } = request;
    const missingOf = await findMissing({ symbols, ranges, refetches: () => plan.refetch }, stored);
    const windows = symbols.flatMap((symbol) => {
      const { window } = missingOf(symbol);
      if (window === null) return [];
      const isBeyond = window.start === null || window.start < feed.historyFrom;
      return plan.refetch && isBeyond ? [] : [{ symbol, window }];
    });
    const fetchFromFeed = async ({ symbol, window }: SymbolWindow) => {
      const { facts, days } = missingOf(symbol);
      // Days the feed has no row of are no known gaps: the price provider may have them.
      const request = { symbol, window, facts, source: feed, notesAbsent: false, signal };
      const fetched = await fetchWindow({ ...request, readAt: plan.refetch ? ALWAYS : readAt });
      if (!plan.refetch || fetched === null) return null;
      const have = new Set(fetched.settled.map(({ date }) => date));
      return days.every((day) => have.has(day)) ? refreshedOf(fetched) : undefined;
    };
    return feedPass(feed, windows, fetchFromFeed, signal);
  };

  return {
    collect,
    feedFirst,
    /** Provisional bars of the symbol within the ranges, oldest first. */
    provisional: (symbol: string, ranges: readonly DateRange[]) =>
      provisional
        .of(symbol)
        .filter(({ date }) =>
          ranges.some(({ start, end }) => (start === null || date >= start) && date <= end),
        ),
    /** Provider of the provisional bars of a symbol; null when none are at hand. */
    provisionalSource: provisional.sourceOf,
    /** The ratio by which the price provider's prices are off the stored ones without a listed split; null when they fit. */
    seamOf: provisional.seamOf,
    /** What is known of the symbols. */
    facts: store.facts,
    /** Up to which day the actions of the symbols are known. */
    actionsThrough: store.actionsThrough,
  };
}

/** Asks the price provider for what is missing. Of symbols the feed has answered for, nothing is refetched. */
function providerCollector(
  { store, calendar, source }: HistoryDeps,
  findMissing: ReturnType<typeof missingFinder>,
  fetchWindow: ReturnType<typeof windowFetcher>,
) {
  const failed = (
    symbol: string,
    { days, gaps }: Missing,
    error: unknown,
    feedAnswered: boolean,
  ): Collected => {
    if (!(error instanceof AsofError)) throw error;
    if (error instanceof NotFound) store.cacheUnknown(symbol, error, days);
    // The feed has bars of it: that the price provider knows no such symbol is no failure of the answer.
    if (error instanceof NotFound && feedAnswered) return { asked: true, failure: null, missing: gaps };
    return { asked: true, failure: error, missing: gaps };
  };

  return async (
    { symbols, ranges, plan, signal }: CollectRequest,
    feedAnswers: FeedAnswers,
    stored: StoredDays | undefined,
  ) => {
    const readAt = stored?.readAt ?? performance.now();
    const refetches = (symbol: string) => plan.refetch && !feedAnswers.has(symbol);
    const missingOf = await findMissing({ symbols, ranges, refetches }, stored);

    const collectOne = async (symbol: string): Promise<Collected> => {
      const missing = missingOf(symbol);
      const { facts, window, gaps } = missing;
      const asked = feedAnswers.has(symbol);
      const refreshed = feedAnswers.get(symbol) ?? undefined;
      if (window === null) return { asked, failure: null, missing: gaps, refreshed };
      const unknown = refetches(symbol) ? null : store.unknown(symbol);
      if (unknown) return { asked, failure: asked ? null : unknown, missing: gaps, refreshed };
      try {
        const isRefetch = refetches(symbol);
        const request = { symbol, window, facts, source, notesAbsent: true, signal };
        const fetched = await fetchWindow({ ...request, readAt: isRefetch ? ALWAYS : readAt });
        const { listing, absent = [] } = fetched ?? {};
        const empty = new Set(absent.flatMap((day) => (isGap(day, listing, calendar) ? [] : [day.date])));
        return {
          asked: true,
          failure: null,
          // Days before a first trade that only this fetch has shown are no gaps, as at the next visit.
          missing: gaps.filter((date) => !empty.has(date) && date >= (listing?.first_trade_date ?? "")),
          refreshed: isRefetch && fetched && !fetched.seam ? refreshedOf(fetched) : refreshed,
        };
      } catch (error) {
        return { ...failed(symbol, missing, error, asked), refreshed };
      }
    };
    const outcomes = await mapSettled(symbols, collectOne, { concurrency: FETCHES_PER_REQUEST, signal });
    signal?.throwIfAborted();
    for (const outcome of outcomes) if (!outcome.ok) throw outcome.error;
    return new Map(outcomes.flatMap((outcome) => (outcome.ok ? [[outcome.item, outcome.value]] : [])));
  };
}

export type History = ReturnType<typeof dailyHistory>;
