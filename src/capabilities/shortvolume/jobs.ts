// The scheduled work: the evening's short-volume files, and the short-interest files of each half month.
import { newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import type { Services } from "../../market/services.ts";
import type { Job } from "../../platform/jobs/job.ts";
import type { DueFiles } from "./due-files.ts";
import type { VolumeIngest } from "./ingest.ts";
import { INTEREST_DAYS_BACK, type InterestIngest } from "./interest-ingest.ts";
import { isOverdue } from "./publication.ts";
import type { IngestReport } from "./report.ts";
import { ALL_FACILITIES, FACILITIES } from "./sources.ts";

/** Ingests on demand run under the same name, so that only one runs at a time. */
export const VOLUME_JOB = "short-volume";
export const INTEREST_JOB = "short-interest";

const ZONE = "America/New_York";

/**
 * Throws when the newest session's file is not stored though it should have been out for hours: rows were
 * expected.
 */
function requireNewest({ skipped, failed }: IngestReport, newest: string, now: Temporal.Instant): void {
  if (!isOverdue(newest, now)) return;
  const error = failed.find(({ date }) => date === newest)?.error;
  if (error !== undefined) throw new Error(`${newest}: ${error}`);
  if (skipped.some(({ date, reason }) => date === newest && reason === "not_published"))
    throw new Error(`FINRA has not published the short-volume file of ${newest}`);
}

/** Rows of a run. Throws if every file failed: then the run has failed. */
function outcomeOf({ ingested, skipped, failed, rows_inserted, rows_updated }: IngestReport) {
  const [first] = failed;
  if (first && ingested.length + skipped.length === 0) throw new Error(`${first.date}: ${first.error}`);
  return { rows: rows_inserted + rows_updated };
}

export interface ShortVolumeJobDeps extends Pick<Services, "calendar" | "clock"> {
  readonly volume: VolumeIngest;
  readonly due: DueFiles;
  readonly interest: InterestIngest;
}

export function shortVolumeJobs({ volume, due, interest, calendar, clock }: ShortVolumeJobDeps): Job[] {
  return [
    {
      name: VOLUME_JOB,
      description:
        "Ingests FINRA's short-volume file of the day, missed files, and corrections of the last five sessions.",
      // The file is usually out by 18:00, by 20:00 on slow evenings.
      schedule: "15 18,20,22 * * 1-5",
      zone: ZONE,
      gate: (at) => calendar.isSession(newYorkDate(at)),
      // A run on demand may fetch the whole history: two thousand files.
      deadlineMs: 4 * 3_600_000,
      catchUp: "once",
      fills: ["short_volume", "finra_files"],
      // Reads those of single facilities too, where a command has read them before.
      ofDay:
        (date) =>
        async ({ signal }) => {
          let rows = 0;
          for (const facility of FACILITIES)
            if (facility === ALL_FACILITIES || (await due.isStored(facility, date)))
              rows += outcomeOf(await volume.ingest({ dates: [date], facility, force: true, signal })).rows;
          return { rows };
        },
      async run({ signal }) {
        const dates = await due.toFetch(ALL_FACILITIES);
        const report = await volume.ingest({ dates, facility: ALL_FACILITIES, force: false, signal });
        requireNewest(report, dates.at(-1) ?? "", clock.now());
        return outcomeOf(report);
      },
    },
    {
      name: INTEREST_JOB,
      description: "Ingests FINRA's short-interest files of the last two months.",
      schedule: "45 20 * * 1-5",
      zone: ZONE,
      deadlineMs: 15 * 60_000,
      catchUp: "once",
      fills: ["short_interest"],
      ofDay:
        (date) =>
        async ({ signal }) =>
          outcomeOf(await interest.ingest({ start: date, end: date, force: true, signal })),
      run: async ({ signal }) => {
        const end = newYorkDate(clock.now());
        return outcomeOf(
          await interest.ingest({ start: addDays(end, -INTEREST_DAYS_BACK), end, force: false, signal }),
        );
      },
    },
  ];
}
