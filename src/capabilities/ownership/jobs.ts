// The scheduled work: everybody's filings of the missed days each morning, reading every half hour, the feed where wanted.
import { newYorkDate } from "../../market/calendar.ts";
import { isFederalBusinessDay } from "../../market/federal-days.ts";
import type { Clock } from "../../platform/clock.ts";
import { NotConfigured } from "../../platform/errors.ts";
import type { Job } from "../../platform/jobs/job.ts";
import type { OwnershipIngest } from "./ingest.ts";
import type { OwnershipLog } from "./sources.ts";

const ZONE = "America/New_York";
/** Filings one run reads: some 20 minutes at the regulator's pace. */
const READ_MAX = 9_000;
/** The run ends by itself before its deadline would end it. */
const READ_MS_MAX = 25 * 60_000;

export const INGEST_JOB = "ownership-ingest";
export const ENRICHMENT_JOB = "ownership-enrichment";

export interface JobDeps {
  readonly ingest: OwnershipIngest;
  readonly clock: Clock;
  readonly log: OwnershipLog;
  /** Whether the current feed is followed. */
  readonly feed: boolean;
  /** Runs a job beside its schedule. */
  runNow(name: string): unknown;
}

/** The act of each job, also for whoever runs one on demand. */
export function ownershipActs({ ingest, clock, log, runNow }: Omit<JobDeps, "feed">) {
  /** Reads what is pending, newest first. */
  const enrich = async (signal: AbortSignal): Promise<{ rows: number }> => {
    const counts = await ingest.read(READ_MAX, { signal, untilMs: clock.nowMs() + READ_MS_MAX });
    if (counts.outage !== null && !(counts.outage instanceof NotConfigured)) throw counts.outage;
    return { rows: counts.read };
  };
  /** Indexes the missed days; a day whose index fails is tried again with the next run. */
  const catchUp = async (signal: AbortSignal): Promise<{ rows: number }> => {
    let fault: Error | null = null;
    const rows = await ingest.index(
      ingest.missed(),
      (_date, _filings, error) => {
        fault ??= error;
      },
      signal,
    );
    // What came in is read now and not by the next half hour; where that job runs, it is read by the next.
    if (rows > 0) runNow(ENRICHMENT_JOB);
    if (fault !== null) throw fault;
    return { rows };
  };
  /** A service without a name for the regulator is in order: it serves prices. */
  const orUnasked = (act: (signal: AbortSignal) => Promise<{ rows: number }>): Job["run"] => {
    return async ({ signal }) => {
      try {
        return await act(signal);
      } catch (error) {
        if (!(error instanceof NotConfigured)) throw error;
        log.info("ownership filings are not asked for", { reason: error.message });
        return { rows: 0 };
      }
    };
  };
  return {
    enrich: orUnasked(enrich),
    catchUp: orUnasked(catchUp),
    follow: orUnasked(async (signal) => {
      const counts = await ingest.follow(signal);
      if (counts.outage !== null) throw counts.outage;
      return { rows: counts.read };
    }),
  };
}

/** The regulator's days are federal business days: it works on Good Friday and rests on Columbus and Veterans Day. */
const onBusinessDays = (at: Temporal.Instant) => isFederalBusinessDay(newYorkDate(at));

export function ownershipJobs(deps: JobDeps): Job[] {
  const acts = ownershipActs(deps);
  const jobs: Job[] = [
    {
      name: INGEST_JOB,
      description:
        "Takes in the index of insiders' and large holders' filings of the days since the last run.",
      schedule: "0 9 * * *",
      zone: ZONE,
      gate: onBusinessDays,
      deadlineMs: 30 * 60_000,
      catchUp: "once",
      run: acts.catchUp,
    },
    {
      name: ENRICHMENT_JOB,
      description: "Reads the insiders' and large holders' filings that are indexed and not read.",
      schedule: "*/30 * * * *",
      zone: ZONE,
      deadlineMs: 28 * 60_000,
      catchUp: "once",
      run: acts.enrich,
    },
  ];
  if (deps.feed)
    jobs.push({
      name: "ownership-feed",
      description: "Takes in and reads insiders' and large holders' filings as the regulator accepts them.",
      // The regulator takes these from 06:00 to 22:00.
      schedule: "* 6-22 * * *",
      zone: ZONE,
      gate: onBusinessDays,
      deadlineMs: 5 * 60_000,
      catchUp: "once",
      run: acts.follow,
    });
  return jobs;
}
