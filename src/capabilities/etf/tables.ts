// What the fund routes keep beside the lake: what was told of a fund, and which of its reports were read.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Who is behind a fund's ticker, as the price provider last said. */
export const etf_profiles = sqliteTable("etf_profiles", {
  /** Canonical. */
  symbol: text("symbol").primaryKey(),
  issuer: text("issuer"),
  /** JSON. */
  body: text("body").notNull(),
  read_at: text("read_at").notNull(),
});

/** Reports of holdings that were met: `read` ones lie in the lake. */
export const etf_reports = sqliteTable(
  "etf_reports",
  {
    series_id: text("series_id").notNull(),
    /** Dashed. */
    accession_number: text("accession_number").notNull(),
    /** Ten digits; null where the list does not say. */
    cik: text("cik"),
    form_type: text("form_type").notNull(),
    filing_date: text("filing_date").notNull(),
    /** From when anybody could read it. */
    known_at: text("known_at").notNull(),
    status: text("status", { enum: ["listed", "read", "unread", "foreign"] }).notNull(),
    /** Day the holdings are of; null before it was read. */
    period_end: text("period_end"),
    holdings: integer("holdings"),
    /** Why it could not be read. */
    error: text("error"),
  },
  (t) => [
    primaryKey({ columns: [t.series_id, t.accession_number] }),
    index("etf_reports_by_moment").on(t.series_id, t.known_at),
  ],
);

/** Funds whose reports were asked for, and when their list was last read. */
export const etf_series = sqliteTable("etf_series", {
  series_id: text("series_id").primaryKey(),
  /** Ticker it was asked for under, canonical. */
  symbol: text("symbol").notNull(),
  listed_at: text("listed_at").notNull(),
});
