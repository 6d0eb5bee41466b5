// Writes a small table as a Parquet file in memory. The engine takes milliseconds to load such rows and to write a file of them.
import { DuckDBDateValue, DuckDBTimestampTZValue, type DuckDBValue } from "@duckdb/node-api";
import type { Columns, ColumnType } from "./dataset.ts";
import { typedRows } from "./rows.ts";
import { type ThriftStruct, type ThriftValue, writeThrift } from "./thrift.ts";

/** The columns of a table, all of them nullable. */
export type TableColumns = readonly { readonly name: string; readonly type: ColumnType }[];

const MAGIC = new TextEncoder().encode("PAR1");
/** Numbers that the format's own definition (parquet.thrift) gives to what is used here. */
const OPTIONAL = 1;
const PLAIN = 0;
const RLE = 3;
const ZSTD = 6;
const ZSTD_LEVEL = 1;

/** How the engine writes the values of a type: as what, and what they stand for. */
const STORED: Readonly<Record<ColumnType, { readonly physical: number; readonly converted?: number }>> = {
  BOOLEAN: { physical: 0 },
  INTEGER: { physical: 1, converted: 17 },
  DATE: { physical: 1, converted: 6 },
  BIGINT: { physical: 2, converted: 18 },
  TIMESTAMPTZ: { physical: 2, converted: 10 },
  DOUBLE: { physical: 5 },
  VARCHAR: { physical: 6, converted: 0 },
};

const int32 = (value: number): ThriftValue => ({ type: 5, value: BigInt(value) });
const int64 = (value: number): ThriftValue => ({ type: 6, value: BigInt(value) });
const text = (value: string): ThriftValue => ({ type: 8, value: Buffer.from(value) });
const list = (of: number, values: ThriftValue[]): ThriftValue => ({ type: 9, of, values });
const fieldsOf = (fields: Readonly<Record<number, ThriftValue>>): ThriftStruct =>
  new Map(Object.entries(fields).map(([id, value]) => [Number(id), value]));
const struct = (fields: Readonly<Record<number, ThriftValue>>): ThriftValue => ({
  type: 12,
  fields: fieldsOf(fields),
});

/** Microseconds, in UTC: the logical type that says so. */
const UTC_MICROSECONDS = struct({ 8: struct({ 1: { type: 1 }, 2: struct({ 2: struct({}) }) }) });

function schemaOf(columns: TableColumns): ThriftValue {
  const leaves = columns.map(({ name, type }) => {
    const { physical, converted } = STORED[type];
    return struct({
      1: int32(physical),
      3: int32(OPTIONAL),
      4: text(name),
      ...(converted === undefined ? {} : { 6: int32(converted) }),
      ...(type === "TIMESTAMPTZ" ? { 10: UTC_MICROSECONDS } : {}),
    });
  });
  return list(12, [struct({ 3: int32(0), 4: text("table"), 5: int32(columns.length) }), ...leaves]);
}

/** A run length, in the format's own form of seven bits a byte. */
function runHead(value: number): number[] {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 0x80; left >>>= 7) bytes.push((left & 0x7f) | 0x80);
  return [...bytes, left];
}

/** One bit a value, the first value lowest. */
function bitsOf(values: readonly boolean[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(values.length / 8));
  for (const [at, value] of values.entries())
    if (value) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (1 << (at & 7));
  return bytes;
}

/** Which values of a column are there. */
function levelsOf(column: readonly DuckDBValue[]): Uint8Array {
  const present = column.map((value) => value !== null);
  const isUniform = present.every((each) => each === present[0]);
  const levels = isUniform
    ? [...runHead(column.length << 1), present[0] ? 1 : 0]
    : [...runHead((Math.ceil(column.length / 8) << 1) | 1), ...bitsOf(present)];
  const length = Buffer.alloc(4);
  length.writeUInt32LE(levels.length);
  return Buffer.concat([length, Uint8Array.from(levels)]);
}

