// Removes files that are no longer needed: staging of dead processes, unpublished files, and expired retired
// files.

import { statSync } from "node:fs";
import { join } from "node:path";
import { datasetOfPath, OWN_FILE, parquetFilesBelow, type RetiredFile } from "../manifest.ts";
import { sweepStaging } from "../staging.ts";
import { commit, type LakeParts, nextManifest } from "./commit.ts";

/** Whether the lake gave this file its name, in a dataset that it knows. */
export const isOwn = (parts: LakeParts, path: string): boolean =>
  parts.datasets.has(datasetOfPath(path)) && OWN_FILE.test(path.slice(path.lastIndexOf("/") + 1));

/**
 * Removes Parquet files with the lake's own file names that the manifest does not list: a process died before
 * it published them, so no caller was promised that they are stored. Call it under the lock. Files with other
 * names stay and are reported by the check.
 */
export async function sweepUnpublished(parts: LakeParts): Promise<void> {
  const { manifest } = await parts.snapshots.current();
  const known = new Set(
    [...manifest.files, ...manifest.retired, ...parts.retired.list(), ...manifest.set_aside].map(
      (file) => file.path,
    ),
  );
  for (const path of await parquetFilesBelow(parts.lakeDir)) {
    if (isOwn(parts, path) && !known.has(path)) await parts.disk.remove(join(parts.lakeDir, path));
  }
}

/**
 * Moves the retired files that a manifest of an earlier release names to the list, and gives it a line of
 * history. Call it under the lock.
 */
async function adoptEarlier(parts: LakeParts): Promise<void> {
  const found = (await parts.snapshots.current()).manifest;
  if (found.retired.length === 0 && found.lines) return;
  const { manifest } = await nextManifest(parts);
  for (const file of manifest.retired)
    file.bytes ??= statSync(join(parts.lakeDir, file.path), { throwIfNoEntry: false })?.size ?? 0;
  // The commit itself moves them.
  await commit(parts, manifest, []);
}

/** The retired files on the list that the manifest in force does not name, oldest first. */
export function listedRetired(parts: LakeParts): RetiredFile[] {
  const { manifest } = parts.snapshots.last();
  const named = new Set(manifest.files.map((file) => file.path));
  return parts.retired.list().filter(({ path }) => !named.has(path));
}

/**
 * Deletes retired files whose retention is over and that no reader of this process uses. Call it under the
 * lock.
 */
export async function sweepRetired(parts: LakeParts, retentionMs: number): Promise<void> {
  await adoptEarlier(parts);
  const { manifest } = await parts.snapshots.current();
  const lost = manifest.set_aside.filter(({ isReturned }) => !isReturned);
  const named = new Set([...manifest.files, ...lost].map((file) => file.path));
  const listed = parts.retired.list();
  const live = listed.filter(({ path }) => named.has(path));
  const gone = listed.filter(
    ({ path, retired_at, generation }) =>
      !named.has(path) &&
      parts.clock.nowMs() - Date.parse(retired_at) >= retentionMs &&
      parts.snapshots.isFree(generation),
  );
  // The files go first: a crash in between leaves entries without a file, which the next sweep removes.
  for (const { path } of gone) await parts.disk.remove(join(parts.lakeDir, path));
  parts.retired.forget([...live, ...gone].map(({ path }) => path));
}

/** Cleans up when the lake opens. Takes the lock. */
export function sweepAtStart(parts: LakeParts, retentionMs: number): Promise<void> {
  return parts.lock.hold(async () => {
    await sweepStaging(parts.disk, parts.stagingRoot, parts.staging.path);
    await sweepUnpublished(parts);
    await sweepRetired(parts, retentionMs);
  });
}
