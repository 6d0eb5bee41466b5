// The answer of a use case when it is more than a plain JSON body: cache state, headers and rows for the
// server to render.

/** Column types of a table, as DuckDB names them. */
export type TableColumnType = "VARCHAR" | "DOUBLE" | "BIGINT" | "BOOLEAN" | "DATE" | "TIMESTAMPTZ";

/** Warnings and errors about the rows of an answer: sent as headers in row formats. */
export interface RowNotes {
  readonly warnings?: readonly string[];
  /** Errors by ticker or part. */
  readonly errors?: Readonly<Record<string, string>>;
}

/**
 * Rows of an answer, for ndjson, csv, parquet and records. DATE and TIMESTAMPTZ values are strings
 * (YYYY-MM-DD, RFC 3339 UTC).
 */
export interface Table {
  /** Name of a downloaded file, without extension. */
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: TableColumnType }[];
  readonly rows: () => Iterable<readonly unknown[]>;
  /**
   * Whether text has a decimal point in each DOUBLE, as that of the lake's engine: 10.0. Other tables have
   * 10.
   */
  readonly decimals?: boolean;
  /** Set by tables that are made without the body; else the body's `warnings` and `errors` count. */
  readonly notes?: RowNotes;
}

/** The rows of an answer too large for memory, as a stream of bytes. */
export interface RowStream {
  /** Name of a downloaded file, without extension. */
  readonly name: string;
  /** Returns what is missing from the rows; called once the stream is open. */
  notes?(): Promise<RowNotes>;
  /**
   * Resolves with the first bytes. An error before that becomes an error answer; a later one aborts the
   * stream.
   */
  open(format: "ndjson" | "csv" | "parquet"): Promise<ReadableStream<Uint8Array>>;
}

/** A format of rows; `records` is written as JSON. */
export type RowFormat = "ndjson" | "csv" | "parquet" | "records";

export interface AnswerFacts {
  /** Set for a cached answer: becomes X-Cache, Age and Cache-Control. */
  readonly cache?: {
    readonly state: "HIT" | "MISS" | "STALE";
    readonly storedAtMs: number;
    readonly expiresAtMs: number;
  };
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The cached value that alone determines the body, and the variant of rendering: the JSON is then cached
   * with the value.
   */
  readonly derivedFrom?: { readonly value: object; readonly variant: string };
  /** Whether an ETag is computed and If-None-Match honoured. */
  readonly etag?: boolean;
  /**
   * Set where the body is a bare list, which cannot say what it lacks: headers in every format, JSON
   * included.
   */
  readonly notes?: RowNotes;
  /** Status other than 200. */
  readonly status?: number;
  /**
   * The body's content as rows, or how to make them when they are requested; without it or `stream` only JSON
   * is offered.
   */
  readonly table?: Table | ((format: RowFormat) => Promise<Table | RowStream>);
  /** Replaces `table` when there are more rows than the body has. */
  readonly stream?: RowStream;
  /** Server-sent events, in place of the body. */
  readonly events?: ReadableStream<Uint8Array>;
  /** Set where the table is a page of more rows: becomes X-Total-Count and Link in row formats. */
  readonly page?: PageFacts;
}

/** The rows that a page leaves out. */
export interface PageFacts {
  /** Rows that match; null when that is not known. */
  readonly total: number | null;
  /** Query fields of the next page; null for the last page, and where the route has no pages. */
  readonly next: Readonly<Record<string, number>> | null;
  /**
   * Rows of the answer, where the route has a limit but no pages: that rows are left out is then a warning.
   */
  readonly limited?: number;
}

/** A JSON body that is written in parts, so that others have their turn in between. */
export class JsonParts {
  constructor(readonly parts: readonly string[]) {}
}

/** A JSON body that is written while it is read from the store. */
export class JsonStream {
  /**
   * `open` resolves with the first bytes: an error until then becomes an error answer, a later one aborts the
   * stream.
   */
  constructor(readonly open: () => Promise<ReadableStream<Uint8Array>>) {}
}

/** A body, computed only when JSON is requested, with what the server needs to render it. */
export class Answer<T> {
  constructor(
    readonly body: () => T | Promise<T>,
    readonly facts: AnswerFacts = {},
  ) {}
}
