// Scheduled work: a job is data, its runs are rows of a ledger, and two processes never run one job at once.
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Clock } from "../clock.ts";
import { Busy, NotFound } from "../errors.ts";
import { instantMs, instantText } from "../instant-text.ts";
import type { Log } from "../log.ts";
import type { Store } from "../sqlite/sqlite.ts";
import type { Job } from "./job.ts";
import { type JobLedger, type JobRun, jobLedger } from "./ledger.ts";
import { firstAllowedSlot, isAllowed, type Known, missedSlots } from "./missed-slots.ts";
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
  /** What timers are made of; unlike `list` it looks nothing up. */
  schedules(): Pick<Job, "name" | "schedule" | "zone">[];
  /** What the ledger has, newest first. */
  runs: JobLedger["runs"];
  /**
   * The timer's call. Runs the job for its newest slot and gives the row, also of a slot that is skipped because
   * the job still runs; null when there is nothing to do. Slots that passed before it without a run, because the
   * machine slept or a run was interrupted, are made good with it. Never rejects but for an unknown name.
   */
  due(name: string): Promise<JobRun | null>;
  /**
   * Runs the job now, beside its schedule; `run` in place of the job's own, where somebody asks for more than it does
   * by itself (a range of days). `started` is false when it runs already: `runId` is then that run's. `done` never
   * rejects. Throws NotFound, StorageUnavailable, Busy while the process stops.
   */
  runNow(name: string, run?: Job["run"]): { runId: number; started: boolean; done: Promise<JobRun | null> };
  /** To be called once at start: makes good what was missed while no process ran. Never rejects. */
  catchUp(): Promise<void>;
  /** Starts nothing more, aborts what runs (it becomes `interrupted` and is made good at the next start), and waits. */
  stop(): Promise<void>;
}

export interface JobsNeeds {
  /** Jobs to begin with; `add` takes more. */
  readonly jobs?: readonly Job[];
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Default true; false shows the jobs and runs none but on demand. */
  readonly enabled?: boolean;
}

/** A process that says nothing for this long has lost its jobs to whoever asks next. */
export const LEASE_MS = 30_000;
/** Timers may fire a little before their slot. */
const EARLY_MS = 500;

interface Desk {
  readonly needs: JobsNeeds;
  readonly ledger: JobLedger;
  /** By name of the job. */
  readonly running: Map<string, Running>;
  readonly stopping: AbortController;
}

/** Runs `known` for a slot, or on demand where that is null. */
function begin(desk: Desk, known: Known, slotMs: number | null, missed: readonly number[]) {
  const { needs, ledger } = desk;
  const nowMs = needs.clock.nowMs();
  const { name } = known.job;
  const begun = ledger.begin(name, slotMs, nowMs, LEASE_MS, {
    hereRunId: desk.running.get(name)?.runId,
    missedSinceMs: missed[0],
  });
  if (begun.kind !== "granted") return begun;
  const context = { scheduledFor: instantText(slotMs ?? nowMs), missed: missed.map(instantText) };
  const onFree = () => desk.running.delete(name);
  const running = startRun(known.job, begun.run, context, { ...needs, ledger, leaseMs: LEASE_MS, onFree });
  desk.running.set(name, running);
  return { ...begun, done: running.done };
}

/**
 * Deals with slots that passed without a run and with the one that is due now, in the job's own way. Gives the
 * newest run; "held" where somebody is at the job, and what would have been run stays owed.
 */
async function runMissed(desk: Desk, known: Known, missed: readonly number[], dueMs: number | null) {
  const { clock, log } = desk.needs;
  const { name, catchUp } = known.job;
  if (missed.length > 0) log.info("job missed slots", { job: name, slots: missed.length, catchUp });
  if (catchUp === "gap") desk.ledger.record(name, missed, "gap", clock.nowMs());
  const late = catchUp === "gap" ? [] : missed;
  const slots = dueMs === null ? [...late] : [...late, dueMs];
  const newest = slots.at(-1);
  if (newest === undefined) return null;
  const whole = [{ slot: newest, made: late.length > 0 ? slots : [] }];
  const runs =
    catchUp === "each" ? slots.map((slot) => ({ slot, made: slot === dueMs ? [] : [slot] })) : whole;
  let last: JobRun | null = null;
  for (const { slot, made } of runs) {
    if (desk.stopping.signal.aborted) return last;
    const begun = begin(desk, known, slot, made);
    if (begun.kind === "held") return "held";
    if (begun.kind === "granted") last = await begun.done;
  }
  return last;
}

