// Filers whose reported figures are stored.
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Whose reported figures are in the lake, and as of which report. */
export const financial_filers = sqliteTable("financial_filers", {
  /** Ten digits. */
  cik: text("cik").primaryKey(),
  /** none: the regulator said that it has no figures of this filer. */
  status: text("status", { enum: ["facts", "none"] }).notNull(),
  facts: integer("facts").notNull(),
  /** JSON list of what a reader of the figures should know. */
  warnings: text("warnings").notNull(),
  /** When the regulator's file was made or fetched: reports accepted later are not in. */
  read_at: text("read_at").notNull(),
  /** Newest report among the figures; null without any. */
  newest_accession: text("newest_accession"),
  /** The version of the reading its figures are of; 0: none was noted. See FACTS_READING. */
  reading: integer("reading").notNull().default(0),
  /** When the schedules of the 1990s (EX-27) were last read through; null: never. */
  schedules_read_at: text("schedules_read_at"),
  /** The same of the schedules' figures. See SCHEDULES_READING. */
  schedules_reading: integer("schedules_reading").notNull().default(0),
  /** JSON list of what could not be read of them. */
  schedule_warnings: text("schedule_warnings").notNull().default("[]"),
});
