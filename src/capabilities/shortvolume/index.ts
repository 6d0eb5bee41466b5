// Short volume: FINRA's daily files, the point-in-time panel made of them, and short interest.
import type { AnyElysia } from "elysia";
import type { Services } from "../../market/services.ts";
import { shortVolumeAnswers } from "./answers.ts";
import { dueFiles } from "./due-files.ts";
import { volumeIngest } from "./ingest.ts";
import { ingestRequests } from "./ingest-requests.ts";
import { shortInterestAnswers } from "./interest.ts";
import { interestIngest } from "./interest-ingest.ts";
import { INTEREST_JOB, shortVolumeJobs } from "./jobs.ts";
import { panelReader } from "./panel.ts";
import { rankings } from "./ranking.ts";
import { shortVolumeRoutes } from "./routes.ts";
import type { ShortVolumeSource } from "./sources.ts";
import { shortVolumeStatus } from "./status.ts";
import { ShortVolumeStore } from "./store.ts";
import { summaries } from "./summary.ts";
import { unreadSessions } from "./unread-sessions.ts";
import { shortVolumes } from "./volumes.ts";

export type { InterestOptions } from "./interest-ingest.ts";
export type { IngestReport } from "./report.ts";
export { FACILITIES, type Facility } from "./sources.ts";

export interface ShortVolumeDeps
  extends Pick<Services, "lake" | "sqlite" | "clock" | "calendar" | "log" | "runNow"> {
  readonly source: ShortVolumeSource;
  /** The guard of the admin routes. */
  readonly admin: AnyElysia;
}

/** Composes the capability: its routes, its jobs, and what the command line runs. */
export function shortVolume(deps: ShortVolumeDeps) {
  const { source, lake, sqlite, clock, calendar, log, runNow } = deps;
  const store = new ShortVolumeStore(lake);
  const ingestDeps = { source, store, calendar, clock, log };
  const due = dueFiles({ store, calendar, clock });
  const volume = volumeIngest({ ...ingestDeps, due });
  const interest = interestIngest(ingestDeps);
  const warningsOf = unreadSessions({ store, clock, calendar });
  const volumes = shortVolumes({ store, warningsOf, clock });
  const ingests = ingestRequests({ volume, due, sqlite, calendar, clock, runNow });
  const answers = shortVolumeAnswers({
    volumes,
    rankings: rankings({ store, calendar }),
    summaries: summaries({ store, calendar }),
    status: shortVolumeStatus({ lake, store, due }),
    interest: shortInterestAnswers({ store }),
    panel: panelReader({ lake, store, clock }),
    warningsOf,
    ingests,
    clock,
  });
  return {
    routes: shortVolumeRoutes(answers, deps.admin),
    jobs: shortVolumeJobs({ volume, due, interest, calendar, clock }),
    /** Runs `cli ingest shortvolume` under the job's lock. */
    ingest: ingests.start,
    /** Runs `cli ingest shortinterest` under the job's lock; null if the job runs already. */
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
