// Rows that leave with a write: the files that hold any are written again without them, in the same commit.

import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { discard, type LakeParts, retire, type StagedFile, stage } from "./commit.ts";
import { type Dataset, literal, quoted } from "./dataset.ts";
import { storageUnavailable } from "./disk.ts";
import { readOn } from "./duckdb.ts";
import { type LakeFile, type Manifest, schemaNumber, schemaOf } from "./manifest.ts";
import { RowRefused } from "./rows.ts";
import { ulid } from "./ulid.ts";
import { rangesOf, rangeTexts, readParquet, selectFiles } from "./views.ts";

/**
 * Which stored rows leave: those whose columns `by` hold the values of one of `groups`. `by` are VARCHAR columns of the
 * key, so that no row that stays has the key of one that comes in their place.
 */
export interface Replacement {
  readonly by: readonly string[];
  readonly groups: readonly (readonly string[])[];
}

/** Throws RowRefused for a row that is none of the groups it is to replace. */
export function checkReplacement(
  dataset: Dataset,
  { by, groups }: Replacement,
  rows: readonly Readonly<Record<string, unknown>>[],
): void {
  for (const name of by)
    if (!dataset.key.includes(name) || dataset.columns[name]?.type !== "VARCHAR")
      throw new Error(`${dataset.name} cannot be replaced by ${name}`);
  const wordOf = (values: readonly unknown[]) => JSON.stringify(values);
  const leaving = new Set(groups.map(wordOf));
  const stranger = rows.find((row) => !leaving.has(wordOf(by.map((name) => row[name]))));
  if (stranger)
    throw new RowRefused(
      `${dataset.name} is to be replaced by ${by.join(", ")}, and a row is of none of them: ${JSON.stringify(stranger)}`,
    );
}

/** How many rows leave each file; files that keep all of theirs are not in it. */
async function leavingRows(
  connection: DuckDBConnection,
  paths: readonly string[],
  { by, groups }: Replacement,
): Promise<Map<string, number>> {
  if (paths.length === 0 || groups.length === 0) return new Map();
  const lists = Object.fromEntries(by.map((name, at) => [name, groups.map((group) => group[at] ?? "")]));
  const wanted = by.map((name) => `unnest($${name}) AS ${quoted(name)}`).join(", ");
  const { columns, rowCount } = await readOn(
    connection,
    `SELECT filename, count(*) FROM ${readParquet(paths, true)} SEMI JOIN (SELECT ${wanted}) USING (${by.map(quoted).join(", ")}) GROUP BY filename`,
    lists,
  );
  return new Map(
    Array.from({ length: rowCount }, (_, row) => [String(columns[0]?.[row]), Number(columns[1]?.[row])]),
  );
}

/**
 * Takes the rows out that leave with a write: adds to `fresh` each file that holds some without them, and retires it in
 * `manifest`. Gives the dataset's files that stay as they are. Under the lock only.
 */
export async function withoutReplaced(
  parts: LakeParts,
  connection: DuckDBConnection,
  { dataset, instead }: { readonly dataset: Dataset; readonly instead?: Replacement | undefined },
  live: readonly LakeFile[],
  manifest: Manifest,
  fresh: StagedFile[],
): Promise<LakeFile[]> {
  const files = live.filter((file) => file.dataset === dataset.name);
  if (!instead) return files;
  const pathOf = (file: LakeFile) => join(parts.lakeDir, file.path);
  const counts = await leavingRows(connection, files.map(pathOf), instead);
  const touched = files.filter((file) => counts.has(pathOf(file)));
  for (const file of touched) {
    const rows = file.rows - (counts.get(pathOf(file)) ?? 0);
    if (rows > 0) fresh.push(await without(parts, connection, dataset, instead, { ...file, rows }, manifest));
  }
  retire(manifest, new Set(touched.map(({ path }) => path)), parts.clock.now().toString());
  return files.filter((file) => !touched.includes(file));
}

/** Stages what is left of a file: `file.rows` rows. */
async function without(
  parts: LakeParts,
  connection: DuckDBConnection,
  dataset: Dataset,
  { by, groups }: Replacement,
  file: LakeFile,
  manifest: Manifest,
): Promise<StagedFile> {
  const schemas = manifest.schemas[dataset.name] ?? [];
  const names = by.map(quoted).join(", ");
  const gone = groups.map((group) => `(${group.map(literal).join(", ")})`).join(", ");
  const select = `SELECT * FROM (${selectFiles(dataset, [file], schemas, parts.lakeDir)})
    ANTI JOIN (VALUES ${gone}) AS gone(${names}) USING (${names})`;
  const name = file.kind === "base" ? `base-${manifest.generation}` : `delta-${ulid(parts.clock.nowMs())}`;
  const path = [dataset.name, file.partition, `${name}.parquet`].filter(Boolean).join("/");
  const left = { ...file, path, schema: schemaNumber(manifest, dataset) };
  const staged = await stage(parts, connection, `SELECT * FROM (${select})`, dataset, left);
  const schema = schemaOf(dataset);
  const { columns } = await readOn(
    connection,
    `SELECT ${["count(*)", ...rangeTexts(schema)].join(", ")} FROM ${readParquet([staged.staged])}`,
  );
  const [rows, ...texts] = columns.map(([value]) => value);
  if (rows === file.rows) return { ...staged, file: { ...staged.file, ranges: rangesOf(schema, texts) } };
  await discard(parts, [staged]);
  throw storageUnavailable(`Taking rows out of ${file.path} left other rows than it should.`);
}
