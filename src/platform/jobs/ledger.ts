// The ledger of job runs: when each ran and how it ended, and which process runs a job now. Shared by all processes.
import {
  and,
  count,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  lt,
  lte,
  max,
  ne,
  notExists,
  sql,
} from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { instantMs, instantText } from "../instant-text.ts";
import { oneLine } from "../redact.ts";
import type { Db, Store } from "../sqlite/sqlite.ts";
import { job_leases, job_runs } from "../sqlite/tables.ts";

export type JobOutcome = "running" | "succeeded" | "failed" | "skipped" | "gap" | "interrupted";

/** One row of the ledger. Instants are RFC 3339 UTC text. */
export interface JobRun {
  readonly id: number;
  readonly job: string;
  /** The slot it stands for; null for a run on demand. */
  readonly scheduled_for: string | null;
  /** The first missed slot the run stands for besides its own; null for a run on time. */
  readonly missed_since: string | null;
  readonly started_at: string;
  readonly finished_at: string | null;
  readonly outcome: JobOutcome;
  readonly rows: number | null;
  readonly error: string | null;
}

export type Begin =
  | { readonly kind: "granted"; readonly run: JobRun }
  /** The job is running now, in this process or another. */
  | { readonly kind: "held"; readonly runId: number }
  /** The slot already has a row, from another process or an earlier call. */
  | { readonly kind: "done"; readonly run: JobRun };

/** The process that writes. `holder` is unique to one life of the process; host and pid are for operators. */
export interface LedgerOwner {
  readonly holder: string;
  readonly host: string;
  readonly pid: number;
}

/** How a run ended. */
export interface JobEnd {
  readonly outcome: JobOutcome;
  readonly rows?: number;
  readonly error?: string;
}

/** Settings of `begin` besides the slot. */
export interface BeginOptions {
  /** The run this process has under way: the job then counts as held, whatever became of the lease. */
  readonly hereRunId?: number | undefined;
  /** The first of the missed slots the run stands for. */
  readonly missedSinceMs?: number | undefined;
}

/** Slots of a job that no run stands for. */
export interface MissedSlots {
  /** Every slot after this moment: the newest slot with a row, or when the job was first seen. */
  readonly afterMs: number;
  /** First and last slot of each interrupted run that no later run stands for. */
  readonly interrupted: readonly { readonly fromMs: number; readonly toMs: number }[];
}

/** Filter of `runs`; an absent field matches all. */
export interface RunFilter {
  readonly job?: string | undefined;
  readonly outcome?: JobOutcome | undefined;
}

export interface JobLedger {
  /** Records when these jobs were first seen: slots from then on count as missed when no run stands for them. */
  see(jobs: readonly string[], nowMs: number): void;
  /** Takes the job for this process, unless one holds it, and writes the run's row. */
  begin(job: string, slotMs: number | null, nowMs: number, leaseMs: number, options?: BeginOptions): Begin;
  /** Extends the lease; false when another process has taken the job. */
  renew(job: string, nowMs: number, leaseMs: number): boolean;
  /** Writes how a run ended and returns its row; `isOver` also releases the job, in the same transaction. */
  finish(run: JobRun, nowMs: number, end: JobEnd, isOver: boolean): JobRun;
  release(job: string): void;
  /** Writes a row for each slot that was not run; a slot with a row stays as it is. */
  record(job: string, slots: readonly number[], outcome: "skipped" | "gap", nowMs: number): void;
  /** When the current lease runs out; null when no process holds the job. */
  heldUntilMs(job: string, nowMs: number): number | null;
  /** Marks runs of a process that is gone as interrupted. */
  interruptDead(job: string, nowMs: number): void;
  missed(job: string): MissedSlots;
  lastStarted(job: string): JobRun | null;
  run(id: number): JobRun | null;
  /** The row that stands for a slot. */
  ofSlot(job: string, slotMs: number): JobRun | null;
  /** Runs newest first, and how many there are. */
  runs(filter: RunFilter, page: { limit: number; offset: number }): { total: number; runs: JobRun[] };
  /** Deletes rows older than RUNS_STORED_DAYS, except each job's newest. */
  tidy(nowMs: number): void;
}

const RUNS_STORED_DAYS = 400;
const ERROR_CHARS_MAX = 500;
const STARTED: JobOutcome[] = ["running", "succeeded", "failed", "interrupted"];

const toRun = ({ host: _host, pid: _pid, ...run }: typeof job_runs.$inferSelect): JobRun => run;
const ofJob = (job: string) => eq(job_runs.job, job);

