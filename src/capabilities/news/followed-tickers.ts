// The symbols whose news clients asked for, and when their own feeds were read; in the operational database.
import { and, asc, count, desc, eq, gte, inArray, sql } from "drizzle-orm";
import type { Services } from "../../market/services.ts";
import { instantText } from "../../platform/instant-text.ts";
import type { ProviderName } from "./sources.ts";
import { news_ticker_polls, news_tickers } from "./tables.ts";

/** Most symbols whose own feeds are read; the ones asked for longest ago are dropped. */
// The 501st followed symbol drops the one that was requested longest ago.
export const FOLLOWED_MAX = 500;
/**
 * A provider that does not know a symbol is asked again after this long: the symbol may be listed by then.
 */
// Unknown on 3 August, it is asked for again from 10 August on.
export const UNKNOWN_MS = 7 * 86_400_000;

export function followedTickers({ sqlite, clock }: Pick<Services, "sqlite" | "clock">) {
  const now = () => instantText(clock.nowMs());

  /** A poll before this time no longer counts as proof that a provider does not know a symbol. */
  const unknownSince = () => instantText(clock.nowMs() - UNKNOWN_MS);

  /** The symbols that none of the feeds knew at its latest poll. */
  const unknownTo = (feeds: readonly ProviderName[], symbols: readonly string[]): ReadonlySet<string> => {
    if (symbols.length === 0 || feeds.length === 0) return new Set();
    const polls = news_ticker_polls;
    const rows = sqlite.use((db) =>
      db
        .select({ symbol: polls.symbol, feeds: count() })
        .from(polls)
        .where(
          and(
            inArray(polls.provider, [...feeds]),
            inArray(polls.symbol, [...symbols]),
            eq(polls.unknown, 1),
            gte(polls.polled_at, unknownSince()),
          ),
        )
        .groupBy(polls.symbol)
        .all(),
    );
    return new Set(rows.filter((row) => row.feeds === feeds.length).map(({ symbol }) => symbol));
  };

  return {
    /**
     * Follows the symbols that a client asked for: their own feeds are read from now on. Returns those that
     * none of the `feeds` knows; they are not followed.
     */
    follow(requested: readonly string[], feeds: readonly ProviderName[]): ReadonlySet<string> {
      const unknown = unknownTo(feeds, requested);
      const symbols = requested.filter((symbol) => !unknown.has(symbol));
      if (symbols.length === 0) return unknown;
      const asked_at = now();
      sqlite.write((db) => {
        db.insert(news_tickers)
          .values(symbols.map((symbol) => ({ symbol, asked_at })))
          .onConflictDoUpdate({ target: news_tickers.symbol, set: { asked_at } })
          .run();
        const newest = db
          .select({ symbol: news_tickers.symbol })
          .from(news_tickers)
          .orderBy(desc(news_tickers.asked_at), asc(news_tickers.symbol))
          .limit(FOLLOWED_MAX);
        db.delete(news_tickers).where(sql`${news_tickers.symbol} NOT IN ${newest}`).run();
        const followed = db.select({ symbol: news_tickers.symbol }).from(news_tickers);
        // Polls of other symbols say for a week that a symbol is unknown, or whose turn it is.
        db.delete(news_ticker_polls)
          .where(
            sql`${news_ticker_polls.symbol} NOT IN ${followed} AND ${news_ticker_polls.polled_at} < ${unknownSince()}`,
          )
          .run();
      });
      return unknown;
    },

    /** Stops following a symbol that none of the `feeds` knows, to free its place. */
    drop(symbol: string, feeds: readonly ProviderName[]): void {
      if (!unknownTo(feeds, [symbol]).has(symbol)) return;
      sqlite.use((db) => db.delete(news_tickers).where(eq(news_tickers.symbol, symbol)).run());
    },

    /** Followed symbols, least recently read first, without those that the provider recently did not know. */
    due(provider: ProviderName, limit: number): string[] {
      const polls = news_ticker_polls;
      return sqlite
        .use((db) =>
          db
            .select({ symbol: news_tickers.symbol })
            .from(news_tickers)
            .leftJoin(polls, and(eq(polls.symbol, news_tickers.symbol), eq(polls.provider, provider)))
            .where(
              sql`${polls.unknown} IS NULL OR ${polls.unknown} = 0 OR ${polls.polled_at} < ${unknownSince()}`,
            )
            .orderBy(
              sql`${polls.polled_at} NULLS FIRST`,
              desc(news_tickers.asked_at),
              asc(news_tickers.symbol),
            )
            .limit(limit)
            .all(),
        )
        .map(({ symbol }) => symbol);
    },

    /** Records that a symbol's own feed was read. */
    noteRead(provider: ProviderName, symbol: string, isUnknown: boolean): void {
      const row = { polled_at: now(), unknown: isUnknown ? 1 : 0 };
      sqlite.use((db) =>
        db
          .insert(news_ticker_polls)
          .values({ provider, symbol, ...row })
          .onConflictDoUpdate({ target: [news_ticker_polls.provider, news_ticker_polls.symbol], set: row })
          .run(),
      );
    },

    /** The symbols whose feeds were read at one of the providers. */
    readAt(providers: readonly ProviderName[], symbols: readonly string[]): ReadonlySet<string> {
      if (symbols.length === 0 || providers.length === 0) return new Set();
      const rows = sqlite.use((db) =>
        db
          .select({ symbol: news_ticker_polls.symbol })
          .from(news_ticker_polls)
          .where(
            and(
              inArray(news_ticker_polls.provider, [...providers]),
              inArray(news_ticker_polls.symbol, [...symbols]),
            ),
          )
          .all(),
      );
      return new Set(rows.map(({ symbol }) => symbol));
    },
  };
}

export type FollowedTickers = ReturnType<typeof followedTickers>;
