// What nobody needs any more: staging of dead processes, files never published, retired files after their grace.

import { join } from "node:path";
import { commit, type LakeParts, nextManifest } from "./commit.ts";
import { OWN_FILE, parquetFilesBelow } from "./manifest.ts";
import { sweepStaging } from "./staging.ts";

/**
 * Removes Parquet files that bear the lake's own names and that the manifest does not know: a process died before it
 * published them, so nobody was told they exist. Under the lock only. Files of other names are left to the check.
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

/** Removes retired files whose grace is over and that no reader of this process holds. Under the lock only. */
export async function sweepRetired(parts: LakeParts, graceMs: number): Promise<void> {
  const due = (retired: { retired_at: string; generation: number }) =>
    parts.clock.nowMs() - Date.parse(retired.retired_at) >= graceMs &&
    parts.snapshots.isFree(retired.generation);
  const { manifest } = await nextManifest(parts);
  const gone = manifest.retired.filter(due);
  if (gone.length === 0) return;
  manifest.retired = manifest.retired.filter((file) => !gone.includes(file));
  // Forgotten first, removed second: a crash between leaves a stray, which the next start removes.
  await commit(parts, manifest, []);
  for (const { path } of gone) await parts.disk.remove(join(parts.lakeDir, path));
}

/** The sweep of a start. Takes the lock. */
export function sweepAtStart(parts: LakeParts, graceMs: number): Promise<void> {
  return parts.lock.hold(async () => {
    await sweepStaging(parts.disk, parts.stagingRoot, parts.staging.path);
    await sweepUnpublished(parts);
    await sweepRetired(parts, graceMs);
  });
}
