// Instruments and known gaps of their daily bars.
import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The facts about a symbol beside its prices. */
export const instruments = sqliteTable("instruments", {
  symbol: text("symbol").primaryKey(),
  name: text("name"),
  currency: text("currency"),
  exchange: text("exchange"),
  timezone: text("timezone"),
  instrument_type: text("instrument_type"),
  first_trade_date: text("first_trade_date"),
  last_trade_date: text("last_trade_date"),
  source: text("source").notNull(),
  fetched_at: text("fetched_at").notNull(),
});

/** Sessions for which the provider had no bar, or one without a close, when asked. */
export const price_known_gaps = sqliteTable(
  "price_known_gaps",
  {
    symbol: text("symbol").notNull(),
    interval: text("interval").notNull(),
    date: text("date").notNull(),
    kind: text("kind", { enum: ["absent", "null"] }).notNull(),
    first_asked_at: text("first_asked_at").notNull(),
    last_asked_at: text("last_asked_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.symbol, t.interval, t.date] })],
);
