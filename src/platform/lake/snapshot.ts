// Tracks which files are served: follows the manifest, excludes broken files, and counts the readers of each
// generation.

import { closeSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { systemTimers } from "../clock.ts";
import { singleFlight } from "../upstream/single-flight.ts";
import type { Dataset, Macro } from "./dataset.ts";
import { sha256Of, storageUnavailable } from "./disk.ts";
import { type DuckDb, inOneTransaction } from "./duckdb.ts";
import { footerLimit } from "./footers.ts";
import { type LakeFile, type LostFile, type Manifest, readManifest, stampOf } from "./manifest.ts";
import { createMacro, createView, locateIn, metadataOf, selectFiles } from "./views.ts";

export interface Snapshot {
  readonly manifest: Manifest;
  /** The files of current rows that the manifest lists and that are not broken. */
  readonly files: readonly LakeFile[];
  /** The files of replaced rows that are not broken. */
  readonly history: readonly LakeFile[];
  /** The files whose rows are not served: broken, or set aside. */
  readonly lost: readonly LostFile[];
  readonly stamp: string;
}

export interface Snapshots {
  /** The newest snapshot, with its views in place. Checks whether another process has published. */
  current(): Promise<Snapshot>;
  /** The last known snapshot, without checking. Its views may not be in place yet. */
  last(): Snapshot;
  /** Takes over a manifest that this process has published. The next reader waits for its views. */
  adopt(manifest: Manifest): void;
  /** Runs a reader. The files of its snapshot stay on disk until it ends. */
  hold<T>(reader: (snapshot: Snapshot) => Promise<T>): Promise<T>;
  /** Whether no reader in this process needs files retired in this generation or earlier. */
  isFree(generation: number): boolean;
  /**
   * Compares files with their SHA-256 that were not compared in this process, or have changed since; true
   * when one of them is broken, or a broken one was put back. A newer snapshot then has it out or in.
   */
  verify(files: readonly LakeFile[]): Promise<boolean>;
  /** Counts a file as compared that this process has just written and read back. */
  written(file: LakeFile): void;
  /** Compares every listed file with its SHA-256 again; true when others are broken than before. */
  inspect(signal?: AbortSignal): Promise<boolean>;
  /** Path and problem of the files that the manifest lists but that are not served. */
  broken(): ReadonlyMap<string, string>;
}

export interface SnapshotDeps {
  db: DuckDb;
  lakeDir: string;
  manifestPath: string;
  /** Rows in one row group of a file. */
  rowGroupRows: number;
  datasets: readonly Dataset[];
  macros: readonly Macro[];
}

/** Whether files have changed on disk is asked for this often: of 5,000 files it takes 10 ms. */
const LOOK_MS = 1_000;
const MAGIC = "PAR1";
/** A stamp that no manifest has: the views of the snapshot must be loaded first. */
const VIEWS_NOT_LOADED = "";
/**
 * Whether the views were in place when the snapshot became the newest: else a read may still see those of the
 * one before.
 */
export const hasViews = ({ stamp }: Pick<Snapshot, "stamp">): boolean => stamp !== VIEWS_NOT_LOADED;

/**
 * Why a file cannot be served, or null when it exists, has its size and ends like Parquet. Takes
 * microseconds.
 */
export function fileProblem(path: string, bytes: number): string | null {
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

/** The DDL to run: views whose files changed and macros whose text changed. `inForce` is updated. */
function changedDdl(deps: SnapshotDeps, snapshot: Snapshot, inForce: Map<string, string>): string[] {
  const metadata = metadataOf(snapshot.files);
  const filesOf = Map.groupBy(snapshot.files, ({ dataset }) => dataset);
  const views = deps.datasets.map((dataset) => {
    const own = filesOf.get(dataset.name) ?? [];
    const schemas = snapshot.manifest.schemas[dataset.name] ?? [];
    return [
      dataset.name,
      createView(dataset, selectFiles(dataset, own, schemas, locateIn(deps.lakeDir))),
    ] as const;
  });
  const macros = deps.macros.map((macro) => [`${macro.name}()`, createMacro(macro, metadata)] as const);
  const changed = [...views, ...macros].filter(([name, sql]) => inForce.get(name) !== sql);
  for (const [name, sql] of changed) inForce.set(name, sql);
  return changed.map(([, sql]) => sql);
}

/** Checks files, and knows which are broken and which were compared with their hash. */
function fileChecks(lakeDir: string) {
  const broken = new Map<string, string>();
  /** Inode, size and time of each broken file when it was found to be. */
  const brokenAs = new Map<string, string | undefined>();
  const sound = new Set<string>();
  /** Inode, size and time of the files that were compared with their hash, as they were then. */
  const compared = new Map<string, string | undefined>();
  /** When a list of files was last looked at. */
  const lookedAt = new WeakMap<readonly LakeFile[], number>();
  const comparing = singleFlight<void>();
  const checkFile = async (file: LakeFile, deep: boolean) => {
    const path = join(lakeDir, file.path);
    const stamp = stampOf(path);
    let error = fileProblem(path, file.bytes);
    if (error === null && deep && (await sha256Of(path)) !== file.sha256)
      error = "has other bytes than were written";
    // A broken file can have been put back, which its length alone does not show.
    if (error === null && deep) broken.delete(file.path);
    if (error === null) sound.add(file.path);
    else broken.set(file.path, error);
    brokenAs.set(file.path, stamp);
    if (error === null && deep) compared.set(file.path, stamp);
  };
  return {
    broken,
    checkFile,
    isKnown: (path: string) => sound.has(path) || broken.has(path),
    forgetOthers(named: ReadonlySet<string>) {
      for (const known of [sound, broken, brokenAs, compared])
        for (const path of known.keys()) if (!named.has(path)) known.delete(path);
    },
    written: ({ path }: LakeFile) => void compared.set(path, stampOf(join(lakeDir, path))),
    /** Compares broken files again that have changed since; true where one of them was put back. */
    async findMended(files: readonly LakeFile[]): Promise<boolean> {
      const changed = files.filter(
        ({ path }) => broken.has(path) && brokenAs.get(path) !== stampOf(join(lakeDir, path)),
      );
      for (const file of changed) await checkFile(file, true);
      return changed.some(({ path }) => !broken.has(path));
    },
    /** Compares files that were not compared as they are now; true where one of them is broken. */
    async findBroken(files: readonly LakeFile[]): Promise<boolean> {
      if (systemTimers.elapsedMs() - (lookedAt.get(files) ?? Number.NEGATIVE_INFINITY) < LOOK_MS)
        return false;
      for (const file of files) {
        const known = compared.get(file.path);
        const isSame = known !== undefined && known === stampOf(join(lakeDir, file.path));
        if (!isSame && !broken.has(file.path))
          await comparing.run(file.path, undefined, () => checkFile(file, true));
      }
      const isBroken = files.some(({ path }) => broken.has(path));
      if (!isBroken) lookedAt.set(files, systemTimers.elapsedMs());
      return isBroken;
    },
  };
}

/** Reads the manifest and builds the views. */
export async function openSnapshots(deps: SnapshotDeps): Promise<Snapshots> {
  const checks = fileChecks(deps.lakeDir);
  const { broken, checkFile } = checks;
  const inForce = new Map<string, string>();
  /** Number of readers by generation. */
  const readers = new Map<number, number>();

  const limitFooters = footerLimit(deps.db, deps.rowGroupRows);
  const snapshotOf = (manifest: Manifest, stamp: string): Snapshot => {
    limitFooters(manifest);
    const sound = manifest.files.filter((file) => !broken.has(file.path));
    const found = manifest.files.flatMap((file) => {
      const description = broken.get(file.path);
      return description === undefined ? [] : [{ ...file, description }];
    });
    const [history, files] = [true, false].map((isHistory) =>
      sound.filter(({ kind }) => (kind === "history") === isHistory),
    ) as [LakeFile[], LakeFile[]];
    return { manifest, stamp, files, history, lost: [...found, ...manifest.set_aside] };
  };
  const makeViews = async (snapshot: Snapshot) => {
    const ddl = changedDdl(deps, snapshot, inForce);
    if (ddl.length === 0) return;
    await deps.db
      .useToWrite((connection) => inOneTransaction(connection, ddl))
      .catch((error) => {
        inForce.clear();
        throw error;
      });
  };
  const load = async (): Promise<Snapshot> => {
    const stamp = stampOf(deps.manifestPath);
    if (stamp === undefined) throw storageUnavailable("The manifest of the data store is missing.");
    const manifest = await readManifest(deps.manifestPath);
    const named = new Set(manifest.files.map((file) => file.path));
    checks.forgetOthers(named);
    for (const file of manifest.files) if (!checks.isKnown(file.path)) await checkFile(file, false);
    const next = snapshotOf(manifest, stamp);
    try {
      await makeViews(next);
      return next;
    } catch (error) {
      // The engine opens the first file of each view: one whose end is damaged has the right length, and
      // fails here.
      for (const file of next.files) await checkFile(file, true);
      if (next.files.every(({ path }) => !broken.has(path))) throw error;
      const readable = snapshotOf(manifest, stamp);
      await makeViews(readable);
      return readable;
    }
  };

  let latest = await load();
  let loading: Promise<Snapshot> | undefined;
  const reload = (): Promise<Snapshot> => {
    loading ??= load()
      .then((next) => {
        // Skip it when a newer manifest was published, and perhaps adopted, meanwhile.
        if (stampOf(deps.manifestPath) === next.stamp) latest = next;
        return latest;
      })
      .finally(() => (loading = undefined));
    return loading;
  };
  const current = async (): Promise<Snapshot> => {
    // A running load may have begun before the newest change, so wait for it and check again.
    while (loading || stampOf(deps.manifestPath) !== latest.stamp) await (loading ?? reload());
    return latest;
  };
  return {
    current,
    last: () => latest,
    adopt(manifest) {
      // A reader may have loaded it since it was published.
      if (latest.manifest.generation === manifest.generation) return;
      latest = snapshotOf(manifest, VIEWS_NOT_LOADED);
      // If this fails, the next reader tries again and gets the error.
      current().catch(() => undefined);
    },
    async hold(reader) {
      const { manifest } = await current();
      readers.set(manifest.generation, (readers.get(manifest.generation) ?? 0) + 1);
      try {
        return await reader(latest);
      } finally {
        const left = (readers.get(manifest.generation) ?? 1) - 1;
        if (left > 0) readers.set(manifest.generation, left);
        else readers.delete(manifest.generation);
      }
    },
    isFree: (generation) => [...readers.keys()].every((each) => each >= generation),
    async verify(files) {
      const isMended = broken.size > 0 && (await checks.findMended(latest.manifest.files));
      const isChanged = (await checks.findBroken(files)) || isMended;
      if (isChanged) await reload();
      return isChanged;
    },
    written: checks.written,
    async inspect(signal) {
      const before = [...broken.keys()].join();
      for (const file of latest.manifest.files) {
        if (signal?.aborted) break;
        await checkFile(file, true);
      }
      const isChanged = [...broken.keys()].join() !== before;
      if (isChanged) await reload();
      return isChanged;
    },
    broken: () => broken,
  };
}
