// Runs jobs on schedule and on demand. Each run is a row of the ledger; two processes never run one job at
// once.
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Clock } from "../clock.ts";
import { Busy, InvalidRequest, NotFound } from "../errors.ts";
import { instantMs, instantText } from "../instant-text.ts";
import type { Log } from "../log.ts";
import type { Store } from "../sqlite/sqlite.ts";
import { freshnessOf } from "./freshness.ts";
import type { Job } from "./job.ts";
import { type JobLedger, type JobRun, jobLedger } from "./ledger.ts";
import type { JobLocks } from "./locks.ts";
import { firstAllowedSlot, latestAllowedSlot, type ScheduledJob } from "./missed-slots.ts";
import { jobSlots } from "./schedule.ts";
import { beginRun, catchUpAll, ON_DEMAND, requireOrder, runDue, type SchedulerState } from "./scheduler.ts";

/** One job as GET /scheduler/jobs shows it. */
export type JobStatus = ReturnType<typeof statusOf>;

export interface Jobs {
  /** Adds jobs. Throws on a bad schedule or a name used twice. */
  add(jobs: readonly Job[]): void;
  list(): JobStatus[];
  /** Returns the jobs' schedules, for the timers. Unlike `list` it reads no database. */
  schedules(): Pick<Job, "name" | "schedule" | "zone">[];
  /** Runs in the ledger, newest first. */
  runs: JobLedger["runs"];
  /**
   * Called by the timer. Runs the job for its newest slot and returns the ledger row, also for a slot that is
   * skipped because the job is still running; null when there is nothing to do. Catches up earlier slots that
   * passed without a run because the machine slept or a run was interrupted, and tries failed ones again.
   * Rejects only for an unknown name (NotFound).
   */
  due(name: string): Promise<JobRun | null>;
  /**
   * Runs the job now, outside its schedule; `run` replaces the job's own function, for example for a range of
   * days. `started` is false when the job is already running; `runId` is then that run's. `done` never
   * rejects. Throws NotFound, StorageUnavailable, and Busy while the process stops.
   */
  runNow(name: string, run?: Job["run"]): { runId: number; started: boolean; done: Promise<JobRun | null> };
  /**
   * Runs the job now as an operator asks for it: `date` as its run for one day. `done` never rejects. Throws
   * as `runNow` does, InvalidRequest for a date that the job does not take, and Busy `already_running`.
   */
  request(name: string, date: string | null): { run: JobRun; done: Promise<JobRun | null> };
  /** A run by its id. Throws NotFound. */
  run(id: number): JobRun;
  /** Runs what was missed while no process ran, inputs first. Call it once at the start. Never rejects. */
  catchUp(): Promise<void>;
  /**
   * Starts no more runs, aborts those under way (`interrupted`, caught up at the next start) and waits for
   * them to end.
   */
  stop(): Promise<void>;
}

export interface JobsDeps {
  /** Jobs from the start; `add` takes more. */
  readonly jobs?: readonly Job[];
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Shared by all processes of a data folder. */
  readonly locks: JobLocks;
  /** Default true; false lists the jobs and runs them only on demand. */
  readonly enabled?: boolean;
}

/**
 * The slots that count around now. Searching through a gate is slow, so they are cached until the next one
 * has come.
 */
function slotsAround(scheduled: ScheduledJob, nowMs: number): NonNullable<ScheduledJob["around"]> {
  const { around } = scheduled;
  if (around && around.foundMs <= nowMs && (around.nextMs === null || around.nextMs > nowMs)) return around;
  const found = {
    dueMs: latestAllowedSlot(scheduled, nowMs),
    nextMs: firstAllowedSlot(scheduled, nowMs),
    foundMs: nowMs,
  };
  scheduled.around = found;
  return found;
}

const textOrNull = (ms: number | null): string | null => (ms === null ? null : instantText(ms));

