// The scheduled work: index missed days each morning, read pending filings every half hour, follow the feed
// if configured.
import { newYorkDate } from "../../market/calendar.ts";
import { isFederalBusinessDay } from "../../market/federal-days.ts";
import type { Services } from "../../market/services.ts";
import { NotConfigured } from "../../platform/errors.ts";
import type { Job } from "../../platform/jobs/job.ts";
import type { Log } from "../../platform/log.ts";
import { checkAllPrices } from "./derived-rows.ts";
import type { OwnershipIngest } from "./ingest.ts";

const ZONE = "America/New_York";
/** Filings that one run reads: some 20 minutes at the regulator's pace. */
const READ_MAX = 9_000;
/** A run stops reading before its deadline would abort it. */
const READ_MS_MAX = 25 * 60_000;

export const INGEST_JOB = "ownership-ingest";
export const ENRICHMENT_JOB = "ownership-enrichment";

export interface JobDeps extends Pick<Services, "clock" | "lake"> {
  readonly ingest: OwnershipIngest;
  readonly log: Pick<Log, "info">;
  /** Whether to follow the current feed. */
  readonly feed: boolean;
  /** Runs a job outside its schedule. */
  runNow(name: string): unknown;
}

/** Returns the run of each job. */
function jobRuns({ ingest, clock, log, runNow }: Omit<JobDeps, "feed">) {
  /** Reads pending filings, newest first. */
  const enrich = async (signal: AbortSignal): Promise<{ rows: number }> => {
    const counts = await ingest.read(READ_MAX, { signal, untilMs: clock.nowMs() + READ_MS_MAX });
    if (counts.outage !== null && !(counts.outage instanceof NotConfigured)) throw counts.outage;
    return { rows: counts.read };
  };
  /** Indexes the missed days. A day whose index fails is tried again in the next run. */
  const catchUp = async (signal: AbortSignal): Promise<{ rows: number }> => {
    let firstError: Error | null = null;
    const rows = await ingest.index(
      ingest.missed(),
      (_date, _filings, error) => {
        firstError ??= error;
      },
      signal,
    );
    // Reads the new filings now instead of within the next half hour.
    if (rows > 0) runNow(ENRICHMENT_JOB);
    if (firstError !== null) throw firstError;
    return { rows };
  };
  /** Succeeds without work when SEC_USER_AGENT is not set: a service that serves only prices is healthy. */
  const skipIfNotConfigured = (run: (signal: AbortSignal) => Promise<{ rows: number }>): Job["run"] => {
    return async ({ signal }) => {
      try {
        return await run(signal);
      } catch (error) {
        if (!(error instanceof NotConfigured)) throw error;
        log.info("ownership filings are not fetched", { reason: error.message });
        return { rows: 0 };
      }
    };
  };
  return {
    enrich: skipIfNotConfigured(enrich),
    catchUp: skipIfNotConfigured(catchUp),
    follow: skipIfNotConfigured(async (signal) => {
      const counts = await ingest.follow(signal);
      if (counts.outage !== null) throw counts.outage;
      return { rows: counts.read };
    }),
  };
}

/**
 * The regulator works on federal business days: it is open on Good Friday, and closed on Columbus and
 * Veterans Day.
 */
const onBusinessDays = (at: Temporal.Instant) => isFederalBusinessDay(newYorkDate(at));

export function ownershipJobs(deps: JobDeps): Job[] {
  const runs = jobRuns(deps);
  const jobs: Job[] = [
    {
      name: INGEST_JOB,
      description: "Indexes insiders' and large holders' filings of the days since the last run.",
      schedule: "0 9 * * *",
      zone: ZONE,
      gate: onBusinessDays,
      deadlineMs: 30 * 60_000,
      catchUp: "once",
      fills: ["insider_transactions", "ownership_events"],
      run: runs.catchUp,
    },
    {
      name: ENRICHMENT_JOB,
      description: "Reads insiders' and large holders' filings that are indexed but not read yet.",
      schedule: "*/30 * * * *",
      zone: ZONE,
      deadlineMs: 28 * 60_000,
      catchUp: "once",
      fills: ["insider_transactions", "ownership_events"],
      run: runs.enrich,
    },
    {
      name: "insider-price-checks",
      description: "Compares prices of insiders' purchases and sales with the closes around their day.",
      // After the open, from which the closes of the session before are known.
      schedule: "0 10 * * *",
      zone: ZONE,
      deadlineMs: 10 * 60_000,
      catchUp: "once",
      fills: ["insider_price_checks"],
      run: async ({ signal }) => ({ rows: await checkAllPrices(deps.lake, signal) }),
    },
  ];
  if (deps.feed)
    jobs.push({
      name: "ownership-feed",
      description: "Indexes and reads insiders' and large holders' filings as the regulator accepts them.",
      // The regulator accepts these forms from 06:00 to 22:00.
      schedule: "* 6-22 * * *",
      zone: ZONE,
      gate: onBusinessDays,
      deadlineMs: 5 * 60_000,
      catchUp: "once",
      fills: ["insider_transactions", "ownership_events"],
      run: runs.follow,
    });
  return jobs;
}
