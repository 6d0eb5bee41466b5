// Fields of the scheduler routes.
import { type Static, Type } from "@sinclair/typebox";
import { textOrNull } from "../../market/answer-fields.ts";
import { countField, dateField, formatField, oneOf, skipField, wholeNumber } from "../../market/params.ts";
import { FRESHNESS } from "../../platform/jobs/freshness.ts";

const instant = textOrNull("RFC 3339 UTC; null: never.");

export const Job = Type.Object({
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
  last_succeeded_at: textOrNull("When its newest run that succeeded ended, RFC 3339 UTC; null: never."),
  last_due_at: textOrNull("Its newest slot up to now, RFC 3339 UTC; null: jobs are off."),
  next_run_at: instant,
  fills: Type.Array(Type.String(), { description: "Datasets that it keeps up to date." }),
  freshness: oneOf(
    FRESHNESS,
    "Whether what it fills is as new as its schedule allows. current: the newest due run has succeeded. running: a run is under way. behind: the newest due run has failed, was interrupted or has not begun. skipped: the newest due run was skipped, for example because a setting is missing. not_due: no run was due since this installation has the job. off: jobs are off in this process.",
  ),
  after: Type.Array(Type.String(), {
    description: "Jobs it computes from: their newest runs must have succeeded before it runs.",
  }),
  takes_date: Type.Boolean({ description: "Whether a run for one day can be requested." }),
});
export type Job = Static<typeof Job>;

const OUTCOMES = ["running", "succeeded", "failed", "skipped", "gap", "interrupted"] as const;

export const Run = Type.Object({
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
      "running, succeeded, failed, skipped (the previous run was still active, or what the job needs is not configured: see error), gap (missed, and cannot be caught up), interrupted.",
  }),
  rows: Type.Union([Type.Integer({ description: "Rows stored." }), Type.Null()], {
    description: "Rows stored; null when the job does not count them.",
  }),
  error: Type.Union([Type.String(), Type.Null()], {
    description: "Why the run failed or was skipped, or what was missed.",
  }),
});
export type Run = Static<typeof Run>;

export const RunsQuery = Type.Object({
  job: Type.Optional(
    Type.String({ description: "Only this job.", maxLength: 100, examples: ["gainer-snapshots"] }),
  ),
  outcome: Type.Optional(oneOf(OUTCOMES, "Only runs with this outcome.")),
  limit: countField("Maximum number of runs.", 1_000, 100),
  offset: skipField("Number of runs to skip.", 10_000_000),
  format: formatField(),
});

/** The path of a job. */
export const JobPath = Type.Object({
  name: Type.String({ description: "Name of the job.", maxLength: 100, examples: ["overlay-scores"] }),
});

/** The path of a run. */
export const RunPath = Type.Object({
  id: wholeNumber("Id of the run.", { minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [42] }),
});

export const RunRequest = Type.Object({
  date: Type.Optional(
    dateField("Runs the job for this day; only for jobs with `takes_date`. Default: what the job does now."),
  ),
});

export const RunAccepted = Type.Object({
  run_id: Type.Integer({ description: "Id of the run, for GET /scheduler/runs/{id}." }),
  job: Type.String({ description: "Name of the job." }),
  date: textOrNull("YYYY-MM-DD. The requested day; null: none was given."),
  started_at: Type.String({ description: "RFC 3339 UTC." }),
});
