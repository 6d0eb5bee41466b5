// Files that were set aside: whether their rows are there again, and who does without them.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { literal, quoted, RECORDED } from "../dataset.ts";
import type { LostFile } from "../manifest.ts";
import { readParquet } from "../views.ts";
import { commit, type LakeParts, nextManifest } from "./commit.ts";
import { isOpen, placesOf, takeBack } from "./returned.ts";

/** SQL of a damaged file where it lies; undefined where it is gone. */
function damagedSource(parts: LakeParts, { path }: LostFile): string | undefined {
  const place = placesOf(path)
    .map((each) => join(parts.lakeDir, each))
    .find(existsSync);
  return place && readParquet([place]);
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
 * Whether every key of a damaged file is stored: null where its keys cannot be read, and where those that are
 * not stored are outside its ranges, so that the damage made them.
 */
async function hasKeys(parts: LakeParts, file: LostFile, keys: readonly string[]): Promise<boolean | null> {
  const source = damagedSource(parts, file);
  if (source === undefined) return null;
  const missing = `${source} ANTI JOIN ${quoted(file.dataset)} USING (${keys.map(quoted).join(", ")})`;
  const isNone = async (relation: string) =>
    (await parts.db.read(`SELECT count(*) FROM ${relation}`)).columns[0]?.[0] === 0;
  try {
    if (await isNone(missing)) return true;
    return (await isNone(withinRanges(missing, file, keys))) ? null : false;
  } catch {
    // The engine says of a damaged file that it cannot be read in many ways.
    return null;
  }
}

/**
 * Whether the rows of a lost file are stored again: each of its keys. Where these cannot be read, as many
 * rows of its ranges as it had, all recorded since, and the ends of each range, which are values of its rows.
 */
// Made up: rows of A and Z are lost and unreadable. As many rows of M that are stored since are others.
async function areBack(parts: LakeParts, file: LostFile): Promise<boolean> {
  const dataset = parts.datasets.get(file.dataset);
  if (!dataset || file.kind === "history") return false;
  const found = await hasKeys(parts, file, dataset.key);
  if (found !== null) return found;
  const since = file.since ?? (file.recorded?.[1] ?? 0) + 1;
  const stored = withinRanges(quoted(dataset.name), file, dataset.key);
  // A range of instants may be of rounded ones.
  const ranged = dataset.key.filter((name) => dataset.columns[name]?.type !== "TIMESTAMPTZ");
  const ends = ranged.flatMap((name) =>
    (file.ranges[name] ?? []).map((end) => `coalesce(bool_or(${quoted(name)} = ${literal(end)}), false)`),
  );
  const { columns } = await parts.db.read(
    `SELECT ${["count(*)", ...ends].join(", ")} FROM ${stored} AND ${RECORDED} >= ${since}`,
  );
  const [count, ...haveEnds] = columns.map(([value]) => value);
  return Number(count) >= file.rows && haveEnds.every(Boolean);
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
 * Takes back the lost files whose bytes are there again, and notes those whose rows are, or that `waived`
 * names by path, to do without. Returns the others. An answer from a version before that still lacks them.
 */
export async function settleLosses(parts: LakeParts, waived: readonly string[] = []): Promise<LostFile[]> {
  await takeBack(parts);
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
