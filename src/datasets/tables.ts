// SQLite tables that more than one capability reads. All others are in the tables.ts of the capability that
// owns them.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The day up to which the splits and dividends of a symbol are known to be complete. */
export const actions_checked = sqliteTable("actions_checked", {
  symbol: text("symbol").primaryKey(),
  through_date: text("through_date").notNull(),
  checked_at: text("checked_at").notNull(),
});

/** Tickers of the regulator's lists, present and past: one row per ticker and holder of it. */
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
    /** Position in the list, which is ordered from the largest company to the smallest. */
    position: integer("position").notNull(),
    first_seen_at: text("first_seen_at").notNull(),
    /** When the list first lacked it; null while it is listed. */
    gone_at: text("gone_at"),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.symbol, t.cik] }),
    index("company_tickers_by_symbol").on(t.symbol),
    index("company_tickers_by_cik").on(t.cik, t.position),
  ],
);
