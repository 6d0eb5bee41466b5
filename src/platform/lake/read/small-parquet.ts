// Writes a small table as a Parquet file in memory. The engine takes milliseconds to load such rows and to
// write a file of them.
import { DuckDBDateValue, DuckDBTimestampTZValue, type DuckDBValue } from "@duckdb/node-api";
import { type ColumnSource, parquetWriteBuffer, type SchemaElement } from "hyparquet-writer";
import type { ColumnType } from "../dataset.ts";
import { typedCells } from "../write/rows.ts";

/** The columns of a table, all of them nullable. */
export type TableColumns = readonly { readonly name: string; readonly type: ColumnType }[];

const ZSTD_LEVEL = 1;

/** How the engine's files store a type. */
const STORED: Readonly<Record<ColumnType, Omit<SchemaElement, "name">>> = {
  BOOLEAN: { type: "BOOLEAN" },
  INTEGER: { type: "INT32", converted_type: "INT_32" },
  DATE: { type: "INT32", converted_type: "DATE" },
  BIGINT: { type: "INT64", converted_type: "INT_64" },
  TIMESTAMPTZ: {
    type: "INT64",
    converted_type: "TIMESTAMP_MICROS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" },
  },
  DOUBLE: { type: "DOUBLE" },
  VARCHAR: { type: "BYTE_ARRAY", converted_type: "UTF8" },
};

/** A value as the file stores it: days, microseconds, or the value itself. */
function storedValue(value: DuckDBValue): DuckDBValue {
  if (value instanceof DuckDBDateValue) return value.days;
  return value instanceof DuckDBTimestampTZValue ? value.micros : value;
}

/**
 * The rows, with a cell for each column, as one Parquet file with the columns and types of a file of the
 * engine. Throws RowRefused where a value does not fit its column.
 */
export function smallParquet(
  columns: TableColumns,
  rows: readonly (readonly unknown[])[],
): Uint8Array<ArrayBuffer> {
  const values = typedCells(columns, rows);
  const schema: SchemaElement[] = [
    { name: "table", num_children: columns.length },
    ...columns.map(
      ({ name, type }): SchemaElement => ({ name, repetition_type: "OPTIONAL", ...STORED[type] }),
    ),
  ];
  const columnData = columns.map(
    ({ name, type }, at): ColumnSource => ({
      name,
      data: (values[at] ?? []).map(storedValue),
      // Looking for numbers that repeat takes longer than writing them.
      ...(type === "VARCHAR" || type === "BOOLEAN" ? {} : { encoding: "PLAIN" }),
    }),
  );
  const buffer = parquetWriteBuffer({
    columnData,
    schema,
    codec: "ZSTD",
    compressors: { ZSTD: (page) => Bun.zstdCompressSync(page, { level: ZSTD_LEVEL }) },
    statistics: false,
    createdBy: "Asof",
  });
  return new Uint8Array(buffer);
}
