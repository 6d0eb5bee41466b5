// Reads one provider's headlines and stores what is new: from its archive, its stream, or its feeds by
// symbol.
import { forEachSequential } from "../../market/bulk.ts";
import type { Headline, Headlines } from "../../market/headline.ts";
import type { Services } from "../../market/services.ts";
import type { AsofError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { DueFeeds } from "./due-feeds.ts";
import type { FollowedTickers } from "./followed-tickers.ts";
import type { ProviderStates } from "./provider-states.ts";
import {
  type ArchiveSource,
  feedsOf,
  type NewsSource,
  type ProviderName,
  type StreamSource,
  type TickerSource,
} from "./sources.ts";
import type { NewsStore } from "./store.ts";
import type { Tally } from "./tally.ts";

export interface TimeRange {
  readonly start: Temporal.Instant;
  readonly end: Temporal.Instant;
}

export interface IngestOptions {
  readonly providers: readonly ProviderName[];
  /** Canonical symbols; null: all news, and the feeds of the followed symbols that are due. */
  readonly symbols: readonly string[] | null;
  /** Only articles published in this range; null: the newest, of an archive those since its last reading. */
  readonly range: TimeRange | null;
  /** Read history; feeds that hold only their newest articles have none. */
  readonly history: boolean;
  /** Beside the followed symbols, reads the feeds of the most active ones and of the tracked universe. */
  readonly others?: boolean;
}

export interface SourceReaderDeps extends Pick<Services, "clock"> {
  readonly sources: readonly NewsSource[];
  /** Whether an exchange lists a canonical symbol; null while that is unknown. */
  isListed(symbol: string): boolean | null;
  readonly store: NewsStore;
  readonly providers: ProviderStates;
  readonly followed: FollowedTickers;
  readonly due: DueFeeds;
  readonly log: Pick<Log, "warn">;
}

/** After this many failures in a row the provider counts as down. */
const FAILURES_MAX = 2;
/** Pages of an archive that are stored together. */
const PAGES_A_SAVE = 10;
/** An archive may publish articles late, so the end of the last reading is read again. */
// Read up to 12:00, an archive is read from 11:45 on the next time.
const OVERLAP_S = 15 * 60;
const FIRST_READ_S = 24 * 3600;
/** How far back an archive is read for tickers that a request names. */
const TICKERS_BACK_S = 7 * 24 * 3600;
/** How far back a poll reads at most; the backfill reads what is older. */
// After five days off, the first poll reads three.
const POLL_BACK_S_MAX = 3 * 24 * 3600;

const concat = (all: readonly Headlines[]): Headlines => ({
  articles: all.flatMap(({ articles }) => articles),
  unread: all.reduce((sum, { unread }) => sum + unread, 0),
});

/** The articles of a feed that match the options. An article without a publication time matches no range. */
function filtered({ articles, unread }: Headlines, { symbols, range }: IngestOptions): Headlines {
  const matches = ({ tickers, published_at }: Headline) =>
    (symbols === null || tickers.some((ticker) => symbols.includes(ticker))) &&
    (range === null ||
      (published_at !== null &&
        Temporal.Instant.compare(published_at, range.start) >= 0 &&
        Temporal.Instant.compare(published_at, range.end) <= 0));
  return { articles: articles.filter(matches), unread };
}

export function sourceReader(deps: SourceReaderDeps) {
  const { sources, isListed, store, providers, followed, due, clock, log } = deps;

  const save = async (provider: ProviderName, found: Headlines, tally: Tally) =>
    tally.add(found, await store.save(provider, found.articles));

  /** The range of an archive that holds its newest articles. */
  const newestRange = (provider: ProviderName, { symbols }: IngestOptions): TimeRange => {
    const end = clock.now();
    if (symbols !== null) return { start: end.subtract({ seconds: TICKERS_BACK_S }), end };
    const { last_success_at } = providers.state(provider);
    const since = last_success_at
      ? Temporal.Instant.from(last_success_at).subtract({ seconds: OVERLAP_S })
      : end.subtract({ seconds: FIRST_READ_S });
    const earliest = end.subtract({ seconds: POLL_BACK_S_MAX });
    return { start: Temporal.Instant.compare(since, earliest) < 0 ? earliest : since, end };
  };

  const readArchive = async (
    source: ArchiveSource,
    options: IngestOptions,
    tally: Tally,
    signal: AbortSignal,
  ) => {
    const { start, end } = options.range ?? newestRange(source.name, options);
    let pages: Headlines[] = [];
    try {
      for await (const page of source.pages({ symbols: options.symbols ?? [], start, end, signal })) {
        pages.push(page);
        if (pages.length < PAGES_A_SAVE) continue;
        const found = concat(pages);
        pages = [];
        await save(source.name, found, tally);
      }
    } finally {
      // Pages that arrived before a failure are complete.
      await save(source.name, concat(pages), tally);
    }
  };

  const readStream = async (
    source: StreamSource,
    options: IngestOptions,
    tally: Tally,
    signal: AbortSignal,
  ) => save(source.name, filtered(await source.newest(signal), options), tally);

  const readTickerFeeds = async (
    source: TickerSource,
    options: IngestOptions,
    tally: Tally,
    signal: AbortSignal,
  ) => {
    const found: Headlines[] = [];
    const errors: AsofError[] = [];
    const read = async (symbol: string) => {
      const headlines = await source.about(symbol, signal);
      // Not every feed reports an unknown symbol: an empty feed of a symbol that no exchange lists counts as
      // unknown.
      const isEmpty = headlines === null || headlines.articles.length + headlines.unread === 0;
      const isUnknown = headlines === null || (isEmpty && isListed(symbol) === false);
      followed.noteRead(source.name, symbol, isUnknown);
      if (isUnknown) followed.drop(symbol, feedsOf(sources));
      else found.push(filtered(headlines, { ...options, symbols: null }));
    };
    const failed = (symbol: string, error: AsofError) => {
      errors.push(error);
      log.warn("headlines could not be read", { provider: source.name, symbol, reason: error.message });
    };
    try {
      const symbols = options.symbols ?? (await due(source.name, options.others ?? false, signal));
      await forEachSequential(symbols, read, { failuresMax: FAILURES_MAX, signal, failed });
    } catch (error) {
      if (!errors.includes(error as AsofError)) throw error;
    } finally {
      await save(source.name, concat(found), tally);
    }
    // The first error has the cause; later ones may only come from the circuit breaker.
    const [first] = errors;
    if (first) throw first;
  };

  return {
    /**
     * Reads a provider and counts its articles in `tally`. Throws Upstream* after storing what had arrived.
     */
    read(source: NewsSource, options: IngestOptions, tally: Tally, signal: AbortSignal): Promise<void> {
      if (source.kind === "archive") return readArchive(source, options, tally, signal);
      return source.kind === "stream"
        ? readStream(source, options, tally, signal)
        : readTickerFeeds(source, options, tally, signal);
    },
  };
}
