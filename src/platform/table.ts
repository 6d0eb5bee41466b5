// Rows as batches of columns, laid out as Arrow has them: what the store reads, what capabilities give, and
// what the server writes.

/** Column types of a table, as DuckDB names them. */
export type TableColumnType = "VARCHAR" | "DOUBLE" | "BIGINT" | "BOOLEAN" | "DATE" | "TIMESTAMPTZ";

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
  /** Each cell is the place of its text in `texts`, which several batches may share and which may grow. */
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

/** Warnings and errors about the rows of an answer: sent as headers in row formats. */
export interface RowNotes {
  readonly warnings?: readonly string[];
  /** Errors by ticker or part. */
  readonly errors?: Readonly<Record<string, string>>;
}

/** A file made for one answer. */
export interface TemporaryFile {
  readonly path: string;
  discard(): Promise<void>;
}

/** The rows of an answer: what a capability gives, and all that the server writes as rows. */
export interface Table {
  /** Name of a downloaded file, without extension. */
  readonly name: string;
  readonly columns: readonly TableColumn[];
  /** Whether `symbol` is as the store has it: no spelling of a client's. */
  // "QUIB.RT" of the store is QUIB's rights; as a client's spelling it would be QUIB/R.
  readonly isCanonical?: true;
  /** The rows from the first; made while they are written, so that a slow reader holds one batch. */
  batches(): AsyncIterable<Batch> | Iterable<Batch>;
  /** Writes the rows with the engine, where that takes less time than batches; null where there are none. */
  readonly lines?: (format: "csv" | "ndjson") => Promise<ReadableStream<Uint8Array> | null>;
  /** Set by tables that are made without the body; else the body's `warnings` and `errors` count. */
  readonly notes?: RowNotes;
}
