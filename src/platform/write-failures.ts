// The message of the newest failed write to a store, for as long as it describes the present.

import { randomUUID } from "node:crypto";
import { rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemTimers } from "./clock.ts";
import { StorageUnavailable } from "./errors.ts";

/** A failure older than this says nothing: the disk may have space again. */
// A write that failed 3 s ago is reported; one that failed 5 s ago is forgotten.
const RECENT_MS = 4_000;
/** With less free space than this no write of rows fits. */
// With 0.9 MB free the disk counts as full before any write has failed.
const FREE_BYTES_MIN = 1_000_000;
/** With this much free space a write that found the disk full would now find room, whatever it writes. */
// After "the disk is full" at 0.5 MB free, 300 MB free and a trial write that succeeds clear the failure; 100
// MB do not.
const AMPLE_BYTES = 256_000_000;
/** Bytes that are written to see whether the disk takes them. */
const TRIAL_BYTES = 100_000;
const DISK_FULL = "the disk is full";

/** The machine's own words for the reason, without a path. */
function reasonOf(error: unknown): string {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    const { code } = inner as { code?: unknown };
    if (code === "ENOSPC" || code === "EDQUOT" || code === "SQLITE_FULL") return DISK_FULL;
    if (code === "EROFS" || code === "SQLITE_READONLY") return "the disk can only be read";
  }
  return "the latest write failed";
}

export interface WriteFailures {
  /** Notes a failed write; ignores errors that are not about storage. */
  note(error: unknown): void;
  /** Forgets the failure, because a write has succeeded. */
  clear(): void;
  /** Why the newest write failed; null when it succeeded, or when that was seconds ago. */
  recent(): string | null;
}

export function writeFailures(): WriteFailures {
  let last: { reason: string; at: number } | null = null;
  return {
    note(error) {
      if (error instanceof StorageUnavailable)
        last = { reason: reasonOf(error), at: systemTimers.elapsedMs() };
    },
    clear() {
      last = null;
    },
    recent: () => (last !== null && systemTimers.elapsedMs() - last.at <= RECENT_MS ? last.reason : null),
  };
}

/** The requests to the disk, as an interface, so that tests can make the disk full. */
export interface Space {
  freeBytes(folder: string): Promise<number>;
  /** Writes and syncs a file. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  remove(path: string): Promise<void>;
}

const diskSpace: Space = {
  async freeBytes(folder) {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  },
  write: (path, bytes) => writeFile(path, bytes, { flush: true }),
  remove: (path) => rm(path, { force: true }),
};

/**
 * The free space of a folder's file system. A folder that is gone has Infinity: it shows at the next read or
 * write.
 */
const freeBytes = (folder: string, space: Space) => space.freeBytes(folder).catch(() => Infinity);

/** "the disk is full" where the file system of a folder has no space for a write; null otherwise. */
export async function fullDisk(folder: string, space: Space = diskSpace): Promise<string | null> {
  return (await freeBytes(folder, space)) < FREE_BYTES_MIN ? DISK_FULL : null;
}

/** Whether the disk has ample space and takes a file: what it refused before, it would store now. */
async function takesWrites(folder: string, space: Space): Promise<boolean> {
  if ((await freeBytes(folder, space)) < AMPLE_BYTES) return false;
  const path = join(folder, `.trial-${randomUUID()}`);
  try {
    await space.write(path, new Uint8Array(TRIAL_BYTES));
    return true;
  } catch {
    return false;
  } finally {
    await space.remove(path).catch(() => {});
  }
}

type Writes = Pick<WriteFailures, "recent">;

/**
 * Why each store of a folder cannot be written now; null where it can. A failure for want of space ends when
 * the disk takes a file again, not only at the next write, so that the first answer after there is space says
 * so.
 */
export async function unwritable(
  folder: string,
  stores: { readonly database: Writes; readonly lake: Writes },
  space: Space = diskSpace,
): Promise<{ database: string | null; lake: string | null }> {
  const full = await fullDisk(folder, space);
  const [database, lake] = [stores.database.recent(), stores.lake.recent()];
  const hasFailed = [database, lake].includes(DISK_FULL);
  const isOver = full === null && hasFailed && (await takesWrites(folder, space));
  const reason = (recent: string | null) => (isOver && recent === DISK_FULL ? null : (recent ?? full));
  return { database: reason(database), lake: reason(lake) };
}
