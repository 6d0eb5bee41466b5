// DuckDB: one in-memory instance a process, a few connections, bound parameters, nothing outside the data folder.

import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBPreparedStatement,
  type DuckDBType,
  type DuckDBValue,
  LIST,
  listValue,
  VARCHAR,
} from "@duckdb/node-api";
import { literal } from "./dataset.ts";
import { storageUnavailable } from "./disk.ts";
import { type ColumnsResult, readColumns } from "./duckdb-read.ts";

/** A value bound to `$name` in a query; a list serves `= ANY($name)`. */
export type Param = string | number | bigint | boolean | null | readonly (string | number)[];
export type Params = Readonly<Record<string, Param>>;

export interface QueryOptions {
  /** Interrupts the query; the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface DuckDb {
  /** Lends a connection; waits when all are lent. */
  use<T>(work: (connection: DuckDBConnection) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** The same for what everybody waits for, a commit and its new views: readers, however many, are not ahead of it. */
  useToWrite<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T>;
  /** One statement with its parameters, its result by column. */
  read(sql: string, params?: Params, options?: QueryOptions): Promise<ColumnsResult>;
  /** Interrupts what still runs, waits for it and closes; whoever asks later is refused. */
  close(): Promise<void>;
}

export interface DuckDbOptions {
  /** The only folder it may touch, absolute. */
  dataDir: string;
  /** Where it spills when memory is short; below dataDir. */
  spillDir: string;
  memoryLimit?: string | undefined;
  threads?: number | undefined;
}

const READERS = 6;
/** One commits, and one puts the views of what it committed in force meanwhile. */
const WRITERS = 2;
/** An interrupt that arrives while a statement is only about to start is forgotten by DuckDB, so it is repeated. */
const INTERRUPT_AGAIN_MS = 20;

/** Opens the instance and shuts it in: no extension is loaded, no file outside dataDir read or written. */
export async function openDuckDb(options: DuckDbOptions): Promise<DuckDb> {
  const instance = await DuckDBInstance.create(":memory:", {
    memory_limit: options.memoryLimit ?? "2GB",
    temp_directory: options.spillDir,
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    ...(options.threads ? { threads: String(options.threads) } : {}),
  });
  const connections: DuckDBConnection[] = [];
  for (let n = 0; n < READERS + WRITERS; n++) connections.push(await instance.connect());
  const [first] = connections;
  await first?.run(
    // DuckDB keeps what it read of a file after the file is gone, and compaction makes many such files; the system's own
    // cache serves as well.
    `SET GLOBAL TimeZone = 'UTC'; SET GLOBAL parquet_metadata_cache = false; SET GLOBAL enable_external_file_cache = false;
     SET GLOBAL allowed_directories = [${literal(`${options.dataDir}/`)}]; SET GLOBAL enable_external_access = false;`,
  );
  return pool(connections, () => instance.closeSync());
}

/** Connections lent one at a time, in order of asking. */
function lane(connections: readonly DuckDBConnection[]) {
  const idle = [...connections];
  const waiting: ((connection: DuckDBConnection) => void)[] = [];
  return {
    lend(): Promise<DuckDBConnection> {
      const connection = idle.pop();
      return connection ? Promise.resolve(connection) : new Promise((resolve) => waiting.push(resolve));
    },
    giveBack(connection: DuckDBConnection) {
      const next = waiting.shift();
      if (next) next(connection);
      else idle.push(connection);
    },
  };
}

function pool(connections: DuckDBConnection[], closeInstance: () => void): DuckDb {
  const writers = lane(connections.slice(0, WRITERS));
  const readers = lane(connections.slice(WRITERS));
  let isClosed = false;
  const useOf =
    ({ lend, giveBack }: ReturnType<typeof lane>): DuckDb["use"] =>
    async (work, signal) => {
      signal?.throwIfAborted();
      if (isClosed) throw storageUnavailable("The data store is closed.");
      const connection = await lend();
      try {
        return await interruptible(connection, signal, () => work(connection));
      } finally {
        giveBack(connection);
      }
    };
  const use = useOf(readers);
  return {
    use,
    useToWrite: useOf(writers),
    read: (sql, params, read) => use((connection) => readOn(connection, sql, params), read?.signal),
    async close() {
      if (isClosed) return;
      isClosed = true;
      const interrupting = setInterval(() => {
        for (const connection of connections) connection.interrupt();
      }, INTERRUPT_AGAIN_MS);
      for (const [at] of connections.entries()) await (at < WRITERS ? writers : readers).lend();
      clearInterval(interrupting);
      // A connection still in use would take the process down with it, hence the wait above.
      for (const connection of connections) connection.disconnectSync();
      closeInstance();
    },
  };
}

async function interruptible<T>(
  connection: DuckDBConnection,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (!signal) return work();
  signal.throwIfAborted();
  let again: ReturnType<typeof setInterval> | undefined;
  const interrupt = () => {
    connection.interrupt();
    again = setInterval(() => connection.interrupt(), INTERRUPT_AGAIN_MS);
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
    clearInterval(again);
  }
}

/** One statement on a connection, its parameters bound by name. */
export async function readOn(
  connection: DuckDBConnection,
  sql: string,
  params: Params = {},
): Promise<ColumnsResult> {
  const statement = await connection.prepare(sql);
  try {
    bind(statement, params);
    return await readColumns(await statement.run());
  } finally {
    statement.destroySync();
  }
}

/** Binds every `$name` of the statement; a name without a value, or a value without a name, is an error. */
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

/** A parameter as DuckDB's value with its type. */
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
