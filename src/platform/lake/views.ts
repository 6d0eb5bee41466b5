// SQL of the views and macros. Views list their files explicitly and never use a glob, so each file is read
// exactly once.

import { join } from "node:path";
import { type Dataset, type LakeMetadata, literal, type Macro, quoted, RECORDED } from "./dataset.ts";
import { type LakeFile, rangedColumns, type Schema, schemaOf } from "./manifest.ts";

/** A table expression over files, given as absolute paths. */
export function readParquet(paths: readonly string[], withName = false): string {
  return readLocated(listOf(paths), withName);
}

const listOf = (paths: readonly string[]): string => `[${paths.map(literal).join(", ")}]`;

/** A table expression over files, given as the SQL of a list of their paths. */
function readLocated(paths: string, withName = false): string {
  return `read_parquet(${paths}, hive_partitioning = false, filename = ${withName})`;
}

/**
 * Selects the columns of `target` from files of another schema: missing columns are null, changed types are
 * cast. Rows without `recorded` are of generation 0.
 */
function projection(target: Schema, stored: Schema): string {
  return Object.entries(target)
    .map(([name, type]) => {
      const column = quoted(name);
      if (stored[name] === type) return column;
      if (stored[name] !== undefined) return `${column}::${type} AS ${column}`;
      return `${name === RECORDED ? 0 : "NULL"}::${type} AS ${column}`;
    })
    .join(", ");
}

/** Gives the SQL of a list of absolute paths from paths in the lake. */
type Locate = (paths: readonly string[]) => string;

/**
 * SELECT over the files of a dataset; without files, a typed relation without rows. `target` names the
 * columns to select.
 */
export function selectFiles(
  dataset: Dataset,
  files: readonly LakeFile[],
  schemas: readonly Schema[],
  locate: Locate,
  target: Schema = schemaOf(dataset),
): string {
  const bySchema = Map.groupBy(files, (file) => file.schema);
  if (bySchema.size === 0) return `SELECT ${projection(target, {})} WHERE false`;
  return [...bySchema]
    .map(([number, group]) => {
      const paths = locate(group.map((file) => file.path));
      return `SELECT ${projection(target, schemas[number] ?? target)} FROM ${readLocated(paths)}`;
    })
    .join(" UNION ALL ");
}

/** Locates the files of the lake in one folder. */
export const locateIn =
  (lakeDir: string): Locate =>
  (paths) =>
    listOf(paths.map((path) => join(lakeDir, path)));

export function createView(dataset: Dataset, select: string): string {
  return `CREATE OR REPLACE VIEW ${quoted(dataset.name)} AS ${select}`;
}

export function createMacro(macro: Macro, metadata: LakeMetadata, schema = "main"): string {
  const body = macro.kind === "table" ? `TABLE ${macro.body(metadata)}` : `(${macro.body(metadata)})`;
  return `CREATE OR REPLACE MACRO ${schema === "main" ? "" : `${quoted(schema)}.`}${quoted(macro.name)}(${macro.parameters.join(", ")}) AS ${body}`;
}

/** Returns the manifest's facts about the rows, without reading them. */
export function metadataOf(files: readonly LakeFile[]): LakeMetadata {
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

/** The oldest and newest generation in one of the lake's own columns over some files. */
export function generationsOver(
  files: readonly LakeFile[],
  column: "recorded" | "superseded",
): readonly [number, number] {
  const ranges = files.map((file) => file[column] ?? ([0, 0] as const));
  return [Math.min(...ranges.map(([oldest]) => oldest)), Math.max(...ranges.map(([, newest]) => newest))];
}

/**
 * SQL of the smallest and largest value of each ranged column, in column order. Instants always have
 * milliseconds here, so that they compare as text.
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

/** Builds ranges from the values of `rangeTexts`; a column that is all null has none. */
export function rangesOf(schema: Schema, values: readonly unknown[]): LakeFile["ranges"] {
  const ranges: LakeFile["ranges"] = {};
  for (const [index, name] of rangedColumns(schema).entries()) {
    const [low, high] = [values[index * 2], values[index * 2 + 1]];
    if (typeof low === "string" && typeof high === "string") ranges[name] = [low, high];
  }
  return ranges;
}
