// The index of ownership filings (Forms 3, 4, 5, Schedules 13D and 13G): what was filed, whether it was read, and what is covered.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Every ownership filing met, once however many parties it has. */
export const ownership_filings = sqliteTable(
  "ownership_filings",
  {
    accession_number: text("accession_number").primaryKey(),
    kind: text("kind", { enum: ["insider", "holder"] }).notNull(),
    form_type: text("form_type").notNull(),
    filing_date: text("filing_date").notNull(),
    /** A party, under whose number it can be fetched. Ten digits. */
    cik: text("cik").notNull(),
    status: text("status", { enum: ["pending", "succeeded", "failed"] }).notNull(),
    /** Times it was not there, though an index named it. */
    attempts: integer("attempts").notNull(),
    error: text("error"),
    /** By which way of reading its rows in the lake were made; 0: from a quarterly data set. */
    reading: integer("reading"),
    rows: integer("rows"),
    accepted_at: text("accepted_at"),
    /** From when anybody could read it, as far as that is known. */
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

/** Who is a party of a filing, in whatever role: the daily index does not tell. */
export const ownership_parties = sqliteTable(
  "ownership_parties",
  {
    cik: text("cik").notNull(),
    accession_number: text("accession_number").notNull(),
    /** Whether the filing is about this party; null where no index told. */
    is_subject: integer("is_subject", { mode: "boolean" }),
  },
  (t) => [
    primaryKey({ columns: [t.cik, t.accession_number] }),
    index("ownership_parties_by_filing").on(t.accession_number),
  ],
);

/** Companies whose own list of filings was read, and how far back. */
export const ownership_lists = sqliteTable(
  "ownership_lists",
  {
    cik: text("cik").notNull(),
    kind: text("kind", { enum: ["insider", "holder"] }).notNull(),
    /** Every filing about it dated from this day on is in the index … */
    covered_from: text("covered_from").notNull(),
    /** … as far as it was filed by this moment. */
    listed_at: text("listed_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.cik, t.kind] })],
);

/** Days of which everybody's filings are in the index. */
export const ownership_days = sqliteTable(
  "ownership_days",
  {
    date: text("date").notNull(),
    kind: text("kind", { enum: ["insider", "holder"] }).notNull(),
    filings: integer("filings").notNull(),
    /** `closed`: a day on which the regulator took no filings. */
    source: text("source", { enum: ["daily_index", "data_set", "closed"] }).notNull(),
    indexed_at: text("indexed_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.date] })],
);
