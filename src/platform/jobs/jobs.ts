// Runs jobs on schedule and on demand. Each run is a row of the ledger; two processes never run one job at once.
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Clock } from "../clock.ts";
import { Busy, NotFound } from "../errors.ts";
import { instantMs, instantText } from "../instant-text.ts";
import type { Log } from "../log.ts";
import type { Store } from "../sqlite/sqlite.ts";
import type { Job } from "./job.ts";
import { type JobLedger, type JobRun, jobLedger } from "./ledger.ts";
import { firstAllowedSlot, isAllowed, missedSlots, type ScheduledJob } from "./missed-slots.ts";
import { type Running, startRun } from "./run.ts";
import { jobSlots } from "./schedule.ts";

/** One job as GET /scheduler/jobs shows it. */
export interface JobStatus {
  readonly name: string;
  readonly says: string;
  readonly schedule: string;
  readonly timezone: string;
  readonly enabled: boolean;
  readonly last_run_at: string | null;
  readonly last_status: "running" | "succeeded" | "failed" | "interrupted" | null;
  readonly last_duration_ms: number | null;
  readonly next_run_at: string | null;
}

export interface Jobs {
  /** Adds jobs. Throws on a bad schedule or a name used twice. */
  add(jobs: readonly Job[]): void;
  list(): JobStatus[];
  /** What the timers need; unlike `list` it reads no database. */
  schedules(): Pick<Job, "name" | "schedule" | "zone">[];
  /** Runs in the ledger, newest first. */
  runs: JobLedger["runs"];
  /**
   * Called by the timer. Runs the job for its newest slot and returns the ledger row, also for a slot that is skipped
   * because the job is still running; null when there is nothing to do. Catches up earlier slots that passed without
   * a run because the machine slept or a run was interrupted. Rejects only for an unknown name (NotFound).
   */
  due(name: string): Promise<JobRun | null>;
  /**
   * Runs the job now, outside its schedule; `run` replaces the job's own function, for example for a range of days.
   * `started` is false when the job is already running; `runId` is then that run's. `done` never rejects.
   * Throws NotFound, StorageUnavailable, and Busy while the process stops.
   */
  runNow(name: string, run?: Job["run"]): { runId: number; started: boolean; done: Promise<JobRun | null> };
  /** Runs what was missed while no process ran. Call it once at the start. Never rejects. */
  catchUp(): Promise<void>;
  /** Starts no more runs, aborts those under way (`interrupted`, caught up at the next start) and waits for them to end. */
  stop(): Promise<void>;
}

export interface JobsDeps {
  /** Jobs from the start; `add` takes more. */
  readonly jobs?: readonly Job[];
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Default true; false lists the jobs and runs them only on demand. */
  readonly enabled?: boolean;
}

/** A process that does not renew its lease for this long loses its jobs to the next process that wants them. */
export const LEASE_MS = 30_000;
/** Timers may fire this much before their slot. */
const EARLY_MS = 500;

interface SchedulerState {
  readonly deps: JobsDeps;
  readonly ledger: JobLedger;
  /** By name of the job. */
  readonly running: Map<string, Running>;
  readonly stopping: AbortController;
}

/** Starts a run for a slot, or on demand when `slotMs` is null. */
function begin(
  state: SchedulerState,
  scheduled: ScheduledJob,
  slotMs: number | null,
  missed: readonly number[],
) {
  const { deps, ledger } = state;
  const nowMs = deps.clock.nowMs();
  const { name } = scheduled.job;
  const begun = ledger.begin(name, slotMs, nowMs, LEASE_MS, {
    hereRunId: state.running.get(name)?.runId,
    missedSinceMs: missed[0],
  });
  if (begun.kind !== "granted") return begun;
  const context = { scheduledFor: instantText(slotMs ?? nowMs), missed: missed.map(instantText) };
  const onFree = () => state.running.delete(name);
  const running = startRun(scheduled.job, begun.run, context, { ...deps, ledger, leaseMs: LEASE_MS, onFree });
  state.running.set(name, running);
  return { ...begun, done: running.done };
}

/**
 * Catches up missed slots, and runs the one that is due now, as the job's `catchUp` says. Returns the newest run;
 * "held" when the job is already running, in which case the slots stay missed.
 */
async function runMissed(
  state: SchedulerState,
  scheduled: ScheduledJob,
  missed: readonly number[],
  dueMs: number | null,
) {
  const { clock, log } = state.deps;
  const { name, catchUp } = scheduled.job;
  if (missed.length > 0) log.info("job missed slots", { job: name, slots: missed.length, catchUp });
  if (catchUp === "gap") state.ledger.record(name, missed, "gap", clock.nowMs());
  const late = catchUp === "gap" ? [] : missed;
  const slots = dueMs === null ? [...late] : [...late, dueMs];
  const newest = slots.at(-1);
  if (newest === undefined) return null;
  const oneForAll = [{ slot: newest, missed: late.length > 0 ? slots : [] }];
  const runs =
    catchUp === "each" ? slots.map((slot) => ({ slot, missed: slot === dueMs ? [] : [slot] })) : oneForAll;
  let last: JobRun | null = null;
  for (const run of runs) {
    if (state.stopping.signal.aborted) return last;
    const begun = begin(state, scheduled, run.slot, run.missed);
    if (begun.kind === "held") return "held";
    if (begun.kind === "granted") last = await begun.done;
  }
  return last;
}

