// The index of filings, the state of reading current reports (8-K), and their events.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Filers whose lists of filings are indexed, and how far. */
export const filing_filers = sqliteTable("filing_filers", {
  /** Ten digits. */
  cik: text("cik").primaryKey(),
  name: text("name").notNull(),
  /** JSON list of canonical symbols, the primary one first. */
  tickers: text("tickers").notNull(),
  /** JSON list of CIKs this one carries on, newest first. */
  predecessor_ciks: text("predecessor_ciks").notNull(),
  /** Every filing with a filing date from this day to `indexed_at` is in `filings`. */
  covered_from: text("covered_from").notNull(),
  indexed_at: text("indexed_at").notNull(),
});

/** The index of filings: one row per filing and filer in whose list it stands. */
export const filings = sqliteTable(
  "filings",
  {
    /** Dashed. */
    accession_number: text("accession_number").notNull(),
    cik: text("cik").notNull(),
    company_name: text("company_name").notNull(),
    form_type: text("form_type").notNull(),
    filing_date: text("filing_date").notNull(),
    report_date: text("report_date"),
    /** Null when it was not known at indexing; only a forced re-indexing fills it. */
    accepted_at: text("accepted_at"),
    /** second: known. ambiguous: the index tells two moments, its detail page will tell. day: the index tells none. */
    precision: text("precision", { enum: ["second", "ambiguous", "day"] }).notNull(),
    /** Item numbers by comma; empty for forms without; null where the index they came from tells none. */
    items: text("items"),
    primary_document: text("primary_document"),
    size: integer("size"),
    is_xbrl: integer("is_xbrl", { mode: "boolean" }),
    /** From when anybody could read it; what `as_of` is held against. */
    known_at: text("known_at").notNull(),
    indexed_at: text("indexed_at").notNull(),
    /** Whether the lake has this row as it stands here. */
    published: integer("published", { mode: "boolean" }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.accession_number, t.cik] }),
    index("filings_by_filer").on(t.cik, t.filing_date),
    index("filings_by_day").on(t.filing_date, t.form_type),
    index("filings_unpublished").on(t.indexed_at).where(sql`published = 0`),
  ],
);

/** Where the reading of each current report (8-K) stands. */
export const filing_parses = sqliteTable(
  "filing_parses",
  {
    accession_number: text("accession_number").primaryKey(),
    status: text("status", { enum: ["pending", "succeeded", "failed"] }).notNull(),
    /** Why it failed, or why the last attempt came to nothing; null after success. */
    error: text("error"),
    /** JSON list of what a reader of its events should know; null before success. */
    problems: text("problems"),
    /** Attempts that had the filing's bytes. */
    attempts: integer("attempts").notNull(),
    parsed_at: text("parsed_at"),
    /** The state of our reader that came to it; 0 before states were counted. */
    reading: integer("reading").notNull().default(0),
  },
  (t) => [index("filing_parses_by_status").on(t.status)],
);

/** What current reports tell: one row per filing and item. */
export const filing_events = sqliteTable(
  "filing_events",
  {
    accession_number: text("accession_number").notNull(),
    /** As filed: "2.02"; "12" before August 2004. */
    item_number: text("item_number").notNull(),
    /** The number it has today; null for an item without successor. */
    modern_item: text("modern_item"),
    event_type: text("event_type").notNull(),
    event_title: text("event_title").notNull(),
    content: text("content"),
    content_source: text("content_source"),
    content_length: integer("content_length").notNull(),
    truncated: integer("truncated", { mode: "boolean" }).notNull(),
    /** Hash of the bytes in the vault the content was read from. */
    source_sha256: text("source_sha256"),
    parsed_at: text("parsed_at").notNull(),
    /** A later reading no longer finds it: never served, kept until the lake knows. */
    withdrawn: integer("withdrawn", { mode: "boolean" }).notNull(),
    published: integer("published", { mode: "boolean" }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.accession_number, t.item_number] }),
    index("filing_events_unpublished").on(t.parsed_at).where(sql`published = 0`),
  ],
);

/** Days whose whole index of filings was taken in. */
export const filing_days = sqliteTable("filing_days", {
  date: text("date").primaryKey(),
  filings: integer("filings").notNull(),
  indexed_at: text("indexed_at").notNull(),
});
