// SQLite table of the filers whose reported figures are stored.
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Filers whose reported figures are in the lake, up to which report, and which version of the parser read
 * them.
 */
export const financial_filers = sqliteTable("financial_filers", {
  /** Ten digits. */
  cik: text("cik").primaryKey(),
  /** none: the regulator has no figures of this filer. */
  status: text("status", { enum: ["facts", "none"] }).notNull(),
  facts: integer("facts").notNull(),
  /** JSON list of warnings about the figures: objects, sentences where an earlier version wrote them. */
  warnings: text("warnings").notNull(),
  /** When the regulator's file was made or fetched: it has no reports accepted later. */
  read_at: text("read_at").notNull(),
  /** Newest report among the figures; null when there are none. */
  newest_accession: text("newest_accession"),
  /** Version of the parser that read the figures (FACTS_READING); 0: unknown. */
  reading: integer("reading").notNull().default(0),
  /** When all schedules of the 1990s (EX-27) were last read; null: never. */
  schedules_read_at: text("schedules_read_at"),
  /** Version of the parser that read the schedules (SCHEDULES_READING). */
  schedules_reading: integer("schedules_reading").notNull().default(0),
  /** JSON list of warnings about the schedules, as `warnings`. */
  schedule_warnings: text("schedule_warnings").notNull().default("[]"),
});
