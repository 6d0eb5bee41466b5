// Fills bars for the point-in-time panel from the brokerage feed: by the symbol as traded, of the company
// that held it then.
import { FINAL_BASIS } from "../../../datasets/bars-daily.ts";
import type { PanelFillRequest } from "../../../market/bar-history.ts";
import { mapSettled } from "../../../market/bulk.ts";
import type { Services } from "../../../market/services.ts";
import { type AsofError, NotFound, UpstreamRefused } from "../../../platform/errors.ts";
import type { Fetched, Seam, Window } from "../fetched.ts";
import { UNKNOWN_LISTING } from "../gaps.ts";
import type { FeedSource } from "../sources.ts";
import { barRow } from "../store/lake-rows.ts";
import type { PriceStore } from "../store/store.ts";
import type { SymbolFacts } from "../store/symbol-facts.ts";
import { fetchDaily } from "./fetch-daily.ts";
import type { History } from "./history.ts";

export interface PanelDeps extends Pick<Services, "calendar" | "clock"> {
  readonly feed: FeedSource;
  readonly store: PriceStore;
  readonly history: History;
}

/** An error about one symbol; any other error ends the batch. */
const isSymbolError = (error: unknown): error is NotFound | UpstreamRefused =>
  error instanceof NotFound || error instanceof UpstreamRefused;

const offBasis = (source: string, symbol: string, { text }: Seam) =>
  new UpstreamRefused(
    source,
    `Prices of ${symbol} are off the stored ones by ${text}, and no listed split explains it.`,
  );

function cut(fetched: Fetched, { start, end }: { readonly start: string; readonly end: string }): Fetched {
  const settled = fetched.settled.filter(({ date }) => date >= start && date <= end);
  return { ...fetched, settled, absent: [] };
}

/**
 * Fetches a batch and stores it. Resolves to the number of stored bars by symbol, or the error of a symbol.
 * Throws what concerns all symbols: the feed or the store is down.
 */
export function panelFill(deps: PanelDeps) {
  const { store } = deps;
  const fetchSymbol = feedFetcher(deps);

  const save = async (fetched: readonly Fetched[], isFormer: boolean): Promise<readonly Fetched[]> => {
    if (isFormer)
      await store.saveFormer(
        fetched.flatMap((one) =>
          one.settled.map((bar) => ({ ...barRow(one, bar), basis_date: FINAL_BASIS })),
        ),
      );
    else if (fetched.length > 0) return store.save(fetched);
    return fetched;
  };

  return async function fillPanel(
    request: PanelFillRequest,
  ): Promise<ReadonlyMap<string, number | AsofError>> {
    const { symbols, isFormer, signal } = request;
    const facts = await store.factsToFetch(symbols);
    const outcomes = await mapSettled(symbols, (symbol) => fetchSymbol(symbol, request, facts(symbol)), {
      concurrency: symbols.length || 1,
      signal,
    });
    signal.throwIfAborted();
    const fetched = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
    const saved = await save(fetched, isFormer);
    const stored = new Map<string, number | AsofError>();
    for (const { symbol, settled, seam } of saved) {
      // The price provider is asked for all stored days then, which may explain the feed's prices.
      const error = seam && offBasis(deps.feed.name, symbol, seam);
      stored.set(symbol, error ? await fromPriceProvider(deps, symbol, request, error) : settled.length);
    }
    for (const outcome of outcomes) {
      if (outcome.ok) continue;
      const { item, error } = outcome;
      if (!isSymbolError(error)) throw error;
      stored.set(item, await fromPriceProvider(deps, item, request, error));
    }
    return stored;
  };
}

/** Fetches one symbol from the feed, cut to the days of its run. */
function feedFetcher({ feed, calendar, clock }: PanelDeps) {
  const fetchWindow = async (
    symbol: string,
    window: Window,
    { asof, isFormer, within, signal }: PanelFillRequest,
    facts: SymbolFacts,
  ): Promise<Fetched> => {
    const source = {
      name: feed.name,
      daily: (request: Parameters<FeedSource["daily"]>[0]) => feed.daily({ ...request, asof }),
    };
    // The known actions are those of the symbol's present holder.
    const known = isFormer ? null : { from: facts.actionsFrom, through: facts.actionsThrough };
    const listing = isFormer ? UNKNOWN_LISTING : (facts.listing ?? UNKNOWN_LISTING);
    const by = { source, calendar, clock };
    return cut(await fetchDaily(symbol, window, known, listing, by, signal), within(symbol));
  };

  return async function fetchFromFeed(
    symbol: string,
    request: PanelFillRequest,
    facts: SymbolFacts,
  ): Promise<Fetched> {
    const { start, end } = request;
    try {
      return await fetchWindow(symbol, { start, end }, request, facts);
    } catch (error) {
      const own = request.within(symbol);
      if (!(error instanceof UpstreamRefused) || (own.start <= start && own.end >= end)) throw error;
      // The feed's contradiction may lie outside the symbol's own days: these are fetched once more by
      // themselves.
      return fetchWindow(symbol, own, request, facts);
    }
  };
}

/**
 * Days the feed has nothing of, or contradicts itself about, may be known to the price provider when the
 * symbol trades.
 */
async function fromPriceProvider(
  { history, store }: PanelDeps,
  symbol: string,
  { asof, within, signal }: PanelFillRequest,
  error: AsofError,
): Promise<number | AsofError> {
  if (asof !== undefined) return error;
  const ranges = [within(symbol)];
  const plan = { source: "provider", refetch: false } as const;
  const collected = (await history.collect({ symbols: [symbol], ranges, plan, signal })).get(symbol);
  if (!collected || collected.failure || history.seamOf(symbol) !== null) return error;
  return (await store.days([symbol], ranges))(symbol).length;
}

/**
 * Fully adjusted closes of a span, of the company that held the symbol on `asof`; empty when the feed has
 * nothing.
 */
export function panelCloses({ feed }: Pick<PanelDeps, "feed">) {
  return async function readPanelCloses(
    symbol: string,
    start: string,
    end: string,
    asof: string,
    signal: AbortSignal,
  ) {
    try {
      const { bars } = await feed.daily({ symbol, start, end, asof, signal });
      return new Map(bars.map((bar) => [bar.date, bar.close]));
    } catch (error) {
      if (!isSymbolError(error)) throw error;
      return new Map<string, number>();
    }
  };
}
