// Backup and restore of the data folder. A backup is taken beside a running server; a restore checks it
// first.
import { constants } from "node:fs";
import {
  chmod,
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { sql } from "drizzle-orm";
import { type Clock, systemClock } from "./clock.ts";
import { StorageUnavailable } from "./errors.ts";
import type { Dataset } from "./lake/dataset.ts";
import { firstEntry } from "./lake/delta/delta.ts";
import { realDisk, sha256Of } from "./lake/disk.ts";
import { forked, lineOf } from "./lake/lineage.ts";
import { type Line, type Manifest, readManifest, writeManifest } from "./lake/manifest.ts";
import { NO_ROWS } from "./lake/write/commit.ts";
import { COMMIT_LOG, noteCommit } from "./lake/write/commit-log.ts";
import type { Store } from "./sqlite/sqlite.ts";
import { hashOf, verified } from "./vault.ts";

/** One file of a backup; `path` relative to it, with forward slashes. */
export interface BackupFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A file that is not in a backup as it was written, and why. */
export interface LeftOut {
  readonly path: string;
  readonly description: string;
}

/** `backup.json`, written last: a backup without it is incomplete. */
export interface Backup {
  readonly format: 1;
  /** RFC 3339 UTC. */
  readonly made_at: string;
  /** The newest migration applied to the operational database in the backup. */
  readonly migration: string | null;
  /** The newest version in it and its line of history; absent in backups of earlier releases. */
  readonly data_version?: number;
  readonly store?: string | null;
  readonly files: readonly BackupFile[];
  /** The files that were damaged or missing when it was taken. */
  readonly damaged?: readonly LeftOut[];
}

const LIST = "backup.json";
const DATABASE = "ops.sqlite";
const LAKE = "lake";
const VAULT = "vault";
const LAKE_LIST = `${LAKE}/manifest.json`;
/** The commit log. Each of its lines has a hash, so that the others count where one is damaged. */
const COMMITS = `${LAKE}/${COMMIT_LOG}`;
/** The database logs requests: it is readable by its owner alone. */
const OWN_MODE = 0o600;
/** Folder in which a restore is prepared; inside the data folder, so that files can be renamed into place. */
const PREPARED = "_restoring";
/** Entries of a data folder; a restore never overwrites them. */
const OWN = [DATABASE, `${DATABASE}-wal`, LAKE, VAULT, "catalog.duckdb"];

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

type Found = Omit<BackupFile, "path">;
const hashFile = async (path: string): Promise<Found> => ({
  bytes: (await stat(path)).size,
  sha256: await sha256Of(path),
});

/** Writes the disk of a folder out: of thousands of folders, syncing one by one takes a second. */
async function syncDisk(folder: string): Promise<void> {
  const words = process.platform === "linux" ? ["sync", "-f", folder] : ["sync"];
  if ((await Bun.spawn(words, { stderr: "ignore" }).exited) !== 0)
    throw refuse(`${folder} could not be written to the disk.`);
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

/** The files that were taken so far from a data folder into a backup. */
interface Taking {
  readonly dataDir: string;
  readonly to: string;
  readonly files: BackupFile[];
  readonly damaged: LeftOut[];
}

/** Words for a file that cannot be taken, by the code of the error. */
const UNTAKEN: Readonly<Record<string, string>> = { ENOENT: "is missing", EIO: "cannot be read" };

/** Takes a file and hashes it; one that is not as it was written (`look` gives null) is left out. */
async function take(
  { dataDir, to, files, damaged }: Taking,
  path: string,
  look: (copy: string) => Promise<Found | null>,
): Promise<void> {
  const copy = join(to, path);
  let description: string | undefined = "has other bytes than were written";
  try {
    await linkOrCopy(join(dataDir, path), copy);
    const found = await look(copy);
    if (found) return void files.push({ path, ...found });
  } catch (error) {
    description = UNTAKEN[String(codeOf(error))];
    if (description === undefined) throw error;
  }
  damaged.push({ path, description });
  await rm(copy, { force: true });
}

/** Notes a file that was written into the backup itself. */
const note = async ({ to, files }: Taking, path: string) =>
  files.push({ path, ...(await hashFile(join(to, path))) });

/**
 * Begins a Delta log of the copied files for each dataset. The log of the lake names replaced files too,
 * which a backup does not have.
 */
async function beginDeltaLogs(
  taking: Taking,
  manifest: Manifest,
  { datasets, clock }: BackupNeeds,
): Promise<void> {
  for (const dataset of datasets) {
    const entry = firstEntry(manifest, dataset, clock.nowMs());
    if (!entry) continue;
    const path = `${LAKE}/${entry.path}`;
    await mkdir(dirname(join(taking.to, path)), { recursive: true });
    await writeFile(join(taking.to, path), entry.text);
    await note(taking, path);
  }
}

/** Takes the lake as one manifest lists it. */
async function takeLake(dataDir: string, to: string, needs: BackupNeeds): Promise<[Taking, Manifest]> {
  const readList = () => readManifest(join(dataDir, LAKE_LIST));
  const manifest = await readList();
  const taking: Taking = { dataDir, to, files: [], damaged: [] };
  for (const { path, sha256 } of manifest.files)
    await take(taking, `${LAKE}/${path}`, async (copy) => {
      const found = await hashFile(copy);
      return found.sha256 === sha256 ? found : null;
    });
  const listed = new Set((await readList()).files.map(({ path }) => `${LAKE}/${path}`));
  // A merge replaced files before they were taken.
  if (taking.damaged.some(({ path }) => !listed.has(path))) {
    await rm(join(to, LAKE), { recursive: true, force: true });
    return takeLake(dataDir, to, needs);
  }
  await mkdir(join(to, LAKE), { recursive: true });
  await writeManifest(realDisk, join(to, LAKE_LIST), join(to, LAKE), { ...manifest, retired: [] });
  await note(taking, LAKE_LIST);
  // A lake that was last written by an early release has none.
  if (await isThere(join(dataDir, COMMITS))) {
    await copyFile(join(dataDir, COMMITS), join(to, COMMITS));
    await note(taking, COMMITS);
  }
  await beginDeltaLogs(taking, manifest, needs);
  return [taking, manifest];
}

/** Takes the documents of the vault, each of which has the hash of its content as its name. */
async function takeVault(taking: Taking): Promise<void> {
  const from = join(taking.dataDir, VAULT);
  if (!(await isThere(from))) return;
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
      .slice(from.length + 1)
      .replaceAll(sep, "/");
    if (!entry.isFile() || path.startsWith("_staging/")) continue;
    await take(taking, `${VAULT}/${path}`, async (copy) => {
      const stored = await readFile(copy);
      return verified(stored, basename(path, ".zst")) && { bytes: stored.length, sha256: hashOf(stored) };
    });
  }
}

/** Copies one moment of the database; gives what is wrong with one that is damaged. */
async function copyDatabase(store: Store, to: string): Promise<string | null> {
  await writeFile(to, "", { mode: OWN_MODE });
  try {
    store.use((db) => db.run(sql`VACUUM INTO ${to}`));
    return null;
  } catch (error) {
    if (!(error instanceof StorageUnavailable && error.message.endsWith("its file is damaged"))) throw error;
    await rm(to);
    return "is damaged";
  }
}

/**
 * Writes a backup into the folder `to`, which must be absent or empty. The database is copied first: data
 * that the lake and the vault have beyond it is simply fetched again, whereas data only the database knew of
 * would be missing. A damaged file is named in the result and left out. Throws StorageUnavailable.
 */
export async function takeBackup(dataDir: string, to: string, needs: BackupNeeds): Promise<Backup> {
  const { store, clock } = needs;
  await mkdir(to, { recursive: true });
  if ((await readdir(to)).length > 0) throw refuse(`${to} is not empty; name a new folder for each backup.`);
  const made_at = clock.now().toString();
  const problem = await copyDatabase(store, join(to, DATABASE));
  const [taking, manifest] = await takeLake(dataDir, to, needs);
  await takeVault(taking);
  const { files, damaged } = taking;
  if (problem === null) await note(taking, DATABASE);
  else damaged.push({ path: DATABASE, description: problem });
  const { generation } = manifest;
  const version = { data_version: generation, store: lineOf(manifest, generation) };
  const { current: migration } = store.migrations();
  const backup: Backup = { format: 1, made_at, migration, ...version, files, damaged };
  const list = join(to, LIST);
  await syncDisk(to);
  await realDisk.write(`${list}.part`, JSON.stringify(backup));
  await rename(`${list}.part`, list);
  await realDisk.sync(to);
  return backup;
}

/** A path of `backup.json` that stays inside the folder. */
const isInside = (path: string) => /^[\w=.-]+(\/[\w=.-]+)*$/.test(path) && !path.split("/").includes("..");

/**
 * Reads a backup and checks every file against its hash. Throws StorageUnavailable naming those that differ
 * or were left out; where a part will do, the result has the others.
 */
export async function checkBackup(from: string, isPartEnough = false): Promise<Backup> {
  const backup: Backup = await Bun.file(join(from, LIST))
    .json()
    .catch((cause: unknown) => {
      throw refuse(`${from} is not a complete backup: it has no ${LIST} that can be read.`, cause);
    });
  if (backup.format !== 1 || !Array.isArray(backup.files))
    throw refuse("The backup was made by another version of the service.");
  const files: BackupFile[] = [];
  const damaged = [...(backup.damaged ?? [])];
  for (const file of backup.files) {
    const { path, bytes, sha256 } = file;
    if (!isInside(path)) throw refuse(`The backup names a path outside itself: ${JSON.stringify(path)}.`);
    const found = (await isThere(join(from, path))) ? await hashFile(join(from, path)) : null;
    const isSame = found !== null && found.sha256 === sha256 && found.bytes === bytes;
    if (!isSame) damaged.push({ path, description: found ? "is damaged" : "is missing" });
    if (isSame || (found && path === COMMITS)) files.push(file);
  }
  const named = damaged.map(({ path, description }) => `${path} of the backup ${description}`).join("; ");
  if (named !== "" && !isPartEnough)
    throw refuse(`${named}; nothing was restored. --partial restores the rest.`);
  if (!files.some(({ path }) => path === LAKE_LIST))
    throw refuse(`${named}; without ${LAKE_LIST} nothing can be restored.`);
  return { ...backup, files, damaged };
}

/**
 * Restores a backup into an empty data folder. Checks every file, copies them aside, begins another line of
 * history (the last of the `lines` that it gives), then renames all into place, the database last: the next
 * restore refuses a folder left by an interrupted one.
 */
export async function restoreBackup(
  from: string,
  dataDir: string,
  { isPartEnough = false, clock = systemClock }: { isPartEnough?: boolean; clock?: Clock } = {},
): Promise<Backup & { readonly lines: readonly Line[] }> {
  for (const name of OWN)
    if (await isThere(join(dataDir, name)))
      throw refuse(`${dataDir} already holds ${name}; move it away first; a restore overwrites nothing.`);
  const backup = await checkBackup(from, isPartEnough);
  const prepared = join(dataDir, PREPARED);
  await rm(prepared, { recursive: true, force: true });
  for (const { path } of backup.files) {
    const to = join(prepared, path);
    await mkdir(dirname(to), { recursive: true });
    await copyFile(join(from, path), to, constants.COPYFILE_FICLONE);
    if (path === DATABASE) await chmod(to, OWN_MODE);
  }
  const [lake, list] = [join(prepared, LAKE), join(prepared, LAKE_LIST)];
  const manifest = forked(await readManifest(list));
  await noteCommit(realDisk, lake, manifest.generation, clock.now(), NO_ROWS);
  await writeManifest(realDisk, list, lake, manifest);
  await syncDisk(prepared);
  for (const name of [LAKE, VAULT, DATABASE])
    if (await isThere(join(prepared, name))) await rename(join(prepared, name), join(dataDir, name));
  await rm(prepared, { recursive: true, force: true });
  await realDisk.sync(dataDir);
  return { ...backup, lines: manifest.lines };
}
