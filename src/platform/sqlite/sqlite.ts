// The operational database: one SQLite file, opened with durable settings and migrated at start.
import { Database } from "bun:sqlite";
import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { type BunSQLiteDatabase, drizzle } from "drizzle-orm/bun-sqlite";
import { StorageUnavailable } from "../errors.ts";
import { currentReading, refuseInReplay } from "../reading.ts";
import { type WriteFailures, writeFailures } from "../write-failures.ts";
import { type MigrationState, migrate, migrationState } from "./migrate.ts";
import * as tables from "./tables.ts";

export type Db = BunSQLiteDatabase<typeof tables>;

/** The operational database. Its work is synchronous: short statements, no waiting inside. */
export interface Store {
  /**
   * Runs `work`. Errors of the disk or the file become StorageUnavailable. In a request for an earlier
   * version it reads the rows that the request has loaded of that version, and nothing else.
   */
  use<T>(work: (db: Db) => T): T;
  /** As use, in one BEGIN IMMEDIATE transaction, which is rolled back when `work` throws. */
  write<T>(work: (db: Db) => T): T;
  /**
   * As write, for rows that can wait: false, with nothing written, where another process keeps the database
   * locked for longer than a moment. A longer wait would block the whole process.
   */
  writeUnlessLocked(work: (db: Db) => void): boolean;
  /**
   * A native prepared statement for statements that run thousands of times a second; all others go through
   * `use`.
   */
  prepare(statement: string): { run(...values: (string | number | null)[]): void };
  /**
   * A text that changes with every write of any process: what was read before it is still so while the text
   * is the same.
   */
  changeMark(): string;
  /** Why the newest write failed, seconds ago at most; null otherwise. */
  writeFailure(): string | null;
  migrations(): MigrationState;
  /** From now on, statements wait only a moment for another process's write: the process is stopping. */
  stopWaiting(): void;
  /** Writes the write-ahead log into the file and empties it. */
  checkpoint(): void;
  /** Checkpoints and closes. Closing twice has no effect. */
  close(): void;
}

/** The operational database holds what is known now, and keeps no earlier state. */
const STATE_OF_NOW = "the state of the service";

/** Runs `work` on the rows that an earlier version has. Refuses a table whose rows are in no version. */
function inVersion<T>(db: object, work: (db: Db) => T): T {
  try {
    return work(db as Db);
  } catch (error) {
    for (let inner = error; inner instanceof Error; inner = inner.cause)
      if (/no such table/.test(inner.message)) refuseInReplay(STATE_OF_NOW);
    throw error;
  }
}

/** How long a statement waits for another process's write. */
// Another process that writes for 4 s delays a request; one that writes for 6 s makes it fail with 503.
const BUSY_MS = 5_000;
/** How long it waits while the process stops, when several statements may wait one after the other. */
const BUSY_STOPPING_MS = 250;
/** How long it waits for rows that can be written later; their writers try again each half second. */
// A request's row for the log waits 50 ms; while the database stays locked it is tried again after half a
// second.
const BUSY_MOMENT_MS = 50;
/** Size to which the write-ahead log is truncated after a checkpoint. */
const WAL_BYTES_MAX = 64 * 1024 * 1024;

/** Primary result codes of SQLite that concern the disk or the file, not the statement. */
const STORAGE_ERRORS: Readonly<Record<string, string>> = {
  FULL: "the disk is full",
  IOERR: "the disk cannot be read or written",
  BUSY: "another process keeps it locked",
  LOCKED: "another process keeps it locked",
  PROTOCOL: "another process keeps it locked",
  CANTOPEN: "its file cannot be opened",
  PERM: "its file may not be written",
  READONLY: "its file may not be written",
  CORRUPT: "its file is damaged",
  NOTADB: "its file is not a database",
  NOMEM: "there is too little memory",
};
const FILE_ERRORS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
  EIO: "the disk cannot be read or written",
  EROFS: "its folder may not be written",
  EACCES: "its folder may not be written",
  EPERM: "its folder may not be written",
  ENOENT: "its folder cannot be made",
  ENOTDIR: "its folder is not a folder",
  EEXIST: "its folder is not a folder",
  EISDIR: "its file is a folder",
  ENAMETOOLONG: "its path is too long",
};

