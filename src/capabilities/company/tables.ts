// SQLite tables of the company registry: when the regulator's lists were read, and what sources last
// answered.
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** When each of the regulator's lists was last read. */
export const company_lists = sqliteTable("company_lists", {
  kind: text("kind", { enum: ["company", "fund"] }).primaryKey(),
  rows: integer("rows").notNull(),
  read_at: text("read_at").notNull(),
});

/**
 * The last answer of a source about a company, unchanged: the regulator's by CIK, the price provider's by
 * symbol.
 */
export const company_facts = sqliteTable(
  "company_facts",
  {
    source: text("source").notNull(),
    key: text("key").notNull(),
    /** JSON. */
    body: text("body").notNull(),
    read_at: text("read_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.source, t.key] })],
);
