// Which symbols' own feeds a poll reads: those that clients asked for, then the most active, then every
// listed stock in turn.
import { eq } from "drizzle-orm";
import type { Services } from "../../market/services.ts";
import { AsofError, StorageUnavailable } from "../../platform/errors.ts";
import { instantText } from "../../platform/instant-text.ts";
import type { Log } from "../../platform/log.ts";
import { type FollowedTickers, UNKNOWN_MS } from "./followed-tickers.ts";
import type { ProviderName } from "./sources.ts";
import { news_ticker_polls } from "./tables.ts";

/** Symbols whose feeds are worth reading before a client asks for them. */
export interface SuggestedSymbols {
  /** The most active ones, in order. Throws Upstream* when the list cannot be read. */
  mostActive(signal: AbortSignal): Promise<readonly string[]>;
  /** The listed stocks, the largest first. */
  listed(): readonly string[];
}

export interface DueFeedsDeps extends Pick<Services, "sqlite" | "clock"> {
  readonly followed: Pick<FollowedTickers, "due">;
  readonly suggested: SuggestedSymbols;
  readonly log: Pick<Log, "warn">;
}

/** Symbols whose own feeds one poll reads: at one request a second, the others follow in the next polls. */
const TICKERS_A_POLL = 20;
/** Places of a poll that the followed symbols leave to others, however many are due. */
// With 30 followed and 40 other feeds due, a poll reads 15 followed and 5 others.
const OTHERS_A_POLL_MIN = 5;
/** How often the feeds of the most active symbols, and of the other listed ones, are read at most. */
// Read at 10:00, the feed of a most active symbol is due at 11:00, that of another listed one tomorrow.
const MOST_ACTIVE_PAUSE_MS = 3_600_000;
const LISTED_PAUSE_MS = 24 * 3_600_000;
const MOST_ACTIVE = 100;

export function dueFeeds({ sqlite, clock, followed, suggested, log }: DueFeedsDeps) {
  /** When each symbol's feed was read last, and whether the provider knew it. */
  const pollsAt = (provider: ProviderName) =>
    new Map(
      sqlite
        .use((db) =>
          db.select().from(news_ticker_polls).where(eq(news_ticker_polls.provider, provider)).all(),
        )
        .map((row) => [row.symbol, row]),
    );

  /**
   * Candidates that were not read for `pauseMs`: least recently read first, then in the given order; without
   * unknown ones.
   */
  const dueAmong = (polls: ReturnType<typeof pollsAt>, candidates: readonly string[], pauseMs: number) => {
    const before = (ms: number) => instantText(clock.nowMs() - ms);
    const isDue = (symbol: string) => {
      const poll = polls.get(symbol);
      return poll === undefined || poll.polled_at < before(poll.unknown === 1 ? UNKNOWN_MS : pauseMs);
    };
    const readAt = (symbol: string) => polls.get(symbol)?.polled_at ?? "";
    return candidates
      .filter(isDue)
      .sort((a, b) => (readAt(a) < readAt(b) ? -1 : readAt(a) > readAt(b) ? 1 : 0))
      .slice(0, TICKERS_A_POLL);
  };

  /** The most active symbols, or none when the list cannot be read. */
  const mostActive = async (signal: AbortSignal): Promise<readonly string[]> => {
    try {
      return (await suggested.mostActive(signal)).slice(0, MOST_ACTIVE);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AsofError) || error instanceof StorageUnavailable) throw error;
      log.warn("the most active symbols could not be read for their news", { reason: error.message });
      return [];
    }
  };

  /** The symbols that a poll of a provider reads; `others`: not only those that clients asked for. */
  return async (provider: ProviderName, others: boolean, signal: AbortSignal): Promise<string[]> => {
    const asked = followed.due(provider, TICKERS_A_POLL);
    if (!others) return asked;
    const active = await mostActive(signal);
    const polls = pollsAt(provider);
    const added = new Set([
      ...dueAmong(polls, active, MOST_ACTIVE_PAUSE_MS),
      ...dueAmong(polls, suggested.listed(), LISTED_PAUSE_MS),
    ]);
    for (const symbol of asked) added.delete(symbol);
    const rest = [...added].slice(0, Math.max(OTHERS_A_POLL_MIN, TICKERS_A_POLL - asked.length));
    return [...asked.slice(0, TICKERS_A_POLL - rest.length), ...rest];
  };
}

export type DueFeeds = ReturnType<typeof dueFeeds>;
