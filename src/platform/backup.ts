// Backup and restore of the data folder. A backup is taken beside a running server; a restore checks it
// first.
import { constants } from "node:fs";
import {
  copyFile,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { sql } from "drizzle-orm";
import type { Clock } from "./clock.ts";
import { StorageUnavailable } from "./errors.ts";
import { commitLogIn } from "./lake/commit-log.ts";
import type { Dataset } from "./lake/dataset.ts";
import { firstEntry } from "./lake/delta.ts";
import { type Manifest, readManifest } from "./lake/manifest.ts";
import type { Store } from "./sqlite/sqlite.ts";

/** One file of a backup; `path` relative to it, with forward slashes. */
export interface BackupFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** `backup.json`, written last: a backup without it is incomplete. */
export interface Backup {
  readonly format: 1;
  /** RFC 3339 UTC. */
  readonly made_at: string;
  /** The newest migration applied to the operational database in the backup. */
  readonly migration: string | null;
  readonly files: readonly BackupFile[];
}

const LIST = "backup.json";
const DATABASE = "ops.sqlite";
const LAKE = "lake";
const VAULT = "vault";
const LAKE_LIST = "manifest.json";
/** Folder in which a restore is prepared; inside the data folder, so that files can be renamed into place. */
const PREPARED = "_restoring";
/** Entries of a data folder; a restore never overwrites them. */
const OWN = [DATABASE, `${DATABASE}-wal`, LAKE, VAULT, "catalog.duckdb"];
/** A compaction may replace files while they are linked; the manifest is then read again. */
// A file that goes between manifest and link costs one try; after five such tries the backup fails.
const TRIES_MAX = 5;

const refuse = (message: string, cause?: unknown) =>
  new StorageUnavailable("database_unavailable", message, { cause });
const codeOf = (error: unknown) => (error as { code?: unknown })?.code;
const isThere = (path: string) =>
  stat(path).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === "ENOENT") return false;
      throw error;
    },
  );

async function hashFile(path: string): Promise<{ bytes: number; sha256: string }> {
  const hasher = new Bun.CryptoHasher("sha256");
  let bytes = 0;
  for await (const chunk of Bun.file(path).stream()) {
    hasher.update(chunk);
    bytes += chunk.byteLength;
  }
  return { bytes, sha256: hasher.digest("hex") };
}

async function sync(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The services that a backup needs. */
export interface BackupNeeds {
  readonly store: Store;
  /** All that the lake may have. */
  readonly datasets: readonly Dataset[];
  readonly clock: Clock;
}

/**
 * Gives a file another name: a hard link where the file system supports it, since these files never change;
 * else a copy.
 */
async function linkOrCopy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  try {
    await link(from, to);
  } catch (error) {
    if (!["EXDEV", "EPERM", "ENOTSUP", "EMLINK"].includes(String(codeOf(error)))) throw error;
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  }
}

/** Copies the times of the commits; a lake that was last written by an older release has none. */
async function takeCommitTimes(dataDir: string, to: string): Promise<BackupFile[]> {
  const from = commitLogIn(join(dataDir, LAKE));
  if (!(await isThere(from))) return [];
  const copied = commitLogIn(join(to, LAKE));
  await copyFile(from, copied);
  return [{ path: `${LAKE}/${basename(copied)}`, ...(await hashFile(copied)) }];
}

/**
 * Begins a Delta log of the copied files for each dataset. The log of the lake names replaced files too,
 * which a backup does not have.
 */
async function beginDeltaLogs(
  manifest: Manifest,
  to: string,
  { datasets, clock }: BackupNeeds,
): Promise<BackupFile[]> {
  const files: BackupFile[] = [];
  for (const dataset of datasets) {
    const entry = firstEntry(manifest, dataset, clock.nowMs());
    if (!entry) continue;
    const path = join(to, LAKE, entry.path);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, entry.text);
    files.push({ path: `${LAKE}/${entry.path}`, ...(await hashFile(path)) });
  }
  return files;
}

/** Links the live files of the lake and the manifest that lists them. */
async function takeLake(dataDir: string, to: string, needs: BackupNeeds): Promise<BackupFile[]> {
  for (let tried = 1; ; tried++) {
    const manifest = await readManifest(join(dataDir, LAKE, LAKE_LIST));
    try {
      for (const { path } of manifest.files)
        await linkOrCopy(join(dataDir, LAKE, path), join(to, LAKE, path));
    } catch (error) {
      await rm(join(to, LAKE), { recursive: true, force: true });
      if (codeOf(error) === "ENOENT" && tried < TRIES_MAX) continue;
      throw codeOf(error) === "ENOENT"
        ? refuse("A file of the lake is missing; run `cli doctor` and repair it before a backup.", error)
        : error;
    }
    const list = join(to, LAKE, LAKE_LIST);
    await mkdir(dirname(list), { recursive: true });
    await writeFile(list, JSON.stringify({ ...manifest, retired: [] }));
    const times = await takeCommitTimes(dataDir, to);
    const files = manifest.files.map(({ path, bytes, sha256 }) => ({
      path: `${LAKE}/${path}`,
      bytes,
      sha256,
    }));
    const logs = await beginDeltaLogs(manifest, to, needs);
    return [...files, ...times, ...logs, { path: `${LAKE}/${LAKE_LIST}`, ...(await hashFile(list)) }];
  }
}

