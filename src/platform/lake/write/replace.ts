// Replaces stored rows as part of a commit: the old rows leave the current files and stay in history files.

import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Cause } from "../change-causes.ts";
import { type Dataset, literal, quoted, SUPERSEDED } from "../dataset.ts";
import { storageUnavailable } from "../disk.ts";
import { readOn } from "../duckdb.ts";
import {
  FORMAT_WITH_HISTORY,
  historySchemaOf,
  type LakeFile,
  type Manifest,
  pathInLake,
  schemaNumber,
  schemaOf,
} from "../manifest.ts";
import { ulid } from "../ulid.ts";
import { generationsOver, locateIn, rangesOf, rangeTexts, readParquet, selectFiles } from "../views.ts";
import { discard, type LakeParts, retire, type StagedFile, stage } from "./commit.ts";
import { RowRefused } from "./rows.ts";

/**
 * Selects the stored rows to replace: those whose columns `by` have the values of one of `groups`. `by` must
 * be VARCHAR columns of the key, so that no row that stays has the key of a row that replaces a removed one.
 */
export interface Replacement {
  readonly by: readonly string[];
  readonly groups: readonly (readonly string[])[];
  /** Why, for the ledger of changes; it counts for every row of the dataset in the commit. */
  readonly cause?: Cause;
}

/**
 * Throws RowRefused for a row that belongs to none of the replaced groups. Only the rows of `first` datasets
 * can be replaced.
 */
export function checkReplacement(
  dataset: Dataset,
  { by, groups }: Replacement,
  rows: readonly Readonly<Record<string, unknown>>[],
): void {
  if (dataset.fill !== "first")
    throw new Error(`rows of ${dataset.name} are followed by later ones, never replaced`);
  if (dataset.replacedBy && `${dataset.replacedBy}` !== `${by}`)
    throw new Error(`${dataset.name} is replaced by ${dataset.replacedBy}, not by ${by}`);
  for (const name of by)
    if (!dataset.key.includes(name) || dataset.columns[name]?.type !== "VARCHAR")
      throw new Error(`${dataset.name} cannot be replaced by ${name}`);
  const rowKey = (values: readonly unknown[]) => JSON.stringify(values);
  const replaced = new Set(groups.map(rowKey));
  const outsider = rows.find((row) => !replaced.has(rowKey(by.map((name) => row[name]))));
  if (outsider)
    throw new RowRefused(
      `rows of ${dataset.name} are replaced by ${by.join(", ")}, but a new row is in none of the groups: ${JSON.stringify(outsider)}`,
    );
}

/** Counts the rows to replace in each file; files without such rows are absent. */
async function rowsToReplace(
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

/** SQL of a table of the replaced groups, with the columns `by`. */
function replacedTable({ by, groups }: Replacement): string {
  const values = groups.map((group) => `(${group.map(literal).join(", ")})`).join(", ");
  return `(VALUES ${values}) AS replaced(${by.map(quoted).join(", ")})`;
}

/**
 * Takes the replaced rows of a dataset out of its current files: stages a copy without them of each file that
 * contains some, stages the rows themselves as history, adds both to `fresh`, and retires the old file in
 * `manifest`. Returns the files that stay unchanged. Call it under the lock.
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
  const counts = await rowsToReplace(connection, files.map(pathOf), replacement);
  const touched = files.filter((file) => counts.has(pathOf(file)));
  const work = { parts, connection, dataset, replacement, manifest };
  for (const file of touched) {
    const rows = file.rows - (counts.get(pathOf(file)) ?? 0);
    if (rows > 0) fresh.push(await stageRemainder(work, { ...file, rows }));
  }
  for (const [partition, group] of Map.groupBy(touched, (file) => file.partition)) {
    const rows = group.reduce((sum, file) => sum + (counts.get(pathOf(file)) ?? 0), 0);
    fresh.push(await stageHistory(work, partition, group, rows));
  }
  retire(manifest, new Set(touched.map(({ path }) => path)), parts.clock.now().toString());
  return files.filter((file) => !touched.includes(file));
}

interface Work {
  readonly parts: LakeParts;
  readonly connection: DuckDBConnection;
  readonly dataset: Dataset;
  readonly replacement: Replacement;
  readonly manifest: Manifest;
}

/** Stages the remaining rows of a file; `file.rows` is their expected number. */
function stageRemainder(work: Work, file: LakeFile): Promise<StagedFile> {
  const { parts, dataset, replacement, manifest } = work;
  const schemas = manifest.schemas[dataset.name] ?? [];
  const names = replacement.by.map(quoted).join(", ");
  const select = `SELECT * FROM (${selectFiles(dataset, [file], schemas, locateIn(parts.lakeDir))})
    ANTI JOIN ${replacedTable(replacement)} USING (${names})`;
  const name = file.kind === "base" ? `base-${manifest.generation}` : `delta-${ulid(parts.clock.nowMs())}`;
  return stageCounted(work, select, {
    ...file,
    path: pathInLake(file, name),
    schema: schemaNumber(manifest, dataset),
  });
}

/** Stages the replaced rows of one partition's files; `rows` is their expected number. */
function stageHistory(
  work: Work,
  partition: string,
  files: readonly LakeFile[],
  rows: number,
): Promise<StagedFile> {
  const { parts, dataset, replacement, manifest } = work;
  const { generation } = manifest;
  const schemas = manifest.schemas[dataset.name] ?? [];
  const select = `SELECT *, ${generation}::BIGINT AS ${SUPERSEDED}
    FROM (${selectFiles(dataset, files, schemas, locateIn(parts.lakeDir))})
    SEMI JOIN ${replacedTable(replacement)} USING (${replacement.by.map(quoted).join(", ")})`;
  const place = { kind: "history" as const, dataset: dataset.name, partition };
  manifest.format = FORMAT_WITH_HISTORY;
  return stageCounted(work, select, {
    ...place,
    path: pathInLake(place, `history-${ulid(parts.clock.nowMs())}`),
    rows,
    schema: schemaNumber(manifest, dataset, historySchemaOf(dataset)),
    ranges: {},
    recorded: generationsOver(files, "recorded"),
    superseded: [generation, generation],
  });
}

/** Stages the rows of a SELECT with their ranges. Throws when they are not as many as `file.rows` says. */
export async function stageCounted(
  { parts, connection, dataset }: Pick<Work, "parts" | "connection" | "dataset">,
  select: string,
  file: Omit<LakeFile, "bytes" | "sha256">,
): Promise<StagedFile> {
  const staged = await stage(parts, connection, select, dataset, file);
  const schema = schemaOf(dataset);
  const { columns } = await readOn(
    connection,
    `SELECT ${["count(*)", ...rangeTexts(schema)].join(", ")} FROM ${readParquet([staged.staged])}`,
  );
  const [rows, ...texts] = columns.map(([value]) => value);
  if (rows === file.rows) return { ...staged, file: { ...staged.file, ranges: rangesOf(schema, texts) } };
  await discard(parts, [staged]);
  throw storageUnavailable(`Replacing rows of ${dataset.name} wrote ${rows} rows instead of ${file.rows}.`);
}
