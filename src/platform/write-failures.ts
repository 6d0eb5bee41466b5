// What the newest failed write to a store said, for as long as that describes the present.
import { statfs } from "node:fs/promises";
import { StorageUnavailable } from "./errors.ts";

/** A failure older than this says nothing: the disk may have space again. */
const RECENT_MS = 4_000;
/** With less free space than this no write of rows fits. */
const FREE_BYTES_MIN = 1_000_000;

/** The machine's own words for the reason, without a path. */
function reasonOf(error: unknown): string {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    const { code } = inner as { code?: unknown };
    if (code === "ENOSPC" || code === "EDQUOT" || code === "SQLITE_FULL") return "the disk is full";
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
      if (error instanceof StorageUnavailable) last = { reason: reasonOf(error), at: performance.now() };
    },
    clear() {
      last = null;
    },
    recent: () => (last !== null && performance.now() - last.at <= RECENT_MS ? last.reason : null),
  };
}

/** "the disk is full" where the file system of a folder has no space for a write; null otherwise. */
export async function fullDisk(folder: string): Promise<string | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize < FREE_BYTES_MIN ? "the disk is full" : null;
  } catch {
    // A folder that is gone shows at the next read or write.
    return null;
  }
}
