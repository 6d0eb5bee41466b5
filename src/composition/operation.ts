// What tells of the service itself: its logs, and what it has stored.
import { database } from "../capabilities/database/index.ts";
import { logs } from "../capabilities/logs/index.ts";
import { DATASETS } from "../datasets/index.ts";
import type { Context } from "./context.ts";

/** `resolve` finds who files under a ticker; `flushLogs` writes the log rows held in memory. */
export function composeOperation(
  context: Context,
  needs: {
    resolve(ticker: string, signal?: AbortSignal): Promise<{ readonly cik: string }>;
    flushLogs(): void;
  },
) {
  const { sqlite, lake, clock, cacheDeps, operator, caches, isAdmin } = context;
  const { resolve, flushLogs } = needs;
  return {
    logs: logs({ sqlite, clock, operator, isAdmin, flush: flushLogs }),
    database: database({
      ...{ sqlite, lake, cacheDeps, operator, caches, resolve },
      datasets: DATASETS,
    }),
  };
}
