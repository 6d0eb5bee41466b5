// The ledger of job runs: when each ran and how it ended, and which process runs a job now. Shared by all
// processes.
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
  or,
  sql,
} from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { instantMs, instantText } from "../instant-text.ts";
import { oneLine } from "../redact.ts";
import type { Db, Store } from "../sqlite/sqlite.ts";
import { job_leases, job_runs } from "../sqlite/tables.ts";

/** Why a slot was not run. */
const UNRUN = {
  skipped: "The run before was still under way.",
  gap: "The service did not run then, and what the slot would have read cannot be read later.",
} as const;
type UnrunOutcome = keyof typeof UNRUN;

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
  /** The first of the missed slots the run stands for. */
  readonly missedSinceMs?: number | undefined;
  /** Whether the run tries a slot again whose run has failed. */
  readonly isRetry?: boolean | undefined;
}

/** The slots of a failed run that no later run stands for. */
export interface FailedSlots {
  readonly fromMs: number;
  readonly toMs: number;
  /** Failed runs of the slot `toMs`, and when the newest of them ended. */
  readonly attempts: number;
  readonly endedMs: number;
}

/** Slots of a job that no run stands for. */
export interface MissedSlots {
  /** Every slot after this moment: the newest slot with a row, or when the job was first seen. */
  readonly afterMs: number;
  /** First and last slot of each interrupted run that no later run stands for. */
  readonly interrupted: readonly { readonly fromMs: number; readonly toMs: number }[];
  /** Failed runs that no later run stands for, oldest first. */
  readonly failed: readonly FailedSlots[];
}

/** Filter of `runs`; an absent field matches all. */
export interface RunFilter {
  readonly job?: string | undefined;
  readonly outcome?: JobOutcome | undefined;
}

export interface JobLedger {
  /**
   * Records when these jobs were first seen: slots from then on count as missed when no run stands for them.
   */
  see(jobs: readonly string[], nowMs: number): void;
  /**
   * Writes the row of a run that begins, and in the lease row which process runs it. Call it under the job's
   * lock: a row that still says `running` has then lost its process and becomes `interrupted`.
   */
  begin(job: string, slotMs: number | null, nowMs: number, options?: BeginOptions): Begin;
  /** Writes how a run ended and returns its row. */
  finish(run: JobRun, nowMs: number, end: JobEnd): JobRun;
  /** Writes that no process runs the job. */
  release(job: string): void;
  /** Writes a row with its reason for each slot that was not run; a slot with a row stays as it is. */
  record(job: string, slots: readonly number[], outcome: UnrunOutcome, nowMs: number): void;
  /** The id of the run that is under way; call it while a process holds the job's lock. */
  runningId(job: string): number;
  /** Marks runs of a process that is gone as interrupted. Call it under the job's lock. */
  interruptDead(job: string, nowMs: number): void;
  missed(job: string): MissedSlots;
  lastStarted(job: string): JobRun | null;
  /** The newest run that has succeeded, also one on demand. */
  lastSucceeded(job: string): JobRun | null;
  /** When this installation first had the job; infinity before it did. */
  firstSeenMs(job: string): number;
  run(id: number): JobRun | null;
  /** Whether a run of this slot or a later one has succeeded, or one that was still active at the slot. */
  hasSucceeded(job: string, slotMs: number): boolean;
  /** The row that stands for a slot. */
  ofSlot(job: string, slotMs: number): JobRun | null;
  /** Runs newest first, and how many there are. */
  runs(filter: RunFilter, page: { limit: number; offset: number }): { total: number; runs: JobRun[] };
  /** Deletes rows older than RUNS_STORED_DAYS, except each job's newest. */
  tidy(nowMs: number): void;
}

// A run of 1 January 2025 is deleted after 5 February 2026, unless it is its job's newest.
const RUNS_STORED_DAYS = 400;
const ERROR_CHARS_MAX = 500;
const STARTED: JobOutcome[] = ["running", "succeeded", "failed", "interrupted"];

const toRun = ({ host: _host, pid: _pid, ...run }: typeof job_runs.$inferSelect): JobRun => run;
const ofJob = (job: string) => eq(job_runs.job, job);

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

/** The row that stands for a slot; of several one that has not failed. */
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
    .orderBy(eq(job_runs.outcome, "failed"), job_runs.scheduled_for, desc(job_runs.id))
    .limit(1)
    .get();

/** Runs with this outcome whose slot no later run stands for, oldest first. */
function openRuns(db: Db, job: string, outcome: "interrupted" | "failed") {
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
    .select({
      from: firstSlotOf(job_runs),
      to: sql<string>`${job_runs.scheduled_for}`,
      ended: job_runs.finished_at,
    })
    .from(job_runs)
    .where(
      and(ofJob(job), eq(job_runs.outcome, outcome), isNotNull(job_runs.scheduled_for), notExists(laterRun)),
    )
    .orderBy(job_runs.scheduled_for)
    .all();
}

