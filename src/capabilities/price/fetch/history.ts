// Daily price history: fetches the days a request misses, as its plan allows, and stores them.

import { mapSettled } from "../../../market/bulk.ts";
import type { Calendar } from "../../../market/calendar.ts";
import type { Services } from "../../../market/services.ts";
import type { DateRange } from "../../../market/time-span.ts";
import { systemTimers } from "../../../platform/clock.ts";
import { AsofError, NotFound, NotRead } from "../../../platform/errors.ts";
import { isReplaying } from "../../../platform/reading.ts";
import { type Fetched, type Refreshed, refreshedOf } from "../fetched.ts";
import { isGap } from "../gaps.ts";
import type { FeedAnswers, FetchPlan } from "../request/daily-query.ts";
import type { FeedSource } from "../sources.ts";
import type { PriceStore } from "../store/store.ts";
import { BackgroundFetches, type WindowToFetch } from "./background-fetches.ts";
import { feedPass, type SymbolWindow } from "./feed-first.ts";
import type { DailyFetchDeps } from "./fetch-daily.ts";
import { windowFetcher } from "./fetch-window.ts";
import { type Missing, missingFinder, type StoredDays } from "./missing-days.ts";
import { provisionalBars } from "./provisional.ts";

/** The outcome of fetching one symbol. */
export interface Collected {
  /** Whether a provider was asked. */
  readonly asked: boolean;
  /** Why the provider gave nothing; what is stored is served all the same. */
  readonly failure: AsofError | null;
  /** Days of the ranges that have no stored bar though one is expected, known to be empty or not. */
  readonly missing: readonly string[];
  /** A provider's present values for the days that were refetched; undefined when none was. */
  readonly refreshed?: Refreshed | undefined;
}

export interface HistoryDeps extends DailyFetchDeps, Pick<Services, "log"> {
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
 * Fetches one request has running or waiting for the provider's pace: enough to keep the provider busy, few
 * enough that another request waits seconds behind a request for 500 symbols, not minutes.
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
  const background = new BackgroundFetches(fetchWindow, deps);
  const fromProvider = providerCollector(deps, findMissing, { fetchWindow, background });

  /**
   * Makes sure that what can be stored of the ranges is stored, and returns per symbol what came of it. A
   * provider's failure is part of the result; only the store's own failures and an aborted signal throw.
   * `stored` saves reading the stored days again; a refetch does not need them.
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

  /** Returns the days of the ranges that an earlier version lacks. */
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
   * Has the brokerage feed fetch what is missing, where one is configured; resolves to the symbols it
   * answered for. The feed's failures are not reported: the price provider is asked next. A refetch is one
   * provider's: symbols of which the feed does not have every requested day are left to the price provider as
   * a whole.
   */
  const feedFirst = async (request: CollectRequest, stored?: StoredDays): Promise<FeedAnswers> => {
    if (!feed?.isConfigured() || isReplaying()) return NO_ANSWERS;
    const readAt = stored?.readAt ?? systemTimers.elapsedMs();
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
    /** Ends the fetching that goes on after answers. */
    stop: () => background.stop(),
    /** Provisional bars of the symbol within the ranges, oldest first. */
    provisional: (symbol: string, ranges: readonly DateRange[]) =>
      provisional
        .of(symbol)
        .filter(({ date }) =>
          ranges.some(({ start, end }) => (start === null || date >= start) && date <= end),
        ),
    /** Provider of the provisional bars of a symbol; null when none are at hand. */
    provisionalSource: provisional.sourceOf,
    /**
     * The ratio by which the price provider's prices are off the stored ones without a listed split; null
     * when they fit.
     */
    seamOf: provisional.seamOf,
    /** Returns the stored facts about the symbols. */
    facts: store.facts,
    /** Up to which day the actions of the symbols are known. */
    actionsThrough: store.actionsThrough,
  };
}

interface Fetchers {
  readonly fetchWindow: ReturnType<typeof windowFetcher>;
  readonly background: BackgroundFetches;
}

/**
 * How the windows of a request are fetched: by itself, or in the background where that is allowed and they
 * are many.
 */