async function takeVault(dataDir: string, to: string): Promise<BackupFile[]> {
  const from = join(dataDir, VAULT);
  if (!(await isThere(from))) return [];
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  const files: BackupFile[] = [];
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
      .slice(from.length + 1)
      .replaceAll(sep, "/");
    if (!entry.isFile() || path.startsWith("_staging/")) continue;
    await linkOrCopy(join(from, path), join(to, VAULT, path));
    files.push({ path: `${VAULT}/${path}`, ...(await hashFile(join(to, VAULT, path))) });
  }
  return files;
}

/**
 * Writes a backup into the folder `to`, which must be absent or empty. The database is copied first: data
 * that the lake and the vault have beyond it is simply fetched again, whereas data only the database knew of
 * would be missing. Throws StorageUnavailable.
 */
export async function takeBackup(dataDir: string, to: string, needs: BackupNeeds): Promise<Backup> {
  const { store, clock } = needs;
  await mkdir(to, { recursive: true });
  if ((await readdir(to)).length > 0) throw refuse(`${to} is not empty; name a new folder for each backup.`);
  const made_at = clock.now().toString();
  const database = join(to, DATABASE);
  store.use((db) => db.run(sql`VACUUM INTO ${database}`));
  await sync(database);
  const files = [
    { path: DATABASE, ...(await hashFile(database)) },
    ...(await takeLake(dataDir, to, needs)),
    ...(await takeVault(dataDir, to)),
  ];
  const backup: Backup = { format: 1, made_at, migration: store.migrations().current, files };
  const list = join(to, LIST);
  await writeFile(`${list}.part`, JSON.stringify(backup));
  await sync(`${list}.part`);
  await rename(`${list}.part`, list);
  await sync(to);
  return backup;
}

/** A path of `backup.json` that stays inside the folder. */
const isInside = (path: string) => /^[\w=.-]+(\/[\w=.-]+)*$/.test(path) && !path.split("/").includes("..");

/**
 * Reads a backup and checks every file against its hash. Throws StorageUnavailable naming the first that
 * differs.
 */
export async function checkBackup(from: string): Promise<Backup> {
  const text = await readFile(join(from, LIST), "utf8").catch((cause: unknown) => {
    throw refuse(`${from} is not a complete backup: it has no ${LIST}.`, cause);
  });
  let backup: Backup;
  try {
    backup = JSON.parse(text) as Backup;
  } catch (cause) {
    throw refuse(`${LIST} cannot be read.`, cause);
  }
  if (backup.format !== 1 || !Array.isArray(backup.files))
    throw refuse("The backup was made by another version of the service.");
  for (const { path, bytes, sha256 } of backup.files) {
    if (!isInside(path)) throw refuse(`The backup names a path outside itself: ${JSON.stringify(path)}.`);
    const found = (await isThere(join(from, path))) ? await hashFile(join(from, path)) : null;
    if (found === null || found.sha256 !== sha256 || found.bytes !== bytes)
      throw refuse(`${path} of the backup is ${found ? "damaged" : "missing"}; nothing was restored.`);
  }
  return backup;
}

/**
 * Restores a backup into an empty data folder. Checks every file, copies them aside, then renames them into
 * place, the database last: the next restore refuses a folder left by an interrupted one.
 */
export async function restoreBackup(from: string, dataDir: string): Promise<Backup> {
  for (const name of OWN)
    if (await isThere(join(dataDir, name)))
      throw refuse(`${dataDir} already holds ${name}; move it away first; a restore overwrites nothing.`);
  const backup = await checkBackup(from);
  const prepared = join(dataDir, PREPARED);
  await rm(prepared, { recursive: true, force: true });
  for (const { path } of backup.files) {
    const to = join(prepared, path);
    await mkdir(dirname(to), { recursive: true });
    await copyFile(join(from, path), to, constants.COPYFILE_FICLONE);
    await sync(to);
  }
  for (const name of [LAKE, VAULT, DATABASE])
    if (await isThere(join(prepared, name))) await rename(join(prepared, name), join(dataDir, name));
  await rm(prepared, { recursive: true, force: true });
  await sync(dataDir);
  return backup;
}
