// Ingests on demand: run under the job's lock, with stored progress. A long one is answered before it ends.
import type { Services } from "../../market/services.ts";
import { Busy, InvalidRequest, NotFound } from "../../platform/errors.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import type { DueFiles } from "./due-files.ts";
import { everyDay, type VolumeIngest } from "./ingest.ts";
import { IngestLedger, type IngestRow, type IngestState } from "./ingest-ledger.ts";
import { VOLUME_JOB } from "./jobs.ts";
import { emptyReport, type IngestReport } from "./report.ts";
import type { Facility } from "./sources.ts";

export interface IngestRequest {
  readonly date?: string | undefined;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly days?: number | undefined;
  readonly facility?: Facility | undefined;
  readonly force?: boolean | undefined;
}

const DAYS_DEFAULT = 5;
/** An ingest of more dates is answered with 202 and continues in the background. */
// Twelve dates are answered when they are stored; of 13 the answer is 202 at once.
const SYNC_DATES_MAX = 12;
/** How often a running ingest writes its progress. */
const SAVE_EVERY_MS = 1_000;

export interface IngestRequestDeps extends Pick<Services, "sqlite" | "clock" | "calendar" | "runNow"> {
  readonly volume: VolumeIngest;
  readonly due: DueFiles;
}

/** The dates of a request: one date, all days of a range, or the newest sessions. Throws InvalidRequest. */
function datesOf(request: IngestRequest, due: DueFiles, calendar: Services["calendar"]): string[] {
  const { date, start_date, end_date, days } = request;
  const ways = [date !== undefined, start_date !== undefined || end_date !== undefined, days !== undefined];
  if (ways.filter(Boolean).length > 1)
    throw new InvalidRequest(
      "conflicting_time_selection",
      "Give one of date, start_date with end_date, or days.",
    );
  if (date !== undefined) return [date];
  if (start_date === undefined && end_date === undefined) return due.newestSessions(days ?? DAYS_DEFAULT);
  if (start_date === undefined || end_date === undefined)
    throw new InvalidRequest("invalid_date_range", "start_date and end_date are used together.");
  if (end_date < start_date)
    throw new InvalidRequest(
      "invalid_date_range",
      `end_date ${end_date} is earlier than start_date ${start_date}.`,
    );
  if (!calendar.covers(start_date) || !calendar.covers(end_date))
    throw new InvalidRequest(
      "invalid_date_range",
      `The exchange calendar covers ${calendar.firstDate} to ${calendar.lastDate}.`,
    );
  return everyDay(start_date, end_date);
}

/** Status and error of a run that has ended. A run in which every date failed counts as failed. */
function endOf(
  report: IngestReport,
  ended: Awaited<ReturnType<Services["runNow"]>["done"]>,
): Pick<IngestRow, "status" | "error"> {
  const allFailed = report.failed.length > 0 && report.ingested.length + report.skipped.length === 0;
  if (ended?.outcome === "succeeded" && !allFailed) return { status: "succeeded", error: null };
  const reason = allFailed ? "every date failed" : "the end of the run could not be recorded";
  return { status: "failed", error: ended?.error ?? reason };
}

export function ingestRequests({ volume, due, sqlite, calendar, clock, runNow }: IngestRequestDeps) {
  const ledger = new IngestLedger({ sqlite, clock });

  /** Starts an ingest. `done` resolves with the state at its end. Throws Busy `already_running`. */
  const start = (request: IngestRequest, onStep?: (report: IngestReport, date: string) => void) => {
    const dates = datesOf(request, due, calendar);
    const facility = request.facility ?? "CNMS";
    let report = emptyReport(dates);
    let row: IngestRow | undefined;
    const saveProgress = (change: Partial<IngestRow>) => {
      if (!row) return;
      row = { ...row, ...change, updated_at: instantText(clock.nowMs()), report: JSON.stringify(report) };
      ledger.save(row);
    };
    const run = runNow(VOLUME_JOB, async ({ signal }) => {
      report = await volume.ingest({
        dates,
        facility,
        force: request.force ?? false,
        signal,
        onStep(soFar, date) {
          report = soFar;
          if (row && clock.nowMs() - instantMs(row.updated_at) >= SAVE_EVERY_MS) saveProgress({});
          onStep?.(soFar, date);
        },
      });
      return { rows: report.rows_inserted + report.rows_updated };
    });
    if (!run.started)
      throw new Busy("already_running", `An ingest of short volume is running already (job ${run.runId}).`, {
        hint: `GET /api/v1/shortvolume/admin/ingest/${run.runId} shows an ingest that was requested; the evening run is in /api/v1/scheduler/jobs.`,
      });
    row = ledger.begin(run.runId, facility, report);
    const begun = ledger.stateOf(row);
    const done = run.done.then((ended) => {
      saveProgress({ ...endOf(report, ended), finished_at: instantText(clock.nowMs()) });
      return row ? ledger.stateOf(row) : begun;
    });
    return { begun, done };
  };

  return {
    start,

    /** Answers the admin route: with the end of a short ingest, or the beginning of a long one. */
    async request(request: IngestRequest): Promise<{ status: 200 | 202; state: IngestState }> {
      const { begun, done } = start(request);
      if (begun.total > SYNC_DATES_MAX) return { status: 202, state: { ...begun, status: "started" } };
      return { status: 200, state: await done };
    },

    /** An ingest by its number, or the newest. Throws NotFound. */
    state(jobId: number | "latest"): IngestState {
      const row = ledger.find(jobId);
      if (row) return ledger.stateOf(row);
      const what =
        jobId === "latest"
          ? "No ingest of short volume has been requested yet."
          : `There is no ingest ${jobId}.`;
      throw new NotFound("not_found", what);
    },
  };
}

export type IngestRequests = ReturnType<typeof ingestRequests>;
