// Checks rows against a dataset's columns and turns them into DuckDB's values, by column.

import {
  BIGINT,
  BOOLEAN,
  DATE,
  DOUBLE,
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBDateValue,
  DuckDBTimestampTZValue,
  type DuckDBType,
  type DuckDBValue,
  INTEGER,
  TIMESTAMPTZ,
  VARCHAR,
} from "@duckdb/node-api";
import { type Column, type Columns, type ColumnType, type Dataset, identityOf, quoted } from "./dataset.ts";

type Row = Readonly<Record<string, unknown>>;

/** Rows in DuckDB's own values: `values[c][r]`. */
export interface TypedRows {
  names: string[];
  types: ColumnType[];
  values: DuckDBValue[][];
  rowCount: number;
}

/** A row that does not fit its dataset: a fault of the code that made it, and nothing of its batch is stored. */
export class RowRefused extends Error {
  override readonly name = "RowRefused";
}

export const TYPES: Readonly<Record<ColumnType, DuckDBType>> = {
  DATE,
  TIMESTAMPTZ,
  DOUBLE,
  BIGINT,
  INTEGER,
  VARCHAR,
  BOOLEAN,
};

const DATE_TEXT = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT_TEXT = /^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/;
const DAY_MS = 86_400_000;
const INT32_MAX = 2_147_483_647;
/** DuckDB moves rows in vectors of this many. */
const VECTOR_ROWS = 2_048;
/** Rows handled at one go; between two goes the event loop serves others. */
export const YIELD_ROWS = 16_384;
/** One turn of the event loop for others. */
export const breathe = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Days since 1970 of "YYYY-MM-DD", or what is wrong with it. */
function dateOf(text: string): DuckDBDateValue | string {
  const ms = DATE_TEXT.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  const exists = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
  return exists ? new DuckDBDateValue(ms / DAY_MS) : "is no date YYYY-MM-DD";
}

/** Microseconds of an RFC 3339 instant. Finer than a millisecond is refused: it would not come back as it went. */
function instantOf(text: string): DuckDBTimestampTZValue | string {
  if (!INSTANT_TEXT.test(text)) return "is no instant with a zone";
  try {
    const nanos = Temporal.Instant.from(text).epochNanoseconds;
    return nanos % 1_000_000n === 0n
      ? new DuckDBTimestampTZValue(nanos / 1000n)
      : "is finer than a millisecond";
  } catch {
    return "is no instant with a zone";
  }
}

type Convert = (value: unknown) => { value: DuckDBValue } | string;

function remembering(parse: (text: string) => DuckDBValue | string, says: string): Convert {
  const known = new Map<string, { value: DuckDBValue } | string>();
  return (value) => {
    if (typeof value !== "string") return says;
    let result = known.get(value);
    if (result === undefined) {
      const parsed = parse(value);
      result = typeof parsed === "string" ? parsed : { value: parsed };
      known.set(value, result);
    }
    return result;
  };
}

/** How one column's values are checked and converted; a string is what is wrong. */
function converter(column: Column): Convert {
  switch (column.type) {
    case "DATE":
      return remembering(dateOf, "is no date YYYY-MM-DD");
    case "TIMESTAMPTZ":
      return remembering(instantOf, "is no instant with a zone");
    case "VARCHAR":
      return (value) => (typeof value === "string" ? { value } : "is no string");
    case "BOOLEAN":
      return (value) => (typeof value === "boolean" ? { value } : "is no boolean");
    case "DOUBLE":
      return (value) =>
        typeof value === "number" && Number.isFinite(value) ? { value } : "is no finite number";
    case "INTEGER":
      return (value) =>
        typeof value === "number" && Number.isInteger(value) && Math.abs(value) <= INT32_MAX
          ? { value }
          : "is no whole number of 32 bits";
    case "BIGINT":
      return (value) =>
        typeof value === "number" && Number.isSafeInteger(value)
          ? { value: BigInt(value) }
          : "is no whole number";
  }
}

/** Rows as typed columns. Throws RowRefused naming dataset, column and key at the first that does not fit. */
export function typedRows(
  dataset: Pick<Dataset, "name" | "columns" | "key">,
  rows: readonly Row[],
): TypedRows {
  const columns = Object.entries(dataset.columns as Columns);
  const known = new Set(columns.map(([name]) => name));
  const refuse = (row: Row, column: string, why: string): never => {
    const key = dataset.key.map((each) => `${each}=${String(row[each])}`).join(", ");
    throw new RowRefused(`${dataset.name}.${column} ${why} (row ${key})`);
  };
  for (const row of rows) for (const name in row) if (!known.has(name)) refuse(row, name, "is no column");
  const values = columns.map(([name, column]) => {
    const convert = converter(column);
    return rows.map((row): DuckDBValue => {
      const value = row[name];
      if (value === null || value === undefined)
        return column.nullable ? null : refuse(row, name, "may not be null");
      const converted = convert(value);
      if (typeof converted === "string") return refuse(row, name, converted);
      if (value === "" && dataset.key.includes(name)) return refuse(row, name, "is empty");
      if (column.positive && !(Number(value) > 0)) return refuse(row, name, "is not greater than zero");
      return converted.value;
    });
  });
  return {
    names: columns.map(([name]) => name),
    types: columns.map(([, { type }]) => type),
    values,
    rowCount: rows.length,
  };
}

function identityText(value: DuckDBValue | undefined): string {
  if (value instanceof DuckDBDateValue) return String(value.days);
  if (value instanceof DuckDBTimestampTZValue) return String(value.micros);
  return String(value);
}

/** What makes a stored row the same row, as one string for each. */
export function identities(dataset: Dataset, { names, values, rowCount }: TypedRows): string[] {
  const columns = identityOf(dataset).map((name) => values[names.indexOf(name)] ?? []);
  const texts: string[] = [];
  for (let row = 0; row < rowCount; row++)
    texts.push(columns.map((column) => identityText(column[row])).join("\u0000"));
  return texts;
}

/** Whether no two rows are the same row. Columns with one value throughout (a day's date, its source) tell none apart. */
export function areDistinct(dataset: Dataset, typed: TypedRows): boolean {
  const { names, values, rowCount } = typed;
  const varying = identityOf(dataset).filter((name) => {
    const column = values[names.indexOf(name)] ?? [];
    return column.some((value) => value !== column[0]);
  });
  const [only] = varying;
  if (only === undefined) return rowCount <= 1;
  const column = values[names.indexOf(only)] ?? [];
  // Strings are themselves; values of other types are objects, told apart by their text.
  if (varying.length === 1 && typed.types[names.indexOf(only)] === "VARCHAR")
    return new Set(column).size === rowCount;
  return new Set(identities(dataset, typed)).size === rowCount;
}

/** Makes a temporary table on a connection and fills it. */
export async function loadTable(
  connection: DuckDBConnection,
  table: string,
  { names, types, values, rowCount }: TypedRows,
): Promise<void> {
  const columns = names.map((name, column) => `${quoted(name)} ${types[column]}`).join(", ");
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${quoted(table)} (${columns})`);
  const appender = await connection.createAppender(table);
  for (let from = 0; from < rowCount; from += VECTOR_ROWS) {
    if (from > 0 && from % YIELD_ROWS === 0) await breathe();
    const rows = Math.min(VECTOR_ROWS, rowCount - from);
    const chunk = DuckDBDataChunk.create(
      types.map((type) => TYPES[type]),
      rows,
    );
    chunk.setColumns(values.map((column) => column.slice(from, from + rows)));
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}
