// SQLite table of the earnings capability; calendars and surprises themselves are in the lake.
import { sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Symbols that clients asked for; the daily job reads them again. */
export const earnings_tickers = sqliteTable("earnings_tickers", {
  symbol: text("symbol").primaryKey(),
  surprises_read_at: text("surprises_read_at"),
  next_read_at: text("next_read_at"),
});
