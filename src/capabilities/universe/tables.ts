// The universe in the operational database: current listings, readings of the lists, and builds of snapshots.
import { index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Every listing ever seen, in its current state. */
export const universe_listings = sqliteTable(
  "universe_listings",
  {
    /** Its first symbol; see datasets/universe-registry.ts. */
    listing: text("listing").primaryKey(),
    /** Canonical. */
    symbol: text("symbol").notNull(),
    name: text("name").notNull(),
    /** Ten digits. */
    cik: text("cik"),
    sector: text("sector"),
    industry: text("industry"),
    country: text("country"),
    ipo_year: integer("ipo_year"),
    exchange: text("exchange").notNull(),
    security_type: text("security_type").notNull(),
    is_etf: integer("is_etf", { mode: "boolean" }).notNull(),
    is_active: integer("is_active", { mode: "boolean" }).notNull(),
    first_seen: text("first_seen").notNull(),
    /** Null while it is listed. */
    last_seen: text("last_seen"),
    /** JSON list of {ticker, last_seen}; null for none. */
    former_symbols: text("former_symbols"),
    /** The listing that continues it, for a rename that was detected late; else null. */
    continued_by: text("continued_by"),
    source: text("source", { enum: ["nasdaqlisted", "otherlisted"] }).notNull(),
    /** The screener's last market value of the whole company in US dollars, and when it was read. */
    market_cap: real("market_cap"),
    market_cap_at: text("market_cap_at"),
  },
  (t) => [index("universe_listings_by_symbol").on(t.symbol), index("universe_listings_by_cik").on(t.cik)],
);

/** Every reading of a file of the symbol directory. */
export const universe_readings = sqliteTable(
  "universe_readings",
  {
    list: text("list", { enum: ["nasdaqlisted", "otherlisted"] }).notNull(),
    read_at: text("read_at").notNull(),
    rows: integer("rows").notNull(),
  },
  (t) => [primaryKey({ columns: [t.list, t.read_at] })],
);

/** Builds of monthly snapshots. */
export const universe_builds = sqliteTable(
  "universe_builds",
  {
    job_id: text("job_id").primaryKey(),
    status: text("status", { enum: ["running", "succeeded", "failed", "interrupted"] }).notNull(),
    phase: text("phase", { enum: ["prices", "figures", "counts", "snapshots", "done"] }).notNull(),
    start_month: text("start_month").notNull(),
    end_month: text("end_month").notNull(),
    force: integer("force", { mode: "boolean" }).notNull(),
    months: integer("months").notNull(),
    tickers: integer("tickers").notNull(),
    months_done: integer("months_done").notNull(),
    /** Items of the current phase. */
    phase_done: integer("phase_done").notNull(),
    phase_total: integer("phase_total").notNull(),
    rows_written: integer("rows_written").notNull(),
    errors: integer("errors").notNull(),
    /** JSON list of the first errors, {ticker, error}. */
    error_list: text("error_list").notNull(),
    /** JSON list of texts. */
    warnings: text("warnings").notNull(),
    /** Why it failed. */
    error: text("error"),
    created_at: text("created_at").notNull(),
    updated_at: text("updated_at").notNull(),
    finished_at: text("finished_at"),
  },
  (t) => [index("universe_builds_by_status").on(t.status)],
);
