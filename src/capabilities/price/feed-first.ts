// The first pass over many symbols: the brokerage feed, a hundred symbols a question. What it lacks (symbols, days
// before its history, answers that contradict themselves) is left for the price provider.
import { mapSettled } from "../../market/bulk.ts";
import { AsofError } from "../../platform/errors.ts";
import type { Window } from "./fetch-daily.ts";
import type { FeedSource } from "./sources.ts";

/** One symbol and the days wanted of it. */
export interface Wanted {
  readonly symbol: string;
  readonly window: Window;
}

/** Asked and stored; null when another request has just done so. Rejects with why not. */
export type Fill = (source: FeedSource, symbol: string, window: Window) => Promise<unknown>;

/** All of a request at once: the feed is asked in batches, and what is not asked at one moment is not batched. */
const AT_ONCE = 1_000;

/** Symbols the feed has answered for; whatever failed is left to the next in line. Only a store's failure throws. */
export async function feedPass(
  feed: FeedSource | undefined,
  wanted: readonly Wanted[],
  fill: Fill,
  signal: AbortSignal | undefined,
): Promise<Set<string>> {
  if (!feed?.isConfigured() || wanted.length === 0) return new Set();
  const { historyFrom } = feed;
  const within = wanted.filter(({ window }) => window.end >= historyFrom);
  const outcomes = await mapSettled(
    within,
    ({ symbol, window }) => {
      const start = window.start !== null && window.start > historyFrom ? window.start : historyFrom;
      return fill(feed, symbol, { start, end: window.end });
    },
    { concurrency: AT_ONCE, signal },
  );
  signal?.throwIfAborted();
  const answered = new Set<string>();
  for (const outcome of outcomes) {
    if (outcome.ok) answered.add(outcome.item.symbol);
    else if (!(outcome.error instanceof AsofError) || outcome.error.code === "database_unavailable")
      throw outcome.error;
  }
  return answered;
}
