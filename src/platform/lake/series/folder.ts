// The folder of arrays, by the SHA-256 of their Parquet files. No manifest, backup or Delta log knows it.
import { closeSync, openSync, read as readBytes, statSync } from "node:fs";
import { open, readdir, statfs } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { yieldToEventLoop } from "../../event-loop.ts";
import { ensureStaging, type LakeParts } from "../write/commit.ts";
import type { ReadBytes } from "./layout.ts";

const pread = promisify(readBytes);

export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.byteLength;
  }
  return all;
}

/** Where the bytes of arrays go while they are made. */
export interface Sink {
  /** It must use the bytes at once. */
  write(bytes: Uint8Array): void;
  /** Called between chunks of rows. */
  turn(): Promise<void>;
}

export class ArrayFolder {
  readonly #parts: Pick<LakeParts, "disk" | "staging" | "lock" | "dataDir">;
  readonly #folder: string;

  constructor(parts: Pick<LakeParts, "disk" | "staging" | "lock" | "dataDir">) {
    this.#parts = parts;
    this.#folder = join(parts.dataDir, "series");
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }

  names(): Promise<string[]> {
    return readdir(this.#folder).catch(() => []);
  }

  /** Bytes of a file; undefined where there is none. */
  bytes(name: string): number | undefined {
    return statSync(this.#path(name), { throwIfNoEntry: false })?.size;
  }

  /** Bytes that are free on its disk. */
  async free(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#parts.dataDir);
    return bavail * bsize;
  }

  remove(name: string): Promise<void> {
    return this.#parts.disk.remove(this.#path(name));
  }

  /** Reads a file that is opened for each read: what is removed meanwhile is missing at once. */
  reader(name: string): ReadBytes {
    return async (offset, bytes, into = new Uint8Array(bytes)) => {
      const file = openSync(this.#path(name), "r");
      try {
        const { bytesRead } = await pread(file, into, 0, bytes, offset);
        return into.subarray(0, bytesRead);
      } finally {
        closeSync(file);
      }
    };
  }

  /** Writes arrays to a temporary file, which gets its name once it is durable. */
  async write(name: string, work: (sink: Sink) => Promise<void>): Promise<void> {
    const { disk, staging } = this.#parts;
    await ensureStaging(this.#parts);
    const staged = staging.file("series");
    const file = await open(staged, "w");
    try {
      const pieces: Uint8Array[] = [];
      const turn = async () => {
        if (pieces.length > 0) await file.writeFile(joined(pieces.splice(0)));
        await yieldToEventLoop();
      };
      await work({ write: (bytes) => void pieces.push(bytes.slice()), turn });
      await turn();
      await file.sync();
      await disk.makeFolder(this.#folder);
      await disk.rename(staged, this.#path(name));
      await disk.sync(this.#folder);
    } finally {
      await file.close();
      await disk.remove(staged).catch(() => undefined);
    }
  }
}
