// The index of ownership filings (Forms 3, 4, 5, Schedules 13D and 13G): what was filed, what was read, and
// what is complete.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Every indexed ownership filing, one row per filing regardless of its number of parties. */
export const ownership_filings = sqliteTable(
  "ownership_filings",
  {
    accession_number: text("accession_number").primaryKey(),
    kind: text("kind", { enum: ["insider", "holder"] }).notNull(),
    form_type: text("form_type").notNull(),
    filing_date: text("filing_date").notNull(),
    /** CIK of a party, ten digits: the filing can be fetched under it. */
    cik: text("cik").notNull(),
    status: text("status", { enum: ["pending", "succeeded", "failed"] }).notNull(),
    /** Failed attempts to fetch it, although an index lists it. */
    attempts: integer("attempts").notNull(),
    error: text("error"),
    /** Version of the reader that made its rows in the lake; 0: a quarterly data set. */
    reading: integer("reading"),
    rows: integer("rows"),
    accepted_at: text("accepted_at"),
    /** When it became public, as far as that is known. */
    known_at: text("known_at").notNull(),
    found_in: text("found_in", { enum: ["daily_index", "list", "feed", "data_set"] }).notNull(),
    indexed_at: text("indexed_at").notNull(),
    read_at: text("read_at"),
  },
  (t) => [
    index("ownership_filings_by_status").on(t.status, t.filing_date),
    index("ownership_filings_by_day").on(t.filing_date, t.kind),
  ],
);

/** The parties of a filing in any role: the daily index does not give roles. */
export const ownership_parties = sqliteTable(
  "ownership_parties",
  {
    cik: text("cik").notNull(),
    accession_number: text("accession_number").notNull(),
    /** Whether the filing is about this party; null if no index says so. */
    is_subject: integer("is_subject", { mode: "boolean" }),
  },
  (t) => [
    primaryKey({ columns: [t.cik, t.accession_number] }),
    index("ownership_parties_by_filing").on(t.accession_number),
  ],
);

/** Companies whose own list of filings was read, and how far back it was. */
export const ownership_lists = sqliteTable(
  "ownership_lists",
  {
    cik: text("cik").notNull(),
    kind: text("kind", { enum: ["insider", "holder"] }).notNull(),
    /** Every filing about the company dated from this day on is in the index … */
    covered_from: text("covered_from").notNull(),
    /** … if it was filed by this moment. */
    listed_at: text("listed_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.cik, t.kind] })],
);

/** Days whose filings, of all companies, are in the index. */
export const ownership_days = sqliteTable(
  "ownership_days",
  {
    date: text("date").notNull(),
    kind: text("kind", { enum: ["insider", "holder"] }).notNull(),
    filings: integer("filings").notNull(),
    /** `closed`: the regulator accepted no filings on that day. */
    source: text("source", { enum: ["daily_index", "data_set", "closed"] }).notNull(),
    indexed_at: text("indexed_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.date] })],
);
