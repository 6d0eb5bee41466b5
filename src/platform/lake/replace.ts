// Removes stored rows as part of a commit: rewrites the files that contain them without those rows.

import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { discard, type LakeParts, retire, type StagedFile, stage } from "./commit.ts";
import { type Dataset, literal, quoted } from "./dataset.ts";
import { storageUnavailable } from "./disk.ts";
import { readOn } from "./duckdb.ts";
import { type LakeFile, type Manifest, schemaNumber, schemaOf } from "./manifest.ts";
import { RowRefused } from "./rows.ts";
import { ulid } from "./ulid.ts";
import { locateIn, rangesOf, rangeTexts, readParquet, selectFiles } from "./views.ts";

/**
 * Selects the stored rows to remove: those whose columns `by` have the values of one of `groups`. `by` must be VARCHAR
 * columns of the key, so that no row that stays has the key of a row that replaces a removed one.
 */
export interface Replacement {
  readonly by: readonly string[];
  readonly groups: readonly (readonly string[])[];
}

/** Throws RowRefused for a row that belongs to none of the replaced groups. */
export function checkReplacement(
  dataset: Dataset,
  { by, groups }: Replacement,
  rows: readonly Readonly<Record<string, unknown>>[],
): void {
  for (const name of by)
    if (!dataset.key.includes(name) || dataset.columns[name]?.type !== "VARCHAR")
      throw new Error(`${dataset.name} cannot be replaced by ${name}`);
  const keyOf = (values: readonly unknown[]) => JSON.stringify(values);
  const replaced = new Set(groups.map(keyOf));
  const outsider = rows.find((row) => !replaced.has(keyOf(by.map((name) => row[name]))));
  if (outsider)
    throw new RowRefused(
      `rows of ${dataset.name} are replaced by ${by.join(", ")}, but a new row is in none of the groups: ${JSON.stringify(outsider)}`,
    );
}

/** Counts the rows to remove from each file; files without such rows are absent. */
async function rowsToRemove(
  connection: DuckDBConnection,
  paths: readonly string[],
  { by, groups }: Replacement,
): Promise<Map<string, number>> {
  if (paths.length === 0 || groups.length === 0) return new Map();
  const lists = Object.fromEntries(by.map((name, at) => [name, groups.map((group) => group[at] ?? "")]));
  const groupColumns = by.map((name) => `unnest($${name}) AS ${quoted(name)}`).join(", ");
  const { columns, rowCount } = await readOn(
    connection,
    `SELECT filename, count(*) FROM ${readParquet(paths, true)} SEMI JOIN (SELECT ${groupColumns}) USING (${by.map(quoted).join(", ")}) GROUP BY filename`,
    lists,
  );
  return new Map(
    Array.from({ length: rowCount }, (_, row) => [String(columns[0]?.[row]), Number(columns[1]?.[row])]),
  );
}

/**
 * Removes the replaced rows of a dataset: stages a copy without them of each file that contains some, adds it to
 * `fresh`, and retires the old file in `manifest`. Returns the files that stay unchanged. Call it under the lock.
 */
export async function withoutReplaced(
  parts: LakeParts,
  connection: DuckDBConnection,
  { dataset, replacement }: { readonly dataset: Dataset; readonly replacement?: Replacement | undefined },
  live: readonly LakeFile[],
  manifest: Manifest,
  fresh: StagedFile[],
): Promise<LakeFile[]> {
  const files = live.filter((file) => file.dataset === dataset.name);
  if (!replacement) return files;
  const pathOf = (file: LakeFile) => join(parts.lakeDir, file.path);
  const counts = await rowsToRemove(connection, files.map(pathOf), replacement);
  const touched = files.filter((file) => counts.has(pathOf(file)));
  for (const file of touched) {
    const rows = file.rows - (counts.get(pathOf(file)) ?? 0);
    if (rows > 0)
      fresh.push(await stageRemainder(parts, connection, dataset, replacement, { ...file, rows }, manifest));
  }
  retire(manifest, new Set(touched.map(({ path }) => path)), parts.clock.now().toString());
  return files.filter((file) => !touched.includes(file));
}

/** Stages the remaining rows of a file; `file.rows` is their expected number. */
async function stageRemainder(
  parts: LakeParts,
  connection: DuckDBConnection,
  dataset: Dataset,
  { by, groups }: Replacement,
  file: LakeFile,
  manifest: Manifest,
): Promise<StagedFile> {
  const schemas = manifest.schemas[dataset.name] ?? [];
  const names = by.map(quoted).join(", ");
  const removed = groups.map((group) => `(${group.map(literal).join(", ")})`).join(", ");
  const select = `SELECT * FROM (${selectFiles(dataset, [file], schemas, locateIn(parts.lakeDir))})
    ANTI JOIN (VALUES ${removed}) AS removed(${names}) USING (${names})`;
  const name = file.kind === "base" ? `base-${manifest.generation}` : `delta-${ulid(parts.clock.nowMs())}`;
  const path = [dataset.name, file.partition, `${name}.parquet`].filter(Boolean).join("/");
  const remainder = { ...file, path, schema: schemaNumber(manifest, dataset) };
  const staged = await stage(parts, connection, `SELECT * FROM (${select})`, dataset, remainder);
  const schema = schemaOf(dataset);
  const { columns } = await readOn(
    connection,
    `SELECT ${["count(*)", ...rangeTexts(schema)].join(", ")} FROM ${readParquet([staged.staged])}`,
  );
  const [rows, ...texts] = columns.map(([value]) => value);
  if (rows === file.rows) return { ...staged, file: { ...staged.file, ranges: rangesOf(schema, texts) } };
  await discard(parts, [staged]);
  throw storageUnavailable(`Removing rows from ${file.path} left ${rows} rows instead of ${file.rows}.`);
}
