// The fund routes' tables in the operational database: profiles, and which reports were read.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The price provider's last profile of each fund. */
export const etf_profiles = sqliteTable("etf_profiles", {
  /** Canonical. */
  symbol: text("symbol").primaryKey(),
  issuer: text("issuer"),
  /** JSON. */
  body: text("body").notNull(),
  read_at: text("read_at").notNull(),
});

/** Listed reports of holdings. The lines of a `read` report are in the lake. */
export const etf_reports = sqliteTable(
  "etf_reports",
  {
    series_id: text("series_id").notNull(),
    /** Dashed. */
    accession_number: text("accession_number").notNull(),
    /** Ten digits; null if the list does not say. */
    cik: text("cik"),
    form_type: text("form_type").notNull(),
    filing_date: text("filing_date").notNull(),
    /** When it became public. */
    known_at: text("known_at").notNull(),
    status: text("status", { enum: ["listed", "read", "unread", "foreign"] }).notNull(),
    /** Day of the holdings; null until the report is read. */
    period_end: text("period_end"),
    holdings: integer("holdings"),
    /** Why it cannot be used. */
    error: text("error"),
  },
  (t) => [
    primaryKey({ columns: [t.series_id, t.accession_number] }),
    index("etf_reports_by_moment").on(t.series_id, t.known_at),
  ],
);

/** Funds whose reports were requested, and when their list was last read. */
export const etf_series = sqliteTable("etf_series", {
  series_id: text("series_id").primaryKey(),
  /** The ticker that was requested, canonical. */
  symbol: text("symbol").notNull(),
  listed_at: text("listed_at").notNull(),
});
