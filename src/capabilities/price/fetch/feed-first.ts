// The first pass over many symbols: the brokerage feed, which takes a hundred symbols per request. What it
// lacks (symbols, days before its history, answers that contradict themselves) is left to the price provider.
import { mapSettled } from "../../../market/bulk.ts";
import { AsofError } from "../../../platform/errors.ts";
import type { Refreshed, Window } from "../fetched.ts";
import type { FeedAnswers } from "../request/daily-query.ts";
import type { FeedSource } from "../sources.ts";

/** The days one symbol misses. */
export interface SymbolWindow {
  readonly symbol: string;
  readonly window: Window;
}

/** All of a request at once: the feed batches only what it is asked for at the same time. */
const CONCURRENCY = 1_000;

/**
 * Runs `fetchWindow` for every window the feed's history reaches into, and resolves to the symbols it
 * answered for with what `fetchWindow` gave for them. Symbols that failed or gave undefined are left out.
 * Rejects when the store fails.
 */
export async function feedPass(
  { historyFrom }: FeedSource,
  windows: readonly SymbolWindow[],
  fetchWindow: (one: SymbolWindow) => Promise<Refreshed | null | undefined>,
  signal: AbortSignal | undefined,
): Promise<FeedAnswers> {
  if (windows.length === 0) return new Map();
  const within = windows.filter(({ window }) => window.end >= historyFrom);
  const outcomes = await mapSettled(
    within,
    ({ symbol, window: { start, end } }) =>
      fetchWindow({
        symbol,
        window: { start: start !== null && start > historyFrom ? start : historyFrom, end },
      }),
    { concurrency: CONCURRENCY, signal },
  );
  signal?.throwIfAborted();
  const answered = new Map<string, Refreshed | null>();
  for (const outcome of outcomes) {
    if (outcome.ok) {
      if (outcome.value !== undefined) answered.set(outcome.item.symbol, outcome.value);
    } else if (!(outcome.error instanceof AsofError) || outcome.error.code === "database_unavailable")
      throw outcome.error;
  }
  return answered;
}
