// The manifest: the list of live files. A change becomes visible when the manifest is replaced.

import { type BigIntStats, statSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type ColumnType, type Dataset, SUPERSEDED, storedColumns } from "./dataset.ts";
import type { Disk } from "./disk.ts";
import { storageUnavailable } from "./disk.ts";

/** One live file. It never changes once it is listed here. */
export interface LakeFile {
  /** Relative to the lake folder, with forward slashes. */
  path: string;
  dataset: string;
  /** "year=2026", "interval=5m/month=2026-11", or "" for a dataset of one partition. */
  partition: string;
  /**
   * `history`: rows that a re-reading replaced. They are in no view, and stay for reading the lake at an
   * earlier generation.
   */
  kind: "base" | "delta" | "history";
  rows: number;
  bytes: number;
  sha256: string;
  /** Index into `schemas[dataset]` of the schema it was written with. */
  schema: number;
  /**
   * Smallest and largest value of each DATE and TIMESTAMPTZ column, of `symbol` and of CIKs; columns that are
   * all null are absent.
   */
  ranges: Record<string, readonly [string, string]>;
  /**
   * Oldest and newest generation in the column `recorded`; absent for files of releases without it, whose
   * rows are of 0.
   */
  recorded?: readonly [number, number];
  /** Oldest and newest generation in the column `superseded` of a history file. */
  superseded?: readonly [number, number];
}

export interface RetiredFile {
  path: string;
  retired_at: string;
  /** The first generation that no longer lists the file. */
  generation: number;
  /** Absent in manifests of earlier releases. */
  bytes?: number;
}

/**
 * A file that was missing or broken when its partition was next written. Its path is not served again: where
 * its bytes are put back, its rows are stored under another (returned.ts).
 */
export interface SetAsideFile extends LakeFile {
  description: string;
  /** The generation that set it aside; absent where an earlier release did. */
  since?: number;
  /** The generation from which on its rows are there again, or waived; absent while they are lost. */
  until?: number;
  /** Whether its own bytes were put back, so that versions before `since` have its rows again. */
  isReturned?: true;
}

/** A file that was set aside, in manifests of earlier releases. */
type EarlierSetAsideFile = LakeFile & { description?: string; says?: string };

/** A file whose rows are not served: set aside, or found broken since the manifest was written. */
export type LostFile = SetAsideFile;

export type Schema = Record<string, ColumnType>;

/** One line of the lake's history (lineage.ts). */
export interface Line {
  readonly id: string;
  /** Its first generation. */
  readonly from: number;
  /** The newest generation of it that this lake has; absent while the line goes on. */
  readonly to?: number;
}

export interface Manifest {
  /**
   * 2 once there is a history file, whose rows a release that knows format 1 alone would serve as current.
   */
  format: 1 | 2;
  /** Incremented by each change. */
  generation: number;
  /** Every schema that files were written with, oldest first. */
  schemas: Record<string, Schema[]>;
  /** The newest generation before rows were recorded by generation; 0 for a lake that began with them. */
  oldest_version?: number;
  /** The lines of history, oldest first; absent in manifests of earlier releases. */
  lines?: Line[];
  files: LakeFile[];
  /**
   * Files that the change under way replaces; published manifests have none, except those of earlier
   * releases.
   */
  retired: RetiredFile[];
  set_aside: SetAsideFile[];
}

/** The format of a lake without history files. */
const FORMAT = 1;
/** The format of a lake with history files. */
export const FORMAT_WITH_HISTORY = 2;
export const OWN_FILE = /^(base-\d+|(?:delta|history)-[0-9A-HJKMNP-TV-Z]{26})\.parquet$/;

/** Columns of a company beside `symbol`. Files of earlier releases have no range of them. */
export const CIK_COLUMNS: readonly string[] = ["cik", "issuer_cik"];

/** The columns whose range is recorded for each file. */
export function rangedColumns(columns: Schema): string[] {
  const named = ["symbol", ...CIK_COLUMNS];
  return Object.entries(columns)
    .filter(([name, type]) => type === "DATE" || type === "TIMESTAMPTZ" || named.includes(name))
    .map(([name]) => name);
}

/** The types of a dataset's stored columns, `recorded` included. */
export function schemaOf(dataset: Dataset): Schema {
  return Object.fromEntries(Object.entries(storedColumns(dataset)).map(([name, { type }]) => [name, type]));
}

/** The types of the columns of a dataset's history files. */
export function historySchemaOf(dataset: Dataset): Schema {
  return { ...schemaOf(dataset), [SUPERSEDED]: "BIGINT" };
}

