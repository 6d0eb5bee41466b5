// Backfills of the panel as rows: what was requested, how far each is, and how it ended.
import { desc, eq } from "drizzle-orm";
import type { Services } from "../../market/services.ts";
import { heartbeat } from "../../platform/heartbeat.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import type { BackfillStatus } from "./schema.ts";
import { marketfeed_backfills, marketfeed_failures } from "./tables.ts";

type Row = typeof marketfeed_backfills.$inferSelect;

/** A running backfill whose row is not updated for so long has lost its process. */
// Last heard of 61 s ago, with a sign of life due every 10 s: it is interrupted, and can be resumed.
const SILENT_MS_MAX = 60_000;
const HEARTBEAT_MS = 10_000;
const ERROR_CHARS_MAX = 500;

/** Progress of a running backfill. */
export interface BackfillReport {
  done(symbols: number, rows: number): void;
  failed(symbol: string, error: string): void;
}

export function backfillLedger({ sqlite, clock, log }: Pick<Services, "sqlite" | "clock" | "log">) {
  /** Backfills that run in this process. */
  const here = new Set<string>();
  const now = () => instantText(clock.nowMs());

  const set = (job_id: string, values: Partial<Row>) =>
    sqlite.write((db) =>
      db
        .update(marketfeed_backfills)
        .set({ ...values, updated_at: now() })
        .where(eq(marketfeed_backfills.job_id, job_id))
        .run(),
    );

  const statusOf = (row: Row): BackfillStatus => {
    const isSilent = clock.nowMs() - instantMs(row.updated_at) > SILENT_MS_MAX;
    const isLost = row.status === "running" && !here.has(row.job_id) && isSilent;
    const failed = sqlite.use((db) =>
      db
        .select({ symbol: marketfeed_failures.symbol, error: marketfeed_failures.error })
        .from(marketfeed_failures)
        .where(eq(marketfeed_failures.job_id, row.job_id))
        .orderBy(marketfeed_failures.symbol)
        .all(),
    );
    const { updated_at: _updated, ...fields } = row;
    return { ...fields, status: isLost ? "interrupted" : row.status, failed };
  };

  const newest = (status?: Row["status"]): Row | undefined =>
    sqlite.use((db) =>
      db
        .select()
        .from(marketfeed_backfills)
        .where(status ? eq(marketfeed_backfills.status, status) : undefined)
        .orderBy(desc(marketfeed_backfills.started_at), desc(marketfeed_backfills.job_id))
        .limit(1)
        .get(),
    );

  return {
    find(job_id: string): BackfillStatus | null {
      const row = sqlite.use((db) =>
        db.select().from(marketfeed_backfills).where(eq(marketfeed_backfills.job_id, job_id)).get(),
      );
      return row ? statusOf(row) : null;
    },
    latest(): BackfillStatus | null {
      const row = newest();
      return row ? statusOf(row) : null;
    },
    /** The id of the running backfill; null without one. */
    running: (): string | null => newest("running")?.job_id ?? null,

    /** Call it under the job's lock: another row that is still `running` has lost its process. */
    begin(job_id: string, plan: { start_date: string; end_date: string; total: number }): void {
      const at = now();
      here.add(job_id);
      sqlite.write((db) => {
        db.update(marketfeed_backfills)
          .set({ status: "interrupted", updated_at: at, finished_at: at })
          .where(eq(marketfeed_backfills.status, "running"))
          .run();
        db.insert(marketfeed_backfills)
          .values({
            job_id,
            ...plan,
            status: "running",
            processed: 0,
            rows: 0,
            started_at: at,
            updated_at: at,
          })
          .run();
      });
    },

    /**
     * Runs `work`, keeps the backfill's row up to date, and ends it as the work ends. Resolves to the stored
     * rows.
     */
    async run(job_id: string, signal: AbortSignal, work: (report: BackfillReport) => Promise<void>) {
      const state = { processed: 0, rows: 0 };
      const over = new AbortController();
      const beat = { of: `backfill ${job_id}`, everyMs: HEARTBEAT_MS, signal: over.signal };
      void heartbeat({ clock, log }, beat, () => set(job_id, state));
      const report: BackfillReport = {
        done(symbols, rows) {
          state.processed += symbols;
          state.rows += rows;
          set(job_id, state);
        },
        failed(symbol, error) {
          const row = { job_id, symbol, error: error.slice(0, ERROR_CHARS_MAX) };
          sqlite.write((db) => db.insert(marketfeed_failures).values(row).onConflictDoNothing().run());
        },
      };
      try {
        await work(report);
        set(job_id, { ...state, status: "succeeded", finished_at: now() });
        return state.rows;
      } catch (error) {
        const status = signal.aborted ? "interrupted" : "failed";
        const text = error instanceof Error ? error.message : String(error);
        set(job_id, { ...state, status, error: text.slice(0, ERROR_CHARS_MAX), finished_at: now() });
        throw error;
      } finally {
        over.abort();
        here.delete(job_id);
      }
    },
  };
}

export type BackfillLedger = ReturnType<typeof backfillLedger>;
