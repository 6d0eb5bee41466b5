// Asks the providers and stores what is new; one that fails keeps none of the others from theirs.
import { forEachSequential } from "../../market/bulk.ts";
import type { Headline, Headlines } from "../../market/headline.ts";
import type { Clock } from "../../platform/clock.ts";
import { AsofError, StorageUnavailable } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { NewsLedger } from "./ledger.ts";
import {
  type ArchiveSource,
  feedsOf,
  type NewsSource,
  type ProviderName,
  type StreamSource,
  type TickerSource,
} from "./sources.ts";
import type { NewsStore } from "./store.ts";

export interface TimeRange {
  readonly start: Temporal.Instant;
  readonly end: Temporal.Instant;
}

export interface IngestOptions {
  readonly providers: readonly ProviderName[];
  /** Canonical; null: everybody's news, and the feeds of followed symbols whose turn it is. */
  readonly symbols: readonly string[] | null;
  /** Only articles published then; null: the newest, of an archive those changed since it was last read. */
  readonly range: TimeRange | null;
  /** History: feeds that hold only their newest articles have none. */
  readonly history: boolean;
}

/** What became of one provider. Every article fetched was inserted, updated or met before. */
export interface ProviderResult {
  readonly provider: ProviderName;
  readonly fetched: number;
  readonly inserted: number;
  readonly updated: number;
  readonly duplicates: number;
  /** Items that could not be read as an article. */
  readonly unread: number;
  readonly error: string | null;
}

/** Symbols whose own feeds one poll reads: with a request a second the others get their turn within the next polls. */
export const TICKERS_A_POLL = 20;
/** Failures one after the other, after which a provider is taken to be down. */
const FAULTS_MAX = 2;
/** Pages of an archive stored together. */
const PAGES_A_SAVE = 10;
/** An archive's articles may appear late: the end of the last reading is read again. */
const OVERLAP_S = 15 * 60;
const FIRST_READ_S = 24 * 3600;
/** Of tickers somebody asks for by name. */
const TICKERS_BACK_S = 7 * 24 * 3600;
/** What lies further back is the backfill's. */
const POLL_BACK_S_MAX = 3 * 24 * 3600;

export interface IngestDeps {
  readonly sources: readonly NewsSource[];
  isListed(symbol: string): boolean | null;
  readonly store: NewsStore;
  readonly ledger: NewsLedger;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn" | "error">;
}

class Tally {
  fetched = 0;
  inserted = 0;
  updated = 0;
  unread = 0;

  add({ articles, unread }: Headlines, saved: { inserted: number; updated: number }) {
    this.fetched += articles.length;
    this.unread += unread;
    this.inserted += saved.inserted;
    this.updated += saved.updated;
  }

  result(provider: ProviderName, error: string | null): ProviderResult {
    const { fetched, inserted, updated, unread } = this;
    return { provider, fetched, inserted, updated, duplicates: fetched - inserted - updated, unread, error };
  }
}

const together = (all: readonly Headlines[]): Headlines => ({
  articles: all.flatMap(({ articles }) => articles),
  unread: all.reduce((sum, { unread }) => sum + unread, 0),
});

/** Articles of the feed that were asked for; one without a publication belongs to no span of time. */
function narrowed({ articles, unread }: Headlines, { symbols, range }: IngestOptions): Headlines {
  const isMeant = ({ tickers, published_at }: Headline) =>
    (symbols === null || tickers.some((ticker) => symbols.includes(ticker))) &&
    (range === null ||
      (published_at !== null &&
        Temporal.Instant.compare(published_at, range.start) >= 0 &&
        Temporal.Instant.compare(published_at, range.end) <= 0));
  return { articles: articles.filter(isMeant), unread };
}

