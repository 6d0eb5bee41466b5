// SQLite tables of the overlay: topics, and the sessions that were scored.
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const overlay_topics = sqliteTable("overlay_topics", {
  /** The name in lower case with hyphens. */
  topic_id: text("topic_id").primaryKey(),
  name: text("name").notNull(),
  /** JSON arrays of strings; tickers are canonical symbols. */
  keywords: text("keywords").notNull(),
  encyc_titles: text("encyc_titles").notNull(),
  tickers: text("tickers").notNull(),
  updated_at: text("updated_at").notNull(),
});

export const overlay_runs = sqliteTable("overlay_runs", {
  /** The session that was scored. */
  date: text("date").primaryKey(),
  run_at: text("run_at").notNull(),
  tickers: integer("tickers").notNull(),
  /** Rows that were new or changed. */
  rows: integer("rows").notNull(),
});
