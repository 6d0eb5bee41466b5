// Removes files that are no longer needed: staging of dead processes, unpublished files, and expired retired files.

import { join } from "node:path";
import { commit, type LakeParts, nextManifest } from "./commit.ts";
import { OWN_FILE, parquetFilesBelow } from "./manifest.ts";
import { sweepStaging } from "./staging.ts";

/**
 * Removes Parquet files with the lake's own file names that the manifest does not list: a process died before it
 * published them, so no caller was promised that they are stored. Call it under the lock. Files with other names stay
 * and are reported by the check.
 */
export async function sweepUnpublished(parts: LakeParts): Promise<void> {
  const { manifest } = await parts.snapshots.current();
  const known = new Set(
    [...manifest.files, ...manifest.retired, ...manifest.set_aside].map((file) => file.path),
  );
  for (const path of await parquetFilesBelow(parts.lakeDir)) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const ours = parts.datasets.has(path.split("/")[0] ?? "") && OWN_FILE.test(name);
    if (ours && !known.has(path)) await parts.disk.remove(join(parts.lakeDir, path));
  }
}

/** Removes retired files whose grace period is over and that no reader of this process uses. Call it under the lock. */
export async function sweepRetired(parts: LakeParts, graceMs: number): Promise<void> {
  const due = (retired: { retired_at: string; generation: number }) =>
    parts.clock.nowMs() - Date.parse(retired.retired_at) >= graceMs &&
    parts.snapshots.isFree(retired.generation);
  const { manifest } = await nextManifest(parts);
  const gone = manifest.retired.filter(due);
  if (gone.length === 0) return;
  manifest.retired = manifest.retired.filter((file) => !gone.includes(file));
  // The manifest is changed first: a crash in between leaves an unlisted file, which the next start removes.
  await commit(parts, manifest, []);
  for (const { path } of gone) await parts.disk.remove(join(parts.lakeDir, path));
}

/** Cleans up when the lake opens. Takes the lock. */
export function sweepAtStart(parts: LakeParts, graceMs: number): Promise<void> {
  return parts.lock.hold(async () => {
    await sweepStaging(parts.disk, parts.stagingRoot, parts.staging.path);
    await sweepUnpublished(parts);
    await sweepRetired(parts, graceMs);
  });
}
