// Rows as batches of columns, laid out as Arrow has them: what the store reads, what capabilities give, and
// what the server writes.
import type { TableColumnType } from "./answer.ts";

/** Which rows have a value: a bit a row, the lowest first, 1 for a value. Null where every row has one. */
export type Validity = Uint8Array | null;

/** The cells of a column. A cell without a value has any content; its bit in `valid` is 0. */
export type Vector =
  | { readonly type: "DOUBLE"; readonly values: Float64Array; readonly valid: Validity }
  | { readonly type: "BIGINT"; readonly values: BigInt64Array; readonly valid: Validity }
  /** Days since 1970-01-01. */
  | { readonly type: "DATE"; readonly values: Int32Array; readonly valid: Validity }
  /** Microseconds since 1970-01-01T00:00:00Z. */
  | { readonly type: "TIMESTAMPTZ"; readonly values: BigInt64Array; readonly valid: Validity }
  /** A bit a row, the lowest first. */
  | { readonly type: "BOOLEAN"; readonly values: Uint8Array; readonly valid: Validity }
  /** Each cell is the place of its text in `texts`. */
  | {
      readonly type: "VARCHAR";
      readonly values: Int32Array;
      readonly texts: readonly string[];
      readonly valid: Validity;
    };

/** Consecutive rows of a table: a vector for each of its columns, of `rows` cells or more. */
export interface Batch {
  readonly rows: number;
  readonly vectors: readonly Vector[];
}

/** A column of a table. */
export interface TableColumn {
  readonly name: string;
  readonly type: TableColumnType;
}

/** Whether a row has a value. */
export const isValid = (valid: Validity, row: number): boolean =>
  valid === null || ((valid[row >> 3] ?? 0) & (1 << (row & 7))) !== 0;
