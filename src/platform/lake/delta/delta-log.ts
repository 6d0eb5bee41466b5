// The files of one Delta log: entries, checkpoints and the pointer to the newest checkpoint.

import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { literal } from "../dataset.ts";
import type { Disk } from "../disk.ts";
import { type DuckDb, readOn } from "../duckdb.ts";
import { DELTA_LOG } from "../manifest.ts";
import type { Staging } from "../staging.ts";
import {
  type Action,
  APP_ID,
  apply,
  type DeltaState,
  ENGINE,
  emptyState,
  entryText,
  isChanged,
  PROTOCOL,
} from "./delta-actions.ts";

const ENTRY = /^(\d{20})\.json$/;
const CHECKPOINT = /^(\d{20})\.checkpoint\.parquet$/;
const POINTER = "_last_checkpoint";

/**
 * Whether a name in a log's folder is that of an entry, a checkpoint or the pointer: other programs leave
 * more there.
 */
const isLogFile = (name: string) => ENTRY.test(name) || CHECKPOINT.test(name) || name === POINTER;

/** A log that its entries do not add up to: one is missing or cannot be read. */
export class DamagedLog extends Error {}

export const logFolder = (lakeDir: string, dataset: string) => join(lakeDir, dataset, DELTA_LOG);
export const entryName = (version: number) => `${String(version).padStart(20, "0")}.json`;
const checkpointName = (version: number) => `${String(version).padStart(20, "0")}.checkpoint.parquet`;

/** The parts of the lake that the logs need. */
export interface LogParts {
  readonly db: DuckDb;
  readonly disk: Disk;
  readonly staging: Staging;
  readonly lakeDir: string;
}

/** The names in a log's folder; none where there is no such folder. Throws where it cannot be read. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(String((error as NodeJS.ErrnoException).code))) return [];
    throw error;
  }
}

/**
 * The names of a log's entries and checkpoints and of its pointer. Throws where its folder cannot be read.
 */
export const logFiles = async (folder: string) => (await namesIn(folder)).filter(isLogFile);

const missingEntry = (version: number) => `version ${version} of its Delta log is missing`;
export const foreignEntry = (version: number) =>
  `version ${version} of its Delta log was written by another program`;

interface Listed {
  readonly entries: readonly number[];
  readonly checkpoints: readonly number[];
}

/** The versions of the entries and checkpoints in a log, oldest first. */
async function listed(folder: string): Promise<Listed> {
  const names = await namesIn(folder);
  const versions = (pattern: RegExp) =>
    names
      .flatMap((name) => pattern.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
  return { entries: versions(ENTRY), checkpoints: versions(CHECKPOINT) };
}

async function entryActions(folder: string, version: number): Promise<Action[]> {
  const text = await readFile(join(folder, entryName(version)), "utf8");
  try {
    const actions = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Action);
    // One that is cut off is left to `refuseDamage`.
    if (isChanged(text) && actions.at(-1)?.txn?.appId === APP_ID) throw new Error("it has another hash");
    return actions;
  } catch (cause) {
    throw new DamagedLog(`version ${version} of its Delta log cannot be read`, { cause });
  }
}

async function checkpointActions({ db }: LogParts, folder: string, version: number): Promise<Action[]> {
  try {
    const { columns } = await db.read(
      `SELECT to_json(c)::VARCHAR FROM read_parquet(${literal(join(folder, checkpointName(version)))}) c`,
    );
    return (columns[0] ?? []).map((row) => JSON.parse(String(row)) as Action);
  } catch (cause) {
    throw new DamagedLog(`the checkpoint of version ${version} of its Delta log cannot be read`, { cause });
  }
}

/** The version that `_last_checkpoint` names; null without one, -1 where it cannot be read. */
async function pointedVersion(folder: string): Promise<number | null> {
  const text = await readFile(join(folder, POINTER), "utf8").catch(() => null);
  if (text === null) return null;
  try {
    return Number(JSON.parse(text).version);
  } catch {
    return -1;
  }
}

const isOwnEntry = (actions: readonly Action[]) =>
  actions.some(({ commitInfo }) => commitInfo?.engineInfo === ENGINE);

/**
 * Throws DamagedLog where readers could not go on from the actions, or where not all of an own entry is
 * there.
 */
