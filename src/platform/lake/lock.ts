// A lock between processes: a SQLite write lock, which the operating system releases when the holding process
// dies.

import { Database } from "bun:sqlite";
import { systemClock } from "../clock.ts";
import { StorageUnavailable } from "../errors.ts";
import { asStorageError } from "./disk.ts";

export interface LakeLock {
  /** Runs `work` while holding the lock against other processes and other callers in this process. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

const WAIT_MS_MAX = 20_000;
const RETRY_MS = 5;
const RETRY_MS_MAX = 40;

/**
 * Tries to take the lock; false when it is held elsewhere. Throws on any other error. Never writes to the
 * file.
 */
function tryBegin(database: Database): boolean {
  try {
    database.run("BEGIN IMMEDIATE");
    return true;
  } catch (error) {
    if (String((error as { code?: unknown }).code).startsWith("SQLITE_BUSY")) return false;
    throw asStorageError(error);
  }
}

function openLockFile(path: string): Database {
  try {
    const database = new Database(path, { create: true });
    database.run("PRAGMA busy_timeout = 0");
    return database;
  } catch (error) {
    throw asStorageError(error);
  }
}

/**
 * A lock on the file at `path`, which is made on first use. Throws StorageUnavailable after waiting
 * `waitMsMax`.
 */
export function lakeLock(path: string, waitMsMax = WAIT_MS_MAX): LakeLock {
  let database: Database | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const begin = async (): Promise<Database> => {
    database ??= openLockFile(path);
    for (let waited = 0; !tryBegin(database); ) {
      if (waited >= waitMsMax)
        throw new StorageUnavailable(
          "database_unavailable",
          "Another process is writing to the data store.",
          { retryAfterS: 5 },
        );
      const wait = RETRY_MS + Math.random() * (RETRY_MS_MAX - RETRY_MS);
      await systemClock.sleep(wait);
      waited += wait;
    }
    return database;
  };
  return {
    hold(work) {
      const turn = last.then(async () => {
        const transaction = await begin();
        try {
          return await work();
        } finally {
          transaction.run("ROLLBACK");
        }
      });
      last = turn.catch(() => undefined);
      return turn;
    },
    close() {
      database?.close();
      database = undefined;
    },
  };
}

/** Takes a lock for the lifetime of the process; undefined when another process holds it. */
export function acquireForLifetime(path: string): { release(): void } | undefined {
  const database = openLockFile(path);
  if (tryBegin(database)) return { release: () => database.close() };
  database.close();
  return undefined;
}
