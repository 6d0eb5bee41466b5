// Files that were set aside: whether their rows are there again, and who does without them.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { commit, type LakeParts, nextManifest } from "./commit.ts";
import { literal, quoted, RECORDED } from "./dataset.ts";
import type { LostFile } from "./manifest.ts";
import { readParquet } from "./views.ts";

/** The folder below the lake's to which `repair` moves damaged files. */
const QUARANTINE = "_quarantine";

/** The place of a file in quarantine, relative to the lake folder. */
export const quarantined = (path: string): string => join(QUARANTINE, path.replaceAll("/", "_"));

export const isOpen = ({ until }: LostFile): boolean => until === undefined;

/** SQL of a damaged file where it lies; undefined where it is gone. */
function damagedSource(parts: LakeParts, { path }: LostFile): string | undefined {
  const place = [path, quarantined(path)].map((each) => join(parts.lakeDir, each)).find(existsSync);
  return place && readParquet([place]);
}

/** Whether every key that can still be read in a damaged file is stored; false where it cannot be read. */
async function hasKeys(parts: LakeParts, file: LostFile, keys: readonly string[]): Promise<boolean> {
  const source = damagedSource(parts, file);
  if (source === undefined) return false;
  const names = keys.map(quoted).join(", ");
  try {
    const { columns } = await parts.db.read(
      `SELECT count(*) FROM ${source} ANTI JOIN ${quoted(file.dataset)} USING (${names})`,
    );
    return columns[0]?.[0] === 0;
  } catch {
    // The engine says of a damaged file that it cannot be read in many ways.
    return false;
  }
}

/** SQL of the rows of a relation that are within the ranges of a lost file. */
function withinRanges(relation: string, { ranges }: LostFile, columns: readonly string[]): string {
  const within = columns.flatMap((name) => {
    const range = ranges[name];
    return range ? [`${quoted(name)} BETWEEN ${literal(range[0])} AND ${literal(range[1])}`] : [];
  });
  return `${relation} WHERE ${["true", ...within].join(" AND ")}`;
}

/**
 * Whether the rows of a lost file are stored again: each of its keys, or as many rows of its ranges as it
 * had, all recorded since.
 */
async function areBack(parts: LakeParts, file: LostFile): Promise<boolean> {
  const dataset = parts.datasets.get(file.dataset);
  if (!dataset || file.kind === "history") return false;
  if (await hasKeys(parts, file, dataset.key)) return true;
  const since = file.since ?? (file.recorded?.[1] ?? 0) + 1;
  const stored = withinRanges(quoted(dataset.name), file, dataset.key);
  const { columns } = await parts.db.read(`SELECT count(*) FROM ${stored} AND ${RECORDED} >= ${since}`);
  return Number(columns[0]?.[0]) >= file.rows;
}

/**
 * The values of a column in a lost file; where it cannot be read those of `others`, a relation, within its
 * ranges.
 */
export async function lostValues(parts: LakeParts, file: LostFile, column: string, others: string) {
  const read = async (source: string): Promise<string[]> => {
    const { columns } = await parts.db.read(`SELECT DISTINCT ${quoted(column)} FROM ${source}`);
    return (columns[0] ?? []).flatMap((value) => (value === null ? [] : String(value)));
  };
  const source = damagedSource(parts, file);
  const found = source === undefined ? null : await read(source).catch(() => null);
  // The ends of a range are values of the file.
  return found ?? [...(file.ranges[column] ?? []), ...(await read(withinRanges(others, file, [column])))];
}

/**
 * Notes the lost files whose rows are there again, or that `waived` names by path, to do without. Returns the
 * others. An answer from a version before that still lacks them.
 */
export async function settleLosses(parts: LakeParts, waived: readonly string[] = []): Promise<LostFile[]> {
  const open = (await parts.snapshots.current()).manifest.set_aside.filter(isOpen);
  const settled = new Set<string>();
  for (const file of open)
    if (waived.includes(file.path) || (await areBack(parts, file))) settled.add(file.path);
  if (settled.size > 0)
    await parts.lock.hold(async () => {
      await parts.staging.ensure();
      const { manifest } = await nextManifest(parts);
      for (const file of manifest.set_aside)
        if (isOpen(file) && settled.has(file.path)) file.until = manifest.generation;
      await commit(parts, manifest, []);
    });
  return open.filter(({ path }) => !settled.has(path));
}
