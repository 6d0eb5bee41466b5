// One run of one job: its deadline, its lease, its row; whatever it does, it never takes the process with it.
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import { redactText } from "../redact.ts";
import type { Job, JobContext } from "./job.ts";
import type { JobEnd, JobLedger, JobOutcome, JobRun } from "./ledger.ts";

export interface Running {
  readonly runId: number;
  /** The row once the run has an outcome. Never rejects. */
  readonly done: Promise<JobRun | null>;
  /** The work has really ended and the lease is free: later than `done` where a job ignores its signal. */
  readonly over: Promise<void>;
  stop(): void;
}

interface RunNeeds {
  readonly ledger: JobLedger;
  readonly clock: Clock;
  readonly log: Log;
  readonly leaseMs: number;
  /** Called once the job may be run again. */
  readonly onFree: () => void;
}

/** Why a run was ended from outside, and as what it counts. */
class RunEnded extends Error {
  override readonly name = "RunEnded";
  constructor(
    readonly outcome: JobOutcome,
    message: string,
  ) {
    super(message);
  }
}

/** Keeps the lease until `until` aborts; ends the run when the job is lost, or the ledger cannot be reached for a whole lease. */
async function keepLease(job: string, until: AbortSignal, stop: AbortController, needs: RunNeeds) {
  const { ledger, clock, log, leaseMs } = needs;
  let renewedMs = clock.nowMs();
  while (!until.aborted) {
    await clock.sleep(leaseMs / 3, until);
    try {
      if (!ledger.renew(job, clock.nowMs(), leaseMs)) break;
      renewedMs = clock.nowMs();
    } catch (error) {
      log.warn("the lease of a job cannot be renewed", { job, error });
      if (clock.nowMs() - renewedMs >= leaseMs) break;
    }
  }
  if (!until.aborted) stop.abort(new RunEnded("interrupted", "another process has taken the job"));
}

function endOf(error: unknown): JobEnd {
  if (error instanceof RunEnded) return { outcome: error.outcome, error: error.message };
  return { outcome: "failed", error: redactText(error instanceof Error ? error.message : String(error)) };
}

/** The ledger may be out of reach: the run is then found without an end at the next start. */
function tell<T>(job: string, log: Log, act: () => T): T | null {
  try {
    return act();
  } catch (error) {
    log.error("the ledger of the jobs cannot be written", { job, error });
    return null;
  }
}

function settle(run: JobRun, end: JobEnd, isOver: boolean, { ledger, clock, log }: RunNeeds): JobRun | null {
  const { job } = run;
  const { outcome, error, rows } = end;
  if (outcome === "succeeded") log.info("job done", { job, rows });
  else log.error("job not done", { job, outcome, reason: error });
  return tell(job, log, () => ledger.finish(run, clock.nowMs(), end, isOver));
}

/** Starts the work of a run whose row and lease are there. */
export function startRun(
  job: Job,
  run: JobRun,
  context: Omit<JobContext, "signal">,
  needs: RunNeeds,
): Running {
  const { ledger, clock, log } = needs;
  const stop = new AbortController();
  const timers = new AbortController();
  const ended = new Promise<never>((_, reject) => {
    stop.signal.addEventListener("abort", () => reject(stop.signal.reason), { once: true });
  });
  const work = Promise.resolve().then(() => job.run({ ...context, signal: stop.signal }));

  clock.sleep(job.deadlineMs, timers.signal).then(
    () => stop.abort(new RunEnded("failed", `not done within ${job.deadlineMs / 1000} s`)),
    () => {},
  );
  keepLease(job.name, timers.signal, stop, needs).catch(() => {});

  let free = false;
  const release = (isFreed: boolean) => {
    if (free) return;
    free = true;
    timers.abort();
    if (!isFreed) tell(job.name, log, () => ledger.release(job.name));
    needs.onFree();
  };
  const conclude = (end: JobEnd, isOver: boolean) => {
    const row = settle(run, end, isOver, needs);
    if (isOver) release(row !== null);
    return row;
  };
  const done = Promise.race([work, ended]).then(
    (result) =>
      conclude({ outcome: "succeeded", ...(result?.rows === undefined ? {} : { rows: result.rows }) }, true),
    // Where the work goes on in spite of its signal the lease stays: nobody may run it beside that.
    (error: unknown) =>
      conclude(endOf(stop.signal.aborted ? stop.signal.reason : error), !stop.signal.aborted),
  );
  return {
    runId: run.id,
    done,
    over: Promise.allSettled([work, done]).then(() => release(false)),
    stop: () => stop.abort(new RunEnded("interrupted", "the process was told to stop")),
  };
}
