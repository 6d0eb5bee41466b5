// Which runs a backfill has asked for, with what came of it: a run that is still the same is not asked for
// again.
import { and, eq, inArray } from "drizzle-orm";
import type { Services } from "../../market/services.ts";
import { instantText } from "../../platform/instant-text.ts";
import { backfill_items } from "../../platform/sqlite/tables.ts";
import type { PanelRun } from "./sources.ts";

const BACKFILL = "marketfeed-pit";
const ITEMS_PER_QUERY = 500;

/** A run by its missing days: once more bars are stored it is another item. */
const itemOf = ({ symbol, missing, missing_first, missing_last }: PanelRun) =>
  `${symbol} ${missing_first}..${missing_last} ${missing}`;

export function panelItems({ sqlite, clock }: Pick<Services, "sqlite" | "clock">) {
  return {
    /** The runs that were asked for as they are now, with why nothing more came; the error may be empty. */
    asked(runs: readonly PanelRun[]): ReadonlyMap<PanelRun, string> {
      const byItem = new Map(runs.map((run) => [itemOf(run), run]));
      const items = [...byItem.keys()];
      const found = new Map<PanelRun, string>();
      for (let from = 0; from < items.length; from += ITEMS_PER_QUERY) {
        const some = items.slice(from, from + ITEMS_PER_QUERY);
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

    /** Notes runs as asked for, with the errors of their symbols. */
    note(runs: readonly PanelRun[], errors: ReadonlyMap<string, string>): void {
      if (runs.length === 0) return;
      const finished_at = instantText(clock.nowMs());
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

export type PanelItems = ReturnType<typeof panelItems>;
