// One run of one job: its deadline, its lock and its row in the ledger. No error of a job ends the process.
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import { Reading } from "../reading.ts";
import { redactText } from "../redact.ts";
import { type Job, type JobContext, RunSkipped } from "./job.ts";
import type { JobEnd, JobLedger, JobOutcome, JobRun } from "./ledger.ts";

export interface Running {
  readonly runId: number;
  /** The row once the run has an outcome. Never rejects. */
  readonly done: Promise<JobRun | null>;
  /**
   * Resolves when the work has ended and the job's lock is free: later than `done` when a job ignores its
   * signal.
   */
  readonly over: Promise<void>;
  stop(): void;
}

interface RunDeps {
  readonly ledger: JobLedger;
  readonly clock: Clock;
  readonly log: Log;
  /** The job's lock, which the run releases when its work has ended. */
  readonly lock: { release(): void };
  /** Called when the job may run again. */
  readonly onFree: () => void;
}

/** A run ended from outside; `outcome` is what the ledger records. */
class RunEnded extends Error {
  override readonly name = "RunEnded";
  constructor(
    readonly outcome: JobOutcome,
    message: string,
  ) {
    super(message);
  }
}

function endOf(error: unknown): JobEnd {
  if (error instanceof RunEnded) return { outcome: error.outcome, error: error.message };
  if (error instanceof RunSkipped) return { outcome: "skipped", error: error.message };
  return { outcome: "failed", error: redactText(error instanceof Error ? error.message : String(error)) };
}

/** Runs `write`; null when the ledger cannot be written. The next start then finds the run without an end. */
function tryWrite<T>(job: string, log: Log, write: () => T): T | null {
  try {
    return write();
  } catch (error) {
    log.error("job ledger could not be written", { job, error });
    return null;
  }
}

function recordEnd(run: JobRun, end: JobEnd, { ledger, clock, log }: RunDeps): JobRun | null {
  const { job } = run;
  const { outcome, error, rows } = end;
  if (outcome === "succeeded") log.info("job succeeded", { job, rows });
  else if (outcome === "skipped") log.info("job skipped", { job, reason: error });
  else log.error("job did not succeed", { job, outcome, reason: error });
  return tryWrite(job, log, () => ledger.finish(run, clock.nowMs(), end));
}

/** Starts the work of a run whose row is written and whose lock is taken. */
export function startRun(job: Job, run: JobRun, context: Omit<JobContext, "signal">, deps: RunDeps): Running {
  const { ledger, clock, log } = deps;
  const stop = new AbortController();
  const timers = new AbortController();
  const ended = new Promise<never>((_, reject) => {
    stop.signal.addEventListener("abort", () => reject(stop.signal.reason), { once: true });
  });
  const reading = new Reading();
  const work = reading.run(() => Promise.resolve().then(() => job.run({ ...context, signal: stop.signal })));

  clock.sleep(job.deadlineMs, timers.signal).then(
    () => stop.abort(new RunEnded("failed", `not finished within ${job.deadlineMs / 1000} s`)),
    () => {},
  );

  let free = false;
  const release = () => {
    if (free) return;
    free = true;
    timers.abort();
    tryWrite(job.name, log, () => ledger.release(job.name));
    deps.lock.release();
    deps.onFree();
  };
  const conclude = (end: JobEnd, isOver: boolean) => {
    const row = recordEnd(run, end, deps);
    if (isOver) release();
    return row;
  };
  const done = Promise.race([work, ended]).then(
    (result) =>
      conclude({ outcome: "succeeded", ...(result?.rows === undefined ? {} : { rows: result.rows }) }, true),
    // Work that goes on after its signal keeps the lock, so that no second run starts beside it.
    (error: unknown) =>
      conclude(endOf(stop.signal.aborted ? stop.signal.reason : error), !stop.signal.aborted),
  );
  return {
    runId: run.id,
    done,
    over: Promise.allSettled([work, done]).then(release),
    stop: () => stop.abort(new RunEnded("interrupted", "the process stopped")),
  };
}
