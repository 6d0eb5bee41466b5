// What a dataset of the lake is: one declaration gives the row type, the writer, the view, the docs and the check.

/** The plain types every reader of Parquet knows. TIMESTAMPTZ is UTC, to the millisecond. */
export type ColumnType = "DATE" | "TIMESTAMPTZ" | "DOUBLE" | "BIGINT" | "INTEGER" | "VARCHAR" | "BOOLEAN";

export interface Column {
  readonly type: ColumnType;
  /** The value may be null: unknown, never zero. */
  readonly nullable?: true;
  /** The value must be greater than zero. */
  readonly positive?: true;
  /** Unit of a figure ("USD per share", "shares"). */
  readonly unit?: string;
  /** One sentence for the documentation. */
  readonly description: string;
}

export type Columns = Readonly<Record<string, Column>>;

/** How files are laid out: one Hive folder a year or month of `column`, above it one a value of `and`. */
export type Partition<Name extends string = string> =
  | { readonly by: "none" }
  | { readonly by: "year" | "month"; readonly column: Name; readonly and?: Name };

export interface Dataset<C extends Columns = Columns> extends Declaration<C, string> {}

/** A dataset as it is written down, its column names checked by the compiler. */
export interface Declaration<C extends Columns, Name extends string = keyof C & string> {
  /** snake_case; the folder, the view and the documentation bear it. */
  readonly name: string;
  readonly description: string;
  readonly columns: C;
  /** What makes a row the same row. */
  readonly key: readonly Name[];
  readonly partition: Partition<Name>;
  /** The order of rows within a file. */
  readonly sort: readonly Name[];
  /**
   * `first`: a row whose key is stored is not written again, the first good value stays.
   * `append`: every distinct (key, known_at) is kept; a later truth is a later row.
   */
  readonly fill: "first" | "append";
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

/** The row a dataset takes and gives: DATE "YYYY-MM-DD", TIMESTAMPTZ RFC 3339 in UTC, the rest as they are. */
export type RowOf<D extends { readonly columns: Columns }> = {
  -readonly [K in keyof D["columns"]]: CellOf<D["columns"][K]>;
};

const NAME = /^[a-z][a-z0-9_]*$/;

/**
 * Declares a dataset. Throws when the declaration contradicts itself: an unknown or nullable key column, or a
 * partition that the key does not determine (a key must live in one partition only, for it is looked for there).
 */
export function dataset<const C extends Columns>(declaration: Declaration<C>): Dataset<C> {
  const { name, key, partition, sort, fill } = declaration;
  const columns: Columns = declaration.columns;
  const refuse = (why: string): never => {
    throw new Error(`dataset ${name}: ${why}`);
  };
  for (const each of [name, ...Object.keys(columns)])
    if (!NAME.test(each)) refuse(`"${each}" is not snake_case`);
  for (const each of [...key, ...sort]) if (!columns[each]) refuse(`has no column "${each}"`);
  for (const each of key) if (columns[each]?.nullable) refuse(`key column "${each}" may be null`);
  if (fill === "append" && columns.known_at?.type !== "TIMESTAMPTZ")
    refuse("appends, so it needs a known_at");
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

/** What a macro may know of the files when its SQL is written. */
export interface LakeFacts {
  /** Smallest and largest value of a DATE or TIMESTAMPTZ column, or of symbol, over a dataset; null without rows. */
  range(dataset: Dataset, column: string): readonly [string, string] | null;
  /** The partitions that hold rows: "year=2026", "interval=5m/month=2026-11". */
  partitions(dataset: Dataset): readonly string[];
}

/** A SQL macro over the datasets' views: the one definition behind routes, command line and catalogue. */
export interface Macro {
  readonly name: string;
  readonly description: string;
  /** A table macro's body is a SELECT, a scalar macro's an expression. */
  readonly kind: "table" | "scalar";
  /** Parameters as SQL has them: "as_of", "as_of := NULL". */
  readonly parameters: readonly string[];
  body(facts: LakeFacts): string;
}

/** The columns that tell two stored rows apart: the key, and known_at where vintages are kept. */
export function identityOf(dataset: Dataset): readonly string[] {
  return dataset.fill === "append" && !dataset.key.includes("known_at")
    ? [...dataset.key, "known_at"]
    : dataset.key;
}

/** A SQL identifier, quoted ("interval" is a word of SQL). */
export function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** A SQL string literal. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
