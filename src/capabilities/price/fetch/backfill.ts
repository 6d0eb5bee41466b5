// Fills the lake with the history of many symbols: daily bars as the routes fetch them, intraday bars of
// finished sessions.
import { mapSettled } from "../../../market/bulk.ts";
import { newYorkDate, startOfDay } from "../../../market/calendar.ts";
import { addDays, earlierDay } from "../../../market/date.ts";
import { type IntradayInterval, intradayInterval, lookbackDays } from "../../../market/interval.ts";
import type { Services } from "../../../market/services.ts";
import { AsofError, InvalidRequest } from "../../../platform/errors.ts";
import { lastSettledDay, UNKNOWN_LISTING } from "../gaps.ts";
import type { FetchPlan } from "../request/daily-query.ts";
import type { BarSource } from "../sources.ts";
import type { PriceStore } from "../store/store.ts";
import type { History } from "./history.ts";

export interface BackfillOptions {
  /** "1d" or an intraday interval. */
  readonly interval: string;
  /** null: all history; for intraday, the provider's look-back. */
  readonly start: string | null;
  readonly end: string;
  /** Daily bars: ask the brokerage feed, a hundred symbols per request, before the price provider. */
  readonly feedFirst?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Called as each symbol ends, with the error when it failed. */
export type OnSymbol = (symbol: string, error: Error | null) => void;

export type Backfill = (
  symbols: readonly string[],
  options: BackfillOptions,
  onSymbol: OnSymbol,
) => Promise<void>;

export interface BackfillDeps extends Pick<Services, "calendar" | "clock"> {
  readonly history: History;
  readonly source: BarSource;
  readonly store: PriceStore;
}

/** The backfill behind `cli backfill prices`. What is stored already is not fetched again. */
export function priceBackfill(deps: BackfillDeps): Backfill {
  const daily = dailyBackfill(deps);
  const intraday = intradayBackfill(deps);
  return (symbols, options, onSymbol) => {
    if (options.interval === "1d") return daily(symbols, options, onSymbol);
    const interval = intradayInterval(options.interval);
    if (interval === null)
      throw new InvalidRequest("bad_request", `${options.interval} is neither 1d nor an intraday interval.`);
    return intraday(symbols, interval, options, onSymbol);
  };
}

/** Runs `one` for every symbol. An unexpected error ends the run, or the symbol would count as filled. */
async function forEachSymbol(
  symbols: readonly string[],
  one: (symbol: string) => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const outcomes = await mapSettled(symbols, one, { concurrency: symbols.length || 1, signal });
  signal?.throwIfAborted();
  for (const outcome of outcomes) if (!outcome.ok) throw outcome.error;
}

function dailyBackfill({ history }: BackfillDeps) {
  return async function backfillDaily(
    symbols: readonly string[],
    options: BackfillOptions,
    onSymbol: OnSymbol,
  ) {
    const { start, end, signal, feedFirst } = options;
    const ranges = [{ start, end }];
    const provider: FetchPlan = { source: "provider", refetch: false };
    const answered = feedFirst
      ? await history.feedFirst({ symbols, ranges, plan: provider, signal })
      : undefined;
    const afterFeed: FetchPlan = { source: "provider_after_feed", refetch: false, feedAnswers: answered };
    const one = async (symbol: string) => {
      const plan = answered?.has(symbol) ? afterFeed : provider;
      const collected = await history.collect({ symbols: [symbol], ranges, plan, signal });
      onSymbol(symbol, collected.get(symbol)?.failure ?? null);
    };
    await forEachSymbol(symbols, one, signal);
  };
}

/**
 * The provider serves so many days of one-minute bars in one request, and of any other interval
 * `DAYS_PER_REQUEST`.
 */
const MINUTE_DAYS_PER_REQUEST = 7;
const DAYS_PER_REQUEST = 60;

function* pieces(start: string, end: string, days: number): Iterable<{ start: string; end: string }> {
  for (let from = start; from <= end; from = addDays(from, days)) {
    const to = addDays(from, days - 1);
    yield { start: from, end: earlierDay(to, end) };
  }
}

function intradayBackfill({ source, store, calendar, clock }: BackfillDeps) {
  /** Fetches the pieces of a span that hold a session without stored bars. */
  const fill = async (
    symbol: string,
    interval: IntradayInterval,
    span: { readonly start: string; readonly end: string },
    signal: AbortSignal | undefined,
  ) => {
    const stored = await store.intradayDates(symbol, interval, source.name);
    const days = interval === "1m" ? MINUTE_DAYS_PER_REQUEST : DAYS_PER_REQUEST;
    for (const { start, end } of pieces(span.start, span.end, days)) {
      if (calendar.sessionsBetween(start, end).every((session) => stored.has(session))) continue;
      const answer = await source.chart({
        symbol,
        interval,
        start: startOfDay(start),
        end: startOfDay(addDays(end, 1)),
        prePost: true,
        signal,
      });
      await store.saveIntraday(symbol, interval, source.name, answer);
    }
  };

  return async function backfillIntraday(
    symbols: readonly string[],
    interval: IntradayInterval,
    options: BackfillOptions,
    onSymbol: OnSymbol,
  ) {
    const now = clock.now();
    const earliest = addDays(newYorkDate(now), 1 - lookbackDays(interval));
    const start = options.start === null || options.start < earliest ? earliest : options.start;
    const end = earlierDay(options.end, lastSettledDay(UNKNOWN_LISTING, calendar, now));
    const one = async (symbol: string) => {
      try {
        await fill(symbol, interval, { start, end }, options.signal);
        onSymbol(symbol, null);
      } catch (error) {
        if (!(error instanceof AsofError)) throw error;
        onSymbol(symbol, error);
      }
    };
    await forEachSymbol(symbols, one, options.signal);
  };
}
