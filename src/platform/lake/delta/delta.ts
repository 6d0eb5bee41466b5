// Delta logs: each dataset with files is a Delta table too. The manifest stays the truth, and the logs follow
// it.
//
// An entry is made of the difference between the log and the manifest, so whatever was missed (a crash, a
// full disk, an entry of another program) is made up by the next one. All of it runs under the lake's lock.

import type { Clock } from "../../clock.ts";
import type { Dataset } from "../dataset.ts";
import { DELTA_LOG, type LakeFile, type Manifest, schemaOf } from "../manifest.ts";
import {
  type Action,
  actionsTo,
  type DeltaState,
  emptyState,
  entryText,
  newestSchema,
  ownVersion,
  statsColumns,
  type Target,
  tableFiles,
} from "./delta-actions.ts";
import {
  appendEntry,
  cleanLog,
  DamagedLog,
  entryName,
  foreignEntry,
  type LogParts,
  logFolder,
  newestVersion,
  pastProblems,
  readLog,
  sinceCheckpoint,
  writeCheckpoint,
} from "./delta-log.ts";

/** The parts of the lake that the logs need. */
export interface DeltaParts extends LogParts {
  readonly clock: Clock;
  readonly datasets: ReadonlyMap<string, Dataset>;
}

/** A checkpoint is written after this many entries. */
const CHECKPOINT_EVERY = 50;

export interface DeltaProblem {
  readonly dataset: string;
  readonly description: string;
  /** Whether the newest version is free of it. */
  readonly isPast: boolean;
  /** Whether it is only an entry that could not be written, as after a crash. */
  readonly isMissed?: true;
}

export interface DeltaLogs {
  /**
   * Writes an entry for each dataset whose files the commit changed. Does not throw: the commit stands
   * without it.
   */
  follow(before: Manifest, after: Manifest, isRowless: boolean): Promise<void>;
  /**
   * Notes a commit that took effect although it failed: its entries are written with those that could not be
   * written.
   */
  missed(before: Manifest, after: Manifest, error: unknown): void;
  /**
   * Brings one dataset's log to the manifest, and replaces a log that is damaged. Gives what was wrong with
   * it.
   */
  reconcile(manifest: Manifest, dataset: string): Promise<DeltaProblem[]>;
  /**
   * Brings every log to the manifest for a copy. Gives what a reader should know: what other programs wrote,
   * which is taken back, and logs that are damaged, which are left as they are; and the id of each table.
   */
  settle(manifest: Manifest): Promise<{ problems: DeltaProblem[]; tables: Map<string, string> }>;
  /** Writes the checkpoints that are due and deletes entries that no kept version needs. */
  maintain(retentionMs: number): Promise<void>;
  /** The datasets whose newest entry could not be written. */
  failed(): ReadonlyMap<string, unknown>;
  /** Returns the changes by other programs that commits noticed and undid since the last call. */
  takeNoticed(): DeltaProblem[];
}

/**
 * The datasets whose current files differ between two manifests. A manifest keeps the order of the one before
 * it, so nearly all files are compared one by one.
 */
export function changedDatasets(before: Manifest, after: Manifest): string[] {
  const left = new Map<string, string>();
  const fresh: LakeFile[] = [];
  let at = 0;
  for (const file of after.files) {
    let old = before.files[at++];
    for (; old && old.path !== file.path; old = before.files[at++])
      if (old.kind !== "history") left.set(old.path, old.dataset);
    if (!old) fresh.push(file);
  }
  for (const { kind, path, dataset } of before.files.slice(at))
    if (kind !== "history") left.set(path, dataset);
  const changed = new Set<string>();
  for (const { kind, path, dataset } of fresh)
    if (kind !== "history" && !left.delete(path)) changed.add(dataset);
  return [...changed.union(new Set(left.values()))];
}

/**
 * Returns the state to which a log is brought; undefined for a dataset that was never written and is not
 * declared.
 */
function targetOf(
  manifest: Manifest,
  dataset: string,
  declared: Dataset | undefined,
  { nowMs, isRowless }: Pick<Target, "nowMs" | "isRowless">,
): Target | undefined {
  const schema = declared ? schemaOf(declared) : newestSchema(manifest, dataset);
  const stats = declared ? statsColumns(declared) : [];
  return schema && { manifest, dataset, schema, stats, nowMs, isRowless };
}

/** The first entry of a log over the files of a manifest, for a copy of the lake. */
export function firstEntry(
  manifest: Manifest,
  dataset: Dataset,
  nowMs: number,
): { path: string; text: string } | null {
  if (tableFiles(manifest, dataset.name).size === 0) return null;
  const target = targetOf(manifest, dataset.name, dataset, { nowMs, isRowless: false });
  const actions = target ? actionsTo(emptyState(), target) : [];
  return { path: `${dataset.name}/${DELTA_LOG}/${entryName(0)}`, text: entryText(actions) };
}

