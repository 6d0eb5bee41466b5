// SQLite tables that more than one capability reads. All others are in the tables.ts of the capability that owns them.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Until when a symbol's splits and dividends are known to be complete. */
export const actions_checked = sqliteTable("actions_checked", {
  symbol: text("symbol").primaryKey(),
  through_date: text("through_date").notNull(),
  checked_at: text("checked_at").notNull(),
});

/** Tickers of the regulator's lists, present and past: one row a ticker and whoever bore it. */
export const company_tickers = sqliteTable(
  "company_tickers",
  {
    /** Canonical. */
    symbol: text("symbol").notNull(),
    /** Ten digits. */
    cik: text("cik").notNull(),
    /** Which list: companies, or funds (share classes of a trust's series). */
    kind: text("kind", { enum: ["company", "fund"] }).notNull(),
    /** The regulator's spelling. */
    ticker: text("ticker").notNull(),
    name: text("name"),
    exchange: text("exchange"),
    series_id: text("series_id"),
    class_id: text("class_id"),
    /** Place in the list, which runs from the largest company to the smallest. */
    position: integer("position").notNull(),
    first_seen_at: text("first_seen_at").notNull(),
    /** When the list was first without it; null while it is there. */
    gone_at: text("gone_at"),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.symbol, t.cik] }),
    index("company_tickers_by_symbol").on(t.symbol),
    index("company_tickers_by_cik").on(t.cik, t.position),
  ],
);
