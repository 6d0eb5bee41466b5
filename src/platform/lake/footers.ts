// Which footers of files the engine keeps: parsing that of a large file takes a fifth of the time of reading
// one symbol out of it.

import type { DuckDb } from "./duckdb.ts";
import type { LakeFile, Manifest } from "./manifest.ts";

/** Bytes that the engine keeps of one column in one row group, measured. */
const COLUMN_BYTES = 1_000;

/** Bytes kept of files that are gone, at most: the engine frees them with the process only. */
const GONE_BYTES_MAX = 64 * 1024 * 1024;

/** The memory that the footer of a file takes once it is parsed. */
const footerBytes = ({ rows, dataset, schema }: LakeFile, { schemas }: Manifest, rowGroupRows: number) =>
  Math.ceil(rows / rowGroupRows) * Object.keys(schemas[dataset]?.[schema] ?? {}).length * COLUMN_BYTES;

/**
 * Follows the manifests, and ends the keeping when the footers of files that are gone may take more memory
 * than `goneMax`. Every file counts that was listed while the process runs, whether it was read or not.
 */
export function footerLimit(
  db: Pick<DuckDb, "keepNoFooters">,
  rowGroupRows: number,
  goneMax: number = GONE_BYTES_MAX,
): (manifest: Manifest) => void {
  let listed = new Map<string, number>();
  let gone = 0;
  return (manifest) => {
    const next = new Map(
      manifest.files.map((file) => [
        file.path,
        listed.get(file.path) ?? footerBytes(file, manifest, rowGroupRows),
      ]),
    );
    for (const [path, bytes] of listed) if (!next.has(path)) gone += bytes;
    listed = next;
    if (gone > goneMax) db.keepNoFooters();
  };
}
