// The first pass over many symbols: the brokerage feed, which takes a hundred symbols per request. What it lacks (symbols,
// days before its history, answers that contradict themselves) is left to the price provider.
import { mapSettled } from "../../market/bulk.ts";
import { AsofError } from "../../platform/errors.ts";
import type { Window } from "./fetch-daily.ts";
import type { FeedSource } from "./sources.ts";

/** The days one symbol misses. */
export interface SymbolWindow {
  readonly symbol: string;
  readonly window: Window;
}

/** All of a request at once: the feed batches only what it is asked for at the same time. */
const CONCURRENCY = 1_000;

/**
 * Runs `fetchWindow` for every window the feed's history reaches into, and resolves to the symbols it answered for.
 * Symbols that failed are left out. Rejects when the store fails.
 */
export async function feedPass(
  { historyFrom }: FeedSource,
  windows: readonly SymbolWindow[],
  fetchWindow: (one: SymbolWindow) => Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<string>> {
  if (windows.length === 0) return new Set();
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
  const answered = new Set<string>();
  for (const outcome of outcomes) {
    if (outcome.ok) answered.add(outcome.item.symbol);
    else if (!(outcome.error instanceof AsofError) || outcome.error.code === "database_unavailable")
      throw outcome.error;
  }
  return answered;
}