/** Returns the differences between the manifest and what a reader gets from the logs on disk. */
export async function deltaProblems(parts: DeltaParts, manifest: Manifest): Promise<DeltaProblem[]> {
  const problems: DeltaProblem[] = [];
  for (const dataset of parts.datasets.keys()) {
    const wanted = tableFiles(manifest, dataset);
    try {
      const state = await readLog(parts, dataset);
      if (state.version < 0 && wanted.size === 0) continue;
      const missing = [...wanted.keys()].filter((path) => !state.files.has(path)).length;
      const changed = [...wanted].filter(([path, { bytes, rows }]) => {
        const add = state.files.get(path);
        if (!add || state.foreignFiles.has(path)) return false;
        return add.size !== bytes || Number(JSON.parse(add.stats).numRecords) !== rows;
      }).length;
      if (changed > 0)
        throw new DamagedLog(`its Delta log states another size or number of rows of ${changed} files`);
      const further = [...state.files.keys()].filter((path) => !wanted.has(path)).length;
      const foreign = foreignProblems(dataset, state, missing + further > 0);
      const named = new Set(foreign.map(({ description }) => description));
      for (const description of await pastProblems(parts, dataset))
        if (!named.has(description)) problems.push({ dataset, description, isPast: true });
      problems.push(...foreign);
      if (missing + further > 0)
        problems.push({
          dataset,
          isPast: false,
          ...(state.foreign.includes(state.version) ? {} : { isMissed: true }),
          description: `its Delta log lacks ${missing} files of the manifest and has ${further} that are not in it`,
        });
    } catch (error) {
      if (!(error instanceof DamagedLog)) throw error;
      problems.push({ dataset, description: error.message, isPast: false });
    }
  }
  return problems;
}

/**
 * Returns a problem for each entry of another program. It is past where the newest version has nothing of it:
 * VACUUM writes entries without a change.
 */
function foreignProblems(dataset: string, state: DeltaState, isOtherwise: boolean): DeltaProblem[] {
  const isInForce = isOtherwise || state.foreignFiles.size > 0 || state.isMetaDataForeign;
  return state.foreign.map((each) => ({
    dataset,
    description: foreignEntry(each),
    isPast: !isInForce || each < ownVersion(state),
  }));
}

/** The logs of a lake. Call everything under the lake's lock. */
export function deltaLogs(parts: DeltaParts): DeltaLogs {
  const { lakeDir, datasets, clock, disk } = parts;
  const states = new Map<string, DeltaState>();
  const failed = new Map<string, unknown>();
  const noticed: DeltaProblem[] = [];

  /** The state of a log as it is on disk: another process may have written it meanwhile. */
  const stateOf = async (dataset: string, isReadAgain = false): Promise<DeltaState> => {
    const known = states.get(dataset);
    if (known && !isReadAgain && (await newestVersion(lakeDir, dataset)) === known.version) return known;
    const state = await readLog(parts, dataset);
    states.set(dataset, state);
    const since = known?.version ?? ownVersion(state);
    for (const version of state.foreign)
      if (version > since) noticed.push({ dataset, description: foreignEntry(version), isPast: true });
    if (state.version < since)
      noticed.push({
        dataset,
        description: `its Delta log went back from version ${since} to ${state.version}`,
        isPast: true,
      });
    return state;
  };
  const bring = async (manifest: Manifest, dataset: string, isRowless: boolean) => {
    const target = targetOf(manifest, dataset, datasets.get(dataset), { nowMs: clock.nowMs(), isRowless });
    const state = await stateOf(dataset);
    if (!target || (state.version < 0 && tableFiles(manifest, dataset).size === 0)) return;
    const actions: Action[] = actionsTo(state, target);
    if (actions.length === 0) return;
    try {
      await appendEntry(parts, dataset, state, actions);
    } catch (error) {
      // The entry may be on disk although its last sync failed.
      states.delete(dataset);
      throw error;
    }
  };
  return {
    async follow(before, after, isRowless) {
      await Promise.all(
        changedDatasets(before, after).map((dataset) =>
          bring(after, dataset, isRowless).then(
            () => failed.delete(dataset),
            (error) => failed.set(dataset, error),
          ),
        ),
      );
    },
    missed(before, after, error) {
      for (const dataset of changedDatasets(before, after)) failed.set(dataset, error);
    },
    async reconcile(manifest, dataset) {
      const problems: DeltaProblem[] = [];
      try {
        await stateOf(dataset, true);
      } catch (error) {
        if (!(error instanceof DamagedLog)) throw error;
        problems.push({ dataset, description: `${error.message}; it was begun again`, isPast: true });
        states.delete(dataset);
        await disk.remove(logFolder(lakeDir, dataset));
      }
      await bring(manifest, dataset, false);
      failed.delete(dataset);
      return problems.concat(noticed.splice(0));
    },
    async settle(manifest) {
      const problems: DeltaProblem[] = [];
      const tables = new Map<string, string>();
      for (const dataset of datasets.keys()) {
        try {
          problems.push(
            ...foreignProblems(dataset, await stateOf(dataset, true), false).map((each) => ({
              ...each,
              isPast: true,
            })),
          );
          await bring(manifest, dataset, false);
          const { metaData } = await stateOf(dataset);
          if (metaData) tables.set(dataset, metaData.id);
        } catch (error) {
          if (!(error instanceof DamagedLog)) throw error;
          problems.push({ dataset, description: error.message, isPast: false });
        }
      }
      return { problems, tables };
    },
    async maintain(retentionMs) {
      const sinceMs = clock.nowMs() - retentionMs;
      for (const [dataset, { version }] of [...states]) {
        if ((await sinceCheckpoint(lakeDir, dataset, version)) < CHECKPOINT_EVERY) continue;
        const state = await stateOf(dataset);
        // A checkpoint would hide what the next commit has to take back.
        if (ownVersion(state) < state.version) continue;
        await writeCheckpoint(parts, dataset, state, sinceMs);
        await cleanLog(parts, dataset, sinceMs);
      }
    },
    failed: () => failed,
    takeNoticed: () => noticed.splice(0),
  };
}
