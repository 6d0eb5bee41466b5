// The messages between the service and the process of a query, as JSON.

export interface ChildRequest {
  readonly data_dir: string;
  readonly sql: string;
  /** RFC 3339; null: everything known. */
  readonly as_of: string | null;
  /** The generation to read; null: the newest. */
  readonly version: number | null;
  /** The result of now(), RFC 3339; null: the real time. */
  readonly now: string | null;
  readonly rows_max: number;
  readonly memory_mb: number;
  /** Paths of damaged files, which are left out. */
  readonly without?: readonly string[];
  /** Days on which the exchange is closed, besides those of the calendar. */
  readonly closures: readonly string[];
}

/** A result by column, as the engine names its types. */
export interface QueryResult {
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly columns: readonly (readonly unknown[])[];
  readonly rows: number;
  /** Whether there are more rows. */
  readonly cut: boolean;
  /** The generation of the store that was read. */
  readonly version: number;
}

/** `refused`: why the query did not run, for the one who wrote it. */
export type ChildAnswer = QueryResult | { readonly refused: string };

/** How the process ends when it needs more memory than it may. */
export const MEMORY_EXIT = 41;
