// Reads a Delta log as an engine does, from the newest checkpoint on, with nothing of the module that writes
// it.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Lake } from "../../src/platform/lake/lake.ts";

/** The fields of a log's line that a test reads. */
export interface LogLine {
  add?: { path: string; size: number; dataChange: boolean; stats: string };
  remove?: { path: string };
  txn?: { appId: string; version: number };
  commitInfo?: { timestamp: number };
  protocol?: { minReaderVersion: number };
  metaData?: { id: string; partitionColumns: string[]; configuration: Record<string, string> };
}

export const logOf = (dir: string, dataset: string) => join(dir, "lake", dataset, "_delta_log");
export const entryOf = (version: number) => `${String(version).padStart(20, "0")}.json`;
export const checkpointOf = (version: number) => `${String(version).padStart(20, "0")}.checkpoint.parquet`;

export const linesOf = (text: string): LogLine[] =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** The text of each entry, by version. */
export async function entriesIn(dir: string, dataset: string): Promise<Map<number, string>> {
  const folder = logOf(dir, dataset);
  const names = (await readdir(folder).catch((): string[] => [])).filter((name) => name.endsWith(".json"));
  return new Map(
    await Promise.all(
      names
        .sort()
        .map(
          async (name) => [Number(name.slice(0, 20)), await readFile(join(folder, name), "utf8")] as const,
        ),
    ),
  );
}

/** The live files of a table, sorted. Throws where an entry is missing. */
export async function filesInLog(lake: Lake, dir: string, dataset: string): Promise<string[]> {
  const folder = logOf(dir, dataset);
  const checkpoints = (await readdir(folder).catch((): string[] => []))
    .filter((name) => name.endsWith(".checkpoint.parquet"))
    .sort();
  const newest = checkpoints.at(-1);
  const live = new Set<string>();
  let version = -1;
  if (newest) {
    version = Number(newest.slice(0, 20));
    const rows = await lake.query<{ path: string }>(
      `SELECT add.path AS path FROM read_parquet('${join(folder, newest)}') WHERE add.path IS NOT NULL`,
    );
    for (const { path } of rows) live.add(path);
  }
  for (const [number, text] of await entriesIn(dir, dataset)) {
    if (number <= version) continue;
    if (number !== version + 1) throw new Error(`${dataset}: entry ${version + 1} is missing`);
    version = number;
    for (const { add, remove } of linesOf(text)) {
      if (remove) live.delete(remove.path);
      if (add) live.add(add.path);
    }
  }
  return [...live].sort();
}

/** The live files of a dataset in the manifest, relative to the dataset, sorted. */
export async function filesInManifest(dir: string, dataset: string): Promise<string[]> {
  const { files } = JSON.parse(await readFile(join(dir, "lake", "manifest.json"), "utf8")) as {
    files: { dataset: string; kind: string; path: string }[];
  };
  return files
    .filter((file) => file.dataset === dataset && file.kind !== "history")
    .map(({ path }) => path.slice(dataset.length + 1))
    .sort();
}
