// The provisional bars of one session, fetched from the brokerage feed for the point-in-time panel and stored
// apart.
import type { barsProvisional } from "../../../datasets/bars-provisional.ts";
import { mapSettled } from "../../../market/bulk.ts";
import { NotFound, UpstreamRefused } from "../../../platform/errors.ts";
import type { RowOf } from "../../../platform/lake/dataset.ts";
import type { FeedSource } from "../sources.ts";
import type { PriceStore } from "../store/store.ts";

export interface ProvisionalRequest {
  /** Canonical, at most 100. */
  readonly symbols: readonly string[];
  /** A session that has closed and is not settled. */
  readonly session: string;
  readonly signal: AbortSignal;
}

/**
 * Fetches a session's bars of a batch and stores them; resolves to their number. A symbol that the feed does
 * not have, or contradicts itself about, has none. Throws what concerns all symbols, after storing what was
 * answered.
 */
export function panelProvisional({
  feed,
  store,
}: {
  feed: FeedSource;
  store: Pick<PriceStore, "saveProvisional">;
}) {
  const provisionalRow = async (symbol: string, { session, signal }: ProvisionalRequest) => {
    const { bars, meta, basis_date, received_at } = await feed.daily({
      symbol,
      start: session,
      end: session,
      signal,
    });
    return bars
      .filter(({ date, settled }) => date === session && !settled)
      .map(
        ({ date, open, high, low, close, volume, adj_close }): RowOf<typeof barsProvisional> => ({
          symbol,
          date,
          open,
          high,
          low,
          close,
          volume,
          adj_close,
          currency: meta.currency,
          basis_date,
          known_at: received_at.toString(),
          source: feed.name,
        }),
      );
  };

  return async function fetchProvisional(request: ProvisionalRequest): Promise<number> {
    const { symbols, signal } = request;
    const outcomes = await mapSettled(symbols, (symbol) => provisionalRow(symbol, request), {
      concurrency: symbols.length || 1,
      signal,
    });
    signal.throwIfAborted();
    const rows = outcomes.flatMap((outcome) => (outcome.ok ? outcome.value : []));
    await store.saveProvisional(rows);
    for (const outcome of outcomes)
      if (!outcome.ok && !(outcome.error instanceof NotFound || outcome.error instanceof UpstreamRefused))
        throw outcome.error;
    return rows.length;
  };
}
