// SQLite tables of attention: which page views and news were fetched, to distinguish "nothing there" from
// "never fetched".
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Fetches of an article's page views. */
export const page_view_fetches = sqliteTable(
  "page_view_fetches",
  {
    article: text("article").notNull(),
    start_date: text("start_date").notNull(),
    end_date: text("end_date").notNull(),
    /** Last day for which the encyclopedia had published page views at that time; null when unknown. */
    project_last_date: text("project_last_date"),
    fetched_at: text("fetched_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.article, t.start_date, t.end_date] }),
    index("page_view_fetches_by_moment").on(t.article, t.fetched_at),
  ],
);

/** Spans whose news was collected, in New York days, both inclusive. */
export const news_archive_fetches = sqliteTable(
  "news_archive_fetches",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    symbol: text("symbol").notNull(),
    start_date: text("start_date").notNull(),
    end_date: text("end_date").notNull(),
    query: text("query").notNull(),
    articles: integer("articles").notNull(),
    /** Whether there were more articles than are read of one span. */
    truncated: integer("truncated", { mode: "boolean" }).notNull(),
    fetched_at: text("fetched_at").notNull(),
  },
  (t) => [index("news_archive_fetches_by_symbol").on(t.symbol, t.end_date)],
);
