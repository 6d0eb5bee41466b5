// Tables of the brokerage feed: the spans of intraday bars that were fetched, and the backfills of the panel.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Whole days of intraday bars that were fetched, whether or not there were any bars. */
export const marketfeed_spans = sqliteTable(
  "marketfeed_spans",
  {
    symbol: text("symbol").notNull(),
    /** Of the stored bars: 1m, 5m, 15m, 30m, 1h. */
    interval: text("interval").notNull(),
    /** First and last session, both inclusive; every session between was over when it was fetched. */
    start_date: text("start_date").notNull(),
    end_date: text("end_date").notNull(),
    bars: integer("bars").notNull(),
    fetched_at: text("fetched_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.symbol, t.interval, t.start_date, t.end_date] })],
);

/** Backfills of the point-in-time panel. */
export const marketfeed_backfills = sqliteTable(
  "marketfeed_backfills",
  {
    job_id: text("job_id").primaryKey(),
    status: text("status", { enum: ["running", "succeeded", "failed", "interrupted"] }).notNull(),
    start_date: text("start_date").notNull(),
    end_date: text("end_date").notNull(),
    /** Symbols finished, and symbols in all. */
    processed: integer("processed").notNull(),
    total: integer("total").notNull(),
    rows: integer("rows").notNull(),
    /** Why it ended early; null unless it failed. */
    error: text("error"),
    started_at: text("started_at").notNull(),
    updated_at: text("updated_at").notNull(),
    finished_at: text("finished_at"),
  },
  (t) => [index("marketfeed_backfills_by_time").on(t.started_at)],
);

/** Symbols a backfill could not fill, and why. */
export const marketfeed_failures = sqliteTable(
  "marketfeed_failures",
  {
    job_id: text("job_id").notNull(),
    symbol: text("symbol").notNull(),
    error: text("error").notNull(),
  },
  (t) => [primaryKey({ columns: [t.job_id, t.symbol] })],
);
