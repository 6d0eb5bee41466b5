// Disk operations of the lake, each durable once it resolves, and the mapping of disk errors to
// StorageUnavailable.

import { type FileHandle, link, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { AsofError, StorageUnavailable } from "../errors.ts";
import { yieldToEventLoop } from "../event-loop.ts";

/** Disk operations as an interface, so that tests can make the disk fail. */
export interface Disk {
  /** Makes a folder and its parents, and syncs their directory entries. */
  makeFolder(path: string): Promise<void>;
  /** Writes a small file and syncs it. */
  write(path: string, text: string): Promise<void>;
  /**
   * Adds a line to a file, which is made when absent, and syncs it. A last line that was cut off stays a line
   * of its own.
   */
  appendLine(path: string, text: string): Promise<void>;
  /** Syncs the bytes of a file or the entries of a folder. */
  sync(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Gives a file a second name. Fails when the name is taken. */
  link(from: string, to: string): Promise<void>;
  /** Removes a file or folder; does nothing when it does not exist. */
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
  appendLine: (path, text) =>
    withFile(path, "a+", async (file) => {
      const { size } = await file.stat();
      const last = Buffer.alloc(1);
      if (size > 0) await file.read(last, 0, 1, size - 1);
      await file.appendFile(`${size > 0 && last.toString() !== "\n" ? "\n" : ""}${text}\n`);
      await file.sync();
    }),
  sync,
  rename,
  link,
  remove: (path) => rm(path, { recursive: true, force: true }),
};

/**
 * The SHA-256 of a file in hexadecimal. Others have their turn after each piece: the pieces of a file that
 * the system has cached come without one.
 */
export async function sha256Of(path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const piece of Bun.file(path).stream()) {
    hasher.update(piece);
    await yieldToEventLoop();
  }
  return hasher.digest("hex");
}

const DISK_ERROR_CODES = new Set([
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
/** DuckDB errors have no code; the message begins with the error class. */
const DUCKDB_DISK_ERRORS = /^(IO Error|Out of Memory Error|Fatal Error|Serialization Error)|No space left/;

/** Converts disk and DuckDB storage errors to StorageUnavailable; returns any other error unchanged. */
export function asStorageError(error: unknown): unknown {
  if (error instanceof AsofError || !(error instanceof Error)) return error;
  // The DOMException of an aborted request has a number as its code.
  const code: unknown = (error as { code?: unknown }).code;
  const isDiskError =
    (typeof code === "string" && (DISK_ERROR_CODES.has(code) || code.startsWith("SQLITE_"))) ||
    DUCKDB_DISK_ERRORS.test(error.message);
  return isDiskError ? storageUnavailable("The data store cannot be read or written.", error) : error;
}

/** The error for a store that cannot be used; `cause` is for the log only. */
export function storageUnavailable(message: string, cause?: unknown): StorageUnavailable {
  return new StorageUnavailable("database_unavailable", message, {
    hint: "The disk may be full, read-only or damaged; the log names the cause.",
    cause,
  });
}

/** Runs work on the disk and converts its errors with `asStorageError`. */
export async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asStorageError(error);
  }
}
