// Builds of snapshots as rows: what was asked, how far it is, how it ended.
import { and, desc, eq } from "drizzle-orm";
import type { Clock } from "../../platform/clock.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import { universe_builds } from "./tables.ts";

export type BuildRow = typeof universe_builds.$inferSelect;

export interface ItemError {
  readonly ticker: string;
  readonly error: string;
}

/** A build that says nothing for so long has lost its process. */
const SILENT_MS_MAX = 60_000;
const BEAT_MS = 10_000;
/** Errors listed; all are counted. */
const ERRORS_LISTED = 100;
/** Progress is written at most so often. */
const WRITE_EVERY_MS = 1_000;

export interface BuildPlan {
  readonly start_month: string;
  readonly end_month: string;
  readonly months: number;
  readonly tickers: number;
  readonly force: boolean;
}

/** What a build tells of itself as it goes. */
export interface Report {
  phase(phase: BuildRow["phase"], total: number): void;
  step(): void;
  month(rows: number): void;
  failed(ticker: string, error: string): void;
  warn(text: string): void;
}

export function snapshotBuilds({ sqlite, clock }: { readonly sqlite: Store; readonly clock: Clock }) {
  /** Builds of this process. */
  const here = new Set<string>();

  const now = () => instantText(clock.nowMs());
  const set = (job_id: string, values: Partial<BuildRow>) =>
    sqlite.write((db) =>
      db
        .update(universe_builds)
        .set({ ...values, updated_at: now() })
        .where(eq(universe_builds.job_id, job_id))
        .run(),
    );

  const shown = (row: BuildRow): BuildRow => {
    const isSilent = clock.nowMs() - instantMs(row.updated_at) > SILENT_MS_MAX;
    return row.status === "running" && !here.has(row.job_id) && isSilent
      ? { ...row, status: "interrupted" }
      : row;
  };

  return {
    find(job_id: string): BuildRow | null {
      const row = sqlite.use((db) =>
        db.select().from(universe_builds).where(eq(universe_builds.job_id, job_id)).get(),
      );
      return row ? shown(row) : null;
    },

    /** The build under way; null without one. */
    running(): BuildRow | null {
      const row = sqlite.use((db) =>
        db
          .select()
          .from(universe_builds)
          .where(eq(universe_builds.status, "running"))
          .orderBy(desc(universe_builds.created_at))
          .limit(1)
          .get(),
      );
      return row && shown(row).status === "running" ? row : null;
    },

    /** To be called under the job's lock: whatever still says that it runs has lost its process. */
    begin(job_id: string, plan: BuildPlan): void {
      const at = now();
      here.add(job_id);
      sqlite.write((db) => {
        db.update(universe_builds)
          .set({ status: "interrupted", updated_at: at, finished_at: at })
          .where(and(eq(universe_builds.status, "running")))
          .run();
        db.insert(universe_builds)
          .values({
            job_id,
            ...plan,
            status: "running",
            phase: "prices",
            ...{ months_done: 0, phase_done: 0, phase_total: 0, rows_written: 0, errors: 0 },
            ...{ error_list: "[]", warnings: "[]", created_at: at, updated_at: at },
          })
          .run();
      });
    },

    /** Runs `work` as the build, which keeps its row, and ends it as the work ends. */
    async run(job_id: string, signal: AbortSignal, work: (report: Report) => Promise<void>): Promise<number> {
      const state = {
        phase: "prices" as BuildRow["phase"],
        ...{ months_done: 0, phase_done: 0, phase_total: 0, rows_written: 0, errors: 0 },
      };
      const errors: ItemError[] = [];
      const warnings = new Set<string>();
      let writtenMs = Number.NEGATIVE_INFINITY;
      const write = (isDue = true) => {
        const nowMs = clock.nowMs();
        if (!isDue && nowMs - writtenMs < WRITE_EVERY_MS) return;
        writtenMs = nowMs;
        const lists = { error_list: JSON.stringify(errors), warnings: JSON.stringify([...warnings]) };
        set(job_id, { ...state, ...lists });
      };
      const over = new AbortController();
      const beat = async () => {
        for (;;) {
          await clock.sleep(BEAT_MS, over.signal);
          set(job_id, {});
        }
      };
      beat().catch(() => {});
      const report: Report = {
        phase(phase, total) {
          Object.assign(state, { phase, phase_done: 0, phase_total: total });
          write();
        },
        step() {
          state.phase_done += 1;
          write(false);
        },
        month(rows) {
          state.phase_done += 1;
          state.months_done += 1;
          state.rows_written += rows;
          write();
        },
        failed(ticker, error) {
          state.errors += 1;
          if (errors.length < ERRORS_LISTED) errors.push({ ticker, error });
        },
        warn: (text) => void warnings.add(text),
      };
      try {
        await work(report);
        report.phase("done", 0);
        set(job_id, { status: "succeeded", finished_at: now() });
        return state.rows_written;
      } catch (error) {
        write();
        const status = signal.aborted ? "interrupted" : "failed";
        const text = error instanceof Error ? error.message : String(error);
        set(job_id, { status, error: text.slice(0, 500), finished_at: now() });
        throw error;
      } finally {
        over.abort();
        here.delete(job_id);
      }
    },
  };
}

export type SnapshotBuilds = ReturnType<typeof snapshotBuilds>;
