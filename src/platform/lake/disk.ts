// The few things the lake does to the disk, each durable when it resolves, and what a refusing disk is called.

import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { AsofError, StorageUnavailable } from "../errors.ts";

/** The seam at which tests let the disk fail. */
export interface Disk {
  /** Makes a folder and those above it, and their names durable. */
  makeFolder(path: string): Promise<void>;
  /** Writes a small file and syncs it. */
  write(path: string, text: string): Promise<void>;
  /** Makes a file's bytes, or a folder's names, durable. */
  sync(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file or folder; none there is fine. */
  remove(path: string): Promise<void>;
}

async function withFile(
  path: string,
  flags: string,
  work: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const file = await open(path, flags);
  try {
    await work(file);
  } finally {
    await file.close();
  }
}

const sync = (path: string) => withFile(path, "r", (file) => file.sync());

export const realDisk: Disk = {
  async makeFolder(path) {
    const first = await mkdir(path, { recursive: true });
    if (first === undefined) return;
    for (let each = path; each.length >= first.length; each = dirname(each)) await sync(dirname(each));
  },
  write: (path, text) =>
    withFile(path, "w", async (file) => {
      await file.writeFile(text);
      await file.sync();
    }),
  sync,
  rename,
  remove: (path) => rm(path, { recursive: true, force: true }),
};

/** SHA-256 of a file, hex. */
export async function sha256Of(path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const piece of Bun.file(path).stream()) hasher.update(piece);
  return hasher.digest("hex");
}

const REFUSALS = new Set([
  "ENOSPC",
  "EDQUOT",
  "EACCES",
  "EPERM",
  "EROFS",
  "EIO",
  "EMFILE",
  "ENFILE",
  "ENOENT",
  "ENOTDIR",
]);
/** DuckDB gives no codes; the class of the error opens its message. */
const DUCKDB_REFUSALS = /^(IO Error|Out of Memory Error|Fatal Error|Serialization Error)|No space left/;

/** The error as the service names it: StorageUnavailable when the disk refused, else the error itself. */
export function asStorageError(error: unknown): unknown {
  if (error instanceof AsofError || !(error instanceof Error)) return error;
  // An aborted request's DOMException has a number there.
  const code: unknown = (error as { code?: unknown }).code;
  const refused =
    (typeof code === "string" && (REFUSALS.has(code) || code.startsWith("SQLITE_"))) ||
    DUCKDB_REFUSALS.test(error.message);
  return refused ? storageUnavailable("The data store cannot be read or written.", error) : error;
}

/** Our store cannot be used; `cause` is for the log. */
export function storageUnavailable(message: string, cause?: unknown): StorageUnavailable {
  return new StorageUnavailable("database_unavailable", message, {
    hint: "The disk may be full, read-only or damaged; the log names the cause.",
    cause,
  });
}

/** Runs work on the disk and names what it throws. */
export async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asStorageError(error);
  }
}
