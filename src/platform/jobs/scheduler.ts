// How runs begin: for the slot that is due, for slots that were missed, for slots whose run failed; after
// their inputs.
import type { Clock } from "../clock.ts";
import { instantText } from "../instant-text.ts";
import type { Log } from "../log.ts";
import type { Job, JobContext } from "./job.ts";
import type { FailedSlots, JobLedger, JobRun } from "./ledger.ts";
import type { JobLocks } from "./locks.ts";
import { isAllowed, latestAllowedSlot, missedSlots, type ScheduledJob } from "./missed-slots.ts";
import { type Running, startRun } from "./run.ts";

// Tries after 1, 2, 4, … 256 minutes, and from the tenth on after six hours each.
const RETRY_MS_FIRST = 60_000;
const RETRY_MS_MAX = 6 * 3_600_000;

/** Whether failed runs of a job are tried again. */
const isRetried = ({ job }: ScheduledJob): boolean => job.catchUp !== "gap" && job.retry !== false;

/**
 * When the failed slots are tried again: a minute after the last failure, then after twice as long each time.
 * Null when there are none.
 */
function retryAtMs(failed: readonly FailedSlots[]): number | null {
  const newest = failed.at(-1);
  if (!newest) return null;
  return newest.endedMs + Math.min(RETRY_MS_FIRST * 2 ** (newest.attempts - 1), RETRY_MS_MAX);
}

/** Timers may fire this much before their slot. */
// A timer that fires at 17:59:59.600 runs the slot of 18:00; one that fires at 17:59:59 runs none.
const EARLY_MS = 500;
/** How long a run waits for the jobs whose rows it computes from. Then it fails and is tried again later. */
// Scores due at 18:30 wait until 18:40 for prices that are still read; then the run fails and is tried at
// 18:41.
export const INPUT_WAIT_MS = 10 * 60_000;
/** How often a job that another process runs is looked at again. */
const ELSEWHERE_MS = 10_000;

export interface SchedulerState {
  readonly clock: Clock;
  readonly log: Log;
  readonly locks: JobLocks;
  /** False: jobs run only on demand. */
  readonly enabled: boolean;
  readonly ledger: JobLedger;
  /** By name, as the next four. */
  readonly all: Map<string, ScheduledJob>;
  readonly running: Map<string, Running>;
  /** Pending retries; aborting one cancels it. */
  readonly retries: Map<string, AbortController>;
  readonly stopping: AbortController;
}

export type Begun =
  | { readonly kind: "granted"; readonly run: JobRun; readonly done: Promise<JobRun | null> }
  /** The job is running now, in this process or another. */
  | { readonly kind: "held"; readonly runId: number }
  /** The slot already has a row, from another process or an earlier call. */
  | { readonly kind: "done"; readonly run: JobRun };

/** The slots that a run stands for. */
interface Slots {
  /** Null: a run on demand. */
  readonly slotMs: number | null;
  readonly missed: readonly number[];
  /** Whether the run tries slots again whose run has failed. */
  readonly isRetry: boolean;
}
export const ON_DEMAND: Slots = { slotMs: null, missed: [], isRetry: false };

/** Sleeps until `ms` have passed or `event` has happened. Rejects when the signal aborts. */
async function pause(clock: Clock, ms: number, signal: AbortSignal, event?: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const stop = () => over.abort(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    signal.throwIfAborted();
    const slept = clock.sleep(ms, over.signal);
    slept.catch(() => {});
    await (event ? Promise.race([slept, event]) : slept);
  } finally {
    signal.removeEventListener("abort", stop);
    over.abort();
  }
}

/**
 * Waits until the input has succeeded for its newest slot up to `slotMs`; runs it when no run stands for that
 * slot. Throws at `untilMs`.
 */
async function awaitInput(
  state: SchedulerState,
  name: string,
  { slotMs, untilMs, signal }: { slotMs: number; untilMs: number; signal: AbortSignal },
): Promise<void> {
  const { clock, ledger, running } = state;
  const input = state.all.get(name);
  if (!input) throw new Error(`There is no job named ${name} to wait for`);
  const inputMs = latestAllowedSlot(input, slotMs);
  if (inputMs === null) return;
  while (!ledger.hasSucceeded(name, inputMs)) {
    const leftMs = untilMs - clock.nowMs();
    if (leftMs <= 0)
      throw new Error(
        `The run of ${name} for ${instantText(inputMs)} has not succeeded, and this job needs it`,
      );
    if (!running.has(name) && ledger.ofSlot(name, inputMs) === null) {
      const missed = missedSlots(input, ledger.missed(name), clock.nowMs(), true);
      const slots = [...new Set([...missed, inputMs])].sort((a, b) => a - b);
      void runSlots(state, input, { missed: slots, dueMs: null, isRetry: true }).catch(() => {});
    }
    const active = running.get(name);
    await pause(clock, active ? leftMs : Math.min(leftMs, ELSEWHERE_MS), signal, active?.over);
  }
}

