// The SQL of the views and macros: an explicit list of files, never a glob, so that each file counts exactly once.

import { join } from "node:path";
import { type Dataset, type LakeFacts, literal, type Macro, quoted } from "./dataset.ts";
import { type LakeFile, rangedColumns, type Schema, schemaOf } from "./manifest.ts";

/** A table expression over files, as absolute paths. */
export function readParquet(paths: readonly string[], withName = false): string {
  return `read_parquet([${paths.map(literal).join(", ")}], hive_partitioning = false, filename = ${withName})`;
}

/** The columns of the present schema from files of another: what they lack is null, what changed its type is cast. */
function projection(wanted: Schema, stored: Schema): string {
  return Object.entries(wanted)
    .map(([name, type]) => {
      const column = quoted(name);
      if (stored[name] === type) return column;
      return stored[name] === undefined ? `NULL::${type} AS ${column}` : `${column}::${type} AS ${column}`;
    })
    .join(", ");
}

/** SELECT over a dataset's files; a typed relation without rows when there are none. */
export function selectFiles(
  dataset: Dataset,
  files: readonly LakeFile[],
  schemas: readonly Schema[],
  lakeDir: string,
): string {
  const wanted = schemaOf(dataset);
  const bySchema = Map.groupBy(files, (file) => file.schema);
  if (bySchema.size === 0) return `SELECT ${projection(wanted, {})} WHERE false`;
  return [...bySchema]
    .map(([number, group]) => {
      const paths = group.map((file) => join(lakeDir, file.path));
      return `SELECT ${projection(wanted, schemas[number] ?? wanted)} FROM ${readParquet(paths)}`;
    })
    .join(" UNION ALL ");
}

export function createView(dataset: Dataset, select: string): string {
  return `CREATE OR REPLACE VIEW ${quoted(dataset.name)} AS ${select}`;
}

export function createMacro(macro: Macro, facts: LakeFacts): string {
  const body = macro.kind === "table" ? `TABLE ${macro.body(facts)}` : `(${macro.body(facts)})`;
  return `CREATE OR REPLACE MACRO ${quoted(macro.name)}(${macro.parameters.join(", ")}) AS ${body}`;
}

/** What the manifest knows of the rows without reading them. */
export function factsOf(files: readonly LakeFile[]): LakeFacts {
  return {
    range: (dataset, column) => rangeOver(files, dataset.name, column),
    partitions: (dataset) => [
      ...new Set(files.filter((file) => file.dataset === dataset.name).map((file) => file.partition)),
    ],
  };
}

export function rangeOver(
  files: readonly LakeFile[],
  dataset: string,
  column: string,
): readonly [string, string] | null {
  const ranges = files.flatMap((file) => (file.dataset === dataset ? [file.ranges[column]] : []));
  const known = ranges.filter((range) => range !== undefined);
  const low = known.map((range) => range[0]).sort()[0];
  const high = known
    .map((range) => range[1])
    .sort()
    .at(-1);
  return low === undefined || high === undefined ? null : [low, high];
}

/**
 * SQL of the smallest and largest value of each ranged column, in turn. Instants always bear milliseconds here, so
 * that they compare as text.
 */
export function rangeTexts(schema: Schema): string[] {
  return rangedColumns(schema).flatMap((name) =>
    ["min", "max"].map((which) => {
      const value = `${which}(${quoted(name)})`;
      return schema[name] === "TIMESTAMPTZ"
        ? `strftime(${value}, '%Y-%m-%dT%H:%M:%S.%gZ')`
        : `${value}::VARCHAR`;
    }),
  );
}

/** Ranges out of the values of `rangeTexts`; a column that is all null has none. */
export function rangesOf(schema: Schema, values: readonly unknown[]): LakeFile["ranges"] {
  const ranges: LakeFile["ranges"] = {};
  for (const [index, name] of rangedColumns(schema).entries()) {
    const [low, high] = [values[index * 2], values[index * 2 + 1]];
    if (typeof low === "string" && typeof high === "string") ranges[name] = [low, high];
  }
  return ranges;
}
