// Rows of a log, written to the database in the background, so that no request waits for the disk.

import { lt } from "drizzle-orm";
import { systemTimers } from "../platform/clock.ts";
import { instantText } from "../platform/instant-text.ts";
import type { Db, Store } from "../platform/sqlite/sqlite.ts";
import type { error_log, request_log } from "../platform/sqlite/tables.ts";

const FLUSH_MS = 500;

export interface BufferedLog<R> {
  /** The rows that are not written yet. */
  readonly buffered: R[];
  flush(): void;
  /** Removes rows with a timestamp before `beforeMs` (ms since the epoch); returns their number. */
  purge(beforeMs: number): number;
  close(): void;
}

/** `failed` is called when rows could not be written. */
export function bufferedLog<R>(
  sqlite: Store,
  table: typeof error_log | typeof request_log,
  write: (rows: readonly R[], db: Db) => void,
  failed: (error: unknown, rows: number) => void,
): BufferedLog<R> {
  const buffered: R[] = [];
  const flush = () => {
    if (buffered.length === 0) return;
    const rows = buffered.splice(0);
    try {
      const isWritten = sqlite.writeUnlessLocked((db) => write(rows, db));
      if (!isWritten) buffered.push(...rows);
    } catch (error) {
      failed(error, rows.length);
    }
  };
  const endFlushing = systemTimers.every(FLUSH_MS, flush);
  return {
    buffered,
    flush,
    purge: (beforeMs) =>
      sqlite.write((db) =>
        db
          .delete(table)
          .where(lt(table.timestamp, instantText(beforeMs)))
          .returning({ id: table.id })
          .all(),
      ).length,
    close() {
      endFlushing();
      flush();
      if (buffered.length > 0) failed("another process keeps the database locked", buffered.length);
    },
  };
}
