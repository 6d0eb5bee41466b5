// Converts DuckDB's result chunks to plain values by column, reading the typed arrays behind its vectors.

import {
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  type DuckDBResult,
  DuckDBStructValue,
  DuckDBTimestampTZValue,
  DuckDBTypeId,
  type DuckDBVector,
} from "@duckdb/node-api";
import { dateText, instantText } from "../cells.ts";

/** A result by column: `columns[c][r]`. */
export interface ColumnsResult {
  names: string[];
  /** DuckDB's type names ("DATE", "DOUBLE", …). */
  types: string[];
  columns: unknown[][];
  rowCount: number;
}

const TWO_32 = 4_294_967_296;
/** Every decimal of 15 digits has a number of its own. */
const DECIMAL_EXACT = 10n ** 15n;
/** Longest string that DuckDB stores inside its 16-byte slot. */
const INLINE_BYTES_MAX = 12;

/** A whole number; as text where a number would not hold it exactly. */
const wholeNumber = (value: bigint): number | string => {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
};

/** A decimal; as text where it has more digits than a number holds. */
const decimal = (value: DuckDBDecimalValue): number | string =>
  value.value < DECIMAL_EXACT && value.value > -DECIMAL_EXACT ? value.toDouble() : value.toString();

/** Converts a value of a rarer type to what JSON can represent. */
function plain(value: unknown): unknown {
  if (typeof value === "bigint") return wholeNumber(value);
  if (value === null || typeof value !== "object") return value;
  if (value instanceof DuckDBDateValue) return dateText(value.days);
  if (value instanceof DuckDBTimestampTZValue) return instantText(Number(value.micros));
  if (value instanceof DuckDBDecimalValue) return decimal(value);
  if (value instanceof DuckDBListValue) return value.items.map(plain);
  if (value instanceof DuckDBStructValue)
    return Object.fromEntries(Object.entries(value.entries).map(([name, each]) => [name, plain(each)]));
  return String(value);
}

type Valid = (row: number) => boolean;
const allValid: Valid = () => true;

/**
 * Returns which rows are not null, from the bit mask of the vector; undefined when the driver has no such
 * mask.
 */
function validityOf(vector: DuckDBVector): Valid | undefined {
  const validity: unknown = Reflect.get(vector, "validity");
  const data: unknown = validity && Reflect.get(validity as object, "data");
  if (data === null) return allValid;
  if (!(data instanceof BigUint64Array)) return undefined;
  const bits = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return (row) => ((bits[row >> 3] ?? 0) & (1 << (row & 7))) !== 0;
}

/** Reads pairs of 32-bit words as signed 64-bit integers without making a bigint per value. */
function readWide(words: Uint32Array, rows: number, valid: Valid, out: unknown[], asInstant: boolean): void {
  let low = -1;
  let high = -1;
  let last: unknown = null;
  for (let row = 0; row < rows; row++) {
    if (!valid(row)) {
      out.push(null);
      continue;
    }
    const l = words[row * 2] ?? 0;
    const h = words[row * 2 + 1] ?? 0;
    if (l !== low || h !== high) {
      low = l;
      high = h;
      const number = (h | 0) * TWO_32 + l;
      if (asInstant) last = instantText(number);
      else last = Number.isSafeInteger(number) ? number : String((BigInt(h | 0) << 32n) + BigInt(l));
    }
    out.push(last);
  }
}

/** Reads strings. A run of equal short values (symbol, source, currency) is decoded once. */
function readTexts(vector: DuckDBVector, view: DataView, rows: number, out: unknown[]): void {
  const words = new Uint32Array(view.buffer, view.byteOffset, rows * 4);
  const valid = validityOf(vector) ?? allValid;
  let last: unknown = null;
  let from = -1;
  for (let row = 0; row < rows; row++) {
    if (!valid(row)) {
      out.push(null);
      continue;
    }
    const at = row * 4;
    const same =
      from >= 0 &&
      (words[at] ?? 0) <= INLINE_BYTES_MAX &&
      words[at] === words[from] &&
      words[at + 1] === words[from + 1] &&
      words[at + 2] === words[from + 2] &&
      words[at + 3] === words[from + 3];
    if (!same) {
      last = vector.getItem(row);
      from = at;
    }
    out.push(last);
  }
}

/**
 * Appends the values of a vector to `out`. The driver's getItem takes five times as long over a large result,
 * so the arrays it wraps are read directly where they have the expected types; getItem serves everything
 * else.
 */
function readVector(vector: DuckDBVector, type: DuckDBTypeId, rows: number, out: unknown[]) {
  const items: unknown = Reflect.get(vector, "items");
  const view: unknown = Reflect.get(vector, "dataView");
  const valid = validityOf(vector);
  if (type === DuckDBTypeId.VARCHAR && view instanceof DataView && valid)
    return readTexts(vector, view, rows, out);
  if (
    items instanceof BigInt64Array &&
    valid &&
    (type === DuckDBTypeId.BIGINT || type === DuckDBTypeId.TIMESTAMP_TZ)
  ) {
    const words = new Uint32Array(items.buffer, items.byteOffset, rows * 2);
    return readWide(words, rows, valid, out, type === DuckDBTypeId.TIMESTAMP_TZ);
  }
  if (items instanceof Float64Array && valid && type === DuckDBTypeId.DOUBLE) {
    if (valid === allValid) for (let row = 0; row < rows; row++) out.push(items[row]);
    else for (let row = 0; row < rows; row++) out.push(valid(row) ? items[row] : null);
    return;
  }
  if (items instanceof Int32Array && valid && type === DuckDBTypeId.DATE) {
    for (let row = 0; row < rows; row++) out.push(valid(row) ? dateText(items[row] ?? 0) : null);
    return;
  }
  for (let row = 0; row < rows; row++) out.push(plain(vector.getItem(row)));
}

/** Reads a whole result, or its first `rowsMax` rows; `cut` is true when there were more. */
export async function readColumns(
  result: DuckDBResult,
  rowsMax = Number.POSITIVE_INFINITY,
): Promise<ColumnsResult & { cut: boolean }> {
  const names = result.deduplicatedColumnNames();
  const typeIds = names.map((_, column) => result.columnTypeId(column));
  const types = names.map((_, column) => result.columnType(column).toString());
  const columns: unknown[][] = names.map(() => []);
  let rowCount = 0;
  for (;;) {
    const chunk = await result.fetchChunk();
    const found = chunk?.rowCount ?? 0;
    const rows = Math.min(found, rowsMax - rowCount);
    if (!chunk || found === 0) return { names, types, columns, rowCount, cut: false };
    for (const [column, out] of columns.entries())
      readVector(chunk.getColumnVector(column), typeIds[column] ?? DuckDBTypeId.INVALID, rows, out);
    rowCount += rows;
    if (rows < found) return { names, types, columns, rowCount, cut: true };
  }
}

/** Converts a result to one object per row. */
export function rowObjects<T>({ names, columns, rowCount }: ColumnsResult): T[] {
  const rows: Record<string, unknown>[] = [];
  for (let row = 0; row < rowCount; row++) {
    const each: Record<string, unknown> = {};
    for (let column = 0; column < names.length; column++) each[names[column] ?? ""] = columns[column]?.[row];
    rows.push(each);
  }
  return rows as T[];
}
