// What the dividend calendar remembers of its own work; the dividends themselves are in the lake.
import { sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Symbols somebody asked for: the daily job reads them again. */
export const dividend_tickers = sqliteTable("dividend_tickers", {
  symbol: text("symbol").primaryKey(),
  /** The class under which Nasdaq knows it; null when it does not. */
  asset_class: text("asset_class", { enum: ["stocks", "etf"] }),
  /** `page`: Nasdaq keeps its history, declared payments included; `elsewhere`: it is listed on another exchange. */
  coverage: text("coverage", { enum: ["page", "elsewhere"] }),
  read_at: text("read_at").notNull(),
  /** Since when every split of it that had happened is stored; null: never yet. */
  splits_since: text("splits_since"),
  /** Splits with an ex date up to this day are stored. */
  splits_through: text("splits_through"),
});