function leaseOf(db: Db, job: string, nowMs: number) {
  const lease = db.select().from(job_leases).where(eq(job_leases.job, job)).get();
  const live = lease?.holder && lease.expires_at !== null && instantMs(lease.expires_at) > nowMs;
  return live ? lease : null;
}

function markDead(db: Db, job: string, nowMs: number): void {
  db.update(job_runs)
    .set({
      outcome: "interrupted",
      finished_at: instantText(nowMs),
      error: "the process that ran it ended",
    })
    .where(and(ofJob(job), eq(job_runs.outcome, "running")))
    .run();
}

type Runs = typeof job_runs | ReturnType<typeof alias<typeof job_runs, "later">>;
/** The first slot a run stands for. */
const firstSlotOf = (run: Runs) => sql<string>`coalesce(${run.missed_since}, ${run.scheduled_for})`;

/** The row that stands for a slot. */
const rowOfSlot = (db: Db, job: string, slot: string) =>
  db
    .select()
    .from(job_runs)
    .where(
      and(
        ofJob(job),
        gte(job_runs.scheduled_for, slot),
        lte(firstSlotOf(job_runs), slot),
        ne(job_runs.outcome, "interrupted"),
      ),
    )
    .orderBy(job_runs.scheduled_for)
    .limit(1)
    .get();

/** Interrupted runs whose slot no later run stands for. */
function interruptedOf(db: Db, job: string): MissedSlots["interrupted"] {
  const later = alias(job_runs, "later");
  const laterRun = db
    .select({ one: sql`1` })
    .from(later)
    .where(
      and(
        eq(later.job, job_runs.job),
        gt(later.id, job_runs.id),
        ne(later.outcome, "interrupted"),
        gte(later.scheduled_for, job_runs.scheduled_for),
        lte(firstSlotOf(later), job_runs.scheduled_for),
      ),
    );
  return db
    .select({ from: firstSlotOf(job_runs), to: sql<string>`${job_runs.scheduled_for}` })
    .from(job_runs)
    .where(
      and(
        ofJob(job),
        eq(job_runs.outcome, "interrupted"),
        isNotNull(job_runs.scheduled_for),
        notExists(laterRun),
      ),
    )
    .all()
    .map(({ from, to }) => ({ fromMs: instantMs(from), toMs: instantMs(to) }));
}

class SqliteLedger implements JobLedger {
  constructor(
    private readonly store: Store,
    private readonly owner: LedgerOwner,
  ) {}

  private isMine(job: string) {
    return and(eq(job_leases.job, job), eq(job_leases.holder, this.owner.holder));
  }

  see(jobs: readonly string[], nowMs: number): void {
    if (jobs.length === 0) return;
    const first_seen_at = instantText(nowMs);
    const rows = jobs.map((job) => ({ job, first_seen_at }));
    this.store.use((db) => db.insert(job_leases).values(rows).onConflictDoNothing().run());
  }

  begin(
    job: string,
    slotMs: number | null,
    nowMs: number,
    leaseMs: number,
    options: BeginOptions = {},
  ): Begin {
    const { holder, host, pid } = this.owner;
    const { hereRunId, missedSinceMs } = options;
    const missed_since = missedSinceMs === undefined ? null : instantText(missedSinceMs);
    return this.store.write((db): Begin => {
      const now = instantText(nowMs);
      const slot = slotMs === null ? null : instantText(slotMs);
      const done = slot === null ? undefined : rowOfSlot(db, job, slot);
      if (done) return { kind: "done", run: toRun(done) };
      const heldBy = hereRunId ?? leaseOf(db, job, nowMs)?.run_id;
      if (heldBy != null) return { kind: "held", runId: heldBy };
      // No process holds the job, so a row that still says running has lost its process.
      markDead(db, job, nowMs);
      const of = { job, scheduled_for: slot, missed_since, started_at: now };
      const row = { ...of, outcome: "running" as const, host, pid };
      const run = db.insert(job_runs).values(row).returning().get();
      const held = { holder, run_id: run.id, expires_at: instantText(nowMs + leaseMs) };
      db.insert(job_leases)
        .values({ job, first_seen_at: now, ...held })
        .onConflictDoUpdate({ target: job_leases.job, set: held })
        .run();
      return { kind: "granted", run: toRun(run) };
    });
  }

  renew(job: string, nowMs: number, leaseMs: number): boolean {
    const expires_at = instantText(nowMs + leaseMs);
    const renewed = this.store.use((db) =>
      db
        .update(job_leases)
        .set({ expires_at })
        .where(this.isMine(job))
        .returning({ job: job_leases.job })
        .all(),
    );
    return renewed.length > 0;
  }

