// The public view of the scheduled jobs and their runs.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { listFields, pageOf, textOrNull } from "../../market/answer-fields.ts";
import { FormatQuery, formatField, oneOf, wholeNumber } from "../../market/params.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { documented } from "../../platform/route-doc.ts";

const instant = textOrNull("RFC 3339 UTC; null: never.");

const Job = Type.Object({
  name: Type.String({ description: "Name of the job." }),
  says: Type.String({ description: "What the job does." }),
  schedule: Type.String({ description: "Cron expression." }),
  timezone: Type.String({ description: "Time zone of the schedule." }),
  enabled: Type.Boolean({ description: "False when jobs are off in this process (JOBS=off)." }),
  last_run_at: instant,
  last_status: Type.Union([Type.String(), Type.Null()], {
    description: "running, succeeded, failed or interrupted; null: the job never ran.",
  }),
  last_duration_ms: Type.Union([Type.Number(), Type.Null()], {
    description: "Duration of the last run, milliseconds; null: the job never ran.",
  }),
  next_run_at: instant,
});

const OUTCOMES = ["running", "succeeded", "failed", "skipped", "gap", "interrupted"] as const;

const Run = Type.Object({
  id: Type.Integer({ description: "Id of the run, ascending." }),
  job: Type.String({ description: "Name of the job." }),
  scheduled_for: instant,
  missed_since: Type.Union([Type.String(), Type.Null()], {
    description:
      "RFC 3339 UTC. The run also covers the slots from this one to scheduled_for, which passed without a run; null: the run was on time.",
  }),
  started_at: Type.String({ description: "RFC 3339 UTC." }),
  finished_at: instant,
  outcome: Type.String({
    description:
      "running, succeeded, failed, skipped (the previous run was still active), gap (missed, and cannot be caught up), interrupted.",
  }),
  rows: Type.Union([Type.Integer({ description: "Rows stored." }), Type.Null()], {
    description: "Rows stored; null when the job does not count them.",
  }),
  error: Type.Union([Type.String(), Type.Null()], { description: "Why the run failed, or what was missed." }),
});

const RunsQuery = Type.Object({
  job: Type.Optional(
    Type.String({ description: "Only this job.", maxLength: 100, examples: ["gainer-snapshots"] }),
  ),
  outcome: Type.Optional(oneOf(OUTCOMES, "Only runs with this outcome.")),
  limit: Type.Optional(wholeNumber("Maximum number of runs.", { minimum: 1, maximum: 1_000, default: 100 })),
  offset: Type.Optional(
    wholeNumber("Number of runs to skip.", { minimum: 0, maximum: 10_000_000, default: 0 }),
  ),
  format: Type.Optional(formatField),
});

/** The routes below /scheduler. */
export function scheduler(jobs: Pick<Jobs, "list" | "runs">) {
  const routes = new Elysia({ name: "scheduler", prefix: "/scheduler" })
    .get(
      "/jobs",
      () => {
        const data = [...jobs.list()];
        return { ...pageOf(data.length, data.length, { limit: data.length, offset: 0 }), data };
      },
      {
        query: FormatQuery,
        detail: documented({
          tag: "scheduler",
          summary: "Scheduled jobs with their last and next run",
          description:
            "A run is skipped, not queued, while the previous one is active. Missed runs are caught up at start, or recorded as a gap.",
          answer: Type.Object({
            ...listFields,
            data: Type.Array(Job, { description: "Ordered by name." }),
          }),
          rows: "data",
          answerDescription: "The jobs.",
        }),
      },
    )
    .get(
      "/runs",
      ({ query }) => {
        const { limit = 100, offset = 0, format: _format, ...filter } = query;
        const { total, runs } = jobs.runs(filter, { limit, offset });
        return { ...pageOf(runs.length, total, { limit, offset }), data: runs };
      },
      {
        query: RunsQuery,
        detail: documented({
          tag: "scheduler",
          summary: "Runs of the jobs, newest first",
          description:
            "Every due slot is a run, is covered by a later run (missed_since to scheduled_for), or is a gap. A run on demand has no scheduled_for. Runs are kept for 400 days.",
          answer: Type.Object({
            ...listFields,
            data: Type.Array(Run, { description: "Newest first." }),
          }),
          rows: "data",
          answerDescription: "The runs.",
        }),
      },
    );
  return { routes };
}
