// The job that compacts the lake.
import type { Job } from "../platform/jobs/job.ts";
import type { Lake } from "../platform/lake/lake.ts";

export const lakeCompaction = (lake: Lake): Job => ({
  name: "lake-compaction",
  description: "Merges small files of the lake and publishes the catalogue.",
  schedule: "*/15 * * * *",
  zone: "America/New_York",
  deadlineMs: 10 * 60_000,
  catchUp: "once",
  run: async ({ signal }) => ({
    rows: (await lake.compact({ signal })).reduce((sum, c) => sum + c.rows, 0),
  }),
});
