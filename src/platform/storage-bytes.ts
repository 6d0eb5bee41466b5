// Counts the bytes of the data folder by part: at most every ten seconds, and once for all callers of that
// time.
import { readdir, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { keptFor } from "./kept-for.ts";

/**
 * The bytes below `root` by the name directly below it. A file that goes while it is counted counts nothing.
 */
async function folderBytes(root: string): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const [name = ""] = relative(root, path).split(sep);
    const bytes = await stat(path).then(
      ({ size }) => size,
      () => 0,
    );
    found.set(name, (found.get(name) ?? 0) + bytes);
  }
  return found;
}

export interface StorageBytes {
  /** Files of the lake that the manifest names: those that are served, and the history of replaced rows. */
  readonly lake: number;
  /** Replaced files of the lake that wait for their deletion. */
  readonly replaced: number;
  /** Documents as they were fetched. */
  readonly vault: number;
  /** The operational database, which holds the request and error logs, with its write-ahead log. */
  readonly database: number;
  /** Catalogue, manifest, locks, staging, and files that are not the service's. */
  readonly other: number;
}

export interface StorageDeps {
  readonly dataDir: string;
  readonly lake: {
    liveBytes(): number;
    retired(): readonly { readonly bytes?: number }[];
  };
  readonly nowMs: () => number;
}

/** How long a count of what is stored serves. */
export const COUNTED_FOR_MS = 10_000;
const DATABASE_FILE = "ops.sqlite";

const sumOf = (parts: readonly { readonly bytes?: number }[]) =>
  parts.reduce((sum, { bytes = 0 }) => sum + bytes, 0);

async function count({ dataDir, lake }: StorageDeps): Promise<StorageBytes> {
  const found = [...(await folderBytes(dataDir))];
  const inAll = (isPart: (name: string) => boolean) =>
    found.reduce((sum, [name, bytes]) => sum + (isPart(name) ? bytes : 0), 0);
  const isDatabase = (name: string) => name.startsWith(DATABASE_FILE);
  const lakeFolder = inAll((name) => name === "lake");
  // A file may have come or gone since the folder was read.
  const served = Math.min(lake.liveBytes(), lakeFolder);
  const replaced = Math.min(sumOf(lake.retired()), lakeFolder - served);
  return {
    lake: served,
    replaced,
    vault: inAll((name) => name === "vault"),
    database: inAll(isDatabase),
    other:
      inAll((name) => !["lake", "vault"].includes(name) && !isDatabase(name)) +
      lakeFolder -
      served -
      replaced,
  };
}

/** Counts the bytes of the data folder; a count serves all callers for ten seconds. */
export const storageBytes = (deps: StorageDeps): (() => Promise<StorageBytes>) =>
  keptFor(COUNTED_FOR_MS, deps.nowMs, () => count(deps));