function textsOf(values: readonly string[]): Uint8Array {
  const size = values.reduce((sum, value) => sum + 4 + Buffer.byteLength(value), 0);
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const value of values) {
    const written = bytes.write(value, at + 4);
    bytes.writeUInt32LE(written, at);
    at += 4 + written;
  }
  return bytes;
}

/** The days or microseconds of a time, any other whole number as it is. */
const numberOf = (value: DuckDBValue): bigint => {
  if (value instanceof DuckDBDateValue) return BigInt(value.days);
  return value instanceof DuckDBTimestampTZValue ? value.micros : BigInt(value as number | bigint);
};

const bytesBehind = ({ buffer }: { readonly buffer: ArrayBufferLike }) => new Uint8Array(buffer);

/** The values of a column without its nulls, one after the other. */
function valuesOf(type: ColumnType, column: readonly DuckDBValue[]): Uint8Array {
  const values = column.filter((value) => value !== null);
  switch (type) {
    case "BOOLEAN":
      return bitsOf(values as boolean[]);
    case "VARCHAR":
      return textsOf(values as string[]);
    case "DOUBLE":
      return bytesBehind(Float64Array.from(values as number[]));
    case "DATE":
    case "INTEGER":
      return bytesBehind(Int32Array.from(values, (value) => Number(numberOf(value))));
    case "BIGINT":
    case "TIMESTAMPTZ":
      return bytesBehind(BigInt64Array.from(values, numberOf));
  }
}

/** A column as one page, and what the file's description says of it. */
function columnChunk({ name, type }: TableColumns[number], column: readonly DuckDBValue[], offset: number) {
  const page = Buffer.concat([levelsOf(column), valuesOf(type, column)]);
  const packed = Bun.zstdCompressSync(page, { level: ZSTD_LEVEL });
  const data = struct({ 1: int32(column.length), 2: int32(PLAIN), 3: int32(RLE), 4: int32(RLE) });
  const header = writeThrift(
    fieldsOf({ 1: int32(0), 2: int32(page.length), 3: int32(packed.length), 5: data }),
  );
  const metadata = struct({
    1: int32(STORED[type].physical),
    2: list(5, [int32(PLAIN), int32(RLE)]),
    3: list(8, [text(name)]),
    4: int32(ZSTD),
    5: int64(column.length),
    6: int64(header.length + page.length),
    7: int64(header.length + packed.length),
    9: int64(offset),
  });
  return {
    bytes: Buffer.concat([header, packed]),
    plainBytes: header.length + page.length,
    chunk: struct({ 2: int64(0), 3: metadata }),
  };
}

/**
 * The rows as one Parquet file, with the columns and types of a file of the engine. Throws RowRefused where a value does not
 * fit its column.
 */
export function smallParquet(
  columns: TableColumns,
  rows: readonly Readonly<Record<string, unknown>>[],
): Uint8Array<ArrayBuffer> {
  const declared: Columns = Object.fromEntries(
    columns.map(({ name, type }) => [name, { type, nullable: true, description: name }]),
  );
  const { values } = typedRows({ name: "answer", columns: declared, key: [] }, rows);
  const parts: Uint8Array[] = [MAGIC];
  const chunks: ThriftValue[] = [];
  let [offset, plainBytes] = [MAGIC.length, 0];
  for (const [at, column] of columns.entries()) {
    if (rows.length === 0) break;
    const made = columnChunk(column, values[at] ?? [], offset);
    parts.push(made.bytes);
    chunks.push(made.chunk);
    offset += made.bytes.length;
    plainBytes += made.plainBytes;
  }
  const group = struct({ 1: list(12, chunks), 2: int64(plainBytes), 3: int64(rows.length) });
  const description = writeThrift(
    fieldsOf({
      1: int32(1),
      2: schemaOf(columns),
      3: int64(rows.length),
      4: list(12, rows.length === 0 ? [] : [group]),
      6: text("Asof"),
    }),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32LE(description.length);
  return new Uint8Array(Buffer.concat([...parts, description, length, MAGIC]));
}
