// The scheduled jobs and their runs, and runs on request.

import { Type } from "@sinclair/typebox";
import { Elysia, type Static } from "elysia";
import { absenceWarnings, ifEmpty } from "../../market/absence.ts";
import { listFields, pageOf } from "../../market/answer-fields.ts";
import { FormatQuery } from "../../market/params.ts";
import { Answer } from "../../platform/answer.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { documented } from "../../platform/route-doc.ts";
import { Job, JobPath, Run, RunAccepted, RunPath, RunRequest, RunsQuery } from "./schema.ts";

/** The routes with which an operator runs jobs. */
const administration = (jobs: Pick<Jobs, "request">, admin: Elysia) =>
  new Elysia({ name: "scheduler-admin", prefix: "/admin" }).use(admin).post(
    "/jobs/:name/run",
    ({ params, body }): Answer<Static<typeof RunAccepted>> => {
      const { date = null } = body;
      const { run } = jobs.request(params.name, date);
      const { id, job, started_at } = run;
      return new Answer(() => ({ run_id: id, job, date, started_at }), { status: 202 });
    },
    {
      params: JobPath,
      body: RunRequest,
      detail: documented({
        tag: "scheduler",
        summary: "Run a job now",
        description:
          "Starts the job outside its schedule and answers at once; GET /scheduler/runs/{id} shows the run. 409 while the job runs, 404 for an unknown name, 400 for a date that the job does not take.",
        answer: RunAccepted,
        answerDescription: "The run has begun.",
        errors: [400, 401, 403, "not_found", 409],
        successStatus: 202,
      }),
    },
  );

/** The routes below /scheduler. `admin` guards the admin routes. */
export function scheduler(jobs: Pick<Jobs, "list" | "runs" | "run" | "request">, admin: Elysia) {
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
        return {
          ...pageOf(runs.length, total, { limit, offset }),
          warnings: ifEmpty(
            runs,
            "nothing_there",
            "No run matches, or the page lies behind the last one; runs are kept for 400 days.",
          ),
          data: runs,
        };
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
            warnings: absenceWarnings,
            data: Type.Array(Run, { description: "Newest first." }),
          }),
          rows: "data",
          answerDescription: "The runs.",
        }),
      },
    )
    .get("/runs/:id", ({ params }) => jobs.run(params.id), {
      params: RunPath,
      detail: documented({
        tag: "scheduler",
        summary: "One run of a job",
        description: "A run that is still active has the outcome running.",
        answer: Run,
        answerDescription: "The run.",
        errors: ["not_found"],
      }),
    })
    .use(administration(jobs, admin));
  return { routes };
}
