// What runs by itself: the evening's files with whatever is missing, and the fortnight's short interest.
import { type Calendar, newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Job } from "../../platform/jobs/job.ts";
import type { VolumeIngest } from "./ingest.ts";
import { INTEREST_DAYS_BACK, type InterestIngest } from "./interest-ingest.ts";
import type { IngestReport } from "./report.ts";
import { ALL_FACILITIES } from "./sources.ts";

/** Also the name under which ingests on demand run, so that there is one at a time. */
export const VOLUME_JOB = "short-volume";
export const INTEREST_JOB = "short-interest";

const ZONE = "America/New_York";

/** A run in which every file that was asked for failed has failed itself. */
function outcomeOf({ ingested, skipped, failed, rows_inserted, rows_updated }: IngestReport) {
  const [first] = failed;
  if (first && ingested.length + skipped.length === 0) throw new Error(`${first.date}: ${first.error}`);
  return { rows: rows_inserted + rows_updated };
}

export function shortVolumeJobs(needs: {
  readonly volume: VolumeIngest;
  readonly interest: InterestIngest;
  readonly calendar: Calendar;
  readonly clock: Clock;
}): Job[] {
  const { volume, interest, calendar, clock } = needs;
  return [
    {
      name: VOLUME_JOB,
      description:
        "Takes in FINRA's short-volume file of the day, missed ones, and corrections of the last five sessions.",
      // Out by 18:00 as a rule, by 20:00 on slow evenings.
      schedule: "15 18,20,22 * * 1-5",
      zone: ZONE,
      gate: (at) => calendar.isSession(newYorkDate(at)),
      // All of history, on demand, is two thousand files.
      deadlineMs: 4 * 3_600_000,
      catchUp: "once",
      run: async ({ signal }) =>
        outcomeOf(
          await volume.ingest({
            dates: await volume.owed(ALL_FACILITIES),
            facility: ALL_FACILITIES,
            force: false,
            signal,
          }),
        ),
    },
    {
      name: INTEREST_JOB,
      description: "Takes in FINRA's short-interest files of the last two months.",
      schedule: "45 20 * * 1-5",
      zone: ZONE,
      deadlineMs: 15 * 60_000,
      catchUp: "once",
      run: async ({ signal }) => {
        const end = newYorkDate(clock.now());
        return outcomeOf(
          await interest.ingest({ start: addDays(end, -INTEREST_DAYS_BACK), end, force: false, signal }),
        );
      },
    },
  ];
}
