// The scheduled jobs, as anybody may see them.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { JobStatus } from "../../platform/jobs.ts";
import { documented } from "../../platform/route-doc.ts";

const instant = Type.Union([Type.String({ description: "RFC 3339 UTC; null: never." }), Type.Null()]);

const Job = Type.Object({
  name: Type.String(),
  says: Type.String({ description: "What it does." }),
  schedule: Type.String({ description: "Cron expression." }),
  timezone: Type.String({ description: "Zone of the schedule." }),
  enabled: Type.Boolean({ description: "False when jobs are off in this process (JOBS=off)." }),
  last_run_at: instant,
  last_status: Type.Union([Type.String(), Type.Null()], {
    description: "running, succeeded, failed, skipped, gap or interrupted.",
  }),
  last_duration_ms: Type.Union([Type.Number(), Type.Null()]),
  next_run_at: instant,
});

/** Routes below /scheduler. */
export function scheduler(needs: { list(): readonly JobStatus[] }) {
  const routes = new Elysia({ name: "scheduler", prefix: "/scheduler" }).get(
    "/jobs",
    () => {
      const data = [...needs.list()];
      return { count: data.length, total: data.length, limit: data.length, offset: 0, has_more: false, data };
    },
    {
      detail: documented({
        tag: "scheduler",
        summary: "Scheduled jobs with their last and next run",
        description:
          "A run is skipped, not queued, while the former one is active. Missed runs are caught up at start, or recorded as a gap.",
        answer: Type.Object({
          count: Type.Integer(),
          total: Type.Integer(),
          limit: Type.Integer(),
          offset: Type.Integer(),
          has_more: Type.Boolean(),
          data: Type.Array(Job),
        }),
        answerSays: "The jobs.",
      }),
    },
  );
  return { routes };
}
