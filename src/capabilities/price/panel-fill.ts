// Fills bars for the point-in-time panel from the brokerage feed: by the symbol as traded, of the company that bore it.
import { FINAL_BASIS } from "../../datasets/bars-daily.ts";
import { mapSettled } from "../../market/bulk.ts";
import type { Calendar } from "../../market/calendar.ts";
import type { Clock } from "../../platform/clock.ts";
import { type AsofError, NotFound, StorageUnavailable, UpstreamRefused } from "../../platform/errors.ts";
import { type Fetched, fetchDaily } from "./fetch-daily.ts";
import { UNKNOWN_LISTING } from "./gaps.ts";
import type { History } from "./history.ts";
import { barRow } from "./lake-rows.ts";
import type { FeedSource } from "./sources.ts";
import type { PriceStore, SymbolFacts } from "./store.ts";

export interface PanelDeps {
  readonly feed: FeedSource;
  readonly store: PriceStore;
  readonly history: History;
  readonly calendar: Calendar;
  readonly clock: Clock;
}

export interface PanelAsk {
  /** At most 100. */
  readonly symbols: readonly string[];
  readonly start: string;
  readonly end: string;
  readonly asof?: string | undefined;
  within(symbol: string): { readonly start: string; readonly end: string };
  readonly isFormer: boolean;
  readonly signal: AbortSignal;
}

/** What is wrong with one symbol, told and left; anything else ends the batch. */
const isOwn = (error: unknown): error is NotFound | UpstreamRefused =>
  error instanceof NotFound || error instanceof UpstreamRefused;

function cut(fetched: Fetched, span: { start: string; end: string }): Fetched {
  const settled = fetched.settled.filter((bar) => bar.date >= span.start && bar.date <= span.end);
  return { ...fetched, settled, absent: [] };
}

export function panelFill({ feed, store, history, calendar, clock }: PanelDeps) {
  /** What the feed contradicts itself about, or has nothing of, the price provider may know of a symbol that trades. */
  const fromProvider = async (
    symbol: string,
    ask: PanelAsk,
    error: AsofError,
  ): Promise<number | AsofError> => {
    if (ask.asof !== undefined) return error;
    const span = ask.within(symbol);
    const request = { symbols: [symbol], ranges: [span], force: false, signal: ask.signal };
    const collected = (await history.collect(request)).get(symbol);
    if (!collected || collected.failure) return error;
    return (await store.days([symbol], [span]))(symbol).length;
  };

  const fetchOne = async (symbol: string, ask: PanelAsk, facts: SymbolFacts): Promise<Fetched> => {
    const { start, end, asof, isFormer, signal } = ask;
    const source = {
      name: feed.name,
      daily: (request: Parameters<FeedSource["daily"]>[0]) => feed.daily({ ...request, asof }),
    };
    const by = { source, calendar, clock };
    // Actions of the symbol's present bearer are nobody else's.
    const through = isFormer ? null : facts.actionsThrough;
    const listing = isFormer ? UNKNOWN_LISTING : (facts.listing ?? UNKNOWN_LISTING);
    return cut(await fetchDaily(symbol, { start, end }, through, listing, by, signal), ask.within(symbol));
  };

  /** Once more by itself, when what the feed contradicts itself about lies before the symbol's own days. */
  const fetchAlone = async (symbol: string, ask: PanelAsk, facts: SymbolFacts): Promise<Fetched> => {
    try {
      return await fetchOne(symbol, ask, facts);
    } catch (error) {
      const own = ask.within(symbol);
      if (!(error instanceof UpstreamRefused) || own.start <= ask.start) throw error;
      return fetchOne(symbol, { ...ask, start: own.start }, facts);
    }
  };

  /** Stored bars by symbol, or why there are none. Throws what concerns all of them: the feed or the store is down. */
  return async (ask: PanelAsk): Promise<ReadonlyMap<string, number | AsofError>> => {
    const facts = await store.factsToFetch(ask.symbols);
    const outcomes = await mapSettled(ask.symbols, (symbol) => fetchAlone(symbol, ask, facts(symbol)), {
      concurrency: ask.symbols.length || 1,
      signal: ask.signal,
    });
    ask.signal.throwIfAborted();
    const fetched = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
    if (ask.isFormer) {
      const rows = fetched.flatMap((one) =>
        one.settled.map((bar) => ({ ...barRow(one, bar), basis_date: FINAL_BASIS })),
      );
      await store.saveFormer(rows);
    } else if (fetched.length > 0) await store.save(fetched);
    const stored = new Map<string, number | AsofError>(
      fetched.map((one) => [one.symbol, one.settled.length]),
    );
    for (const outcome of outcomes) {
      if (outcome.ok) continue;
      const { item, error } = outcome;
      if (!isOwn(error)) throw error;
      stored.set(item, await fromProvider(item, ask, error));
    }
    return stored;
  };
}

/** Fully adjusted closes of a span as the company of `asof` bore the symbol; none where the feed has nothing. */
export function panelCloses({ feed }: Pick<PanelDeps, "feed">) {
  return async (symbol: string, start: string, end: string, asof: string, signal: AbortSignal) => {
    try {
      const { bars } = await feed.daily({ symbol, start, end, asof, signal });
      return new Map(bars.map((bar) => [bar.date, bar.close]));
    } catch (error) {
      if (error instanceof StorageUnavailable || !isOwn(error)) throw error;
      return new Map<string, number>();
    }
  };
}
