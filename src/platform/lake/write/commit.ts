// Commits new files: they are staged, synced and renamed into place before the manifest lists them.

import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Clock } from "../../clock.ts";
import { type Dataset, literal, type Macro, quoted } from "../dataset.ts";
import type { DeltaLogs } from "../delta/delta.ts";
import { type Disk, sha256Of } from "../disk.ts";
import type { DuckDb } from "../duckdb.ts";
import { following, forked } from "../lineage.ts";
import type { LakeLock } from "../lock.ts";
import { type LakeFile, type Line, type Manifest, readManifest, writeManifest } from "../manifest.ts";
import type { Snapshot, Snapshots } from "../snapshot.ts";
import type { Staging } from "../staging.ts";
import type { ChangeListeners } from "./change-listeners.ts";
import { type CommitNote, noteCommit } from "./commit-log.ts";
import type { RetiredFiles } from "./retired.ts";

/** The parts that all operations of the lake share. */
export interface LakeParts {
  db: DuckDb;
  disk: Disk;
  clock: Clock;
  /** Held from reading the stored keys until the manifest is replaced. */
  lock: LakeLock;
  /** Held from reading the manifest until its catalogue is in place. */
  publishing: LakeLock;
  staging: Staging;
  snapshots: Snapshots;
  /** Replaced files that are still on disk. */
  retired: RetiredFiles;
  datasets: ReadonlyMap<string, Dataset>;
  rowGroupRows: number;
  /** The data folder; `lakeDir` and `stagingRoot` are below it. */
  dataDir: string;
  lakeDir: string;
  manifestPath: string;
  stagingRoot: string;
  macros: readonly Macro[];
  /** Notified after each change of the manifest. */
  changes: ChangeListeners;
  /** The Delta logs that follow the manifest; null in a lake without them. */
  delta: DeltaLogs | null;
  /** The newest generations of this process whose commits only moved rows between files. */
  rowless: Set<number>;
}

export interface StagedFile {
  /** Path of the file until the commit. */
  staged: string;
  file: LakeFile;
}

/**
 * Rows in one row group of a file: reading one symbol decodes the group it is in, and half of DuckDB's own
 * size costs a reading of all rows nothing. Fewer when memory is short, because the writer holds a whole
 * group in memory.
 */
export const ROW_GROUP_ROWS = 61_440;
export const LOW_MEMORY_ROW_GROUP_ROWS = 10_240;

/**
 * Writes the rows of a SELECT to a staged file, in the dataset's sort order. The file is durable once this
 * resolves.
 */
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

/**
 * Makes the staging folder of the process if it is absent. Takes the lock, so do not call it while holding
 * it.
 */
export async function ensureStaging({ staging, lock }: Pick<LakeParts, "staging" | "lock">): Promise<void> {
  if (!staging.isReady()) await lock.hold(() => staging.ensure());
}

/** Returns a copy of the newest manifest to change. Call it under the lock. */
export async function nextManifest(parts: LakeParts): Promise<{ snapshot: Snapshot; manifest: Manifest }> {
  const snapshot = await parts.snapshots.current();
  return { snapshot, manifest: following(snapshot.manifest) };
}

/** Removes files from the manifest. They stay on disk for current readers and for the retention time. */
export function retire(manifest: Manifest, paths: ReadonlySet<string>, retired_at: string): void {
  const { generation } = manifest;
  for (const { path, bytes } of manifest.files)
    if (paths.has(path)) manifest.retired.push({ path, retired_at, generation, bytes });
  manifest.files = manifest.files.filter((file) => !paths.has(file.path));
}

/** Commits without rows that are kept in memory; a request reads within seconds. */
const ROWLESS_MAX = 1_000;

/** The note of a commit that writes no row: it merges files, or drops files from the list. */
export const NO_ROWS: CommitNote = { rows: new Map(), causes: new Map() };

/** Moves the staged files into place and publishes the manifest that lists them. Call it under the lock. */
export async function commit(
  parts: LakeParts,
  manifest: Manifest,
  fresh: readonly StagedFile[],
  note: CommitNote = NO_ROWS,
): Promise<void> {
  const { disk, lakeDir, manifestPath } = parts;
  // Read first: a reader may load the new manifest between its publication and the lines that follow it.
  const before = parts.snapshots.last().manifest;
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
    // Listed first: a crash before the manifest is published leaves entries of live files, which have no
    // effect.
    parts.retired.add(manifest.retired);
    manifest.retired = [];
    await noteCommit(disk, lakeDir, manifest.generation, parts.clock.now(), note);
    await writeManifest(disk, manifestPath, parts.staging.path, manifest);
  } catch (error) {
    // The last sync may fail after the rename took effect. Then the manifest lists the files and they must
    // stay.
    const visible = await readManifest(manifestPath).catch(() => undefined);
    if (visible && visible.generation < manifest.generation)
      for (const path of placed) await disk.remove(path).catch(() => undefined);
    else if (visible) {
      parts.delta?.missed(before, manifest, error);
      parts.changes.notify();
    }
    throw error;
  }
  if (note === NO_ROWS) {
    parts.rowless.add(manifest.generation);
    const [oldest] = parts.rowless;
    if (parts.rowless.size > ROWLESS_MAX && oldest !== undefined) parts.rowless.delete(oldest);
  }
  // Before the views are loaded, which with thousands of files keeps the event loop busy for longer than the
  // entry takes.
  await parts.delta?.follow(before, manifest, note === NO_ROWS);
  for (const { file } of fresh) parts.snapshots.written(file);
  parts.snapshots.adopt(manifest);
  parts.changes.notify();
}

/** Begins another line of history, with a commit that changes no row. */
export function forkLake(parts: LakeParts): Promise<readonly Line[]> {
  return parts.lock.hold(async () => {
    await parts.staging.ensure();
    const manifest = forked((await parts.snapshots.current()).manifest);
    await commit(parts, manifest, []);
    return manifest.lines;
  });
}

/** Removes staged files that were not published. */
export async function discard(parts: LakeParts, fresh: readonly StagedFile[]): Promise<void> {
  for (const { staged } of fresh) await parts.disk.remove(staged).catch(() => undefined);
}
