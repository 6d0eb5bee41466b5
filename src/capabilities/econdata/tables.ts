// What the economic-data proxy remembers of its work: calls by day and endpoint, and which spans of a series are stored whole.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Calls to the provider, each attempt counted before it goes out. The quota itself is in quota_counts. */
export const econ_calls = sqliteTable(
  "econ_calls",
  {
    /** The provider's day, in Chicago. */
    day: text("day").notNull(),
    endpoint: text("endpoint").notNull(),
    calls: integer("calls").notNull(),
    /** Of them answered with data. */
    successes: integer("successes").notNull(),
    /** Rows of those answers. */
    records: integer("records").notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.endpoint] })],
);

/** Fetches that brought every observation of a span, so that the lake can answer for it. */
export const econ_fetches = sqliteTable(
  "econ_fetches",
  {
    series_id: text("series_id").notNull(),
    /** As asked; 0001-01-01 and 9999-12-31 where the request named none. */
    observation_start: text("observation_start").notNull(),
    observation_end: text("observation_end").notNull(),
    /** From when on every vintage is in store: the moment of the fetch, unless vintages were asked for. */
    known_from: text("known_from").notNull(),
    fetched_at: text("fetched_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.series_id, t.observation_start, t.observation_end, t.fetched_at] }),
    index("econ_fetches_by_moment").on(t.series_id, t.fetched_at),
  ],
);
