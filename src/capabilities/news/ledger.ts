// The operational side: how each provider fared, and whose news the feeds by symbol are to bring.
import { and, asc, count, desc, eq, gte, inArray, sql } from "drizzle-orm";
import type { Clock } from "../../platform/clock.ts";
import { instantText } from "../../platform/instant-text.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import type { ProviderName } from "./sources.ts";
import { news_providers, news_ticker_polls, news_tickers } from "./tables.ts";

export type ProviderState = typeof news_providers.$inferSelect;

/** Symbols whose own feeds are read; those asked for longest ago give way. */
export const FOLLOWED_MAX = 500;
/** A provider that does not know a symbol is asked again after so long: it may be listed by then. */
const UNKNOWN_MS = 7 * 86_400_000;

const emptyState = (provider: string): ProviderState => ({
  provider,
  ...{ last_poll_at: null, last_success_at: null, last_error: null, backfilled_until: null },
});

export function newsLedger({ sqlite, clock }: { readonly sqlite: Store; readonly clock: Clock }) {
  const now = () => instantText(clock.nowMs());

  const change = (provider: ProviderName, set: Partial<ProviderState>) =>
    sqlite.use((db) =>
      db
        .insert(news_providers)
        .values({ ...emptyState(provider), ...set })
        .onConflictDoUpdate({ target: news_providers.provider, set })
        .run(),
    );

  /** From when on it is believed that a provider does not know a symbol. */
  const believedFrom = () => instantText(clock.nowMs() - UNKNOWN_MS);

  /** Which of the symbols every one of the feeds lately did not know. */
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
            gte(polls.polled_at, believedFrom()),
          ),
        )
        .groupBy(polls.symbol)
        .all(),
    );
    return new Set(rows.filter((row) => row.feeds === feeds.length).map(({ symbol }) => symbol));
  };

  return {
    state(provider: ProviderName): ProviderState {
      const row = sqlite.use((db) =>
        db.select().from(news_providers).where(eq(news_providers.provider, provider)).get(),
      );
      return row ?? emptyState(provider);
    },

    /** Notes a poll that has ended; `error` null: it went well. */
    polled(provider: ProviderName, error: string | null): void {
      const at = now();
      change(provider, {
        last_poll_at: at,
        last_error: error,
        ...(error === null ? { last_success_at: at } : {}),
      });
    },

    backfilled: (provider: ProviderName, until: Temporal.Instant) =>
      change(provider, { backfilled_until: instantText(until.epochMilliseconds) }),

    /**
     * Somebody asks for the news of these: their own feeds are read from now on. Those that none of the `feeds` knows
     * are left out, and given back.
     */
    follow(asked: readonly string[], feeds: readonly ProviderName[]): ReadonlySet<string> {
      const unknown = unknownTo(feeds, asked);
      const symbols = asked.filter((symbol) => !unknown.has(symbol));
      if (symbols.length === 0) return unknown;
      const asked_at = now();
      sqlite.write((db) => {
        db.insert(news_tickers)
          .values(symbols.map((symbol) => ({ symbol, asked_at })))
          .onConflictDoUpdate({ target: news_tickers.symbol, set: { asked_at } })
          .run();
        const kept = db
          .select({ symbol: news_tickers.symbol })
          .from(news_tickers)
          .orderBy(desc(news_tickers.asked_at), asc(news_tickers.symbol))
          .limit(FOLLOWED_MAX);
        db.delete(news_tickers).where(sql`${news_tickers.symbol} NOT IN ${kept}`).run();
        const followed = db.select({ symbol: news_tickers.symbol }).from(news_tickers);
        // That a symbol is unknown is remembered for as long as it is believed.
        db.delete(news_ticker_polls)
          .where(
            sql`${news_ticker_polls.symbol} NOT IN ${followed} AND NOT (${news_ticker_polls.unknown} = 1 AND ${news_ticker_polls.polled_at} >= ${believedFrom()})`,
          )
          .run();
      });
      return unknown;
    },

    /** Lets go of a symbol that none of the `feeds` knows, so that it takes nobody's place. */
    drop(symbol: string, feeds: readonly ProviderName[]): void {
      if (!unknownTo(feeds, [symbol]).has(symbol)) return;
      sqlite.use((db) => db.delete(news_tickers).where(eq(news_tickers.symbol, symbol)).run());
    },

    /** Followed symbols, the one read longest ago first, those the provider lately did not know left out. */
    due(provider: ProviderName, most: number): string[] {
      const polls = news_ticker_polls;
      return sqlite
        .use((db) =>
          db
            .select({ symbol: news_tickers.symbol })
            .from(news_tickers)
            .leftJoin(polls, and(eq(polls.symbol, news_tickers.symbol), eq(polls.provider, provider)))
            .where(
              sql`${polls.unknown} IS NULL OR ${polls.unknown} = 0 OR ${polls.polled_at} < ${believedFrom()}`,
            )
            .orderBy(
              sql`${polls.polled_at} NULLS FIRST`,
              desc(news_tickers.asked_at),
              asc(news_tickers.symbol),
            )
            .limit(most)
            .all(),
        )
        .map(({ symbol }) => symbol);
    },

    /** A symbol's own feed was read. */
    read(provider: ProviderName, symbol: string, isUnknown: boolean): void {
      const row = { polled_at: now(), unknown: isUnknown ? 1 : 0 };
      sqlite.use((db) =>
        db
          .insert(news_ticker_polls)
          .values({ provider, symbol, ...row })
          .onConflictDoUpdate({ target: [news_ticker_polls.provider, news_ticker_polls.symbol], set: row })
          .run(),
      );
    },

    /** Which of these have had their feeds read at one of the providers. */
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

export type NewsLedger = ReturnType<typeof newsLedger>;
