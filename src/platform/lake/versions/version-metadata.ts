// The metadata from which macros are made for an earlier version: the manifest knows the ranges of the newest
// rows only.

import { type Dataset, type LakeMetadata, type Macro, quoted } from "../dataset.ts";
import { type LakeFile, schemaOf } from "../manifest.ts";
import { createMacro, metadataOf, rangeTexts } from "../views.ts";

/** Reads one row of a version. */
type ReadRow = (sql: string) => Promise<readonly unknown[]>;
type Range = readonly [string, string] | null;

/**
 * Gives `make` the ranges that the rows of a version have. It is called again until each range it asks for
 * has been read, so it must only compute. Partitions may be more than the version has.
 */
export async function withRangesOf<T>(
  read: ReadRow,
  files: readonly LakeFile[],
  make: (metadata: LakeMetadata) => T,
): Promise<T> {
  const { partitions } = metadataOf(files);
  const known = new Map<string, Range>();
  for (;;) {
    const wanted = new Map<string, readonly [Dataset, string]>();
    const made = make({
      partitions,
      range(dataset, column) {
        const key = `${dataset.name} ${column}`;
        if (!known.has(key)) wanted.set(key, [dataset, column]);
        return known.get(key) ?? null;
      },
    });
    if (wanted.size === 0) return made;
    for (const [key, [dataset, column]] of wanted) {
      const type = schemaOf(dataset)[column];
      const texts = type ? rangeTexts({ [column]: type }) : [];
      const [low, high] = await read(`SELECT ${texts.join(", ")} FROM ${quoted(dataset.name)}`);
      known.set(key, typeof low === "string" && typeof high === "string" ? [low, high] : null);
    }
  }
}

/** DDL of the macros that depend on ranges, for the rows of a version, in a schema. */
export async function versionMacros(
  schema: string,
  macros: readonly Macro[],
  read: ReadRow,
  files: readonly LakeFile[],
): Promise<string[]> {
  const now = metadataOf(files);
  const found: string[] = [];
  for (const macro of macros) {
    let isRanged = false;
    const range: LakeMetadata["range"] = (dataset, column) => {
      isRanged = true;
      return now.range(dataset, column);
    };
    macro.body({ ...now, range });
    if (isRanged)
      found.push(await withRangesOf(read, files, (metadata) => createMacro(macro, metadata, schema)));
  }
  return found;
}