/** StorageUnavailable for an error of the disk anywhere in the chain of causes; any other error unchanged. */
function translated(error: unknown): unknown {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    const code = String((inner as { code?: unknown }).code ?? "");
    const why = /^SQLITE_/.test(code) ? STORAGE_ERRORS[code.split("_")[1] ?? ""] : FILE_ERRORS[code];
    const closed = /closed database/i.test(inner.message) ? "it is closed" : undefined;
    if (why ?? closed)
      return new StorageUnavailable("database_unavailable", `The database cannot be used: ${why ?? closed}`, {
        cause: error,
      });
  }
  return error;
}

function guarded<T>(work: () => T, failures?: WriteFailures): T {
  try {
    return work();
  } catch (error) {
    const known = translated(error);
    failures?.note(known);
    throw known;
  }
}

/** Whether a statement failed because another process holds the write lock. */
const isLocked = (error: unknown): boolean =>
  error instanceof Error &&
  (String((error as { code?: unknown }).code).startsWith("SQLITE_BUSY") || isLocked(error.cause));

/** An empty database in memory, for the rows that one request reads of an earlier version. */
export const openRowsInMemory = (): Db =>
  drizzle(new Database(":memory:", { strict: true }), { schema: tables });

/**
 * Creates the file, readable only by its owner since it logs client requests. The WAL files inherit the mode.
 */
function prepareFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  closeSync(openSync(path, "a", 0o600));
  chmodSync(path, 0o600);
}

function connect(path: string): Database {
  const client = new Database(path, { create: true, readwrite: true, strict: true });
  // First of all: bun:sqlite does not wait for a lock by default.
  client.run(`PRAGMA busy_timeout = ${BUSY_MS}`);
  client.run("PRAGMA journal_mode = WAL");
  // NORMAL may lose the last commits at a power loss; quota counts and job runs must survive.
  client.run("PRAGMA synchronous = FULL");
  client.run(`PRAGMA journal_size_limit = ${WAL_BYTES_MAX}`);
  return client;
}

/**
 * Opens the database at `path` (created with mode 600 when absent) and applies pending migrations. `:memory:`
 * gives one that lasts until it is closed. Throws StorageUnavailable for an error of the disk, a damaged
 * file, or a file of a newer version of the service.
 */
export function openSqlite(path: string): Store {
  const client = guarded(() => {
    if (path !== ":memory:") prepareFile(path);
    return connect(path);
  });
  try {
    guarded(() => migrate(client));
    // After the migrations: one that rebuilds a table must not trigger the cascading deletes of its children.
    client.run("PRAGMA foreign_keys = ON");
  } catch (error) {
    client.close();
    throw error;
  }
  const db: Db = drizzle(client, { schema: tables });
  let open = true;
  let busyMs = BUSY_MS;
  const waitFor = (ms: number) => void client.run(`PRAGMA busy_timeout = ${ms}`);
  const failures = writeFailures();
  const ownChanges = client.prepare("SELECT total_changes()");
  const othersChanges = client.prepare("PRAGMA data_version");
  const checkpoint = () => guarded(() => client.run("PRAGMA wal_checkpoint(TRUNCATE)"));

  return {
    use(work) {
      const rows = currentReading()?.replay?.tables;
      if (rows) return inVersion(rows.db, work);
      refuseInReplay(STATE_OF_NOW);
      return guarded(() => work(db), failures);
    },
    write(work) {
      refuseInReplay(STATE_OF_NOW);
      const result = guarded(() => client.transaction(() => work(db)).immediate(), failures);
      failures.clear();
      return result;
    },
    writeUnlessLocked(work) {
      refuseInReplay(STATE_OF_NOW);
      const attempt = () => {
        waitFor(BUSY_MOMENT_MS);
        try {
          client.transaction(() => work(db)).immediate();
          return true;
        } catch (error) {
          if (isLocked(error)) return false;
          throw error;
        } finally {
          waitFor(busyMs);
        }
      };
      const isWritten = guarded(attempt, failures);
      if (isWritten) failures.clear();
      return isWritten;
    },
    prepare(statement) {
      const prepared = guarded(() => client.prepare(statement));
      return { run: (...values) => void guarded(() => prepared.run(...values), failures) };
    },
    changeMark: () => guarded(() => `${othersChanges.values()} ${ownChanges.values()}`),
    writeFailure: failures.recent,
    stopWaiting: () => {
      busyMs = BUSY_STOPPING_MS;
      if (open) waitFor(busyMs);
    },
    migrations: () => guarded(() => migrationState(client)),
    checkpoint,
    close() {
      if (!open) return;
      open = false;
      try {
        checkpoint();
      } finally {
        client.close();
      }
    },
  };
}