function statusOf(state: SchedulerState, scheduled: ScheduledJob) {
  const { job } = scheduled;
  const { enabled } = state;
  const last = state.ledger.lastStarted(job.name);
  const { dueMs, nextMs } = enabled
    ? slotsAround(scheduled, state.clock.nowMs())
    : { dueMs: null, nextMs: null };
  const durationMs = last?.finished_at ? instantMs(last.finished_at) - instantMs(last.started_at) : null;
  return {
    name: job.name,
    says: job.description,
    schedule: job.schedule,
    timezone: job.zone,
    enabled,
    last_run_at: last?.started_at ?? null,
    last_status: (last?.outcome ?? null) as "running" | "succeeded" | "failed" | "interrupted" | null,
    last_duration_ms: durationMs,
    last_succeeded_at: state.ledger.lastSucceeded(job.name)?.finished_at ?? null,
    last_due_at: textOrNull(dueMs),
    next_run_at: textOrNull(nextMs),
    fills: job.fills ?? [],
    freshness: enabled ? freshnessOf(state.ledger, job.name, dueMs) : "off",
    after: job.after ?? [],
    takes_date: job.ofDay !== undefined,
  };
}

/**
 * The jobs of the process. The caller attaches the timers, which call `due`. Throws on a bad schedule or a
 * name used twice.
 */
export function createJobs(deps: JobsDeps): Jobs {
  const { clock, log, store, locks, enabled = true } = deps;
  const owner = { holder: randomUUID(), host: hostname(), pid: process.pid };
  const ledger = jobLedger(store, owner);
  const all = new Map<string, ScheduledJob>();
  const running: SchedulerState["running"] = new Map();
  const retries: SchedulerState["retries"] = new Map();
  const stopping = new AbortController();
  const state: SchedulerState = { clock, log, locks, enabled, ledger, all, running, retries, stopping };
  const add = (jobs: readonly Job[]) => {
    for (const job of jobs) {
      if (all.has(job.name)) throw new Error(`Two jobs have the name ${job.name}`);
      all.set(job.name, { job, slots: jobSlots(job.schedule, job.zone), around: null });
    }
    requireOrder(all);
    if (enabled)
      ledger.see(
        jobs.map(({ name }) => name),
        clock.nowMs(),
      );
  };
  add(deps.jobs ?? []);
  const jobNamed = (name: string): ScheduledJob => {
    const scheduled = all.get(name);
    if (!scheduled) throw new NotFound("not_found", `There is no job named ${name}`);
    return scheduled;
  };
  const isIdle = () => !enabled || stopping.signal.aborted;

  const runOf = (id: number): JobRun => {
    const run = ledger.run(id);
    if (!run) throw new NotFound("not_found", `There is no run with the id ${id}.`);
    return run;
  };
  const runNow: Jobs["runNow"] = (name, run) => {
    const own = jobNamed(name);
    const scheduled = run ? { ...own, job: { ...own.job, run } } : own;
    if (stopping.signal.aborted) throw new Busy("server_busy", "The service is stopping");
    const begun = beginRun(state, scheduled, ON_DEMAND);
    if (begun.kind === "granted") return { runId: begun.run.id, started: true, done: begun.done };
    const runId = begun.kind === "held" ? begun.runId : begun.run.id;
    return { runId, started: false, done: Promise.resolve(ledger.run(runId)) };
  };

  return {
    add,
    runs: (filter, page) => ledger.runs(filter, page),
    list: () => [...all.values()].map((scheduled) => statusOf(state, scheduled)),
    schedules: () => [...all.values()].map(({ job: { name, schedule, zone } }) => ({ name, schedule, zone })),
    async due(name) {
      const scheduled = jobNamed(name);
      return isIdle() ? null : runDue(state, scheduled);
    },
    runNow,
    request(name, date) {
      const { job } = jobNamed(name);
      if (date !== null && !job.ofDay)
        throw new InvalidRequest(
          "bad_request",
          `The job ${name} has no run for one day; leave the date out.`,
        );
      const begun = runNow(name, date === null ? undefined : job.ofDay?.(date));
      if (!begun.started)
        throw new Busy("already_running", `The job ${name} is running already (run ${begun.runId}).`, {
          hint: `GET /api/v1/scheduler/runs/${begun.runId} shows that run.`,
        });
      return { run: runOf(begun.runId), done: begun.done };
    },
    run: runOf,
    async catchUp() {
      if (isIdle()) return;
      await catchUpAll(state);
      if (!isIdle()) ledger.tidy(clock.nowMs());
    },
    async stop() {
      stopping.abort();
      for (const retry of retries.values()) retry.abort();
      const active = [...running.values()];
      for (const run of active) run.stop();
      await Promise.all(active.map((run) => run.over));
    },
  };
}
