// SQLite tables of the economic-data proxy: calls by day and endpoint, and the completely stored spans of
// each series.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Calls to the provider; each attempt is counted before it is sent. The quota itself is in quota_counts. */
export const econ_calls = sqliteTable(
  "econ_calls",
  {
    /** The provider's day, in Chicago. */
    day: text("day").notNull(),
    endpoint: text("endpoint").notNull(),
    calls: integer("calls").notNull(),
    /** Calls that were answered with data. */
    successes: integer("successes").notNull(),
    /** Rows in those answers. */
    records: integer("records").notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.endpoint] })],
);

/** Fetches that returned every observation of a span, so that the lake can answer for it. */
export const econ_fetches = sqliteTable(
  "econ_fetches",
  {
    series_id: text("series_id").notNull(),
    /** As requested; 0001-01-01 and 9999-12-31 when the request had none. */
    observation_start: text("observation_start").notNull(),
    observation_end: text("observation_end").notNull(),
    /** Time from which every vintage is stored: that of the fetch, unless vintages were requested. */
    known_from: text("known_from").notNull(),
    fetched_at: text("fetched_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.series_id, t.observation_start, t.observation_end, t.fetched_at] }),
    index("econ_fetches_by_moment").on(t.series_id, t.fetched_at),
  ],
);
