// The ledger of builds: what was requested, the progress, and how the build ended.
import { desc, eq } from "drizzle-orm";
import type { Services } from "../../market/services.ts";
import { heartbeat } from "../../platform/heartbeat.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import { universe_builds } from "./tables.ts";

export type BuildRow = typeof universe_builds.$inferSelect;

interface ItemError {
  readonly ticker: string;
  readonly error: string;
}

/** A build without a heartbeat for this long has lost its process. */
// A build last heard of 50 s ago runs, one of 61 s ago is interrupted.
const SILENT_MS_MAX = 60_000;
const HEARTBEAT_MS = 10_000;
/** Errors in the list; all of them are counted. */
const ERRORS_LISTED = 100;
/** Minimum interval between two writes of the progress. */
const WRITE_EVERY_MS = 1_000;

export interface BuildPlan {
  readonly start_month: string;
  readonly end_month: string;
  readonly months: number;
  readonly tickers: number;
  readonly force: boolean;
}

/** Receives the progress of a build. */
export interface BuildProgress {
  phase(phase: BuildRow["phase"], total: number): void;
  step(): void;
  month(rows: number): void;
  failed(ticker: string, error: string): void;
  warn(text: string): void;
}

/** A build before its first item. */
const NO_PROGRESS = { months_done: 0, phase_done: 0, phase_total: 0, rows_written: 0, errors: 0 };

/** Records the progress of one build with `write`; single items at most once in `WRITE_EVERY_MS`. */
function progressRecorder(clock: Services["clock"], write: (values: Partial<BuildRow>) => void) {
  const state = { phase: "prices" as BuildRow["phase"], ...NO_PROGRESS };
  const errors: ItemError[] = [];
  const warnings = new Set<string>();
  let savedMs = Number.NEGATIVE_INFINITY;

  const save = (): void => {
    savedMs = clock.nowMs();
    write({
      ...state,
      error_list: JSON.stringify(errors),
      warnings: JSON.stringify([...warnings]),
    });
  };
  const progress: BuildProgress = {
    phase(phase, total) {
      Object.assign(state, { phase, phase_done: 0, phase_total: total });
      save();
    },
    step() {
      state.phase_done += 1;
      if (clock.nowMs() - savedMs >= WRITE_EVERY_MS) save();
    },
    month(rows) {
      state.phase_done += 1;
      state.months_done += 1;
      state.rows_written += rows;
      save();
    },
    failed(ticker, error) {
      state.errors += 1;
      if (errors.length < ERRORS_LISTED) errors.push({ ticker, error });
    },
    warn: (text) => void warnings.add(text),
  };
  return { progress, save, rowsWritten: () => state.rows_written };
}

export class BuildLedger {
  readonly #sqlite: Services["sqlite"];
  readonly #clock: Services["clock"];
  readonly #log: Services["log"];
  /** Builds that run in this process. */
  readonly #own = new Set<string>();

  constructor({ sqlite, clock, log }: Pick<Services, "sqlite" | "clock" | "log">) {
    this.#sqlite = sqlite;
    this.#clock = clock;
    this.#log = log;
  }

  #now = () => instantText(this.#clock.nowMs());

  #update(job_id: string, values: Partial<BuildRow>): void {
    this.#sqlite.write((db) =>
      db
        .update(universe_builds)
        .set({ ...values, updated_at: this.#now() })
        .where(eq(universe_builds.job_id, job_id))
        .run(),
    );
  }

  /** The row with its real status: a build whose process has died is interrupted. */
  #withStatus(row: BuildRow): BuildRow {
    const isSilent = this.#clock.nowMs() - instantMs(row.updated_at) > SILENT_MS_MAX;
    const isInterrupted = row.status === "running" && !this.#own.has(row.job_id) && isSilent;
    return isInterrupted ? { ...row, status: "interrupted" } : row;
  }

  find(job_id: string): BuildRow | null {
    const row = this.#sqlite.use((db) =>
      db.select().from(universe_builds).where(eq(universe_builds.job_id, job_id)).get(),
    );
    return row ? this.#withStatus(row) : null;
  }

  /** The running build; null if there is none. */
  running(): BuildRow | null {
    const row = this.#sqlite.use((db) =>
      db
        .select()
        .from(universe_builds)
        .where(eq(universe_builds.status, "running"))
        .orderBy(desc(universe_builds.created_at))
        .limit(1)
        .get(),
    );
    return row && this.#withStatus(row).status === "running" ? row : null;
  }

  /**
   * Adds a build. Call it under the job's lock: any other row that still says `running` has lost its process.
   */
  begin(job_id: string, plan: BuildPlan): void {
    const at = this.#now();
    this.#own.add(job_id);
    this.#sqlite.write((db) => {
      db.update(universe_builds)
        .set({ status: "interrupted", updated_at: at, finished_at: at })
        .where(eq(universe_builds.status, "running"))
        .run();
      db.insert(universe_builds)
        .values({
          job_id,
          ...plan,
          status: "running",
          phase: "prices",
          ...NO_PROGRESS,
          error_list: "[]",
          warnings: "[]",
          created_at: at,
          updated_at: at,
        })
        .run();
    });
  }

  /** Runs `work` as the build: records its progress and its end. Returns the number of rows written. */
  async run(
    job_id: string,
    signal: AbortSignal,
    work: (progress: BuildProgress) => Promise<void>,
  ): Promise<number> {
    const recorder = progressRecorder(this.#clock, (values) => this.#update(job_id, values));
    const over = new AbortController();
    const beat = { of: `build ${job_id}`, everyMs: HEARTBEAT_MS, signal: over.signal };
    void heartbeat({ clock: this.#clock, log: this.#log }, beat, () => this.#update(job_id, {}));
    try {
      await work(recorder.progress);
      recorder.progress.phase("done", 0);
      this.#update(job_id, { status: "succeeded", finished_at: this.#now() });
      return recorder.rowsWritten();
    } catch (error) {
      recorder.save();
      const status = signal.aborted ? "interrupted" : "failed";
      const text = error instanceof Error ? error.message : String(error);
      this.#update(job_id, { status, error: text.slice(0, 500), finished_at: this.#now() });
      throw error;
    } finally {
      over.abort();
      this.#own.delete(job_id);
    }
  }
}
