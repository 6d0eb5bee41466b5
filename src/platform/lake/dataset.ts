// Declares datasets: one declaration gives the row type, the writer, the view, the documentation and the
// check.

import type { Cause } from "./change-causes.ts";

/** Plain types that every Parquet reader supports. TIMESTAMPTZ is UTC with millisecond precision. */
export type ColumnType = "DATE" | "TIMESTAMPTZ" | "DOUBLE" | "BIGINT" | "INTEGER" | "VARCHAR" | "BOOLEAN";

export interface Column {
  readonly type: ColumnType;
  /** The value may be null, which means unknown and never zero. */
  readonly nullable?: true;
  /** The value must be greater than zero. */
  readonly positive?: true;
  /** Unit of the value ("USD per share", "shares"). */
  readonly unit?: string;
  /** One sentence for the documentation. */
  readonly description: string;
}

export type Columns = Readonly<Record<string, Column>>;

/**
 * Folder layout: one Hive folder per year or month of `column`, inside one folder per value of `and` if
 * given.
 */
export type Partition<Name extends string = string> =
  | { readonly by: "none" }
  | { readonly by: "year" | "month"; readonly column: Name; readonly and?: Name };

/**
 * The facts about a dataset's rows for the ledger of changes. Without `publicFrom` a new row counts as
 * `observed`.
 */
export interface ChangeFacts<Name extends string = string> {
  /**
   * SQL over the columns of the moment from which the world could know the row; null where that is unknown.
   */
  readonly publicFrom?: string;
  /**
   * Rows count at moments before they were public, too: all, or those with a value in a column up to the
   * newest of another column in the store.
   */
  // A split scales the bars before it that were fetched after it: their basis is its ex date or later.
  readonly countsBefore?: true | { readonly column: Name; readonly upTo: string };
  /** The service computes the rows from others. */
  readonly computed?: true;
  /** Each row is about a value that its source changed. */
  readonly corrections?: true;
  /**
   * The column of the key that numbers the readings of one document: the row of a later reading follows the
   * earlier one.
   */
  readonly reading?: Name;
  /** The cause of a later reading. */
  readonly reread?: Cause;
  /** The provider, for datasets without a column `source`. */
  readonly provider?: string;
}

export interface Dataset<C extends Columns = Columns> extends Declaration<C, string> {}

/** A dataset declaration whose column names the compiler checks. */
export interface Declaration<C extends Columns, Name extends string = keyof C & string> {
  /** snake_case; also the name of the folder and of the view, and used in the documentation. */
  readonly name: string;
  readonly description: string;
  readonly columns: C;
  /** The columns that identify a row. */
  readonly key: readonly Name[];
  readonly partition: Partition<Name>;
  /** The sort order of rows within a file. */
  readonly sort: readonly Name[];
  /**
   * `first`: a row whose key is stored is skipped, so the first stored value stays.
   * `append`: every distinct (key, known_at) is stored; a later version of a value is a later row.
   */
  readonly fill: "first" | "append";
  /** The columns by which its rows are replaced together, where they are. */
  readonly replacedBy?: readonly Name[];
  readonly changes?: ChangeFacts<Name>;
  /** The columns of a row's symbol and day: its rows are kept as arrays too, for reads by these (series/). */
  readonly series?: { readonly by: Name; readonly day: Name };
}

interface Native {
  DATE: string;
  TIMESTAMPTZ: string;
  DOUBLE: number;
  BIGINT: number;
  INTEGER: number;
  VARCHAR: string;
  BOOLEAN: boolean;
}

type CellOf<K extends Column> = Native[K["type"]] | (K extends { readonly nullable: true } ? null : never);

/**
 * The row type of a dataset. DATE is "YYYY-MM-DD", TIMESTAMPTZ is RFC 3339 in UTC, other types are
 * JavaScript's.
 */
export type RowOf<D extends { readonly columns: Columns }> = {
  -readonly [K in keyof D["columns"]]: CellOf<D["columns"][K]>;
};

const NAME = /^[a-z][a-z0-9_]*$/;

/** The column that the lake adds to every row. */
export const RECORDED = "recorded";

/**
 * The column that history files have beside those of the dataset: the generation whose commit replaced the
 * row.
 */
export const SUPERSEDED = "superseded";

const RECORDED_COLUMN: Column = {
  type: "BIGINT",
  unit: "generation of the store",
  description:
    "The generation of the store whose commit wrote the row: the store's own clock, beside known_at. 0 for rows of releases that did not record it.",
};