/** Waits for what the job runs after. Throws when an input that it needs has not succeeded in time. */
async function awaitInputs(state: SchedulerState, job: Job, slotMs: number, signal: AbortSignal) {
  const { clock, running } = state;
  const untilMs = clock.nowMs() + INPUT_WAIT_MS;
  for (const name of job.after ?? []) await awaitInput(state, name, { slotMs, untilMs, signal });
  for (const name of job.afterEndOf ?? []) {
    const active = running.get(name);
    if (active) await pause(clock, Math.max(0, untilMs - clock.nowMs()), signal, active.over);
  }
}

/** Starts a run, unless one of the job is under way. */
export function beginRun(state: SchedulerState, scheduled: ScheduledJob, slots: Slots): Begun {
  const { clock, log, ledger, locks } = state;
  const { job } = scheduled;
  const { slotMs, missed, isRetry } = slots;
  const here = state.running.get(job.name);
  if (here) return { kind: "held", runId: here.runId };
  const lock = locks.acquire(job.name);
  if (!lock) return { kind: "held", runId: ledger.runningId(job.name) };
  try {
    const nowMs = clock.nowMs();
    const begun = ledger.begin(job.name, slotMs, nowMs, { missedSinceMs: missed[0], isRetry });
    if (begun.kind === "done") {
      lock.release();
      return begun;
    }
    const run = async (context: JobContext) => {
      if (slotMs !== null) await awaitInputs(state, job, slotMs, context.signal);
      return job.run(context);
    };
    const context = { scheduledFor: instantText(slotMs ?? nowMs), missed: missed.map(instantText) };
    const onFree = () => state.running.delete(job.name);
    const running = startRun({ ...job, run }, begun.run, context, { clock, log, ledger, lock, onFree });
    state.running.set(job.name, running);
    if (slotMs !== null) void running.over.then(() => afterRun(state, scheduled, running));
    return { ...begun, done: running.done };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Plans the next try of a run that failed. After one that succeeded, tries the jobs again that failed for
 * want of it.
 */
async function afterRun(state: SchedulerState, scheduled: ScheduledJob, running: Running): Promise<void> {
  const { job } = scheduled;
  const row = await running.done;
  if (!state.enabled || state.stopping.signal.aborted || row === null) return;
  if (row.outcome === "failed") planRetry(state, scheduled);
  if (row.outcome !== "succeeded") return;
  for (const other of state.all.values())
    if (other.job.after?.includes(job.name)) await retryFailed(state, other, true);
}

/** Sets the timer of the next try; without a failed run it sets none. */
export function planRetry(state: SchedulerState, scheduled: ScheduledJob): void {
  const { clock, log, ledger, retries } = state;
  const { name } = scheduled.job;
  retries.get(name)?.abort();
  try {
    const atMs = isRetried(scheduled) ? retryAtMs(ledger.missed(name).failed) : null;
    if (atMs === null) return;
    const timer = new AbortController();
    retries.set(name, timer);
    clock.sleep(atMs - clock.nowMs(), timer.signal).then(
      () => retryFailed(state, scheduled, false),
      () => {},
    );
  } catch (error) {
    log.error("job could not be planned again", { job: name, error });
  }
}

/** Runs the slots whose run has failed; `atOnce` does not wait for the time of the next try. */
async function retryFailed(state: SchedulerState, scheduled: ScheduledJob, atOnce: boolean): Promise<void> {
  const { clock, log, ledger, stopping } = state;
  const { name } = scheduled.job;
  if (stopping.signal.aborted || !isRetried(scheduled)) return;
  try {
    const missed = ledger.missed(name);
    const atMs = retryAtMs(missed.failed);
    if (atMs === null) return;
    if (!atOnce && atMs > clock.nowMs()) return planRetry(state, scheduled);
    const slots = missedSlots(scheduled, missed, clock.nowMs(), true);
    const last = await runSlots(state, scheduled, { missed: slots, dueMs: null, isRetry: true });
    // Another process runs the job: a minute later it is clear whether it did what is missing.
    if (last !== "held" || state.running.has(name)) return;
    const timer = new AbortController();
    state.retries.set(name, timer);
    clock.sleep(60_000, timer.signal).then(
      () => retryFailed(state, scheduled, atOnce),
      () => {},
    );
  } catch (error) {
    log.error("job could not be tried again", { job: name, error });
  }
}

/** The slots that `runSlots` runs. */
interface DueSlots {
  readonly missed: readonly number[];
  /** The slot that is due now; null when none is. */
  readonly dueMs: number | null;
  readonly isRetry: boolean;
}

/**
 * Runs missed slots, and the one that is due now, as the job's `catchUp` says. Returns the newest run; "held"
 * when the job is already running, in which case the slots stay missed.
 */
async function runSlots(
  state: SchedulerState,
  scheduled: ScheduledJob,
  { missed, dueMs, isRetry }: DueSlots,
) {
  const { clock, log, ledger, stopping } = state;
  const { name, catchUp } = scheduled.job;
  if (missed.length > 0) log.info("job has open slots", { job: name, slots: missed.length, catchUp });
  if (catchUp === "gap") ledger.record(name, missed, "gap", clock.nowMs());
  const late = catchUp === "gap" ? [] : missed;
  const slots = dueMs === null ? [...late] : [...late, dueMs];
  const newest = slots.at(-1);
  if (newest === undefined) return null;
  const oneForAll = [{ slot: newest, missed: late.length > 0 ? slots : [] }];
  const runs =
    catchUp === "each" ? slots.map((slot) => ({ slot, missed: slot === dueMs ? [] : [slot] })) : oneForAll;
  let last: JobRun | null = null;
  for (const run of runs) {
    if (stopping.signal.aborted) return last;
    const begun = beginRun(state, scheduled, { slotMs: run.slot, missed: run.missed, isRetry });
    if (begun.kind === "held") return "held";
    if (begun.kind === "granted") last = await begun.done;
  }
  return last;
}

/** Whether failed slots are to be tried now: with the slot that is due, or when their own time has come. */
const isRetryDue = (state: SchedulerState, scheduled: ScheduledJob, dueMs: number | null): boolean => {
  if (!isRetried(scheduled)) return false;
  const atMs = retryAtMs(state.ledger.missed(scheduled.job.name).failed);
  return atMs !== null && (dueMs !== null || atMs <= state.clock.nowMs());
};

/** Runs what is due now and what was missed. Never rejects. */
export async function runDue(state: SchedulerState, scheduled: ScheduledJob): Promise<JobRun | null> {
  const { ledger, clock, log } = state;
  const { name } = scheduled.job;
  try {
    const untilMs = clock.nowMs() + EARLY_MS;
    const latestMs = scheduled.slots.latest(untilMs);
    const isDue =
      latestMs !== null && isAllowed(scheduled, latestMs) && ledger.ofSlot(name, latestMs) === null;
    const dueMs = isDue ? latestMs : null;
    const isRetry = isRetryDue(state, scheduled, dueMs);
    const missed = missedSlots(scheduled, ledger.missed(name), untilMs, isRetry).filter(
      (slot) => slot !== dueMs,
    );
    const last = await runSlots(state, scheduled, { missed, dueMs, isRetry });
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

/**
 * Marks the runs of dead processes as interrupted. While another process runs the job, waits for its end;
 * false when this one does.
 */
async function clearDead({ ledger, locks, clock, stopping, running }: SchedulerState, job: string) {
  for (;;) {
    if (running.has(job)) return false;
    const lock = locks.acquire(job);
    if (!lock) {
      await clock.sleep(ELSEWHERE_MS, stopping.signal);
      continue;
    }
    try {
      ledger.interruptDead(job, clock.nowMs());
    } finally {
      lock.release();
    }
    return true;
  }
}

async function catchUpOne(state: SchedulerState, scheduled: ScheduledJob): Promise<void> {
  const { ledger, clock } = state;
  const { name } = scheduled.job;
  if (!(await clearDead(state, name))) return;
  const isRetry = isRetryDue(state, scheduled, null);
  const missed = missedSlots(scheduled, ledger.missed(name), clock.nowMs(), isRetry);
  if (missed.length > 0) await runSlots(state, scheduled, { missed, dueMs: null, isRetry });
  else planRetry(state, scheduled);
}

/** Runs what was missed while no process ran, each job behind those that it runs after. Never rejects. */
export async function catchUpAll(state: SchedulerState): Promise<void> {
  const { all, log, stopping } = state;
  const begun = new Map<string, Promise<void>>();
  const caughtUp = (name: string): Promise<void> => {
    const scheduled = all.get(name);
    const known = begun.get(name);
    if (known || !scheduled) return known ?? Promise.resolve();
    const { after = [], afterEndOf = [] } = scheduled.job;
    const own = Promise.all([...after, ...afterEndOf].map(caughtUp))
      .then(() => (stopping.signal.aborted ? undefined : catchUpOne(state, scheduled)))
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) log.error("job could not be caught up", { job: name, error });
      });
    begun.set(name, own);
    return own;
  };
  await Promise.all([...all.keys()].map(caughtUp));
}

/** Throws when jobs run after each other in a circle. */
export function requireOrder(jobs: ReadonlyMap<string, ScheduledJob>): void {
  const done = new Set<string>();
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) throw new Error(`Jobs run after each other: ${[...path, name].join(", ")}`);
    if (done.has(name)) return;
    const { after = [], afterEndOf = [] } = jobs.get(name)?.job ?? {};
    for (const input of [...after, ...afterEndOf]) visit(input, [...path, name]);
    done.add(name);
  };
  for (const name of jobs.keys()) visit(name, []);
}
