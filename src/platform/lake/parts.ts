// Connects the parts of a lake: lock, staging, DuckDB, manifest; and sweeps what crashed processes left.

import { join } from "node:path";
import { type LakeParts, LOW_MEMORY_ROW_GROUP_ROWS, ROW_GROUP_ROWS } from "./commit.ts";
import { asStorageError, realDisk } from "./disk.ts";
import { openDuckDb } from "./duckdb.ts";
import type { LakeOptions } from "./lake.ts";
import { lakeLock } from "./lock.ts";
import { createManifest, stampOf } from "./manifest.ts";
import { openSnapshots } from "./snapshot.ts";
import { openStaging } from "./staging.ts";
import { sweepAtStart } from "./sweep.ts";

const RETIRED_GRACE_MS = 15 * 60_000;

/** How long a replaced file stays, in ms. */
export const graceMsOf = (options: LakeOptions) => options.retiredGraceMs ?? RETIRED_GRACE_MS;

/**
 * Connects the parts over `dataDir` (absolute, with a lake folder in it). A disk that only lets itself be read still
 * gives a lake, which refuses to write; `faults` says why.
 */
export async function openParts(options: LakeOptions, dataDir: string, changed: () => void) {
  const lakeDir = join(dataDir, "lake");
  const manifestPath = join(lakeDir, "manifest.json");
  const stagingRoot = join(dataDir, "_staging");
  const { datasets, macros, clock, memoryLimit, threads, lowMemory = false, disk = realDisk } = options;
  const lock = lakeLock(join(lakeDir, "lock.sqlite"));
  const publishing = lakeLock(join(lakeDir, "publishing.sqlite"));
  const staging = openStaging(disk, stagingRoot, clock.nowMs);
  const errors: unknown[] = [];
  const tolerably = (work: () => Promise<void>) =>
    work().catch((error) => {
      if (stampOf(manifestPath) === undefined) throw asStorageError(error);
      errors.push(asStorageError(error));
    });
  const closing = [() => lock.close(), () => void staging.release().catch(() => undefined)];
  try {
    await tolerably(() =>
      lock.hold(async () => {
        await staging.ensure();
        await createManifest(disk, manifestPath, staging.path);
      }),
    );
    const spillDir = join(staging.path, "spill");
    const db = await openDuckDb({ dataDir, spillDir, memoryLimit, threads });
    closing.push(() => void db.close());
    const snapshots = await openSnapshots({ db, lakeDir, manifestPath, datasets, macros });
    const parts: LakeParts = {
      ...{ db, disk, clock, lock, publishing, staging, stagingRoot, snapshots, changed },
      ...{ dataDir, lakeDir, manifestPath },
      rowGroupRows: lowMemory ? LOW_MEMORY_ROW_GROUP_ROWS : ROW_GROUP_ROWS,
      datasets: new Map(datasets.map((dataset) => [dataset.name, dataset])),
    };
    await tolerably(() => sweepAtStart(parts, graceMsOf(options)));
    return { parts, faults: errors };
  } catch (error) {
    for (const close of closing.reverse()) close();
    throw error;
  }
}
