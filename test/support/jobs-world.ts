// Processes with one job on a shared database, clock and set of locks, for tests of the scheduler.
import { afterAll } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asc } from "drizzle-orm";
import type { Job, JobContext } from "../../src/platform/jobs/job.ts";
import { createJobs } from "../../src/platform/jobs/jobs.ts";
import { jobLedger } from "../../src/platform/jobs/ledger.ts";
import { type JobLocks, jobLocks } from "../../src/platform/jobs/locks.ts";
import { openSqlite, type Store } from "../../src/platform/sqlite/sqlite.ts";
import { job_runs } from "../../src/platform/sqlite/tables.ts";
import { captureLog } from "./capture-log.ts";
import { type FakeClock, fakeClock } from "./fake-clock.ts";

export const NY = "America/New_York";
/** Friday 20 November 2026, 09:00 in New York. */
export const FRIDAY = "2026-11-20T14:00:00Z";
export const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
/** Moves the clock and lets the runs that have become due come to their end. */
export async function pass({ clock }: World, ms: number): Promise<void> {
  clock.advance(ms);
  for (let i = 0; i < 20; i++) await settle();
}

/** The services that the processes of one data folder share. */
export interface World {
  store: Store;
  clock: FakeClock;
  locks: JobLocks;
}
const folder = mkdtempSync(join(tmpdir(), "asof-jobs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let worlds = 0;
export const world = (at = FRIDAY): World => ({
  store: openSqlite(":memory:"),
  clock: fakeClock(at),
  locks: jobLocks(join(folder, `${++worlds}`)),
});

/** One process with one job. `contexts` holds what its runs received; `changes` replace parts of the job. */
export function start({ store, clock, locks }: World, changes: Partial<Job> & { enabled?: boolean } = {}) {
  const { enabled = true, ...job } = changes;
  const contexts: JobContext[] = [];
  const log = captureLog();
  const full: Job = {
    name: "ingest",
    description: "Ingests.",
    schedule: "0 9 * * 1-5",
    zone: NY,
    deadlineMs: 600_000,
    catchUp: "once",
    run: async () => ({ rows: 3 }),
    ...job,
  };
  const run: Job["run"] = (context) => {
    contexts.push(context);
    return full.run(context);
  };
  return { jobs: createJobs({ jobs: [{ ...full, run }], store, clock, locks, log, enabled }), contexts, log };
}
export const ledger = ({ store }: World) =>
  store
    .use((db) => db.select().from(job_runs).orderBy(asc(job_runs.id)).all())
    .map((r) => [r.scheduled_for, r.outcome, r.rows] as const);
export function hanging() {
  const end = Promise.withResolvers<{ rows: number }>();
  return { run: () => end.promise, end: end.resolve };
}
export const obedient: Job["run"] = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

/** A process killed during a run: its row says running, and the kernel has freed its lock. */
export function killedAt({ store }: World, at: string, job = "ingest") {
  const ms = Temporal.Instant.from(at).epochMilliseconds;
  const dead = jobLedger(store, { holder: "the dead", host: "h", pid: 1 });
  dead.see([job], ms - 86_400_000);
  dead.begin(job, ms, ms);
}

export const FIVE = { schedule: "*/5 * * * *" };
export const slotsMade = ({ store }: World) =>
  store
    .use((db) => db.select().from(job_runs).orderBy(asc(job_runs.id)).all())
    .map((r) => [r.missed_since?.slice(11, 16) ?? null, r.scheduled_for?.slice(11, 16), r.outcome]);