/** The columns of a dataset as they are stored: those of its declaration, then `recorded`. */
export function storedColumns({ columns }: Pick<Dataset, "columns">): Columns {
  return { ...columns, [RECORDED]: RECORDED_COLUMN };
}

/**
 * Declares a dataset. Throws when the declaration contradicts itself: an unknown or nullable key column, or a
 * partition that the key does not determine. Duplicate keys are looked for in one partition only, so each key
 * must belong to exactly one.
 */
export function dataset<const C extends Columns>(declaration: Declaration<C>): Dataset<C> {
  const { name, key, partition, sort, fill, changes } = declaration;
  const columns: Columns = declaration.columns;
  const refuse = (why: string): never => {
    throw new Error(`dataset ${name}: ${why}`);
  };
  for (const each of [name, ...Object.keys(columns)])
    if (!NAME.test(each)) refuse(`"${each}" is not snake_case`);
  for (const each of [RECORDED, SUPERSEDED])
    if (columns[each]) refuse(`declares "${each}", which the lake adds`);
  for (const each of [...key, ...sort]) if (!columns[each]) refuse(`has no column "${each}"`);
  for (const each of key) if (columns[each]?.nullable) refuse(`key column "${each}" may be null`);
  if (fill === "append" && columns.known_at?.type !== "TIMESTAMPTZ")
    refuse("appends, so it needs a known_at");
  if (changes?.reading && !key.includes(changes.reading))
    refuse("numbers readings by a column outside its key");
  if (key.length === 0 || sort.length === 0) refuse("needs a key and a sort order");
  if (partition.by !== "none") {
    const type = columns[partition.column]?.type;
    if (type !== "DATE" && type !== "TIMESTAMPTZ") refuse(`cannot be partitioned by "${partition.column}"`);
    for (const each of [partition.column, partition.and])
      if (each !== undefined && !key.includes(each))
        refuse(`is partitioned by "${each}", which is no part of the key`);
  }
  return declaration;
}

/** The manifest's facts about the files, available when the SQL of a macro is written. */
export interface LakeMetadata {
  /**
   * Smallest and largest value of a DATE or TIMESTAMPTZ column, or of `symbol`, in a dataset; null without
   * rows.
   */
  range(dataset: Dataset, column: string): readonly [string, string] | null;
  /** The partitions that have rows: "year=2026", "interval=5m/month=2026-11". */
  partitions(dataset: Dataset): readonly string[];
}

interface MacroDeclaration {
  readonly name: string;
  readonly description: string;
  /** Parameters in SQL syntax: "as_of", "as_of := NULL". */
  readonly parameters: readonly string[];
  body(metadata: LakeMetadata): string;
}

/** A macro whose body is a SELECT. */
export interface TableMacro extends MacroDeclaration {
  readonly kind: "table";
  /** The columns of its rows, in their order. */
  readonly columns: Columns;
}

/** A macro whose body is an expression. */
export interface ScalarMacro extends MacroDeclaration {
  readonly kind: "scalar";
  readonly returns: Pick<Column, "type" | "unit" | "nullable">;
}

/** A SQL macro over the dataset views: one definition for routes, command line and catalogue. */
export type Macro = TableMacro | ScalarMacro;

/** The named columns of a dataset in the order of the names, for a macro that returns them unchanged. */
export function columnsOf<C extends Columns, Name extends keyof C & string>(
  { columns }: { readonly columns: C },
  ...names: readonly Name[]
): Pick<C, Name> {
  return Object.fromEntries(names.map((name) => [name, columns[name]])) as Pick<C, Name>;
}

/**
 * The columns of a dataset as they are stored, without the named ones: what `SELECT * EXCLUDE (…)` returns.
 */
export function columnsWithout<C extends Columns>(
  dataset: { readonly columns: C },
  ...names: readonly (keyof C & string)[]
): Columns {
  const left: readonly string[] = names;
  return Object.fromEntries(Object.entries(storedColumns(dataset)).filter(([name]) => !left.includes(name)));
}

/** The columns that distinguish stored rows: the key, plus known_at for datasets that store every version. */
export function identityOf(dataset: Dataset): readonly string[] {
  return dataset.fill === "append" && !dataset.key.includes("known_at")
    ? [...dataset.key, "known_at"]
    : dataset.key;
}

/** Quotes a SQL identifier ("interval" is a reserved word). */
export function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** A SQL string literal. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
