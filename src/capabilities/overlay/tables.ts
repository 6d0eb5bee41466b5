// What the overlay keeps beside the lake: topics, and which days were reckoned.
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const overlay_topics = sqliteTable("overlay_topics", {
  /** Its name in lower case with hyphens. */
  topic_id: text("topic_id").primaryKey(),
  name: text("name").notNull(),
  /** JSON lists of texts; tickers are canonical. */
  keywords: text("keywords").notNull(),
  encyc_titles: text("encyc_titles").notNull(),
  tickers: text("tickers").notNull(),
  updated_at: text("updated_at").notNull(),
});

export const overlay_runs = sqliteTable("overlay_runs", {
  /** The session that was reckoned. */
  date: text("date").primaryKey(),
  run_at: text("run_at").notNull(),
  tickers: integer("tickers").notNull(),
  /** Rows that were new or other than before. */
  rows: integer("rows").notNull(),
});
