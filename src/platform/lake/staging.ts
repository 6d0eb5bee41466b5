// The staging folder of a process for unfinished files. A lock held in it shows that its process is alive.

import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Disk } from "./disk.ts";
import { acquireForLifetime } from "./lock.ts";
import { ulid } from "./ulid.ts";

export interface Staging {
  /** The folder; it exists once `ensure` has resolved. */
  readonly path: string;
  /**
   * Folders outside the data folder for an answer's file that it has no room for, best first; made on first
   * use. The first is in memory, on Linux.
   */
  readonly elsewhere: readonly string[];
  /** Makes the folder. Call it under the lake's lock, or another process may sweep it at once. */
  ensure(): Promise<void>;
  isReady(): boolean;
  /** A new file path in the folder. It never ends in .parquet, so that no glob finds an unfinished file. */
  file(name: string): string;
  release(): Promise<void>;
}

const ALIVE = "alive.lock";

/** The staging folder of this process below `root`. */
export function openStaging(disk: Disk, root: string, nowMs: () => number): Staging {
  const name = ulid(nowMs());
  const path = join(root, name);
  const elsewhere = ["/dev/shm", tmpdir()].map((folder) => join(folder, `asof-${name}`));
  let alive: { release(): void } | undefined;
  return {
    path,
    elsewhere,
    async ensure() {
      if (alive) return;
      await disk.makeFolder(path);
      alive = acquireForLifetime(join(path, ALIVE));
    },
    isReady: () => alive !== undefined,
    file: (prefix) => join(path, `${prefix}-${ulid(nowMs())}.part`),
    async release() {
      alive?.release();
      alive = undefined;
      for (const folder of [...elsewhere, path]) await disk.remove(folder);
    },
  };
}

/** Removes the folders of dead processes below `root`. Call it under the lake's lock. */
export async function sweepStaging(disk: Disk, root: string, own: string): Promise<void> {
  const names = await readdir(root).catch((): string[] => []);
  for (const name of names) {
    const path = join(root, name);
    if (path === own || (await isAlive(path))) continue;
    await disk.remove(path);
  }
}

async function isAlive(path: string): Promise<boolean> {
  const inside = await readdir(path).catch((): string[] => []);
  if (!inside.includes(ALIVE)) return false;
  const taken = acquireForLifetime(join(path, ALIVE));
  taken?.release();
  return taken === undefined;
}
