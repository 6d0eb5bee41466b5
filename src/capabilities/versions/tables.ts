// SQLite table of the names of data versions.
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Names that were given to generations of the lake; a row is never changed. */
export const version_names = sqliteTable("version_names", {
  name: text("name").primaryKey(),
  generation: integer("generation").notNull(),
  /** The line of history that the generation is of; null where an earlier release gave the name. */
  store: text("store"),
  note: text("note"),
  named_at: text("named_at").notNull(),
});