function refuseDamage(version: number, actions: readonly Action[], isOwn: boolean): void {
  const [protocol] = actions.flatMap((each) => each.protocol ?? []);
  if (
    protocol &&
    (protocol.minReaderVersion !== PROTOCOL.minReaderVersion ||
      protocol.minWriterVersion !== PROTOCOL.minWriterVersion)
  )
    throw new DamagedLog(`version ${version} of its Delta log has another protocol than ours`);
  // Each of our entries ends with it: a file that was cut off at the end of a line is lines of JSON too.
  if (isOwn && actions.at(-1)?.txn?.appId !== APP_ID)
    throw new DamagedLog(`version ${version} of its Delta log is cut off`);
}

/**
 * Marks in the state of a checkpoint what other programs wrote in the entries just before it: the checkpoint
 * has it without saying so. An entry that cannot be read is left to `pastProblems`, because readers go on
 * from the checkpoint.
 */
async function markForeign(folder: string, state: DeltaState, entries: readonly number[]): Promise<void> {
  for (let version = state.version; entries.includes(version); version--) {
    const actions = await entryActions(folder, version).catch(() => null);
    if (actions === null || isOwnEntry(actions)) return;
    state.foreign.unshift(version);
    for (const { add, metaData } of actions) {
      if (metaData) state.isMetaDataForeign = true;
      if (add && state.files.has(add.path)) state.foreignFiles.add(add.path);
    }
  }
}

/** Reads a log; an empty state where there is none. Throws DamagedLog. */
export async function readLog(parts: LogParts, dataset: string): Promise<DeltaState> {
  const folder = logFolder(parts.lakeDir, dataset);
  const { entries, checkpoints } = await listed(folder);
  const state = emptyState();
  const from = checkpoints.at(-1);
  const pointed = await pointedVersion(folder);
  if (pointed !== null && !checkpoints.includes(pointed))
    throw new DamagedLog("its Delta log names a checkpoint that is not there");
  if (from !== undefined) {
    const actions = await checkpointActions(parts, folder, from);
    refuseDamage(from, actions, false);
    apply(state, actions);
    state.version = from;
    await markForeign(folder, state, entries);
  }
  for (const version of entries) {
    if (version <= (from ?? -1)) continue;
    if (version !== state.version + 1) throw new DamagedLog(missingEntry(state.version + 1));
    const actions = await entryActions(folder, version);
    const isOwn = isOwnEntry(actions);
    refuseDamage(version, actions, isOwn);
    if (!isOwn) state.foreign.push(version);
    apply(state, actions, !isOwn);
    state.version = version;
  }
  if (state.version >= 0 && state.metaData === null && !state.isMetaDataForeign)
    throw new DamagedLog("its Delta log has no schema");
  return state;
}

/**
 * Returns the problems of the log up to its newest checkpoint, which only readers of earlier versions notice:
 * entries that are missing, cannot be read or are another program's, and checkpoints that cannot be read.
 */
export async function pastProblems(parts: LogParts, dataset: string): Promise<string[]> {
  const folder = logFolder(parts.lakeDir, dataset);
  const { entries, checkpoints } = await listed(folder);
  const newest = checkpoints.at(-1);
  const problems: string[] = [];
  if (newest === undefined) return problems;
  const unlessDamaged = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof DamagedLog)) throw error;
      problems.push(error.message);
    }
  };
  for (let version = entries[0] ?? newest; version <= newest; version++) {
    if (!entries.includes(version)) {
      problems.push(missingEntry(version));
      continue;
    }
    await unlessDamaged(async () => {
      const actions = await entryActions(folder, version);
      const isOwn = isOwnEntry(actions);
      refuseDamage(version, actions, isOwn);
      if (!isOwn) problems.push(foreignEntry(version));
    });
  }
  for (const version of checkpoints)
    if (version < newest)
      await unlessDamaged(async () => {
        refuseDamage(version, await checkpointActions(parts, folder, version), false);
      });
  return problems;
}

/** The newest version of a log on disk; -1 without any. */
export async function newestVersion(lakeDir: string, dataset: string): Promise<number> {
  const { entries, checkpoints } = await listed(logFolder(lakeDir, dataset));
  return Math.max(-1, entries.at(-1) ?? -1, checkpoints.at(-1) ?? -1);
}

/**
 * Writes the next entry, durable once this resolves, and applies it. Fails where another program has just
 * written it.
 */
export async function appendEntry(
  parts: LogParts,
  dataset: string,
  state: DeltaState,
  actions: readonly Action[],
): Promise<void> {
  const { disk, staging, lakeDir } = parts;
  const folder = logFolder(lakeDir, dataset);
  const staged = staging.file("delta-entry");
  try {
    await disk.makeFolder(folder);
    await disk.write(staged, entryText(actions));
    await disk.link(staged, join(folder, entryName(state.version + 1)));
    await disk.sync(folder);
  } finally {
    await disk.remove(staged).catch(() => undefined);
  }
  apply(state, actions);
  state.version++;
}

