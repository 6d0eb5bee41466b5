// Loads rows into a temporary table. Columns with a single value become constants of a view; the rest is
// appended.

import {
  type DuckDBAppender,
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBDateValue,
  DuckDBTimestampTZValue,
  type DuckDBValue,
} from "@duckdb/node-api";
import { yieldToEventLoop } from "../../event-loop.ts";
import { type ColumnType, literal, quoted } from "../dataset.ts";
import { TYPES, type TypedRows, YIELD_ROWS } from "./rows.ts";

/** Rows in one vector of DuckDB. */
const VECTOR_ROWS = 2_048;
const PLAIN_TEXT = /^[\x20-\x7e]*$/;

/** The temporary table with the rows; `table` is a view over it. */
export const rowsBehind = (table: string) => quoted(`${table}_rows`);

function isSame(a: DuckDBValue, b: DuckDBValue): boolean {
  if (a === b) return true;
  if (a instanceof DuckDBDateValue) return b instanceof DuckDBDateValue && a.days === b.days;
  if (a instanceof DuckDBTimestampTZValue)
    return b instanceof DuckDBTimestampTZValue && a.micros === b.micros;
  return false;
}

/** SQL of a value; undefined for values that are not safe or exact as SQL text. */
function sqlOf(value: DuckDBValue, type: ColumnType): string | undefined {
  if (value === null) return `NULL::${type}`;
  if (value instanceof DuckDBDateValue) return `DATE '1970-01-01' + ${value.days}`;
  if (value instanceof DuckDBTimestampTZValue) return `make_timestamptz(${value.micros})`;
  if (typeof value === "string") return PLAIN_TEXT.test(value) ? literal(value) : undefined;
  return type === "DOUBLE" ? undefined : `${value}::${type}`;
}

/** SQL of the value that all rows of a column share; undefined when there is none. */
function commonOf(values: readonly DuckDBValue[], type: ColumnType): string | undefined {
  const [first = null] = values;
  return values.every((value) => isSame(value, first)) ? sqlOf(first, type) : undefined;
}

/**
 * Sets a column of a chunk. Numbers are copied into the vector's typed array where the driver exposes one.
 */
function setColumn(chunk: DuckDBDataChunk, column: number, values: readonly DuckDBValue[]): void {
  const vector = chunk.getColumnVector(column);
  const items: unknown = Reflect.get(vector, "items");
  if (!(items instanceof Float64Array || items instanceof Int32Array) || !areNumbers(values))
    chunk.setColumnValues(column, values);
  else {
    items.set(values);
    vector.flush();
  }
}

const areNumbers = (values: readonly DuckDBValue[]): values is number[] =>
  values.every((value) => typeof value === "number");

/**
 * Makes a temporary view `table` over a temporary table and fills that table. The column `stored` is always a
 * column of the table, even when all its values are equal.
 */
export async function loadTable(
  connection: DuckDBConnection,
  table: string,
  { names, types, values, rowCount }: TypedRows,
  stored?: string,
): Promise<void> {
  const columns = names.map((name, at) => {
    const type = types[at] ?? "VARCHAR";
    const own = values[at] ?? [];
    return {
      name: quoted(name),
      type,
      values: own,
      common: name === stored ? undefined : commonOf(own, type),
    };
  });
  const varying = columns.filter(({ common }) => common === undefined);
  // A table needs at least one column.
  const tableColumns = varying.length > 0 ? varying : columns.slice(0, 1);
  const selected = columns.map((each) =>
    tableColumns.includes(each) ? each.name : `${each.common} AS ${each.name}`,
  );
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${rowsBehind(table)} (${tableColumns.map(({ name, type }) => `${name} ${type}`).join(", ")});
     CREATE OR REPLACE TEMP VIEW ${quoted(table)} AS SELECT ${selected.join(", ")} FROM temp.${rowsBehind(table)}`,
  );
  const appender = await connection.createAppender(`${table}_rows`);
  await appendColumns(appender, tableColumns, rowCount);
  appender.closeSync();
}

/** Appends columns of equal length; other work has its turn in between. */
async function appendColumns(
  appender: DuckDBAppender,
  columns: readonly { readonly type: ColumnType; readonly values: readonly DuckDBValue[] }[],
  rowCount: number,
): Promise<void> {
  const vectorTypes = columns.map(({ type }) => TYPES[type]);
  for (let from = 0; from < rowCount; from += VECTOR_ROWS) {
    if (from > 0 && from % YIELD_ROWS === 0) await yieldToEventLoop();
    const rows = Math.min(VECTOR_ROWS, rowCount - from);
    const chunk = DuckDBDataChunk.create(vectorTypes, rows);
    for (const [at, { values: own }] of columns.entries()) setColumn(chunk, at, own.slice(from, from + rows));
    appender.appendDataChunk(chunk);
  }
}

export async function dropTables(connection: DuckDBConnection, tables: readonly string[]): Promise<void> {
  const drop = (table: string) =>
    `DROP VIEW IF EXISTS temp.${quoted(table)}; DROP TABLE IF EXISTS temp.${rowsBehind(table)}`;
  await connection.run(tables.map(drop).join("; "));
}