/** The index of a schema of the dataset, which is added to the manifest when it is new. */
export function schemaNumber(manifest: Manifest, dataset: Dataset, schema = schemaOf(dataset)): number {
  const text = JSON.stringify(schema);
  const known = manifest.schemas[dataset.name] ?? [];
  manifest.schemas[dataset.name] = known;
  const at = known.findIndex((each) => JSON.stringify(each) === text);
  return at >= 0 ? at : known.push(schema) - 1;
}

const EMPTY: Manifest = {
  format: FORMAT,
  generation: 0,
  oldest_version: 0,
  schemas: {},
  files: [],
  retired: [],
  set_aside: [],
};

/** Identifies a published manifest without reading it; undefined when there is none. */
export function stampOf(path: string): string | undefined {
  const stat: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat && `${stat.ino}:${stat.mtimeNs}:${stat.size}`;
}

const withDescription = ({ says, ...file }: EarlierSetAsideFile): SetAsideFile => ({
  ...file,
  description: file.description ?? says ?? "it could not be read",
});

const checksumOf = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");

/** How a manifest begins; those of earlier releases begin without it, and are read unchecked. */
const checksumText = (checksum: string) => `{"checksum":"${checksum}",`;

/**
 * Reads the manifest. Refuses a damaged one or one of a newer version: guessing would lose or duplicate rows.
 */
export async function readManifest(path: string): Promise<Manifest> {
  const text = await readFile(path, "utf8");
  try {
    const { checksum, ...manifest } = JSON.parse(text) as Manifest & { checksum?: string };
    if (![FORMAT, FORMAT_WITH_HISTORY].includes(manifest.format) || !Array.isArray(manifest.files))
      throw new Error(`format ${manifest.format}`);
    if (checksum !== undefined && checksum !== checksumOf(text.slice(checksumText(checksum).length)))
      throw new Error("its content is not that of its checksum");
    return { ...manifest, set_aside: manifest.set_aside.map(withDescription) };
  } catch (cause) {
    throw storageUnavailable(
      "The data store's manifest is damaged or was written by a newer version.",
      cause,
    );
  }
}

/**
 * Replaces the manifest: writes and syncs it in staging, renames it over the old one and syncs the folder.
 */
export async function writeManifest(
  disk: Disk,
  path: string,
  staging: string,
  manifest: Manifest,
): Promise<void> {
  const fresh = join(staging, `manifest-${manifest.generation}.json`);
  const rest = JSON.stringify(manifest).slice(1);
  await disk.write(fresh, `${checksumText(checksumOf(rest))}${rest}`);
  await disk.rename(fresh, path);
  await disk.sync(dirname(path));
}

/**
 * Writes the first, empty manifest. Refuses when Parquet files exist already: all of them would count as
 * strays.
 */
export async function createManifest(disk: Disk, path: string, staging: string): Promise<void> {
  if (stampOf(path) !== undefined) return;
  if ((await parquetFilesBelow(dirname(path))).length > 0)
    throw storageUnavailable("The data store has files but its manifest is missing; restore manifest.json.");
  await writeManifest(disk, path, staging, { ...EMPTY, lines: [{ id: crypto.randomUUID(), from: 0 }] });
}

/** The folder of history files, so that a glob over a dataset's folder never reads a replaced row. */
const HISTORY_FOLDER = "_history";

/** The folder of a dataset's Delta log, below the dataset's folder. */
export const DELTA_LOG = "_delta_log";

/** Path of a file in the lake folder. */
export function pathInLake(
  { kind, dataset, partition }: Pick<LakeFile, "kind" | "dataset" | "partition">,
  name: string,
): string {
  const folder = kind === "history" ? HISTORY_FOLDER : "";
  return [folder, dataset, partition, `${name}.parquet`].filter(Boolean).join("/");
}

/** The dataset that a path in the lake folder belongs to. */
export function datasetOfPath(path: string): string {
  const [first = "", second = ""] = path.split("/");
  return first === HISTORY_FOLDER ? second : first;
}

/** Relative paths of all Parquet files with rows below the lake folder, except quarantined ones. */
export async function parquetFilesBelow(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch((): string[] => []);
  return names
    .filter(
      (name) =>
        name.endsWith(".parquet") &&
        (!name.startsWith("_") || name.startsWith(`${HISTORY_FOLDER}/`)) &&
        !name.includes(`/${DELTA_LOG}/`),
    )
    .sort();
}