function fetcherOf(
  { plan, signal }: CollectRequest,
  { fetchWindow, background }: Fetchers,
  windows: () => WindowToFetch[],
) {
  const many = plan.firstPart === undefined ? [] : windows();
  if (plan.firstPart === undefined || many.length <= plan.firstPart.wholeMax)
    return {
      fetch: (window: WindowToFetch) => fetchWindow({ ...window, signal }),
      end: () => {},
      concurrency: FETCHES_PER_REQUEST,
    };
  const { of, end } = background.begin(many, { waitS: plan.firstPart.waitS, signal });
  return { fetch: ({ symbol }: WindowToFetch) => of(symbol), end, concurrency: many.length + 1 };
}

/** Returns the outcome of a fetch that failed. */
function failedOf(
  store: Pick<PriceStore, "cacheUnknown">,
  symbol: string,
  { days, gaps }: Missing,
  error: unknown,
  feedAnswered: boolean,
): Collected {
  if (!(error instanceof AsofError)) throw error;
  const isUnknown = error instanceof NotFound && !(error instanceof NotRead);
  if (isUnknown) store.cacheUnknown(symbol, error, days);
  // The feed has bars of it: that the price provider knows no such symbol is no failure of the answer.
  return { asked: true, failure: isUnknown && feedAnswered ? null : error, missing: gaps };
}

/** Returns the outcome of a fetch. */
function fetchedOf(
  { gaps }: Missing,
  fetched: Fetched | null,
  isRefetch: boolean,
  calendar: Calendar,
): Collected {
  const { listing, absent = [] } = fetched ?? {};
  const empty = new Set(absent.flatMap((day) => (isGap(day, listing, calendar) ? [] : [day.date])));
  return {
    asked: true,
    failure: null,
    // Days before a first trade that only this fetch has shown are no gaps, as at the next visit.
    missing: gaps.filter((date) => !empty.has(date) && date >= (listing?.first_trade_date ?? "")),
    ...(isRefetch && fetched && !fetched.seam ? { refreshed: refreshedOf(fetched) } : {}),
  };
}

/**
 * Asks the price provider for what is missing. Of symbols the feed has answered for, nothing is refetched.
 */
function providerCollector(
  { store, calendar, source }: HistoryDeps,
  findMissing: ReturnType<typeof missingFinder>,
  fetchers: Fetchers,
) {
  return async function collectFromProvider(
    request: CollectRequest,
    feedAnswers: FeedAnswers,
    stored: StoredDays | undefined,
  ) {
    const { symbols, ranges, plan, signal } = request;
    const began = stored?.readAt ?? systemTimers.elapsedMs();
    const refetches = (symbol: string) => plan.refetch && !feedAnswers.has(symbol);
    const missingOf = await findMissing({ symbols, ranges, refetches }, stored);
    /**
     * Returns the window to fetch of a symbol; null where none is needed, or the provider knows no such
     * symbol.
     */
    const windowOf = (symbol: string, { window, facts }: Missing): WindowToFetch | null => {
      const isRefetch = refetches(symbol);
      if (window === null || (!isRefetch && store.unknown(symbol))) return null;
      return { symbol, window, facts, source, notesAbsent: true, readAt: isRefetch ? ALWAYS : began };
    };
    const fetcher = fetcherOf(request, fetchers, () =>
      symbols.flatMap((symbol) => windowOf(symbol, missingOf(symbol)) ?? []),
    );

    const collectOne = async (symbol: string): Promise<Collected> => {
      const missing = missingOf(symbol);
      const asked = feedAnswers.has(symbol);
      const refreshed = feedAnswers.get(symbol) ?? undefined;
      const window = windowOf(symbol, missing);
      const unknown = missing.window === null || asked || refetches(symbol) ? null : store.unknown(symbol);
      if (window === null) return { asked, failure: unknown, missing: missing.gaps, refreshed };
      try {
        return { refreshed, ...fetchedOf(missing, await fetcher.fetch(window), refetches(symbol), calendar) };
      } catch (error) {
        return { ...failedOf(store, symbol, missing, error, asked), refreshed };
      }
    };
    const outcomes = await mapSettled(symbols, collectOne, { concurrency: fetcher.concurrency, signal });
    fetcher.end();
    signal?.throwIfAborted();
    for (const outcome of outcomes) if (!outcome.ok) throw outcome.error;
    return new Map(outcomes.flatMap((outcome) => (outcome.ok ? [[outcome.item, outcome.value]] : [])));
  };
}

export type History = ReturnType<typeof dailyHistory>;
