// Checks rows against the columns of a dataset and converts them to DuckDB values by column.

import {
  BIGINT,
  BOOLEAN,
  DATE,
  DOUBLE,
  DuckDBDateValue,
  DuckDBTimestampTZValue,
  type DuckDBType,
  type DuckDBValue,
  INTEGER,
  TIMESTAMPTZ,
  VARCHAR,
} from "@duckdb/node-api";
import {
  type Column,
  type Columns,
  type ColumnType,
  type Dataset,
  identityOf,
  RECORDED,
} from "../dataset.ts";

type Row = Readonly<Record<string, unknown>>;

/** Rows as DuckDB values: `values[c][r]`. */
export interface TypedRows {
  names: string[];
  types: ColumnType[];
  values: DuckDBValue[][];
  rowCount: number;
}

/** A row that does not fit its dataset: a bug in the code that made it. Nothing of its batch is stored. */
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
/** Rows processed before yielding to the event loop. */
export const YIELD_ROWS = 16_384;

/** Why a value is refused. */
class Wrong {
  constructor(readonly why: string) {}
}
const NO_DATE = new Wrong("is not a date YYYY-MM-DD");
const NO_INSTANT = new Wrong("is not an instant with a time zone");
const TOO_PRECISE = new Wrong("is more precise than a millisecond");
const NO_STRING = new Wrong("is not a string");
const NO_BOOLEAN = new Wrong("is not a boolean");
const NOT_FINITE = new Wrong("is not a finite number");
const NOT_32_BITS = new Wrong("is not an integer of 32 bits");
const NOT_WHOLE = new Wrong("is not an integer");

/** The dates that texts stand for: rows of any table have the same ten thousand. */
const knownDates = new Map<string, DuckDBDateValue>();
const KNOWN_DATES_MAX = 50_000;

/** Days since 1970 of "YYYY-MM-DD". */
function dateOf(text: string): DuckDBDateValue | Wrong {
  const known = knownDates.get(text);
  if (known) return known;
  const ms = DATE_TEXT.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  const exists = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
  if (!exists) return NO_DATE;
  const date = new DuckDBDateValue(ms / DAY_MS);
  if (knownDates.size >= KNOWN_DATES_MAX) knownDates.clear();
  knownDates.set(text, date);
  return date;
}

/**
 * Microseconds of an RFC 3339 instant. Refuses more than millisecond precision, which reading would not
 * return.
 */
function instantOf(text: string): DuckDBTimestampTZValue | Wrong {
  if (!INSTANT_TEXT.test(text)) return NO_INSTANT;
  try {
    const nanos = Temporal.Instant.from(text).epochNanoseconds;
    return nanos % 1_000_000n === 0n ? new DuckDBTimestampTZValue(nanos / 1000n) : TOO_PRECISE;
  } catch {
    return NO_INSTANT;
  }
}

type Convert = (value: unknown) => DuckDBValue | Wrong;

/** Parses each text once. Most texts repeat that of the previous row, which needs no lookup. */
function memoized(parse: (text: string) => DuckDBValue | Wrong, wrong: Wrong): Convert {
  const known = new Map<string, DuckDBValue | Wrong>();
  let last: string | undefined;
  let result: DuckDBValue | Wrong = wrong;
  return (value) => {
    if (typeof value !== "string") return wrong;
    if (value === last) return result;
    last = value;
    const found = known.get(value);
    result = found ?? parse(value);
    if (found === undefined) known.set(value, result);
    return result;
  };
}

/** Returns the function that checks and converts the values of a column. */
function converter(column: Column): Convert {
  switch (column.type) {
    case "DATE":
      return memoized(dateOf, NO_DATE);
    case "TIMESTAMPTZ":
      return memoized(instantOf, NO_INSTANT);
    case "VARCHAR":
      return (value) => (typeof value === "string" ? value : NO_STRING);
    case "BOOLEAN":
      return (value) => (typeof value === "boolean" ? value : NO_BOOLEAN);
    case "DOUBLE":
      return (value) => (typeof value === "number" && Number.isFinite(value) ? value : NOT_FINITE);
    case "INTEGER":
      return (value) =>
        typeof value === "number" && Number.isInteger(value) && Math.abs(value) <= INT32_MAX
          ? value
          : NOT_32_BITS;
    case "BIGINT":
      return (value) =>
        typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : NOT_WHOLE;
  }
}

