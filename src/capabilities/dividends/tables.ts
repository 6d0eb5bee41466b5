// SQLite table of the dividend calendar; the dividends themselves are in the lake.
import { sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Symbols that clients asked for; the daily job reads them again. */
export const dividend_tickers = sqliteTable("dividend_tickers", {
  symbol: text("symbol").primaryKey(),
  /** The asset class under which Nasdaq lists it; null when Nasdaq does not have it. */
  asset_class: text("asset_class", { enum: ["stocks", "etf"] }),
  /**
   * `page`: Nasdaq keeps its history, including declared payments; `elsewhere`: it is listed on another
   * exchange.
   */
  coverage: text("coverage", { enum: ["page", "elsewhere"] }),
  read_at: text("read_at").notNull(),
  /** When all its past splits were first stored; null: not yet. */
  splits_since: text("splits_since"),
  /** All splits with an ex date up to this day are stored. */
  splits_through: text("splits_through"),
});
