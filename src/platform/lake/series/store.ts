// The arrays of the lake's files, made of a Parquet file and never needed. Small files have theirs in memory,
// made when they are first read; those of others are made on disk, in the background.
import { LRUCache } from "lru-cache";
import { systemTimers } from "../../clock.ts";
import { yieldToEventLoop } from "../../event-loop.ts";
import type { LakeFile } from "../manifest.ts";
import type { Snapshot } from "../snapshot.ts";
import { locateIn, selectFiles } from "../views.ts";
import type { LakeParts } from "../write/commit.ts";
import { arrayColumns, encodeRows, selectRows } from "./encode.ts";
import { ArrayFolder, joined, type Sink } from "./folder.ts";
import { type ArrayIndex, isWhole, type ReadBytes, readIndex } from "./layout.ts";
import type { Arrays } from "./piece.ts";

/** Files from here on have their arrays on disk; a commit of some fetches has fewer rows. */
const DISK_ROWS = 2_048;
/** Rows whose arrays a read may wait for: it takes some 50 ms. Beyond, the engine answers. */
const WAITED_ROWS = 30_000;
const MEMORY_BYTES = 32 * 1024 * 1024;
/** Symbols of the indexes in memory, of all files together: a hundred bytes each. */
const INDEXED_SYMBOLS = 400_000;
/** With less free space all arrays go, and none is made until there is twice as much. */
const FREE_BYTES_MIN = 1_000_000_000;
/** Arrays of a file are at most so many times as large. */
const PARQUET_RATIO = 3;
/** Arrays that no manifest needs stay so long for the reads that have begun. */
const UNNEEDED_MS = 15 * 60_000;

type StoreParts = Pick<
  LakeParts,
  "db" | "disk" | "staging" | "lock" | "snapshots" | "datasets" | "dataDir" | "lakeDir"
>;
/** The snapshot whose files are read. */
type Of = Pick<Snapshot, "manifest">;

export interface SeriesStats {
  readonly files: number;
  readonly bytes: number;
  /** Files of the lake that should have arrays on disk and have none. */
  readonly missing: number;
  /** Reads that went to the engine for want of arrays, since the start. */
  readonly misses: number;
}

