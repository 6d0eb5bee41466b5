// Writes results to files. DuckDB writes Parquet, CSV and NDJSON itself, so no row passes through JavaScript.

import { mkdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { literal, quoted } from "../dataset.ts";
import { bind, type Params, type ReadOptions, withSearchPath } from "../duckdb.ts";
import { ensureStaging, type LakeParts } from "../write/commit.ts";
import { instantText, spreadsheetText } from "./cell-text.ts";

export type CopyFormat = "parquet" | "csv" | "ndjson";

/** A file made for one answer; `discard` removes it. */
export interface CopiedFile {
  path: string;
  bytes: number;
  rows: number;
  discard(): Promise<void>;
}

/**
 * Files of the same size in less time than with the defaults: level 1 takes a sixth less for bars and a fifth
 * less for the ledger, and a dictionary of up to 2,000 values a quarter less for bars, whose prices would
 * only fill a larger one. Half of DuckDB's own rows in a row group take half the memory.
 */
const OPTIONS: Readonly<Record<CopyFormat, string>> = {
  parquet:
    "FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, DICTIONARY_SIZE_LIMIT 2000, ROW_GROUP_SIZE 61440",
  csv: String.raw`FORMAT csv, HEADER true, NEW_LINE '\r\n'`,
  ndjson: "FORMAT json",
};
const CSV_ROWS_ONLY = OPTIONS.csv.replace("HEADER true", "HEADER false");

/** Options of writing a file. */
export interface CopyOptions extends ReadOptions {
  /** Leaves out the header line of CSV: the rows follow those of another file. */
  rowsOnly?: boolean | undefined;
}

/** SQL that writes a column as text. */
function textual(name: string, type: string, format: CopyFormat): string {
  const column = quoted(name);
  if (type === "TIMESTAMP WITH TIME ZONE" || type === "TIMESTAMPTZ")
    return `${instantText(column)} AS ${column}`;
  if (type === "VARCHAR" && format === "csv") return `${spreadsheetText(column)} AS ${column}`;
  return column;
}

/** Names and types of a result's columns, as the engine plans it. */
async function describe(connection: DuckDBConnection, sql: string, params: Params) {
  const statement = await connection.prepare(`DESCRIBE ${sql}`);
  try {
    bind(statement, params);
    const described = await statement.runAndReadAll();
    return described
      .getRowObjects()
      .map((row) => [String(row.column_name), String(row.column_type)] as const);
  } finally {
    statement.destroySync();
  }
}

async function selectFor(
  connection: DuckDBConnection,
  sql: string,
  params: Params,
  format: CopyFormat,
): Promise<string> {
  if (format === "parquet") return sql;
  const columns = await describe(connection, sql, params);
  return `SELECT ${columns.map(([name, type]) => textual(name, type, format)).join(", ")} FROM (${sql})`;
}

/** Writes a file in staging, else in the first folder that has room for it: a full disk stops no answer. */
async function writeWhereRoomIs<T>(
  { staging }: Pick<LakeParts, "staging">,
  name: string,
  write: (path: string) => Promise<T>,
): Promise<T> {
  const staged = staging.file(name);
  let failure: unknown;
  for (const path of [staged, ...staging.elsewhere.map((folder) => join(folder, basename(staged)))]) {
    try {
      if (failure !== undefined) await mkdir(dirname(path), { mode: 0o700 }).catch(() => undefined);
      return await write(path);
    } catch (error) {
      await rm(path, { force: true });
      failure ??= error;
      // The engine names the file that it cannot open or write.
      if (!(error instanceof Error && error.message.includes(`file "${path}"`))) throw error;
    }
  }
  throw failure;
}

async function copyTo(
  parts: LakeParts,
  connection: DuckDBConnection,
  sql: string,
  params: Params,
  format: CopyFormat,
  { rowsOnly = false }: Pick<CopyOptions, "rowsOnly">,
) {
  const select = await selectFor(connection, sql, params, format);
  const options = rowsOnly && format === "csv" ? CSV_ROWS_ONLY : OPTIONS[format];
  return writeWhereRoomIs(parts, `answer-${format}`, async (path) => {
    const statement = await connection.prepare(`COPY (${select}) TO ${literal(path)} (${options})`);
    let rows = 0;
    try {
      bind(statement, params);
      rows = Number((await statement.runAndReadAll()).getRows()[0]?.[0]);
    } finally {
      statement.destroySync();
    }
    return { path, bytes: (await stat(path)).size, rows, discard: () => parts.disk.remove(path) };
  });
}

/** Makes the staging folder. Where it cannot be made, as on a full disk, files are written elsewhere. */
const makeStaging = (parts: LakeParts) => ensureStaging(parts).catch(() => undefined);

/** Writes the result of a query to a file. */
export async function copyQuery(
  parts: LakeParts,
  sql: string,
  params: Params,
  format: CopyFormat,
  options: CopyOptions,
): Promise<CopiedFile> {
  await makeStaging(parts);
  const { searchPath } = options;
  let made: CopiedFile | undefined;
  const copy = async (connection: DuckDBConnection) => {
    const write = () => copyTo(parts, connection, sql, params, format, options);
    made = await withSearchPath(connection, searchPath, write);
    return made;
  };
  try {
    return await parts.snapshots.hold(() => parts.db.use(copy, options));
  } catch (error) {
    // The caller may abort just as the file is finished; nothing else would remove the file then.
    await made?.discard();
    throw error;
  }
}
