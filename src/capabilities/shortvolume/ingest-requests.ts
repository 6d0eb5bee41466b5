// Ingests on demand: under the job's lock, their progress kept, answered at once when they are long.
import { desc, eq } from "drizzle-orm";
import type { Calendar } from "../../market/calendar.ts";
import type { Clock } from "../../platform/clock.ts";
import { Busy, InvalidRequest, NotFound } from "../../platform/errors.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import { everyDay, type VolumeIngest } from "./ingest.ts";
import { VOLUME_JOB } from "./jobs.ts";
import { doneIn, emptyReport, type IngestReport, sorted } from "./report.ts";
import type { Facility } from "./sources.ts";
import { short_volume_ingests } from "./tables.ts";

export interface IngestAsk {
  readonly date?: string | undefined;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly days?: number | undefined;
  readonly facility?: Facility | undefined;
  readonly force?: boolean | undefined;
}

/** An ingest as the routes show it. */
export interface IngestState extends IngestReport {
  readonly job_id: number;
  readonly status: "started" | "running" | "succeeded" | "failed" | "interrupted";
  readonly facility: Facility;
  readonly processed: number;
  readonly total: number;
  readonly started_at: string;
  readonly finished_at: string | null;
  readonly error: string | null;
}

const DAYS_DEFAULT = 5;
/** Longer ones answer 202 and go on behind. */
const SYNC_DATES_MAX = 12;
/** How often a running one writes its progress. */
const SAVE_EVERY_MS = 1_000;
/** A run that wrote nothing for so long has lost its process. */
const SILENT_MS_MAX = 10 * 60_000;

type Row = typeof short_volume_ingests.$inferSelect;

export interface IngestRequestDeps {
  readonly volume: VolumeIngest;
  readonly sqlite: Store;
  readonly calendar: Calendar;
  readonly clock: Clock;
  runNow: Jobs["runNow"];
}

export function ingestRequests({ volume, sqlite, calendar, clock, runNow }: IngestRequestDeps) {
  const save = (row: Row) =>
    sqlite.use((db) =>
      db
        .insert(short_volume_ingests)
        .values(row)
        .onConflictDoUpdate({ target: short_volume_ingests.job_id, set: row })
        .run(),
    );

  const stateOf = (row: Row): IngestState => {
    const report = sorted(JSON.parse(row.report) as IngestReport);
    const isSilent = row.status === "running" && clock.nowMs() - instantMs(row.updated_at) > SILENT_MS_MAX;
    return {
      job_id: row.job_id,
      status: isSilent ? "interrupted" : row.status,
      facility: row.facility as Facility,
      processed: doneIn(report),
      total: report.requested_dates.length,
      started_at: row.started_at,
      finished_at: row.finished_at,
      error: row.error,
      ...report,
    };
  };

  /** The dates of a request: one, a range with all its days, or the newest sessions. Throws InvalidRequest. */
  const datesOf = ({ date, start_date, end_date, days }: IngestAsk): string[] => {
    const ways = [date !== undefined, start_date !== undefined || end_date !== undefined, days !== undefined];
    if (ways.filter(Boolean).length > 1)
      throw new InvalidRequest(
        "conflicting_time_selection",
        "Give one of date, start_date with end_date, or days.",
      );
    if (date !== undefined) return [date];
    if (start_date === undefined && end_date === undefined)
      return volume.newestSessions(days ?? DAYS_DEFAULT);
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
  };

  return {
    datesOf,

    /** Starts it; `done` resolves with the state at its end. Throws Busy `already_running`. */
    start(ask: IngestAsk, onStep?: (report: IngestReport, date: string) => void) {
      const dates = datesOf(ask);
      const facility = ask.facility ?? "CNMS";
      let report = emptyReport(dates);
      let row: Row | undefined;
      const keep = (change: Partial<Row>) => {
        if (!row) return;
        row = { ...row, ...change, updated_at: instantText(clock.nowMs()), report: JSON.stringify(report) };
        save(row);
      };
      const run = runNow(VOLUME_JOB, async ({ signal }) => {
        report = await volume.ingest({
          dates,
          facility,
          force: ask.force ?? false,
          signal,
          onStep(so_far, date) {
            report = so_far;
            if (row && clock.nowMs() - instantMs(row.updated_at) >= SAVE_EVERY_MS) keep({});
            onStep?.(so_far, date);
          },
        });
        return { rows: report.rows_inserted + report.rows_updated };
      });
      if (!run.started)
        throw new Busy(
          "already_running",
          `An ingest of short volume is running already (job ${run.runId}).`,
          {
            hint: `GET /api/v1/shortvolume/admin/ingest/${run.runId} shows one that was asked for; the evening's own is in /api/v1/scheduler/jobs.`,
          },
        );
      const now = instantText(clock.nowMs());
      row = {
        ...{ job_id: run.runId, facility, status: "running", started_at: now, updated_at: now },
        ...{ finished_at: null, error: null, report: JSON.stringify(report) },
      };
      save(row);
      const begun = stateOf(row);
      const done = run.done.then((ended) => {
        // A run in which every date failed has brought nothing in, however orderly it ended.
        const isVain = report.failed.length > 0 && report.ingested.length + report.skipped.length === 0;
        const isDone = ended?.outcome === "succeeded" && !isVain;
        keep({
          status: isDone ? "succeeded" : "failed",
          finished_at: instantText(clock.nowMs()),
          error: isDone
            ? null
            : (ended?.error ?? (isVain ? "every date failed" : "its end could not be recorded")),
        });
        return row ? stateOf(row) : begun;
      });
      return { begun, done };
    },

    /** The answer of the admin route: the end of a short one, the beginning of a long one. */
    async request(ask: IngestAsk): Promise<{ status: 200 | 202; state: IngestState }> {
      const { begun, done } = this.start(ask);
      if (begun.total > SYNC_DATES_MAX) return { status: 202, state: { ...begun, status: "started" } };
      return { status: 200, state: await done };
    },

    /** An ingest by its number, or the newest. Throws NotFound. */
    state(jobId: number | "latest"): IngestState {
      const row = sqlite.use((db) => {
        const from = db.select().from(short_volume_ingests);
        return jobId === "latest"
          ? from.orderBy(desc(short_volume_ingests.job_id)).limit(1).get()
          : from.where(eq(short_volume_ingests.job_id, jobId)).get();
      });
      if (row) return stateOf(row);
      const what =
        jobId === "latest" ? "No ingest of short volume was asked for yet." : `There is no ingest ${jobId}.`;
      throw new NotFound("not_found", what);
    },
  };
}

export type IngestRequests = ReturnType<typeof ingestRequests>;
