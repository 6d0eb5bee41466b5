// The scheduled jobs, as anybody may see them.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { listFields } from "../../market/answer-fields.ts";
import { oneOf, wholeNumber } from "../../market/params.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { documented } from "../../platform/route-doc.ts";

const instant = Type.Union([Type.String({ description: "RFC 3339 UTC; null: never." }), Type.Null()]);

const Job = Type.Object({
  name: Type.String({ description: "Name of the job." }),
  says: Type.String({ description: "What it does." }),
  schedule: Type.String({ description: "Cron expression." }),
  timezone: Type.String({ description: "Zone of the schedule." }),
  enabled: Type.Boolean({ description: "False when jobs are off in this process (JOBS=off)." }),
  last_run_at: instant,
  last_status: Type.Union([Type.String(), Type.Null()], {
    description: "running, succeeded, failed or interrupted; null: it never ran.",
  }),
  last_duration_ms: Type.Union([Type.Number(), Type.Null()], {
    description: "How long the last run took, milliseconds; null: it never ran.",
  }),
  next_run_at: instant,
});

const OUTCOMES = ["running", "succeeded", "failed", "skipped", "gap", "interrupted"] as const;

const Run = Type.Object({
  id: Type.Integer({ description: "Number of the run, ascending." }),
  job: Type.String({ description: "Name of the job." }),
  scheduled_for: instant,
  missed_since: Type.Union([Type.String(), Type.Null()], {
    description:
      "RFC 3339 UTC. The run also stands for the slots from this one to scheduled_for, which passed without a run; null: it ran at its time.",
  }),
  started_at: Type.String({ description: "RFC 3339 UTC." }),
  finished_at: instant,
  outcome: Type.String({
    description:
      "running, succeeded, failed, skipped (the former run was still at it), gap (missed, and cannot be made good), interrupted.",
  }),
  rows: Type.Union([Type.Integer({ description: "Rows stored." }), Type.Null()], {
    description: "Rows stored, where the job counts them.",
  }),
  error: Type.Union([Type.String(), Type.Null()], { description: "Why it failed, or what was missed." }),
});

const RunsQuery = Type.Object({
  job: Type.Optional(
    Type.String({ description: "Only this job.", maxLength: 100, examples: ["gainer-snapshots"] }),
  ),
  outcome: Type.Optional(oneOf(OUTCOMES, "Only runs that ended so.")),
  limit: Type.Optional(wholeNumber("Runs in this answer.", { minimum: 1, maximum: 1_000, default: 100 })),
  offset: Type.Optional(wholeNumber("Runs passed over.", { minimum: 0, maximum: 10_000_000, default: 0 })),
});

/** Routes below /scheduler. */
export function scheduler(needs: Pick<Jobs, "list" | "runs">) {
  const routes = new Elysia({ name: "scheduler", prefix: "/scheduler" })
    .get(
      "/jobs",
      () => {
        const data = [...needs.list()];
        return {
          count: data.length,
          total: data.length,
          limit: data.length,
          offset: 0,
          has_more: false,
          data,
        };
      },
      {
        detail: documented({
          tag: "scheduler",
          summary: "Scheduled jobs with their last and next run",
          description:
            "A run is skipped, not queued, while the former one is active. Missed runs are caught up at start, or recorded as a gap.",
          answer: Type.Object({
            ...listFields,
            data: Type.Array(Job, { description: "By name." }),
          }),
          answerDescription: "The jobs.",
        }),
      },
    )
    .get(
      "/runs",
      ({ query }) => {
        const { limit = 100, offset = 0, ...filter } = query;
        const { total, runs } = needs.runs(filter, { limit, offset });
        return {
          count: runs.length,
          total,
          limit,
          offset,
          has_more: offset + runs.length < total,
          data: runs,
        };
      },
      {
        query: RunsQuery,
        detail: documented({
          tag: "scheduler",
          summary: "What the jobs did, newest first",
          description:
            "The ledger: every due slot is a run, within missed_since to scheduled_for of one that made it good later, or a gap. A run on demand has no scheduled_for. Kept for 400 days.",
          answer: Type.Object({
            ...listFields,
            data: Type.Array(Run, { description: "Newest first." }),
          }),
          answerDescription: "The runs.",
        }),
      },
    );
  return { routes };
}
