// The list of replaced files: Parquet files that the manifest no longer names and that stay for readers of
// older catalogues.
//
// A file is added before the manifest without it is published, and it leaves the list after it was deleted.
// Whenever the process dies, every replaced file on disk is therefore on the list. The list may name a file
// that the manifest still has, because the publication failed; such an entry has no effect.

import { Database } from "bun:sqlite";
import { existsSync, renameSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { asStorageError } from "../disk.ts";
import type { RetiredFile } from "../manifest.ts";

export interface RetiredFiles {
  /** Adds files, durably. A file that is listed already gets the new time. Call it under the lake's lock. */
  add(files: readonly RetiredFile[]): void;
  /** Every entry, oldest first. */
  list(): RetiredFile[];
  /** Removes entries of files that were deleted or that the manifest has. Call it under the lake's lock. */
  forget(paths: readonly string[]): void;
  /** Returns what is wrong with the list; null where it is sound or not there yet. */
  damage(): string | null;
  /**
   * Moves the list, damaged or not, to the folder `to`; the next entry begins a new one. Call it under the
   * lake's lock.
   */
  moveTo(to: string): void;
  close(): void;
}

const CREATE = `CREATE TABLE IF NOT EXISTS retired (
  path TEXT PRIMARY KEY, retired_at TEXT NOT NULL, generation INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT`;
const ADD = "INSERT OR REPLACE INTO retired (path, retired_at, generation, bytes) VALUES (?, ?, ?, ?)";
const LIST = "SELECT path, retired_at, generation, bytes FROM retired ORDER BY retired_at, path";

const hasContent = (path: string) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;

/**
 * Opens the list for reading. It may be written all the same: what a killed writer left half-done is rolled
 * back first. SQLite opens a file on a disk that cannot be written for reading alone.
 */
function openForReading(path: string): Database {
  const database = new Database(path, { readwrite: true, create: false });
  database.run("PRAGMA busy_timeout = 5000");
  return database;
}

/** The list in the SQLite file at `path`, which is made when the first file is added. */
export function retiredFiles(path: string): RetiredFiles {
  let writable: Database | undefined;
  const open = (): Database => {
    if (writable) return writable;
    const database = new Database(path, { create: true });
    try {
      database.run("PRAGMA busy_timeout = 5000");
      // A lost entry would have its file deleted at the next start: an entry must survive a power loss too.
      database.run("PRAGMA synchronous = EXTRA");
      database.run(CREATE);
    } catch (error) {
      database.close();
      throw error;
    }
    writable = database;
    return database;
  };
  const onDatabase = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw asStorageError(error);
    }
  };
  const each = (statement: string, rows: readonly (readonly (string | number)[])[]) => {
    if (rows.length === 0) return;
    onDatabase(() => {
      const database = open();
      const prepared = database.prepare(statement);
      database.transaction(() => {
        for (const row of rows) prepared.run(...row);
      })();
    });
  };
  return {
    add: (files) =>
      each(
        ADD,
        files.map((file) => [file.path, file.retired_at, file.generation, file.bytes ?? 0]),
      ),
    list: () =>
      onDatabase(() => {
        if (!hasContent(path)) return [];
        if (writable) return writable.query(LIST).all() as RetiredFile[];
        const database = openForReading(path);
        try {
          return database.query(LIST).all() as RetiredFile[];
        } finally {
          database.close();
        }
      }),
    forget: (paths) =>
      each(
        "DELETE FROM retired WHERE path = ?",
        paths.map((each) => [each]),
      ),
    damage() {
      if (!hasContent(path)) return null;
      try {
        const database = openForReading(path);
        try {
          const found = database.query("PRAGMA quick_check(1)").get() as { quick_check: string };
          if (found.quick_check !== "ok") return found.quick_check;
          database.query(LIST).all();
          return null;
        } finally {
          database.close();
        }
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
    moveTo(to) {
      writable?.close();
      writable = undefined;
      for (const suffix of ["", "-journal", "-wal", "-shm"])
        if (existsSync(`${path}${suffix}`))
          renameSync(`${path}${suffix}`, join(to, `${basename(path)}${suffix}`));
    },
    close() {
      writable?.close();
      writable = undefined;
    },
  };
}