  finish(run: JobRun, nowMs: number, { outcome, rows, error }: JobEnd, isOver: boolean): JobRun {
    const text = error === undefined ? null : oneLine(error).slice(0, ERROR_CHARS_MAX);
    const finished = { outcome, rows: rows ?? null, error: text, finished_at: instantText(nowMs) };
    return this.store.write((db) => {
      const own = eq(job_runs.id, run.id);
      const running = and(own, eq(job_runs.outcome, "running"));
      if (isOver) this.free(db, run.job);
      const row = db.update(job_runs).set(finished).where(running).returning().get();
      // Another process may already have marked the run as interrupted.
      const now = row ?? db.select().from(job_runs).where(own).get();
      return now ? toRun(now) : { ...run, ...finished };
    });
  }

  private free(db: Db, job: string): void {
    const free = { holder: null, run_id: null, expires_at: null };
    db.update(job_leases).set(free).where(this.isMine(job)).run();
  }

  release(job: string): void {
    this.store.use((db) => this.free(db, job));
  }

  record(job: string, slots: readonly number[], outcome: "skipped" | "gap", nowMs: number): void {
    const { host, pid } = this.owner;
    const at = instantText(nowMs);
    this.store.write((db) => {
      for (const slot of slots.map(instantText)) {
        if (rowOfSlot(db, job, slot)) continue;
        const row = { job, scheduled_for: slot, started_at: at, finished_at: at, outcome, host, pid };
        db.insert(job_runs).values(row).run();
      }
    });
  }

  heldUntilMs(job: string, nowMs: number): number | null {
    const lease = this.store.use((db) => leaseOf(db, job, nowMs));
    return lease?.expires_at ? instantMs(lease.expires_at) : null;
  }

  interruptDead(job: string, nowMs: number): void {
    this.store.write((db) => {
      if (!leaseOf(db, job, nowMs)) markDead(db, job, nowMs);
    });
  }

  missed(job: string): MissedSlots {
    const hasRow = and(ofJob(job), isNotNull(job_runs.scheduled_for), ne(job_runs.outcome, "interrupted"));
    return this.store.use((db) => {
      const newest = db
        .select({ slot: max(job_runs.scheduled_for) })
        .from(job_runs)
        .where(hasRow)
        .get();
      const seen = db.select().from(job_leases).where(eq(job_leases.job, job)).get();
      const starts = [newest?.slot, seen?.first_seen_at].filter((text) => text != null);
      const afterMs = starts.length > 0 ? Math.max(...starts.map(instantMs)) : Number.POSITIVE_INFINITY;
      return { afterMs, interrupted: interruptedOf(db, job) };
    });
  }

  lastStarted(job: string): JobRun | null {
    const started = and(ofJob(job), inArray(job_runs.outcome, STARTED));
    return this.store.use((db) => {
      const row = db.select().from(job_runs).where(started).orderBy(desc(job_runs.id)).limit(1).get();
      return row ? toRun(row) : null;
    });
  }

  run(id: number): JobRun | null {
    const row = this.store.use((db) => db.select().from(job_runs).where(eq(job_runs.id, id)).get());
    return row ? toRun(row) : null;
  }

  ofSlot(job: string, slotMs: number): JobRun | null {
    const row = this.store.use((db) => rowOfSlot(db, job, instantText(slotMs)));
    return row ? toRun(row) : null;
  }

  runs({ job, outcome }: RunFilter, { limit, offset }: { limit: number; offset: number }) {
    const where = and(job ? ofJob(job) : undefined, outcome ? eq(job_runs.outcome, outcome) : undefined);
    return this.store.use((db) => ({
      total: db.select({ n: count() }).from(job_runs).where(where).get()?.n ?? 0,
      runs: db
        .select()
        .from(job_runs)
        .where(where)
        .orderBy(desc(job_runs.id))
        .limit(limit)
        .offset(offset)
        .all()
        .map(toRun),
    }));
  }

  tidy(nowMs: number): void {
    const before = instantText(nowMs - RUNS_STORED_DAYS * 86_400_000);
    const isNotNewest = sql`${job_runs.id} NOT IN (SELECT max(id) FROM job_runs GROUP BY job)`;
    this.store.use((db) =>
      db
        .delete(job_runs)
        .where(and(lt(job_runs.started_at, before), isNotNewest))
        .run(),
    );
  }
}

export const jobLedger = (store: Store, owner: LedgerOwner): JobLedger => new SqliteLedger(store, owner);
