// SQLite tables of the index of filings, the parse state of current reports (8-K), and their events.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Filers whose lists of filings are indexed, and how far back. */
export const filing_filers = sqliteTable("filing_filers", {
  /** Ten digits. */
  cik: text("cik").primaryKey(),
  name: text("name").notNull(),
  /** JSON list of canonical symbols, the primary one first. */
  tickers: text("tickers").notNull(),
  /** JSON list of the CIKs the company filed under before, newest first. */
  predecessor_ciks: text("predecessor_ciks").notNull(),
  /** Every filing with a filing date from this day to `indexed_at` is in `filings`. */
  covered_from: text("covered_from").notNull(),
  indexed_at: text("indexed_at").notNull(),
});

/** The index of filings: one row per filing and filer whose list has it. */
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
    /** Null when unknown at indexing; the filing's header fills it in. */
    accepted_at: text("accepted_at"),
    /**
     * second: known. ambiguous: the list leaves two times possible, the detail page decides. day: only the
     * date is known.
     */
    precision: text("precision", { enum: ["second", "ambiguous", "day"] }).notNull(),
    /**
     * Item numbers, comma-separated; empty for forms without items; null when the index it came from has no
     * items.
     */
    items: text("items"),
    primary_document: text("primary_document"),
    size: integer("size"),
    is_xbrl: integer("is_xbrl", { mode: "boolean" }),
    /** When it became public; `as_of` is compared with this. */
    known_at: text("known_at").notNull(),
    indexed_at: text("indexed_at").notNull(),
    /** Whether the lake has this version of the row. */
    published: integer("published", { mode: "boolean" }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.accession_number, t.cik] }),
    index("filings_by_filer").on(t.cik, t.filing_date),
    index("filings_by_day").on(t.filing_date, t.form_type),
    index("filings_unpublished").on(t.indexed_at).where(sql`published = 0`),
  ],
);

/** The parse state of each current report (8-K). */
export const filing_parses = sqliteTable(
  "filing_parses",
  {
    accession_number: text("accession_number").primaryKey(),
    status: text("status", { enum: ["pending", "succeeded", "failed"] }).notNull(),
    /** Why it failed, or why the last attempt could not fetch its documents; null after success. */
    error: text("error"),
    /** JSON list of notes about its events; null before success. */
    problems: text("problems"),
    /** Number of attempts that had the filing's documents. */
    attempts: integer("attempts").notNull(),
    parsed_at: text("parsed_at"),
    /** Version of the parser behind the status (EVENTS_READING); 0: before versions were counted. */
    reading: integer("reading").notNull().default(0),
  },
  (t) => [index("filing_parses_by_status").on(t.status)],
);

/** The events of current reports: one row per filing and item. */
export const filing_events = sqliteTable(
  "filing_events",
  {
    accession_number: text("accession_number").notNull(),
    /** As filed: "2.02"; "12" before August 2004. */
    item_number: text("item_number").notNull(),
    /** The item's current number; null for an item without a successor. */
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
    /**
     * True when a later parse no longer finds the event: never served, stored until the lake has the
     * withdrawal.
     */
    withdrawn: integer("withdrawn", { mode: "boolean" }).notNull(),
    published: integer("published", { mode: "boolean" }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.accession_number, t.item_number] }),
    index("filing_events_unpublished").on(t.parsed_at).where(sql`published = 0`),
  ],
);

/** Days whose daily index of filings is stored. */
export const filing_days = sqliteTable("filing_days", {
  date: text("date").primaryKey(),
  filings: integer("filings").notNull(),
  indexed_at: text("indexed_at").notNull(),
});

/**
 * The rows that the lake does not have yet. The value is written out: SQLite finds them by their index for a
 * constant, and reads the whole table for a value that is bound.
 */
export const unpublished = ({ published }: typeof filings | typeof filing_events) => sql`${published} = 0`;
