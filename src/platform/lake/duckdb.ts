// DuckDB: one in-memory instance per process with a few connections, restricted to files in the data folder.

import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  type DuckDBType,
  type DuckDBValue,
  LIST,
  listValue,
  VARCHAR,
} from "@duckdb/node-api";
import { systemTimers } from "../clock.ts";
import type { Batch } from "../table.ts";
import { literal } from "./dataset.ts";
import { storageUnavailable } from "./disk.ts";
import { type ColumnsResult, readColumns } from "./duckdb-read.ts";
import { readBatches } from "./engine-batches.ts";

/** A value bound to `$name` in a query; a list serves `= ANY($name)`. */
export type Param = string | number | bigint | boolean | null | readonly (string | number)[];
export type Params = Readonly<Record<string, Param>>;

export interface QueryOptions {
  /** Interrupts the query; the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** Options of a read on a connection. */
export interface ReadOptions extends QueryOptions {
  /**
   * Whether the read takes long: such reads have connections of their own, and others do not wait for them.
   */
  heavy?: boolean | undefined;
  /** The schemas in which tables are looked up ("version_7,main"); default: main. */
  searchPath?: string | undefined;
}

export interface DuckDb {
  /** Runs `work` with a connection; waits when all are in use. */
  use<T>(
    work: (connection: DuckDBConnection) => Promise<T>,
    options?: Pick<ReadOptions, "signal" | "heavy">,
  ): Promise<T>;
  /**
   * Runs `work` with a connection reserved for commits and their views, so that they do not queue behind
   * readers.
   */
  useToWrite<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T>;
  /** Runs `work` with a connection reserved for what is published after commits, which may take a second. */
  useToPublish<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T>;
  /** Runs one statement with its parameters; returns its result by column. */
  read(sql: string, params?: Params, options?: ReadOptions): Promise<ColumnsResult>;
  /** Runs one statement with its parameters; returns its result as batches. */
  batches(sql: string, params?: Params, options?: ReadOptions): Promise<Batch[]>;
  /** Keeps no further footers of files that reads open; those that are kept stay until the process ends. */
  keepNoFooters(): void;
  /** Interrupts running statements, waits for them and closes. Later calls throw StorageUnavailable. */
  close(): Promise<void>;
}

export interface DuckDbOptions {
  /** The only folders DuckDB may access, as absolute paths. */
  folders: readonly string[];
  /** Folder for temporary files when memory is short; below the first of them. */
  spillDir: string;
  memoryLimit?: string | undefined;
  threads?: number | undefined;
}

/** Reads that take long are few at a time: each has all of the engine's threads to share with the others. */
const HEAVY_READERS = 2;
const READERS = 4;
/** One connection for the commit, and one for the views of the previous commit. */
const WRITERS = 2;
/** Neither reads nor commits wait for the catalogue and the Delta logs. */
const PUBLISHERS = 1;
const FIRST_READER = WRITERS + PUBLISHERS + HEAVY_READERS;
export const CONNECTIONS = FIRST_READER + READERS;
/** A setting of each connection. */
const FOOTERS = "SET SESSION parquet_metadata_cache";
/** DuckDB ignores an interrupt that arrives just before a statement starts, so it is repeated. */
const INTERRUPT_REPEAT_MS = 20;

/** Opens the instance in a sandbox: it loads no extensions and accesses no files outside the folders. */
export async function openDuckDb(options: DuckDbOptions): Promise<DuckDb> {
  const instance = await DuckDBInstance.create(":memory:", {
    memory_limit: options.memoryLimit ?? "2GB",
    temp_directory: options.spillDir,
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    ...(options.threads ? { threads: String(options.threads) } : {}),
  });
  const connections: DuckDBConnection[] = [];
  for (let n = 0; n < CONNECTIONS; n++) connections.push(await instance.connect());
  const [first] = connections;
  await first?.run(
    // DuckDB's caches keep data of deleted files, and compaction deletes many. The operating system's cache
    // is enough. Reads keep the footers of files, within a limit (footers.ts); commits and publications open
    // files once.
    `SET GLOBAL TimeZone = 'UTC'; SET GLOBAL parquet_metadata_cache = false; SET GLOBAL enable_external_file_cache = false;
     SET GLOBAL allowed_directories = [${options.folders.map((folder) => literal(`${folder}/`))}]; SET GLOBAL enable_external_access = false;`,
  );
  for (const reader of connections.slice(WRITERS + PUBLISHERS)) await reader.run(`${FOOTERS} = true`);
  return duckDbOver(connections, () => instance.closeSync());
}

/** A pool that lends each connection to one caller at a time, in the order of the calls. */
function connectionPool(connections: readonly DuckDBConnection[]) {
  const idle = [...connections];
  const waiting: ((connection: DuckDBConnection) => void)[] = [];
  return {
    acquire(): Promise<DuckDBConnection> {
      const connection = idle.pop();
      return connection ? Promise.resolve(connection) : new Promise((resolve) => waiting.push(resolve));
    },
    release(connection: DuckDBConnection) {
      const next = waiting.shift();
      if (next) next(connection);
      else idle.push(connection);
    },
  };
}

/**
 * Lends the connections of an instance: to cheap reads, heavy ones, writes and publications, each out of
 * their own.
 */
export function duckDbOver(connections: DuckDBConnection[], closeInstance: () => void): DuckDb {
  const writers = connectionPool(connections.slice(0, WRITERS));
  const publishers = connectionPool(connections.slice(WRITERS, WRITERS + PUBLISHERS));
  const heavy = connectionPool(connections.slice(WRITERS + PUBLISHERS, FIRST_READER));
  const readers = connectionPool(connections.slice(FIRST_READER));
  let isClosed = false;
  /** Connections that keep footers. */
  const keeping = new Set(connections.slice(WRITERS + PUBLISHERS));
  let keepsFooters = true;
  const useOf =
    (poolOf: (isHeavy: boolean) => ReturnType<typeof connectionPool>): DuckDb["use"] =>
    async (work, { signal, heavy: isHeavy = false } = {}) => {
      signal?.throwIfAborted();
      if (isClosed) throw storageUnavailable("The data store is closed.");
      const { acquire, release } = poolOf(isHeavy);
      const connection = await acquire();
      try {
        if (!keepsFooters && keeping.delete(connection)) await connection.run(`${FOOTERS} = false`);
        return await interruptible(connection, signal, () => work(connection));
      } finally {
        release(connection);
      }
    };
  const use = useOf((isHeavy) => (isHeavy ? heavy : readers));
  const readBy =
    <T>(read: (result: DuckDBResult) => Promise<T>) =>
    (sql: string, params?: Params, options: ReadOptions = {}) =>
      use(
        (connection) =>
          withSearchPath(connection, options.searchPath, () => readWith(read, connection, sql, params)),
        options,
      );
  return {
    use,
    useToWrite: useOf(() => writers),
    useToPublish: useOf(() => publishers),
    keepNoFooters() {
      keepsFooters = false;
    },
    read: readBy(readColumns),
    batches: readBy(readBatches),
    async close() {
      if (isClosed) return;
      isClosed = true;
      const endInterrupting = systemTimers.every(INTERRUPT_REPEAT_MS, () => {
        for (const connection of connections) connection.interrupt();
      });
      for (let n = 0; n < WRITERS; n++) await writers.acquire();
      for (let n = 0; n < PUBLISHERS; n++) await publishers.acquire();
      for (let n = 0; n < HEAVY_READERS; n++) await heavy.acquire();
      for (let n = 0; n < READERS; n++) await readers.acquire();
      endInterrupting();
      // Disconnecting a connection that is in use would crash the process, hence the wait above.
      for (const connection of connections) connection.disconnectSync();
      closeInstance();
    },
  };
}

/** Looks tables up in other schemas while `work` runs, also those that macros name. */
export async function withSearchPath<T>(
  connection: DuckDBConnection,
  searchPath: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (searchPath === undefined) return work();
  await connection.run(`SET search_path = ${literal(searchPath)}`);
  try {
    return await work();
  } finally {
    await connection.run("RESET search_path");
  }
}

/** Runs statements in one transaction, so that a query sees all of them or nothing. */
export async function inOneTransaction(
  connection: DuckDBConnection,
  statements: readonly string[],
): Promise<void> {
  try {
    await connection.run(["BEGIN", ...statements, "COMMIT"].join(";\n"));
  } catch (error) {
    // Else every later statement of the connection fails.
    await connection.run("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

async function interruptible<T>(
  connection: DuckDBConnection,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (!signal) return work();
  signal.throwIfAborted();
  let endInterrupting = () => {};
  const interrupt = () => {
    connection.interrupt();
    endInterrupting = systemTimers.every(INTERRUPT_REPEAT_MS, () => connection.interrupt());
  };
  signal.addEventListener("abort", interrupt, { once: true });
  try {
    const result = await work();
    signal.throwIfAborted();
    return result;
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener("abort", interrupt);
    endInterrupting();
  }
}

/** Runs one statement on a connection with its parameters bound by name. */
export const readOn = (
  connection: DuckDBConnection,
  sql: string,
  params: Params = {},
): Promise<ColumnsResult> => readWith(readColumns, connection, sql, params);

async function readWith<T>(
  read: (result: DuckDBResult) => Promise<T>,
  connection: DuckDBConnection,
  sql: string,
  params: Params = {},
): Promise<T> {
  // Freeing a prepared statement takes milliseconds of this thread; a query without parameters needs none. A
  // semicolon may begin a second statement, and a dollar sign a parameter without a value: only a prepared
  // statement refuses these.
  if (Object.keys(params).length === 0 && !/[;$]/.test(sql)) return read(await connection.run(sql));
  const statement = await connection.prepare(sql);
  try {
    bind(statement, params);
    return await read(await statement.run());
  } finally {
    statement.destroySync();
  }
}

/** Binds every `$name` of the statement. Throws for a name without a value and for a value without a name. */
export function bind(statement: DuckDBPreparedStatement, params: Params): void {
  const unused = new Set(Object.keys(params));
  for (let index = 1; index <= statement.parameterCount; index++) {
    const name = statement.parameterName(index);
    const value = params[name];
    if (value === undefined) throw new Error(`the query's $${name} has no value`);
    unused.delete(name);
    if (value === null) statement.bindNull(index);
    else statement.bindValue(index, ...typed(name, value));
  }
  if (unused.size > 0) throw new Error(`the query has no $${[...unused].join(", $")}`);
}

/** Converts a parameter to a DuckDB value with its type. */
function typed(name: string, value: Exclude<Param, null>): [DuckDBValue, DuckDBType] {
  if (typeof value === "string") return [value, VARCHAR];
  if (typeof value === "boolean") return [value, BOOLEAN];
  if (typeof value === "bigint") return [value, BIGINT];
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new Error(`the query's $${name} is ${value}`);
    return Number.isSafeInteger(value) ? [BigInt(value), BIGINT] : [value, DOUBLE];
  }
  const texts = value.filter((each) => typeof each === "string");
  if (texts.length === value.length) return [listValue(texts), LIST(VARCHAR)];
  const numbers = value.filter((each) => typeof each === "number" && Number.isFinite(each));
  if (numbers.length !== value.length) throw new Error(`the query's $${name} mixes strings and numbers`);
  return numbers.every(Number.isSafeInteger)
    ? [listValue(numbers.map(BigInt)), LIST(BIGINT)]
    : [listValue(numbers), LIST(DOUBLE)];
}