async function runDue(desk: Desk, known: Known): Promise<JobRun | null> {
  const { ledger } = desk;
  const { clock, log } = desk.needs;
  const { name } = known.job;
  try {
    const untilMs = clock.nowMs() + EARLY_MS;
    const latestMs = known.slots.latest(untilMs);
    const isDue = latestMs !== null && isAllowed(known, latestMs) && ledger.ofSlot(name, latestMs) === null;
    const dueMs = isDue ? latestMs : null;
    const missed = missedSlots(known, ledger.owed(name), untilMs).filter((slot) => slot !== dueMs);
    const last = await runMissed(desk, known, missed, dueMs);
    if (last !== "held") return last;
    // Slots that are owed as well go with the next run: a row for this one would hide them.
    if (dueMs === null || (missed.length > 0 && known.job.catchUp !== "gap")) return null;
    ledger.record(name, [dueMs], "skipped", clock.nowMs());
    log.warn("job skipped: it still runs", { job: name });
    return ledger.ofSlot(name, dueMs);
  } catch (error) {
    log.error("job could not be started", { job: name, error });
    return null;
  }
}

async function catchUpOne(desk: Desk, known: Known): Promise<void> {
  const { ledger } = desk;
  const { clock } = desk.needs;
  const { name } = known.job;
  const heldMs = ledger.heldUntilMs(name, clock.nowMs());
  if (heldMs !== null) {
    // Either another process is at work, or the last one was killed a moment ago: the lease tells within its time.
    await clock.sleep(heldMs - clock.nowMs() + 1, desk.stopping.signal);
    if (ledger.heldUntilMs(name, clock.nowMs()) !== null) return;
  }
  ledger.interruptDead(name, clock.nowMs());
  await runMissed(desk, known, missedSlots(known, ledger.owed(name), clock.nowMs()), null);
}

/** The search through a gate is long, so its find is kept until that moment has passed. */
function nextRunMs(known: Known, nowMs: number): number | null {
  const { next } = known;
  if (next && next.foundMs <= nowMs && (next.atMs === null || next.atMs > nowMs)) return next.atMs;
  const atMs = firstAllowedSlot(known, nowMs);
  known.next = { atMs, foundMs: nowMs };
  return atMs;
}

function statusOf(desk: Desk, known: Known): JobStatus {
  const { job } = known;
  const enabled = desk.needs.enabled ?? true;
  const last = desk.ledger.lastStarted(job.name);
  const nextMs = enabled ? nextRunMs(known, desk.needs.clock.nowMs()) : null;
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

/** All jobs of the process. Their timers are attached elsewhere and call `due`. Throws on a bad schedule or a name used twice. */
export function createJobs(needs: JobsNeeds): Jobs {
  const { clock, log, store, enabled = true } = needs;
  const owner = { holder: randomUUID(), host: hostname(), pid: process.pid };
  const ledger = jobLedger(store, owner);
  const desk: Desk = { needs, ledger, running: new Map(), stopping: new AbortController() };
  const all = new Map<string, Known>();
  const add = (jobs: readonly Job[]) => {
    for (const job of jobs) {
      if (all.has(job.name)) throw new Error(`two jobs are called ${job.name}`);
      all.set(job.name, { job, slots: jobSlots(job.schedule, job.zone), next: null });
    }
    if (enabled)
      ledger.see(
        jobs.map(({ name }) => name),
        clock.nowMs(),
      );
  };
  add(needs.jobs ?? []);
  const called = (name: string): Known => {
    const known = all.get(name);
    if (!known) throw new NotFound("not_found", `There is no job called ${name}`);
    return known;
  };
  const idle = () => !enabled || desk.stopping.signal.aborted;

  return {
    add,
    runs: (filter, page) => ledger.runs(filter, page),
    list: () => [...all.values()].map((known) => statusOf(desk, known)),
    schedules: () => [...all.values()].map(({ job: { name, schedule, zone } }) => ({ name, schedule, zone })),
    async due(name) {
      const known = called(name);
      return idle() ? null : runDue(desk, known);
    },
    runNow(name, run) {
      const own = called(name);
      const known = run ? { ...own, job: { ...own.job, run } } : own;
      if (desk.stopping.signal.aborted) throw new Busy("server_busy", "The service is stopping");
      const begun = begin(desk, known, null, []);
      if (begun.kind === "granted") return { runId: begun.run.id, started: true, done: begun.done };
      const runId = begun.kind === "held" ? begun.runId : begun.run.id;
      return { runId, started: false, done: Promise.resolve(ledger.run(runId)) };
    },
    async catchUp() {
      if (idle()) return;
      const one = (known: Known) =>
        catchUpOne(desk, known).catch((error: unknown) => {
          if (!idle()) log.error("job could not be caught up", { job: known.job.name, error });
        });
      await Promise.all([...all.values()].map(one));
      if (!idle()) ledger.tidy(clock.nowMs());
    },
    async stop() {
      desk.stopping.abort();
      const all = [...desk.running.values()];
      for (const run of all) run.stop();
      await Promise.all(all.map((run) => run.over));
    },
  };
}