/** Number of failed runs of a slot. */
const failuresOf = (db: Db, job: string, slot: string): number =>
  db
    .select({ n: count() })
    .from(job_runs)
    .where(and(ofJob(job), eq(job_runs.outcome, "failed"), eq(job_runs.scheduled_for, slot)))
    .get()?.n ?? 0;

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

  begin(job: string, slotMs: number | null, nowMs: number, options: BeginOptions = {}): Begin {
    const { holder, host, pid } = this.owner;
    const { missedSinceMs, isRetry = false } = options;
    const missed_since = missedSinceMs === undefined ? null : instantText(missedSinceMs);
    return this.store.write((db): Begin => {
      const now = instantText(nowMs);
      const slot = slotMs === null ? null : instantText(slotMs);
      const done = slot === null ? undefined : rowOfSlot(db, job, slot);
      if (done && !(isRetry && done.outcome === "failed")) return { kind: "done", run: toRun(done) };
      markDead(db, job, nowMs);
      const of = { job, scheduled_for: slot, missed_since, started_at: now };
      const row = { ...of, outcome: "running" as const, host, pid };
      const run = db.insert(job_runs).values(row).returning().get();
      const held = { holder, run_id: run.id, expires_at: null };
      db.insert(job_leases)
        .values({ job, first_seen_at: now, ...held })
        .onConflictDoUpdate({ target: job_leases.job, set: held })
        .run();
      return { kind: "granted", run: toRun(run) };
    });
  }

  finish(run: JobRun, nowMs: number, { outcome, rows, error }: JobEnd): JobRun {
    const text = error === undefined ? null : oneLine(error).slice(0, ERROR_CHARS_MAX);
    const finished = { outcome, rows: rows ?? null, error: text, finished_at: instantText(nowMs) };
    return this.store.write((db) => {
      const own = eq(job_runs.id, run.id);
      const running = and(own, eq(job_runs.outcome, "running"));
      const row = db.update(job_runs).set(finished).where(running).returning().get();
      // Another process may already have marked the run as interrupted.
      const now = row ?? db.select().from(job_runs).where(own).get();
      return now ? toRun(now) : { ...run, ...finished };
    });
  }

  release(job: string): void {
    const free = { holder: null, run_id: null, expires_at: null };
    this.store.use((db) => db.update(job_leases).set(free).where(this.isMine(job)).run());
  }

  record(job: string, slots: readonly number[], outcome: UnrunOutcome, nowMs: number): void {
    const { host, pid } = this.owner;
    const at = instantText(nowMs);
    this.store.write((db) => {
      for (const slot of slots.map(instantText)) {
        if (rowOfSlot(db, job, slot)) continue;
        const row = { job, scheduled_for: slot, started_at: at, finished_at: at, outcome, host, pid };
        db.insert(job_runs)
          .values({ ...row, error: UNRUN[outcome] })
          .run();
      }
    });
  }

  runningId(job: string): number {
    return this.store.use((db) => {
      const lease = db.select().from(job_leases).where(eq(job_leases.job, job)).get();
      const newest = db
        .select({ id: max(job_runs.id) })
        .from(job_runs)
        .where(ofJob(job))
        .get();
      return lease?.run_id ?? newest?.id ?? 0;
    });
  }

  interruptDead(job: string, nowMs: number): void {
    this.store.write((db) => markDead(db, job, nowMs));
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
      const interrupted = openRuns(db, job, "interrupted").map(({ from, to }) => ({
        fromMs: instantMs(from),
        toMs: instantMs(to),
      }));
      const failed = openRuns(db, job, "failed").map(({ from, to, ended }) => ({
        fromMs: instantMs(from),
        toMs: instantMs(to),
        attempts: failuresOf(db, job, to),
        endedMs: instantMs(ended ?? to),
      }));
      return { afterMs, interrupted, failed };
    });
  }

  private newest(job: string, outcomes: JobOutcome[]): JobRun | null {
    const among = and(ofJob(job), inArray(job_runs.outcome, outcomes));
    return this.store.use((db) => {
      const row = db.select().from(job_runs).where(among).orderBy(desc(job_runs.id)).limit(1).get();
      return row ? toRun(row) : null;
    });
  }

  lastStarted(job: string): JobRun | null {
    return this.newest(job, STARTED);
  }

  lastSucceeded(job: string): JobRun | null {
    return this.newest(job, ["succeeded"]);
  }

  firstSeenMs(job: string): number {
    const seen = this.store.use((db) => db.select().from(job_leases).where(eq(job_leases.job, job)).get());
    return seen ? instantMs(seen.first_seen_at) : Number.POSITIVE_INFINITY;
  }

  run(id: number): JobRun | null {
    const row = this.store.use((db) => db.select().from(job_runs).where(eq(job_runs.id, id)).get());
    return row ? toRun(row) : null;
  }

  hasSucceeded(job: string, slotMs: number): boolean {
    const slot = instantText(slotMs);
    const covers = or(gte(job_runs.scheduled_for, slot), gte(job_runs.finished_at, slot));
    const succeeded = and(ofJob(job), eq(job_runs.outcome, "succeeded"), isNotNull(job_runs.scheduled_for));
    return this.store.use(
      (db) =>
        db.select({ id: job_runs.id }).from(job_runs).where(and(succeeded, covers)).limit(1).get() != null,
    );
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
