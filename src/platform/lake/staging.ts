// A process's own folder for half-written files, beside the lake. It says who is alive by holding a lock in it.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Disk } from "./disk.ts";
import { holdForLife } from "./lock.ts";
import { ulid } from "./ulid.ts";

export interface Staging {
  /** The folder; it exists once `ensure` has resolved. */
  readonly path: string;
  /** Makes the folder. Call it under the lake's lock, or another process may sweep it at once. */
  ensure(): Promise<void>;
  isReady(): boolean;
  /** A fresh name in it; never ends in .parquet, so that no glob finds what is half written. */
  file(what: string): string;
  release(): Promise<void>;
}

const ALIVE = "alive.lock";

/** The staging of this process below `root`. */
export function openStaging(disk: Disk, root: string, nowMs: () => number): Staging {
  const path = join(root, ulid(nowMs()));
  let life: { release(): void } | undefined;
  return {
    path,
    async ensure() {
      if (life) return;
      await disk.makeFolder(path);
      life = holdForLife(join(path, ALIVE));
    },
    isReady: () => life !== undefined,
    file: (what) => join(path, `${what}-${ulid(nowMs())}.part`),
    async release() {
      life?.release();
      life = undefined;
      await disk.remove(path);
    },
  };
}

/** Removes what dead processes left below `root`. Call it under the lake's lock. */
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
  const taken = holdForLife(join(path, ALIVE));
  taken?.release();
  return taken === undefined;
}
