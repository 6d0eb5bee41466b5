// The answer of a use case when it is more than a plain JSON body: cache state, headers and rows for the
// server to render.

import type { RowNotes, Table } from "./table.ts";

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
   * The answer's rows, or how to find them when they are requested; then all of them are read in one version
   * of the store. Without it only JSON is offered.
   */
  readonly table?: Table | (() => Promise<Table>);
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

/** A JSON body with a list of rows under each of some names, written while its rows are made. */
export interface ListedRows {
  /** The text before the first list, and after the last. */
  readonly opening: string;
  readonly closing: string;
  lists(): AsyncIterable<readonly [name: string, rows: readonly object[]]>;
}

/** A body of lists of rows. */
export class ListsBody {
  /** `read` finds all but the rows themselves. All of it is read in one version of the store. */
  constructor(readonly read: () => Promise<ListedRows>) {}
}

/** A body, computed only when JSON is requested, with what the server needs to render it. */
export class Answer<T> {
  constructor(
    readonly body: () => T | Promise<T>,
    readonly facts: AnswerFacts = {},
  ) {}
}