async function runDue(state: SchedulerState, scheduled: ScheduledJob): Promise<JobRun | null> {
  const { ledger } = state;
  const { clock, log } = state.deps;
  const { name } = scheduled.job;
  try {
    const untilMs = clock.nowMs() + EARLY_MS;
    const latestMs = scheduled.slots.latest(untilMs);
    const isDue =
      latestMs !== null && isAllowed(scheduled, latestMs) && ledger.ofSlot(name, latestMs) === null;
    const dueMs = isDue ? latestMs : null;
    const missed = missedSlots(scheduled, ledger.missed(name), untilMs).filter((slot) => slot !== dueMs);
    const last = await runMissed(state, scheduled, missed, dueMs);
    if (last !== "held") return last;
    // With further slots missed, no row is written for this one: it would hide them from the next run.
    if (dueMs === null || (missed.length > 0 && scheduled.job.catchUp !== "gap")) return null;
    ledger.record(name, [dueMs], "skipped", clock.nowMs());
    log.warn("job skipped: it is still running", { job: name });
    return ledger.ofSlot(name, dueMs);
  } catch (error) {
    log.error("job could not be started", { job: name, error });
    return null;
  }
}

async function catchUpOne(state: SchedulerState, scheduled: ScheduledJob): Promise<void> {
  const { ledger } = state;
  const { clock } = state.deps;
  const { name } = scheduled.job;
  const heldMs = ledger.heldUntilMs(name, clock.nowMs());
  if (heldMs !== null) {
    // Another process runs the job, or one was killed a moment ago: once the lease has run out it is clear which.
    await clock.sleep(heldMs - clock.nowMs() + 1, state.stopping.signal);
    if (ledger.heldUntilMs(name, clock.nowMs()) !== null) return;
  }
  ledger.interruptDead(name, clock.nowMs());
  await runMissed(state, scheduled, missedSlots(scheduled, ledger.missed(name), clock.nowMs()), null);
}

/** The next slot that counts. Searching through a gate is slow, so the result is cached until that moment has passed. */
function nextRunMs(scheduled: ScheduledJob, nowMs: number): number | null {
  const { next } = scheduled;
  if (next && next.foundMs <= nowMs && (next.atMs === null || next.atMs > nowMs)) return next.atMs;
  const atMs = firstAllowedSlot(scheduled, nowMs);
  scheduled.next = { atMs, foundMs: nowMs };
  return atMs;
}

function statusOf(state: SchedulerState, scheduled: ScheduledJob): JobStatus {
  const { job } = scheduled;
  const enabled = state.deps.enabled ?? true;
  const last = state.ledger.lastStarted(job.name);
  const nextMs = enabled ? nextRunMs(scheduled, state.deps.clock.nowMs()) : null;
  const durationMs = last?.finished_at ? instantMs(last.finished_at) - instantMs(last.started_at) : null;
  return {
    name: job.name,
    says: job.description,
    schedule: job.schedule,
    timezone: job.zone,
    enabled,
    last_run_at: last?.started_at ?? null,
    last_status: (last?.outcome ?? null) as JobStatus["last_status"],
    last_duration_ms: durationMs,
    next_run_at: nextMs === null ? null : instantText(nextMs),
  };
}

/** The jobs of the process. The caller attaches the timers, which call `due`. Throws on a bad schedule or a name used twice. */
export function createJobs(deps: JobsDeps): Jobs {
  const { clock, log, store, enabled = true } = deps;
  const owner = { holder: randomUUID(), host: hostname(), pid: process.pid };
  const ledger = jobLedger(store, owner);
  const state: SchedulerState = { deps, ledger, running: new Map(), stopping: new AbortController() };
  const all = new Map<string, ScheduledJob>();
  const add = (jobs: readonly Job[]) => {
    for (const job of jobs) {
      if (all.has(job.name)) throw new Error(`Two jobs have the name ${job.name}`);
      all.set(job.name, { job, slots: jobSlots(job.schedule, job.zone), next: null });
    }
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
  const isIdle = () => !enabled || state.stopping.signal.aborted;

  return {
    add,
    runs: (filter, page) => ledger.runs(filter, page),
    list: () => [...all.values()].map((scheduled) => statusOf(state, scheduled)),
    schedules: () => [...all.values()].map(({ job: { name, schedule, zone } }) => ({ name, schedule, zone })),
    async due(name) {
      const scheduled = jobNamed(name);
      return isIdle() ? null : runDue(state, scheduled);
    },
    runNow(name, run) {
      const own = jobNamed(name);
      const scheduled = run ? { ...own, job: { ...own.job, run } } : own;
      if (state.stopping.signal.aborted) throw new Busy("server_busy", "The service is stopping");
      const begun = begin(state, scheduled, null, []);
      if (begun.kind === "granted") return { runId: begun.run.id, started: true, done: begun.done };
      const runId = begun.kind === "held" ? begun.runId : begun.run.id;
      return { runId, started: false, done: Promise.resolve(ledger.run(runId)) };
    },
    async catchUp() {
      if (isIdle()) return;
      const one = (scheduled: ScheduledJob) =>
        catchUpOne(state, scheduled).catch((error: unknown) => {
          if (!isIdle()) log.error("job could not be caught up", { job: scheduled.job.name, error });
        });
      await Promise.all([...all.values()].map(one));
      if (!isIdle()) ledger.tidy(clock.nowMs());
    },
    async stop() {
      state.stopping.abort();
      const all = [...state.running.values()];
      for (const run of all) run.stop();
      await Promise.all(all.map((run) => run.over));
    },
  };
}
