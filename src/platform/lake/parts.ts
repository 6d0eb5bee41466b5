// Opens the parts of a lake (lock, staging, DuckDB, manifest) and removes what crashed processes left behind.

import { join } from "node:path";
import type { Clock } from "../clock.ts";
import type { Dataset, Macro } from "./dataset.ts";
import { deltaLogs } from "./delta/delta.ts";
import { asStorageError, type Disk, realDisk } from "./disk.ts";
import { openDuckDb } from "./duckdb.ts";
import { lakeLock } from "./lock.ts";
import { createManifest, stampOf } from "./manifest.ts";
import { openSnapshots } from "./snapshot.ts";
import { openStaging } from "./staging.ts";
import { changeListeners } from "./write/change-listeners.ts";
import { type LakeParts, LOW_MEMORY_ROW_GROUP_ROWS, ROW_GROUP_ROWS } from "./write/commit.ts";
import { retiredFiles } from "./write/retired.ts";
import { sweepAtStart } from "./write/sweep.ts";

export interface LakeOptions {
  /** The data folder, made when absent; lake/, _staging/ and catalog.duckdb are in it. */
  dir: string;
  datasets: readonly Dataset[];
  macros: readonly Macro[];
  clock: Clock;
  /** DuckDB's memory limit ("2GB"); sorting spills to staging beyond it. */
  memoryLimit?: string;
  threads?: number;
  /** Uses less memory, for a process that writes many rows and does not read them back. */
  lowMemory?: boolean;
  /**
   * How long a replaced file stays on disk for readers of an older catalogue, asked for at each removal;
   * default a quarter of an hour.
   */
  retentionMs?: number | (() => number);
  /** Number of deltas in one partition that starts a compaction; without it, only `compact` compacts. */
  compactAtDeltas?: number;
  /** Reads every file once in the background after opening, and stops serving broken ones. */
  verify?: boolean;
  /**
   * Delay of that verification and of reading the Delta logs after opening, so that they do not slow the
   * first answers; default 0.
   */
  verifyDelayMs?: number;
  publishDelayMs?: number;
  /**
   * Whether catalog.duckdb and the Delta logs follow the commits by themselves; default true. Tests that read
   * neither leave them out: each catalogue takes a quarter of a second of work.
   */
  publishes?: boolean;
  /**
   * Whether datasets with `series` have arrays, which are made where the lake publishes; default true. Else
   * those that are there are removed.
   */
  arrays?: boolean;
  /** Writes a Delta log beside each dataset, which follows the manifest. */
  deltaLogs?: boolean;
  /** Called when background work fails. */
  onError?(task: string, error: unknown): void;
  /** For tests in which the disk fails. */
  disk?: Disk;
}

const RETENTION_MS = 15 * 60_000;

/** How long a replaced file stays on disk, in ms. */
export const retentionMsOf = ({ retentionMs = RETENTION_MS }: LakeOptions): number =>
  typeof retentionMs === "number" ? retentionMs : retentionMs();

/**
 * Opens the parts over `dataDir`, an absolute path with a lake folder in it. On a read-only disk the lake
 * still opens when there is a manifest, and refuses to write; `errors` says why.
 */
export async function openParts(options: LakeOptions, dataDir: string) {
  const lakeDir = join(dataDir, "lake");
  const manifestPath = join(lakeDir, "manifest.json");
  const stagingRoot = join(dataDir, "_staging");
  const { datasets, macros, clock, memoryLimit, threads, lowMemory = false, disk = realDisk } = options;
  const lock = lakeLock(join(lakeDir, "lock.sqlite"));
  const publishing = lakeLock(join(lakeDir, "publishing.sqlite"));
  const staging = openStaging(disk, stagingRoot, clock.nowMs);
  const retired = retiredFiles(join(lakeDir, "retired.sqlite"));
  const errors: unknown[] = [];
  const collectError = (work: () => Promise<void>) =>
    work().catch((error) => {
      if (stampOf(manifestPath) === undefined) throw asStorageError(error);
      errors.push(asStorageError(error));
    });
  const closing = [
    () => lock.close(),
    () => retired.close(),
    () => void staging.release().catch(() => undefined),
  ];
  try {
    await collectError(() =>
      lock.hold(async () => {
        await staging.ensure();
        await createManifest(disk, manifestPath, staging.path);
      }),
    );
    const spillDir = join(staging.path, "spill");
    const folders = [dataDir, ...staging.elsewhere];
    const db = await openDuckDb({ folders, spillDir, memoryLimit, threads });
    closing.push(() => void db.close());
    const rowGroupRows = lowMemory ? LOW_MEMORY_ROW_GROUP_ROWS : ROW_GROUP_ROWS;
    const snapshots = await openSnapshots({ db, lakeDir, manifestPath, datasets, macros, rowGroupRows });
    const parts: LakeParts = {
      db,
      disk,
      clock,
      lock,
      publishing,
      staging,
      stagingRoot,
      snapshots,
      retired,
      dataDir,
      lakeDir,
      manifestPath,
      macros,
      changes: changeListeners(),
      rowless: new Set(),
      delta: null,
      rowGroupRows,
      datasets: new Map(datasets.map((dataset) => [dataset.name, dataset])),
    };
    await collectError(() => sweepAtStart(parts, retentionMsOf(options)));
    if (options.deltaLogs && errors.length === 0) parts.delta = deltaLogs(parts);
    return { parts, errors };
  } catch (error) {
    for (const close of closing.reverse()) close();
    throw error;
  }
}