const FILE_COLUMNS = "path VARCHAR, partitionValues MAP(VARCHAR, VARCHAR), size BIGINT";
const CHECKPOINT_COLUMNS: Readonly<Record<string, string>> = {
  txn: "STRUCT(appId VARCHAR, version BIGINT, lastUpdated BIGINT)",
  add: `STRUCT(${FILE_COLUMNS}, modificationTime BIGINT, dataChange BOOLEAN, stats VARCHAR)`,
  remove: `STRUCT(${FILE_COLUMNS}, deletionTimestamp BIGINT, dataChange BOOLEAN, extendedFileMetadata BOOLEAN)`,
  metaData: `STRUCT(id VARCHAR, name VARCHAR, format STRUCT(provider VARCHAR, options MAP(VARCHAR, VARCHAR)),
    schemaString VARCHAR, partitionColumns VARCHAR[], configuration MAP(VARCHAR, VARCHAR), createdTime BIGINT)`,
  protocol: "STRUCT(minReaderVersion INTEGER, minWriterVersion INTEGER)",
};

/**
 * Writes the state as a checkpoint with one row an action, and points to it. Removed files older than
 * `sinceMs` are left out.
 */
export async function writeCheckpoint(
  parts: LogParts,
  dataset: string,
  state: DeltaState,
  sinceMs: number,
): Promise<void> {
  const { db, disk, staging, lakeDir } = parts;
  const folder = logFolder(lakeDir, dataset);
  for (const [path, { deletionTimestamp }] of state.removed)
    if (deletionTimestamp < sinceMs) state.removed.delete(path);
  const actions: Action[] = [
    { protocol: PROTOCOL },
    ...(state.metaData ? [{ metaData: state.metaData }] : []),
    { txn: { appId: "asof", version: state.generation } },
    ...[...state.files.values()].map((add) => ({ add: { ...add, dataChange: false } })),
    ...[...state.removed.values()].map((remove) => ({ remove: { ...remove, dataChange: false } })),
  ];
  const [rows, made, pointer] = ["delta-rows", "delta-checkpoint", "delta-pointer"].map((name) =>
    staging.file(name),
  ) as [string, string, string];
  const columns = Object.entries(CHECKPOINT_COLUMNS).map(([name, type]) => `${name}: ${literal(type)}`);
  try {
    await disk.write(rows, entryText(actions));
    await db.useToPublish((connection) =>
      readOn(
        connection,
        `COPY (SELECT * FROM read_json(${literal(rows)}, format = 'newline_delimited', columns = {${columns.join(", ")}},
           maximum_object_size = 268435456)) TO ${literal(made)} (FORMAT parquet)`,
      ),
    );
    await disk.sync(made);
    const { size: sizeInBytes } = await stat(made);
    await disk.rename(made, join(folder, checkpointName(state.version)));
    const last = {
      version: state.version,
      size: actions.length,
      sizeInBytes,
      numOfAddFiles: state.files.size,
    };
    await disk.write(pointer, JSON.stringify(last));
    await disk.rename(pointer, join(folder, POINTER));
    await disk.sync(folder);
  } finally {
    for (const path of [rows, made, pointer]) await disk.remove(path).catch(() => undefined);
  }
}

/** Versions since the newest checkpoint. */
export async function sinceCheckpoint(lakeDir: string, dataset: string, version: number): Promise<number> {
  return version - ((await listed(logFolder(lakeDir, dataset))).checkpoints.at(-1) ?? -1);
}

/**
 * Deletes what lies behind the newest checkpoint that is older than `sinceMs`: no reader of a kept version
 * needs it.
 */
export async function cleanLog({ disk, lakeDir }: LogParts, dataset: string, sinceMs: number): Promise<void> {
  const folder = logFolder(lakeDir, dataset);
  const { entries, checkpoints } = await listed(folder);
  const writtenMs = await Promise.all(
    checkpoints.map(async (version) => (await stat(join(folder, checkpointName(version)))).mtimeMs),
  );
  const keepFrom = checkpoints.findLast((_, at) => (writtenMs[at] ?? 0) < sinceMs) ?? 0;
  for (const version of entries) if (version < keepFrom) await disk.remove(join(folder, entryName(version)));
  for (const version of checkpoints)
    if (version < keepFrom) await disk.remove(join(folder, checkpointName(version)));
}