export class SeriesStore {
  readonly #parts: StoreParts;
  readonly #folder: ArrayFolder;
  readonly #freeBytes: () => Promise<number>;
  /** Whole files in memory. */
  readonly #images = new LRUCache<string, Uint8Array>({
    maxSize: MEMORY_BYTES,
    sizeCalculation: ({ byteLength }) => byteLength,
  });
  readonly #indexes = new LRUCache<string, ArrayIndex>({
    maxSize: INDEXED_SYMBOLS,
    sizeCalculation: ({ places }) => places.size + 1,
  });
  /** Files whose rows have no arrays, as where they are out of order. */
  readonly #refused = new Set<string>();
  readonly #unneededSince = new Map<string, number>();
  #misses = 0;

  constructor(parts: StoreParts, freeBytes?: () => Promise<number>) {
    this.#parts = parts;
    this.#folder = new ArrayFolder(parts);
    this.#freeBytes = freeBytes ?? (() => this.#folder.free());
  }

  /** Opens the arrays of files, in their order. Null where some have none yet. */
  async open(of: Of, files: readonly LakeFile[]): Promise<Arrays[] | null> {
    const found = await Promise.all(files.map((file) => this.#find(file)));
    const missing = files.filter((_, at) => found[at] === null);
    const rows = missing.reduce((sum, file) => sum + file.rows, 0);
    if (rows > WAITED_ROWS || missing.some(({ sha256 }) => this.#refused.has(sha256))) {
      this.#misses++;
      return null;
    }
    if (missing.length > 0)
      await this.#makeInMemory(of, missing).catch(() => {
        for (const { sha256 } of missing) this.#refused.add(sha256);
      });
    const all = await Promise.all(files.map((file, at) => found[at] ?? this.#find(file)));
    return all.includes(null) ? null : (all as Arrays[]);
  }

  /** Makes the arrays of a file again, which are damaged or gone; null where that fails. */
  async remake(of: Of, file: LakeFile): Promise<Arrays | null> {
    await this.#forget(file.sha256);
    if (await this.#parts.snapshots.verify([file])) return null;
    if (file.rows < DISK_ROWS) await this.#makeInMemory(of, [file]);
    else await this.#makeOnDisk(of, file);
    return this.#find(file);
  }

  /** Makes the arrays that files should have on disk, and removes those that no file has. */
  async fill(signal?: AbortSignal): Promise<void> {
    if ((await this.#freeBytes()) < FREE_BYTES_MIN) return this.drop();
    await this.#sweep();
    for (const file of this.#wanting()) {
      if (signal?.aborted) return;
      if ((await this.#freeBytes()) < 2 * FREE_BYTES_MIN + PARQUET_RATIO * file.bytes) return;
      await this.#parts.snapshots.hold(async (snapshot) => {
        if (!snapshot.files.some(({ sha256 }) => sha256 === file.sha256)) return;
        if (await this.#parts.snapshots.verify([file])) return;
        await this.#makeOnDisk(snapshot, file, signal).catch((error) => {
          // A full disk has room again, and another process goes on; rows do not change.
          if (!("code" in error) && !signal?.aborted) this.#refused.add(file.sha256);
          throw error;
        });
      });
    }
  }

  /** Removes all arrays. */
  async drop(): Promise<void> {
    this.#images.clear();
    for (const name of await this.#folder.names()) await this.#forget(name);
  }

  /** Reads all arrays, and removes those that are damaged; gives their number. They are made again. */
  async check(): Promise<number> {
    let damaged = 0;
    for (const name of await this.#folder.names()) {
      const bytes = this.#folder.bytes(name) ?? 0;
      if (await isWhole(this.#folder.reader(name), bytes, name)) continue;
      damaged++;
      await this.#forget(name);
    }
    return damaged;
  }

  async stats(): Promise<SeriesStats> {
    const names = await this.#folder.names();
    const bytes = names.reduce((sum, name) => sum + (this.#folder.bytes(name) ?? 0), 0);
    return { files: names.length, bytes, missing: this.#wanting().length, misses: this.#misses };
  }

  #wanting(): LakeFile[] {
    const { snapshots, datasets } = this.#parts;
    return snapshots
      .last()
      .files.filter(
        ({ dataset, rows, sha256 }) =>
          datasets.get(dataset)?.series &&
          rows >= DISK_ROWS &&
          !this.#refused.has(sha256) &&
          this.#folder.bytes(sha256) === undefined,
      );
  }

  async #forget(sha256: string): Promise<void> {
    this.#images.delete(sha256);
    this.#indexes.delete(sha256);
    await this.#folder.remove(sha256);
  }

  /** Removes arrays that no file has, once the reads that may use them are over. */
  async #sweep(): Promise<void> {
    const needed = new Set(this.#parts.snapshots.last().manifest.files.map(({ sha256 }) => sha256));
    for (const name of await this.#folder.names()) {
      const since = this.#unneededSince.get(name) ?? systemTimers.elapsedMs();
      if (needed.has(name)) this.#unneededSince.delete(name);
      else if (systemTimers.elapsedMs() - since >= UNNEEDED_MS) await this.#forget(name);
      else this.#unneededSince.set(name, since);
    }
  }

  /** The arrays of a file in memory, else on disk. */
  async #find(file: LakeFile): Promise<Arrays | null> {
    const { sha256 } = file;
    const image = this.#images.get(sha256);
    if (image) return this.#arraysOf(file, async (at, bytes) => image.subarray(at, at + bytes), image.length);
    const bytes = this.#folder.bytes(sha256);
    if (bytes === undefined) return null;
    const arrays = await this.#arraysOf(file, this.#folder.reader(sha256), bytes);
    if (arrays === null) await this.#forget(sha256);
    return arrays;
  }

  async #arraysOf(
    { sha256, dataset: name }: LakeFile,
    read: ReadBytes,
    size: number,
  ): Promise<Arrays | null> {
    const known = this.#indexes.get(sha256);
    if (known) return { index: known, read };
    const dataset = this.#parts.datasets.get(name);
    const index = await readIndex(read, size, sha256).catch(() => null);
    if (!dataset || JSON.stringify(index?.columns) !== JSON.stringify(arrayColumns(dataset))) return null;
    if (index !== null) this.#indexes.set(sha256, index);
    return index && { index, read };
  }

  async #makeInMemory(of: Of, files: readonly LakeFile[]): Promise<void> {
    const pieces = files.map((): Uint8Array[] => []);
    const sinks = pieces.map(
      (own): Sink => ({ write: (bytes) => void own.push(bytes.slice()), turn: yieldToEventLoop }),
    );
    await this.#encode(of, files, sinks, "use");
    for (const [at, { sha256 }] of files.entries()) this.#images.set(sha256, joined(pieces[at] ?? []));
  }

  #makeOnDisk(of: Of, file: LakeFile, signal?: AbortSignal): Promise<void> {
    return this.#folder.write(file.sha256, async ({ write, turn }) => {
      const image = this.#images.get(file.sha256);
      if (image) return write(image);
      const unlessAborted = async () => {
        signal?.throwIfAborted();
        await turn();
      };
      await this.#encode(of, [file], [{ write, turn: unlessAborted }], "useToPublish");
    });
  }

  /** Makes arrays of files of a dataset out of the engine's rows. */
  async #encode(
    { manifest }: Of,
    files: readonly LakeFile[],
    sinks: readonly Sink[],
    use: "use" | "useToPublish",
  ) {
    const { db, datasets, lakeDir } = this.#parts;
    const dataset = datasets.get(files[0]?.dataset ?? "");
    if (!dataset) return;
    const schemas = manifest.schemas[dataset.name] ?? [];
    const selects = files.map((file) => selectFiles(dataset, [file], schemas, locateIn(lakeDir)));
    await db[use](async (connection) =>
      encodeRows(await connection.stream(selectRows(dataset, selects)), dataset, files, sinks),
    );
  }
}
