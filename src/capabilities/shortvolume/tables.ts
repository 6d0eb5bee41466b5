// Requested ingests, with the outcome of each date.
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const short_volume_ingests = sqliteTable(
  "short_volume_ingests",
  {
    /** The run in the ledger of jobs. */
    job_id: integer("job_id").primaryKey(),
    facility: text("facility").notNull(),
    status: text("status", { enum: ["running", "succeeded", "failed"] }).notNull(),
    started_at: text("started_at").notNull(),
    /** When the progress was last written. It stops when the process of the run dies. */
    updated_at: text("updated_at").notNull(),
    finished_at: text("finished_at"),
    error: text("error"),
    /** JSON of the report. */
    report: text("report").notNull(),
  },
  (t) => [index("short_volume_ingests_by_start").on(t.started_at)],
);
