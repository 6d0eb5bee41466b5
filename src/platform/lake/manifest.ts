// The manifest: the list of files that count. Replacing it is the one act that makes a change visible.

import { type BigIntStats, statSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ColumnType, Dataset } from "./dataset.ts";
import type { Disk } from "./disk.ts";
import { storageUnavailable } from "./disk.ts";

/** One live file. Immutable once named here. */
export interface LakeFile {
  /** Relative to the lake folder, with forward slashes. */
  path: string;
  dataset: string;
  /** "year=2026", "interval=5m/month=2026-11", or "" for a dataset of one partition. */
  partition: string;
  kind: "base" | "delta";
  rows: number;
  bytes: number;
  sha256: string;
  /** Which of `schemas[dataset]` it was written with. */
  schema: number;
  /** Smallest and largest value of each DATE and TIMESTAMPTZ column and of symbol, where any is not null. */
  ranges: Record<string, readonly [string, string]>;
}

export interface RetiredFile {
  path: string;
  retired_at: string;
  /** The generation that no longer names it. */
  generation: number;
}

/** A file that was found missing or broken when its partition was written next: it does not come back by itself. */
export interface SetAsideFile extends LakeFile {
  description: string;
}

export type Schema = Record<string, ColumnType>;

export interface Manifest {
  format: 1;
  /** Grows by one with each change. */
  generation: number;
  /** The schemas files were ever written with, oldest first. */
  schemas: Record<string, Schema[]>;
  files: LakeFile[];
  retired: RetiredFile[];
  set_aside: SetAsideFile[];
}

export const FORMAT = 1;
export const OWN_FILE = /^(base-\d+|delta-[0-9A-HJKMNP-TV-Z]{26})\.parquet$/;

/** Columns whose range each file states. */
export function rangedColumns(columns: Schema): string[] {
  return Object.entries(columns)
    .filter(([name, type]) => type === "DATE" || type === "TIMESTAMPTZ" || name === "symbol")
    .map(([name]) => name);
}

export function schemaOf(dataset: Dataset): Schema {
  return Object.fromEntries(Object.entries(dataset.columns).map(([name, { type }]) => [name, type]));
}

/** The number of the dataset's present schema, registered in the manifest when it is new. */
export function schemaNumber(manifest: Manifest, dataset: Dataset): number {
  const schema = schemaOf(dataset);
  const text = JSON.stringify(schema);
  const known = manifest.schemas[dataset.name] ?? [];
  manifest.schemas[dataset.name] = known;
  const at = known.findIndex((each) => JSON.stringify(each) === text);
  return at >= 0 ? at : known.push(schema) - 1;
}

const EMPTY: Manifest = { format: FORMAT, generation: 0, schemas: {}, files: [], retired: [], set_aside: [] };

/** What tells one published manifest from the next without reading it. */
export function stampOf(path: string): string | undefined {
  const stat: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat && `${stat.ino}:${stat.mtimeNs}:${stat.size}`;
}

/** Reads the manifest. A damaged one, or one of a newer version, is refused: guessing would lose or double rows. */
export async function readManifest(path: string): Promise<Manifest> {
  const text = await readFile(path, "utf8");
  try {
    const manifest = JSON.parse(text) as Manifest;
    if (manifest.format !== FORMAT || !Array.isArray(manifest.files))
      throw new Error(`format ${manifest.format}`);
    return manifest;
  } catch (cause) {
    throw storageUnavailable(
      "The data store's manifest is damaged or was written by a newer version.",
      cause,
    );
  }
}

/** Replaces the manifest: written and synced in staging, renamed over the old one, the folder synced. */
export async function writeManifest(
  disk: Disk,
  path: string,
  staging: string,
  manifest: Manifest,
): Promise<void> {
  const fresh = join(staging, `manifest-${manifest.generation}.json`);
  await disk.write(fresh, JSON.stringify(manifest));
  await disk.rename(fresh, path);
  await disk.sync(dirname(path));
}

/** Writes the first, empty manifest. Refuses when Parquet files lie there already: they would all count as strays. */
export async function createManifest(disk: Disk, path: string, staging: string): Promise<void> {
  if (stampOf(path) !== undefined) return;
  if ((await parquetFilesBelow(dirname(path))).length > 0)
    throw storageUnavailable("The data store holds files but its manifest is gone; restore manifest.json.");
  await writeManifest(disk, path, staging, EMPTY);
}

/** Paths of all Parquet files below a folder, relative to it, those set aside excepted. */
export async function parquetFilesBelow(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch((): string[] => []);
  return names.filter((name) => name.endsWith(".parquet") && !name.startsWith("_")).sort();
}
