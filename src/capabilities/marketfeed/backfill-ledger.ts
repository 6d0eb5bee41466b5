// Backfills of the panel as rows: what was asked, how far it is, how it ended; and what was asked for in vain.
import { and, desc, eq, inArray } from "drizzle-orm";
import type { Clock } from "../../platform/clock.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import { backfill_items } from "../../platform/sqlite/tables.ts";
import type { BackfillStatus } from "./schema.ts";
import type { PanelRun } from "./sources.ts";
import { marketfeed_backfills, marketfeed_failures } from "./tables.ts";

type Row = typeof marketfeed_backfills.$inferSelect;

/** A backfill that says nothing for so long has lost its process. */
const SILENT_MS_MAX = 60_000;
const BEAT_MS = 10_000;
const BACKFILL = "marketfeed-pit";
const ITEMS_A_QUERY = 500;
const ERROR_CHARS_MAX = 500;

/** What is missing of a run, so that the same question is known again. */
const itemOf = ({ symbol, missing, missing_first, missing_last }: PanelRun) =>
  `${symbol} ${missing_first}..${missing_last} ${missing}`;

/** What a backfill tells of itself as it goes. */
export interface PanelReport {
  done(symbols: number, rows: number): void;
  failed(symbol: string, error: string): void;
}

export function panelRuns({ sqlite, clock }: { readonly sqlite: Store; readonly clock: Clock }) {
  /** Backfills of this process. */
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

  const shown = (row: Row): BackfillStatus => {
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
    const { updated_at: _updated, ...told } = row;
    return { ...told, status: isLost ? "interrupted" : row.status, failed };
  };

  const newest = (only?: Row["status"]): Row | undefined =>
    sqlite.use((db) =>
      db
        .select()
        .from(marketfeed_backfills)
        .where(only ? eq(marketfeed_backfills.status, only) : undefined)
        .orderBy(desc(marketfeed_backfills.started_at), desc(marketfeed_backfills.job_id))
        .limit(1)
        .get(),
    );

  return {
    find(job_id: string): BackfillStatus | null {
      const row = sqlite.use((db) =>
        db.select().from(marketfeed_backfills).where(eq(marketfeed_backfills.job_id, job_id)).get(),
      );
      return row ? shown(row) : null;
    },
    latest(): BackfillStatus | null {
      const row = newest();
      return row ? shown(row) : null;
    },
    /** The id of the one under way; null without one. */
    running: (): string | null => newest("running")?.job_id ?? null,

    /** To be called under the job's lock: whatever still says that it runs has lost its process. */
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

    /** Runs `work` as the backfill, which keeps its row, and ends it as the work ends. Gives the rows stored. */
    async run(job_id: string, signal: AbortSignal, work: (report: PanelReport) => Promise<void>) {
      const state = { processed: 0, rows: 0 };
      const over = new AbortController();
      const beat = async () => {
        for (;;) {
          await clock.sleep(BEAT_MS, over.signal);
          set(job_id, state);
        }
      };
      beat().catch(() => {});
      const report: PanelReport = {
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

    /** Runs that were asked for as they stand, with why nothing more came; the error may be empty. */
    asked(runs: readonly PanelRun[]): ReadonlyMap<PanelRun, string> {
      const byItem = new Map(runs.map((run) => [itemOf(run), run]));
      const items = [...byItem.keys()];
      const found = new Map<PanelRun, string>();
      for (let from = 0; from < items.length; from += ITEMS_A_QUERY) {
        const some = items.slice(from, from + ITEMS_A_QUERY);
        const rows = sqlite.use((db) =>
          db
            .select({ item: backfill_items.item, error: backfill_items.error })
            .from(backfill_items)
            .where(and(eq(backfill_items.backfill, BACKFILL), inArray(backfill_items.item, some)))
            .all(),
        );
        for (const { item, error } of rows) {
          const run = byItem.get(item);
          if (run) found.set(run, error ?? "");
        }
      }
      return found;
    },

    /** Notes runs as asked for, with what they still lack. */
    note(runs: readonly PanelRun[], errors: ReadonlyMap<string, string>): void {
      if (runs.length === 0) return;
      const finished_at = now();
      sqlite.write((db) => {
        for (const run of runs) {
          const error = errors.get(run.symbol) ?? null;
          const row = { status: error === null ? "done" : "failed", error, finished_at };
          db.insert(backfill_items)
            .values({ backfill: BACKFILL, item: itemOf(run), ...row })
            .onConflictDoUpdate({ target: [backfill_items.backfill, backfill_items.item], set: row })
            .run();
        }
      });
    },
  };
}

export type PanelRuns = ReturnType<typeof panelRuns>;