export function newsIngest({ sources, isListed, store, ledger, clock, log }: IngestDeps) {
  const keep = async (provider: ProviderName, found: Headlines, tally: Tally) =>
    tally.add(found, await store.save(provider, found.articles));

  const newestSpan = (provider: ProviderName, { symbols }: IngestOptions): TimeRange => {
    const end = clock.now();
    if (symbols !== null) return { start: end.subtract({ seconds: TICKERS_BACK_S }), end };
    const { last_success_at } = ledger.state(provider);
    const since = last_success_at
      ? Temporal.Instant.from(last_success_at).subtract({ seconds: OVERLAP_S })
      : end.subtract({ seconds: FIRST_READ_S });
    const earliest = end.subtract({ seconds: POLL_BACK_S_MAX });
    return { start: Temporal.Instant.compare(since, earliest) < 0 ? earliest : since, end };
  };

  const fromArchive = async (
    source: ArchiveSource,
    options: IngestOptions,
    tally: Tally,
    signal: AbortSignal,
  ) => {
    const { start, end } = options.range ?? newestSpan(source.name, options);
    let pages: Headlines[] = [];
    try {
      for await (const page of source.pages({ symbols: options.symbols ?? [], start, end, signal })) {
        pages.push(page);
        if (pages.length < PAGES_A_SAVE) continue;
        const found = together(pages);
        pages = [];
        await keep(source.name, found, tally);
      }
    } finally {
      // Pages that came before a failure are whole.
      await keep(source.name, together(pages), tally);
    }
  };

  const fromStream = async (
    source: StreamSource,
    options: IngestOptions,
    tally: Tally,
    signal: AbortSignal,
  ) => keep(source.name, narrowed(await source.newest(signal), options), tally);

  const byTicker = async (
    source: TickerSource,
    options: IngestOptions,
    tally: Tally,
    signal: AbortSignal,
  ) => {
    const found: Headlines[] = [];
    const errors: AsofError[] = [];
    const read = async (symbol: string) => {
      const headlines = await source.about(symbol, signal);
      // Not every feed says so of a symbol it does not know: an empty one that no exchange lists counts as such.
      const isEmpty = headlines === null || headlines.articles.length + headlines.unread === 0;
      const isUnknown = headlines === null || (isEmpty && isListed(symbol) === false);
      ledger.read(source.name, symbol, isUnknown);
      if (isUnknown) ledger.drop(symbol, feedsOf(sources));
      else found.push(narrowed(headlines, { ...options, symbols: null }));
    };
    const failed = (symbol: string, error: AsofError) => {
      errors.push(error);
      log.warn("headlines could not be read", { provider: source.name, symbol, reason: error.message });
    };
    try {
      const symbols = options.symbols ?? ledger.due(source.name, TICKERS_A_POLL);
      await forEachSequential(symbols, read, { failuresMax: FAULTS_MAX, signal, failed });
    } catch (error) {
      if (!errors.includes(error as AsofError)) throw error;
    } finally {
      await keep(source.name, together(found), tally);
    }
    // The first says why; those after it may only be the breaker's.
    const [first] = errors;
    if (first) throw first;
  };

  const ask = (
    source: NewsSource,
    options: IngestOptions,
    tally: Tally,
    signal: AbortSignal,
  ): Promise<void> => {
    if (source.kind === "archive") return fromArchive(source, options, tally, signal);
    return source.kind === "stream"
      ? fromStream(source, options, tally, signal)
      : byTicker(source, options, tally, signal);
  };

  const refusalOf = (source: NewsSource, { history }: IngestOptions): string | null => {
    if (!source.configured)
      return "It is not configured: MARKETFEED_API_KEY and MARKETFEED_SECRET_KEY are needed.";
    if (!source.enabled)
      return "It is not enabled: it stands in for the brokerage feed while that has no keys.";
    return history && source.kind !== "archive"
      ? "It has no history: its feed holds only its newest articles, which every ingest reads."
      : null;
  };

  const one = async (
    source: NewsSource,
    options: IngestOptions,
    signal: AbortSignal,
  ): Promise<ProviderResult> => {
    const tally = new Tally();
    const refusal = refusalOf(source, options);
    if (refusal !== null) return tally.result(source.name, refusal);
    // Only a poll of everything tells whether the next one may begin where it ended.
    const isPoll = options.range === null && options.symbols === null;
    try {
      await ask(source, options, tally, signal);
      if (isPoll) ledger.polled(source.name, null);
      return tally.result(source.name, null);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof StorageUnavailable) throw error;
      if (!(error instanceof AsofError))
        log.error("news could not be ingested", { provider: source.name, error: error });
      const description =
        error instanceof AsofError ? error.message : "It failed in a way nobody foresaw; the log says how.";
      if (isPoll) ledger.polled(source.name, description);
      return tally.result(source.name, description);
    }
  };

  return {
    /** All at once; the results in the order of the providers. Throws only what concerns the store or the signal. */
    async ingest(options: IngestOptions, signal: AbortSignal): Promise<ProviderResult[]> {
      const asked = sources.filter(({ name }) => options.providers.includes(name));
      const settled = await Promise.allSettled(asked.map((source) => one(source, options, signal)));
      return settled.map((outcome) => {
        if (outcome.status === "rejected") throw outcome.reason;
        return outcome.value;
      });
    },
    /** Whether one of them has history that can be read. */
    hasHistory: (providers: readonly ProviderName[]) =>
      sources.some(({ name, kind, enabled }) => kind === "archive" && enabled && providers.includes(name)),
    feeds: () => feedsOf(sources),
    enabled: (): ProviderName[] => sources.filter(({ enabled }) => enabled).map(({ name }) => name),
  };
}

export type NewsIngest = ReturnType<typeof newsIngest>;
