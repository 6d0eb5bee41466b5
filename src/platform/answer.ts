// What a use case hands to the server when its answer is more than a plain JSON body: where it comes from, and its rows.

/** Column types of a table, in the lake's own words. */
export type TableColumnType = "VARCHAR" | "DOUBLE" | "BIGINT" | "BOOLEAN" | "DATE" | "TIMESTAMPTZ";

/** Rows of an answer, for ndjson, csv and parquet. DATE and TIMESTAMPTZ values are strings (YYYY-MM-DD, RFC 3339 UTC). */
export interface Table {
  /** Name of a downloaded file, without its ending. */
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: TableColumnType }[];
  readonly rows: () => Iterable<readonly unknown[]>;
}

/** The rows of an answer too large for memory, as bytes that are made while they are read. */
export interface RowStream {
  /** Name of a downloaded file, without its ending. */
  readonly name: string;
  /** Resolves when the first bytes are there; what fails before that is an error answer, what fails later breaks the stream off. */
  open(format: "ndjson" | "csv" | "parquet"): Promise<ReadableStream<Uint8Array>>;
}

export interface AnswerFacts {
  /** Set when the answer was remembered: becomes X-Cache, Age and Cache-Control. */
  readonly cache?: {
    readonly state: "HIT" | "MISS" | "STALE";
    readonly storedAtMs: number;
    readonly expiresAtMs: number;
  };
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The remembered value of which alone the body is made, and in which manner: its JSON is then kept beside the value. */
  readonly derivedFrom?: { readonly value: object; readonly variant: string };
  /** Whether an ETag is computed and If-None-Match honoured. */
  readonly etag?: boolean;
  /** Status other than 200. */
  readonly status?: number;
  /** The same content as rows; without it or `stream` only JSON is offered. */
  readonly table?: Table;
  /** In place of `table`, where the rows are more than the body holds. */
  readonly stream?: RowStream;
}

/** A body (made only when JSON is wanted) with what the server should say about it. */
export class Answer<T> {
  constructor(
    readonly body: () => T | Promise<T>,
    readonly facts: AnswerFacts = {},
  ) {}
}
