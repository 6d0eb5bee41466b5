// Short volume: FINRA's daily files, the point-in-time panel over them, and short interest. Its face.
import type { AnyElysia } from "elysia";
import type { Calendar } from "../../market/calendar.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import { shortVolumeAnswers } from "./answers.ts";
import { volumeIngest } from "./ingest.ts";
import { ingestRequests } from "./ingest-requests.ts";
import { shortInterestAnswers } from "./interest.ts";
import { interestIngest } from "./interest-ingest.ts";
import { INTEREST_JOB, shortVolumeJobs } from "./jobs.ts";
import { panelReader } from "./panel.ts";
import { rankings } from "./ranking.ts";
import { shortVolumeRoutes } from "./routes.ts";
import type { ShortVolumeLog, ShortVolumeSource } from "./sources.ts";
import { shortVolumeStatus } from "./status.ts";
import { shortVolumeStore } from "./store.ts";
import { summaries } from "./summary.ts";
import { shortVolumes } from "./volumes.ts";

export type { InterestOptions } from "./interest-ingest.ts";
export type { IngestReport } from "./report.ts";
export { FACILITIES, type Facility } from "./sources.ts";

export interface ShortVolumeNeeds {
  readonly source: ShortVolumeSource;
  readonly lake: Lake;
  readonly sqlite: Store;
  readonly clock: Clock;
  readonly calendar: Calendar;
  readonly log: ShortVolumeLog;
  /** Admin routes are mounted below it. */
  readonly admin: AnyElysia;
  runNow: Jobs["runNow"];
}

/** Composes the capability: its routes and jobs, and what commands and others ask of it. */
export function shortVolume(needs: ShortVolumeNeeds) {
  const { source, lake, sqlite, clock, calendar, log, runNow } = needs;
  const store = shortVolumeStore(lake);
  const deps = { source, store, calendar, clock, log };
  const volume = volumeIngest(deps);
  const interest = interestIngest(deps);
  const volumes = shortVolumes({ store, clock });
  const ingests = ingestRequests({ volume, sqlite, calendar, clock, runNow });
  const answers = shortVolumeAnswers({
    volumes,
    rankings: rankings({ store, calendar }),
    summaries: summaries({ store, calendar }),
    status: shortVolumeStatus({ lake, store, volume }),
    interest: shortInterestAnswers({ store }),
    panel: panelReader({ lake, store, clock }),
    ingests,
    clock,
  });
  return {
    routes: shortVolumeRoutes(answers, needs.admin),
    jobs: shortVolumeJobs({ volume, interest, calendar, clock }),
    /** What `cli ingest shortvolume` runs, under the job's lock. */
    ingest: ingests.start,
    /** What `cli ingest shortinterest` runs, under its job's lock; false when it runs already. */
    async ingestInterest(options: Parameters<typeof interest.ingest>[0]) {
      const run = runNow(INTEREST_JOB, async ({ signal }) => {
        const { rows_inserted, rows_updated } = await interest.ingest({
          ...options,
          signal: AbortSignal.any([signal, options.signal]),
        });
        return { rows: rows_inserted + rows_updated };
      });
      return run.started ? run.done : null;
    },
  };
}