type Refuse = (row: Row, column: string, why: string) => never;

/**
 * Refuses a row with a field that is not a column. Rows of one batch usually share their fields, which are
 * looked up once.
 */
function refuseUnknownFields(rows: readonly Row[], known: ReadonlySet<string>, refuse: Refuse): void {
  const passed: string[] = [];
  for (const row of rows) {
    let at = 0;
    for (const name in row) {
      if (passed[at] !== name) {
        if (!known.has(name)) refuse(row, name, "is not a column");
        passed[at] = name;
      }
      at++;
    }
  }
}

function columnOf(name: string, column: Column, isKey: boolean, rows: readonly Row[], refuse: Refuse) {
  const convert = converter(column);
  return rows.map((row): DuckDBValue => {
    const value = row[name];
    if (value === null || value === undefined)
      return column.nullable ? null : refuse(row, name, "must not be null");
    const converted = convert(value);
    if (converted instanceof Wrong) return refuse(row, name, converted.why);
    if (isKey && value === "") return refuse(row, name, "is empty");
    if (column.positive && !(Number(value) > 0)) return refuse(row, name, "is not greater than zero");
    return converted;
  });
}

/**
 * Converts rows to typed columns. Throws RowRefused, which names dataset, column and key, at the first that
 * does not fit.
 */
export function typedRows(
  dataset: Pick<Dataset, "name" | "columns" | "key">,
  rows: readonly Row[],
): TypedRows {
  const columns = Object.entries(dataset.columns as Columns);
  const refuse: Refuse = (row, column, why) => {
    const key = dataset.key.map((each) => `${each}=${String(row[each])}`).join(", ");
    throw new RowRefused(`${dataset.name}.${column} ${why} (row ${key})`);
  };
  // A row that was read from the lake has `recorded`; the lake gives it the generation of the commit that
  // writes it now.
  refuseUnknownFields(rows, new Set([...columns.map(([name]) => name), RECORDED]), refuse);
  return {
    names: columns.map(([name]) => name),
    types: columns.map(([, { type }]) => type),
    values: columns.map(([name, column]) => columnOf(name, column, dataset.key.includes(name), rows, refuse)),
    rowCount: rows.length,
  };
}

function identityText(value: DuckDBValue | undefined): string {
  if (value instanceof DuckDBDateValue) return String(value.days);
  if (value instanceof DuckDBTimestampTZValue) return String(value.micros);
  return String(value);
}

/** Returns the identity of each row as a string: its key, plus known_at for `append` datasets. */
export function identities(dataset: Dataset, { names, values, rowCount }: TypedRows): string[] {
  const columns = identityOf(dataset).map((name) => values[names.indexOf(name)] ?? []);
  const texts: string[] = [];
  for (let row = 0; row < rowCount; row++)
    texts.push(columns.map((column) => identityText(column[row])).join("\u0000"));
  return texts;
}

/**
 * Whether all rows have different identities. Columns with a single value (a day's date, its source) are
 * ignored.
 */
export function areDistinct(dataset: Dataset, typed: TypedRows): boolean {
  const { names, values, rowCount } = typed;
  const varying = identityOf(dataset).filter((name) => {
    const column = values[names.indexOf(name)] ?? [];
    return column.some((value) => value !== column[0]);
  });
  const [only] = varying;
  if (only === undefined) return rowCount <= 1;
  const column = values[names.indexOf(only)] ?? [];
  // Strings compare by value in a Set; values of other types are objects and are compared as text below.
  if (varying.length === 1 && typed.types[names.indexOf(only)] === "VARCHAR")
    return new Set(column).size === rowCount;
  return new Set(identities(dataset, typed)).size === rowCount;
}
