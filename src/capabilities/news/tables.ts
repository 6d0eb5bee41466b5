// SQLite tables of news: the state of the providers, and the symbols whose own feeds are read.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const news_providers = sqliteTable("news_providers", {
  provider: text("provider").primaryKey(),
  last_poll_at: text("last_poll_at"),
  last_success_at: text("last_success_at"),
  /** Error of the latest poll; null when it succeeded. */
  last_error: text("last_error"),
  /** Up to when the daily backfill has read the provider's history. */
  backfilled_until: text("backfilled_until"),
});

export const news_tickers = sqliteTable(
  "news_tickers",
  {
    symbol: text("symbol").primaryKey(),
    /** When a client last asked for its news. */
    asked_at: text("asked_at").notNull(),
  },
  (t) => [index("news_tickers_by_asked").on(t.asked_at)],
);

export const news_ticker_polls = sqliteTable(
  "news_ticker_polls",
  {
    provider: text("provider").notNull(),
    symbol: text("symbol").notNull(),
    polled_at: text("polled_at").notNull(),
    /** 1 when the provider did not know the symbol, or had nothing about a symbol that no exchange lists. */
    unknown: integer("unknown").notNull(),
  },
  (t) => [primaryKey({ columns: [t.provider, t.symbol] })],
);
