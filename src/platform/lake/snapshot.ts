// Which files are served now: follows the manifest, leaves broken files out, and knows what readers still hold.

import { closeSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Dataset, Macro } from "./dataset.ts";
import { sha256Of, storageUnavailable } from "./disk.ts";
import type { DuckDb } from "./duckdb.ts";
import { type LakeFile, type Manifest, readManifest, stampOf } from "./manifest.ts";
import { createMacro, createView, factsOf, selectFiles } from "./views.ts";

export interface Snapshot {
  readonly manifest: Manifest;
  /** The files that are named and sound. */
  readonly files: readonly LakeFile[];
  readonly stamp: string;
}

export interface Snapshots {
  /** The newest, its views in force; looks whether another process has published since. */
  current(): Promise<Snapshot>;
  /** The last one known, without looking; its views may be about to be put in force. */
  last(): Snapshot;
  /** Takes note of a manifest this process has published; who reads next waits for its views. */
  adopt(manifest: Manifest): void;
  /** Runs a reader; the files of its snapshot stay until it ends. */
  hold<T>(reader: (snapshot: Snapshot) => Promise<T>): Promise<T>;
  /** No reader in this process needs what was retired in this generation or before it. */
  isFree(generation: number): boolean;
  /** Looks at every file again, `deep` by its SHA-256; true when one turned out broken that was served. */
  inspect(deep: boolean, signal?: AbortSignal): Promise<boolean>;
  /** Path and reason of the files that are named but not served. */
  broken(): ReadonlyMap<string, string>;
}

export interface SnapshotNeeds {
  db: DuckDb;
  lakeDir: string;
  manifestPath: string;
  datasets: readonly Dataset[];
  macros: readonly Macro[];
}

const MAGIC = "PAR1";
/** The stamp of no manifest. */
const NOT_IN_FORCE = "";

/** Why a file cannot be served, or null: it exists, has its size, and ends as Parquet does. Microseconds. */
export function faultOf(path: string, bytes: number): string | null {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) return "is missing";
  if (size !== bytes) return `has ${size} bytes instead of ${bytes}`;
  const file = openSync(path, "r");
  try {
    const end = Buffer.alloc(MAGIC.length);
    readSync(file, end, 0, MAGIC.length, size - MAGIC.length);
    return end.toString("latin1") === MAGIC ? null : "does not end as a Parquet file";
  } finally {
    closeSync(file);
  }
}

/** The DDL that is not in force yet: views whose files changed, and macros whose text did. */
function statements(needs: SnapshotNeeds, snapshot: Snapshot, inForce: Map<string, string>): string[] {
  const facts = factsOf(snapshot.files);
  const filesOf = Map.groupBy(snapshot.files, ({ dataset }) => dataset);
  const views = needs.datasets.map((dataset) => {
    const own = filesOf.get(dataset.name) ?? [];
    const schemas = snapshot.manifest.schemas[dataset.name] ?? [];
    return [dataset.name, createView(dataset, selectFiles(dataset, own, schemas, needs.lakeDir))] as const;
  });
  const macros = needs.macros.map((macro) => [`${macro.name}()`, createMacro(macro, facts)] as const);
  const changed = [...views, ...macros].filter(([name, sql]) => inForce.get(name) !== sql);
  for (const [name, sql] of changed) inForce.set(name, sql);
  return changed.map(([, sql]) => sql);
}

/** Runs DDL as one change: a query sees all of it or nothing. */
function replaceAll(db: DuckDb, ddl: readonly string[]): Promise<void> {
  return db.useToWrite(async (connection) => {
    try {
      await connection.run(["BEGIN", ...ddl, "COMMIT"].join("; "));
    } catch (error) {
      await connection.run("ROLLBACK").catch(() => undefined);
      throw error;
    }
  });
}

/** Opens the manifest and builds the views. */
export async function openSnapshots(needs: SnapshotNeeds): Promise<Snapshots> {
  const broken = new Map<string, string>();
  const sound = new Set<string>();
  const inForce = new Map<string, string>();
  const held = new Map<number, number>();

  const look = async (file: LakeFile, deep: boolean) => {
    const path = join(needs.lakeDir, file.path);
    let error = faultOf(path, file.bytes);
    if (error === null && deep && (await sha256Of(path)) !== file.sha256)
      error = "has other bytes than were written";
    if (error === null) sound.add(file.path);
    else broken.set(file.path, error);
  };
  const snapshotOf = (manifest: Manifest, stamp: string): Snapshot => ({
    manifest,
    stamp,
    files: manifest.files.filter((file) => !broken.has(file.path)),
  });
  const load = async (): Promise<Snapshot> => {
    const stamp = stampOf(needs.manifestPath);
    if (stamp === undefined) throw storageUnavailable("The data store's manifest is gone.");
    const manifest = await readManifest(needs.manifestPath);
    const named = new Set(manifest.files.map((file) => file.path));
    for (const known of [sound, broken])
      for (const path of known.keys()) if (!named.has(path)) known.delete(path);
    for (const file of manifest.files)
      if (!sound.has(file.path) && !broken.has(file.path)) await look(file, false);
    const next = snapshotOf(manifest, stamp);
    const ddl = statements(needs, next, inForce);
    if (ddl.length > 0)
      await replaceAll(needs.db, ddl).catch((error) => {
        inForce.clear();
        throw error;
      });
    return next;
  };

  let latest = await load();
  let loading: Promise<Snapshot> | undefined;
  const reload = (): Promise<Snapshot> => {
    loading ??= load()
      .then((next) => {
        // What was published meanwhile, and perhaps adopted, is newer.
        if (stampOf(needs.manifestPath) === next.stamp) latest = next;
        return latest;
      })
      .finally(() => (loading = undefined));
    return loading;
  };
  const current = async (): Promise<Snapshot> => {
    // A load under way may have begun before the change that is asked for, so it is awaited, then looked at again.
    while (loading || stampOf(needs.manifestPath) !== latest.stamp) await (loading ?? reload());
    return latest;
  };
  return {
    current,
    last: () => latest,
    adopt(manifest) {
      latest = snapshotOf(manifest, NOT_IN_FORCE);
      // Where that fails, it fails again for who reads next.
      current().catch(() => undefined);
    },
    async hold(reader) {
      const { manifest } = await current();
      held.set(manifest.generation, (held.get(manifest.generation) ?? 0) + 1);
      try {
        return await reader(latest);
      } finally {
        const left = (held.get(manifest.generation) ?? 1) - 1;
        if (left > 0) held.set(manifest.generation, left);
        else held.delete(manifest.generation);
      }
    },
    isFree: (generation) => [...held.keys()].every((each) => each >= generation),
    async inspect(deep, signal) {
      const before = broken.size;
      for (const file of latest.files) {
        if (signal?.aborted) break;
        await look(file, deep);
      }
      if (broken.size > before) await reload();
      return broken.size > before;
    },
    broken: () => broken,
  };
}
