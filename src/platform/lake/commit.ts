// How new files become part of the lake: staged, synced, renamed into place, and only then named by the manifest.

import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Clock } from "../clock.ts";
import { type Dataset, literal, quoted } from "./dataset.ts";
import { type Disk, sha256Of } from "./disk.ts";
import type { DuckDb } from "./duckdb.ts";
import type { LakeLock } from "./lock.ts";
import { type LakeFile, type Manifest, readManifest, writeManifest } from "./manifest.ts";
import type { Snapshot, Snapshots } from "./snapshot.ts";
import type { Staging } from "./staging.ts";

/** What the acts of the lake share. */
export interface LakeParts {
  db: DuckDb;
  disk: Disk;
  clock: Clock;
  /** Held from reading the keys to replacing the manifest. */
  lock: LakeLock;
  /** Held from reading the manifest to putting the catalogue of it in place. */
  publishing: LakeLock;
  staging: Staging;
  snapshots: Snapshots;
  datasets: ReadonlyMap<string, Dataset>;
  rowGroupRows: number;
  /** The folder of everything. */
  dataDir: string;
  lakeDir: string;
  manifestPath: string;
  stagingRoot: string;
  /** Called after each change of the manifest. */
  changed(): void;
}

export interface StagedFile {
  /** Where it lies until the commit. */
  staged: string;
  file: LakeFile;
}

/** Rows a file is written and read by at a time; fewer where memory is short, for the writer holds them all. */
export const ROW_GROUP_ROWS = 122_880;
export const LOW_MEMORY_ROW_GROUP_ROWS = 10_240;

/** Writes a SELECT, in the dataset's order, to staging; durable when it resolves. */
export async function stage(
  parts: LakeParts,
  connection: DuckDBConnection,
  select: string,
  dataset: Dataset,
  file: Omit<LakeFile, "bytes" | "sha256">,
): Promise<StagedFile> {
  const staged = parts.staging.file(dataset.name);
  const order = dataset.sort.map(quoted).join(", ");
  try {
    await connection.run(
      `COPY (${select} ORDER BY ${order}) TO ${literal(staged)}
       (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${parts.rowGroupRows})`,
    );
    await parts.disk.sync(staged);
    const [{ size }, sha256] = await Promise.all([stat(staged), sha256Of(staged)]);
    return { staged, file: { ...file, bytes: size, sha256 } };
  } catch (error) {
    await parts.disk.remove(staged).catch(() => undefined);
    throw error;
  }
}

/** Sees that the process has its staging folder. Not under the lock: it takes it. */
export async function readyStaging({ staging, lock }: LakeParts): Promise<void> {
  if (!staging.isReady()) await lock.hold(() => staging.ensure());
}

/** A copy of the newest manifest to change, under the lock only. */
export async function nextManifest(parts: LakeParts): Promise<{ snapshot: Snapshot; manifest: Manifest }> {
  const snapshot = await parts.snapshots.current();
  const manifest = structuredClone(snapshot.manifest);
  manifest.generation++;
  return { snapshot, manifest };
}

/** Names files no longer; they stay for the readers that hold them, and for their grace. */
export function retire(manifest: Manifest, paths: ReadonlySet<string>, retired_at: string): void {
  manifest.files = manifest.files.filter((file) => !paths.has(file.path));
  for (const path of paths) manifest.retired.push({ path, retired_at, generation: manifest.generation });
}

/** Moves the staged files into place and publishes the manifest that names them; under the lock only. */
export async function commit(
  parts: LakeParts,
  manifest: Manifest,
  fresh: readonly StagedFile[],
): Promise<void> {
  const { disk, lakeDir, manifestPath } = parts;
  const placed: string[] = [];
  try {
    for (const { staged, file } of fresh) {
      const target = join(lakeDir, file.path);
      await disk.makeFolder(dirname(target));
      placed.push(target);
      await disk.rename(staged, target);
    }
    await Promise.all([...new Set(placed.map((each) => dirname(each)))].map((folder) => disk.sync(folder)));
    manifest.files.push(...fresh.map(({ file }) => file));
    await writeManifest(disk, manifestPath, parts.staging.path, manifest);
  } catch (error) {
    // The last sync may fail after the rename took effect: then the files are named and must stay.
    const visible = await readManifest(manifestPath).catch(() => undefined);
    if (visible && visible.generation < manifest.generation)
      for (const path of placed) await disk.remove(path).catch(() => undefined);
    throw error;
  }
  parts.snapshots.adopt(manifest);
  parts.changed();
}

/** Removes staged files that did not get published. */
export async function discard(parts: LakeParts, fresh: readonly StagedFile[]): Promise<void> {
  for (const { staged } of fresh) await parts.disk.remove(staged).catch(() => undefined);
}
