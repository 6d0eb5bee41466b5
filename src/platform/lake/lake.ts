// The lake: every table of the service as Parquet files, one manifest saying which of them count.

import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../clock.ts";
import { type BackgroundTasks, startBackgroundTasks } from "./background-tasks.ts";
import { publishCatalogue } from "./catalogue.ts";
import { checkLake, type LakeProblem, type LakeReport, problemsOf } from "./check.ts";
import type { LakeParts } from "./commit.ts";
import { type Compacted, type CompactOptions, compactLake, needsCompaction } from "./compact.ts";
import { type CopiedFile, type CopyFormat, copyQuery, copyRows } from "./copy.ts";
import type { ColumnType, Dataset, LakeFacts, Macro, RowOf } from "./dataset.ts";
import { asStorageError, type Disk, onDisk } from "./disk.ts";
import type { Params, QueryOptions } from "./duckdb.ts";
import { type ColumnsResult, rowsOf } from "./duckdb-read.ts";
import { materializedTables } from "./materialized.ts";
import { graceMsOf, openParts } from "./parts.ts";
import type { Replacement } from "./replace.ts";
import type { Appended, Batch } from "./staging-batch.ts";
import { type DatasetStats, statsOf } from "./stats.ts";
import { sweepRetired } from "./sweep.ts";
import { factsOf } from "./views.ts";
import { openWriter } from "./write.ts";

export { type Catalogue, openCatalogue } from "./catalogue.ts";
export type { Finding, LakeProblem, LakeReport } from "./check.ts";
export type { Compacted, CompactOptions } from "./compact.ts";
export type { CopiedFile, CopyFormat } from "./copy.ts";
export type { Param, Params, QueryOptions } from "./duckdb.ts";
export type { ColumnsResult } from "./duckdb-read.ts";
export type { Appended, Batch } from "./staging-batch.ts";
export type { DatasetStats } from "./stats.ts";

/** Pairs a dataset with rows of its own type, for `Lake.append`. */
export function batchOf<D extends Dataset>(
  dataset: D,
  rows: readonly RowOf<D>[],
  instead?: Replacement,
): Batch {
  return { dataset, rows, instead };
}

export interface Lake {
  /**
   * Stores rows and resolves when they are durable and visible, all datasets of one call at once. Throws RowRefused
   * naming dataset, column and key for a row that does not fit (nothing is written), StorageUnavailable
   * (`database_unavailable`) when the disk refuses (nothing is visible). With `instead` the stored rows it names leave in
   * the same act: for what is read out of documents that do not change, when it was read wrongly.
   */
  append(batch: readonly Batch[]): Promise<Appended[]>;
  /** Rows as objects: DATE "YYYY-MM-DD", TIMESTAMPTZ "…Z" (ms when non-zero), whole numbers as number, null as null. */
  query<T = Record<string, unknown>>(sql: string, params?: Params, options?: QueryOptions): Promise<T[]>;
  /** The same values by column; the way for many rows. */
  columns(sql: string, params?: Params, options?: QueryOptions): Promise<ColumnsResult>;
  /** The result of a query as a file beside the lake. */
  copyOut(sql: string, params: Params, format: CopyFormat, options?: QueryOptions): Promise<CopiedFile>;
  /** Rows that are not in the lake as a file, with the given columns, each of which may be null. */
  copyRows(
    columns: readonly { readonly name: string; readonly type: ColumnType }[],
    rows: readonly Readonly<Record<string, unknown>>[],
    format: CopyFormat,
  ): Promise<CopiedFile>;
  /** Names what is stored of datasets: another text as soon as a file of theirs comes or goes, here or by another process. */
  version(...datasets: readonly Dataset[]): Promise<string>;
  /**
   * Lends the name of a table in memory with the rows of `select`, made once for each `version` of what it reads: for
   * small sets that many queries join with. It stays until `use` ends at least.
   */
  keep<T>(version: string, select: string, use: (table: string) => Promise<T>): Promise<T>;
  /** Merges deltas, one partition at a time, and removes what no reader needs any more. */
  compact(options?: CompactOptions): Promise<Compacted[]>;
  /** Builds catalog.duckdb now (it follows each change by itself within seconds). */
  publish(): Promise<void>;
  /** Reads every file and says what is wrong; with `repair` sets broken files aside. */
  check(options?: { repair?: boolean }): Promise<LakeReport>;
  /** From the manifest, without reading a row. */
  stats(): DatasetStats[];
  /** The same for single columns, as the macros know it. */
  facts(): LakeFacts;
  /** Files that are named but missing or broken, and therefore not served. */
  problems(): LakeProblem[];
  /** Finishes the appends under way, publishes what is owed, interrupts what is still read and lets go of everything. */
  close(): Promise<void>;
}

export interface LakeOptions {
  /** The data folder: lake/, _staging/ and catalog.duckdb lie in it. Made when absent. */
  dir: string;
  datasets: readonly Dataset[];
  macros: readonly Macro[];
  clock: Clock;
  /** DuckDB's own ("2GB"); beyond it sorting spills to staging. */
  memoryLimit?: string;
  threads?: number;
  /** For a process that writes a great deal and reads it no more: small in memory. */
  lowMemory?: boolean;
  /** How long a replaced file stays for readers of an older catalogue. */
  retiredGraceMs?: number;
  /** Deltas in one partition that set the compaction going; without it only `compact` does. */
  compactAtDeltas?: number;
  /** Reads every file once in the background after opening and leaves broken ones out. */
  verify?: boolean;
  /** How long after opening that begins, so that it does not slow the first answers; default 0. */
  verifyDelayMs?: number;
  publishDelayMs?: number;
  /** Told when something fails that no caller waits for. */
  onError?(what: string, error: unknown): void;
  /** For tests of a refusing disk. */
  disk?: Disk;
}

const PUBLISH_DELAY_MS = 1_000;
/** How DuckDB's message begins when a file may be broken. */
const MAYBE_BROKEN_FILE =
  /^(IO Error|Invalid Input Error|Invalid Error|Serialization Error|INTERNAL Error|Fatal Error)/;

/** Reads that look for a broken file when they fail as one makes them fail, leave it out and read again. */
function mendingReader(parts: LakeParts) {
  let lookedAt = -1;
  const mend = async (): Promise<boolean> => {
    if (await parts.snapshots.inspect(false)) return true;
    const { generation } = parts.snapshots.last().manifest;
    if (generation === lookedAt) return false;
    lookedAt = generation;
    return parts.snapshots.inspect(true);
  };
  return async <T>(read: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    try {
      return await parts.snapshots.hold(read);
    } catch (error) {
      const isSuspect = error instanceof Error && !signal?.aborted && MAYBE_BROKEN_FILE.test(error.message);
      if (isSuspect && (await mend())) return onDisk(() => parts.snapshots.hold(read));
      throw asStorageError(error);
    }
  };
}

/** The lake as its users see it, over its parts. */
function face(parts: LakeParts, acts: Pick<Lake, "compact" | "publish">, finish: () => Promise<void>): Lake {
  const writer = openWriter(parts);
  const read = mendingReader(parts);
  const keep = materializedTables((sql) =>
    read(() => parts.db.useToWrite(async (connection) => void (await connection.run(sql)))),
  );
  const columns: Lake["columns"] = (sql, params, options) =>
    read(() => parts.db.read(sql, params, options), options?.signal);
  return {
    append: writer.append,
    columns,
    query: async <T>(sql: string, params?: Params, options?: QueryOptions) =>
      rowsOf<T>(await columns(sql, params, options)),
    copyOut: (sql, params, format, options = {}) =>
      read(() => copyQuery(parts, sql, params, format, options), options.signal),
    copyRows: (wanted, rows, format) => onDisk(() => copyRows(parts, wanted, rows, format)),
    async version(...datasets) {
      const names = new Set(datasets.map(({ name }) => name));
      const { files } = await onDisk(() => parts.snapshots.current());
      const own = files.filter(({ dataset }) => names.has(dataset)).map(({ path }) => path);
      return Bun.hash(own.join("\n")).toString(36);
    },
    keep,
    compact: (options) => onDisk(() => acts.compact(options)),
    publish: () => onDisk(acts.publish),
    check: (options) => onDisk(() => checkLake(parts, options?.repair ?? false)),
    stats: () =>
      [...parts.datasets.values()].map((dataset) => statsOf(dataset, parts.snapshots.last().files)),
    facts: () => factsOf(parts.snapshots.last().files),
    problems: () => problemsOf(parts),
    async close() {
      await writer.end();
      await finish();
      await parts.db.close();
      await parts.staging.release().catch(() => undefined);
      parts.lock.close();
      parts.publishing.close();
    },
  };
}

/** Opens the lake of a data folder, makes it when absent, and removes what crashed processes left. */
export async function openLake(options: LakeOptions): Promise<Lake> {
  return onDisk(async () => {
    await mkdir(join(options.dir, "lake"), { recursive: true });
    const late: { backgroundTasks?: BackgroundTasks } = {};
    const { parts, faults: errors } = await openParts(options, await realpath(options.dir), () => {
      late.backgroundTasks?.publishSoon();
      const { compactAtDeltas } = options;
      if (compactAtDeltas !== undefined && needsCompaction(parts, compactAtDeltas))
        late.backgroundTasks?.compactSoon();
    });
    const compact = async (wanted: CompactOptions = {}) => {
      const done = await compactLake(parts, wanted);
      await parts.lock.hold(() => sweepRetired(parts, graceMsOf(options)));
      return done;
    };
    const publish = () => publishCatalogue(parts, options.macros);
    const onError = options.onError ?? (() => undefined);
    const delayMs = options.publishDelayMs ?? PUBLISH_DELAY_MS;
    const backgroundTasks = startBackgroundTasks({
      publish,
      compact: (signal) => compact({ signal }),
      onError,
      delayMs,
    });
    late.backgroundTasks = backgroundTasks;
    for (const error of errors) onError("opening the lake for writing", error);
    if (errors.length === 0) backgroundTasks.publishSoon();
    const ending = new AbortController();
    const verify = async () => {
      await options.clock.sleep(options.verifyDelayMs ?? 0, ending.signal).catch(() => undefined);
      if (!ending.signal.aborted) await parts.snapshots.inspect(true, ending.signal);
    };
    const verifying = options.verify
      ? verify().catch((error) => onError("verifying the lake", error))
      : undefined;
    return face(parts, { compact, publish }, async () => {
      ending.abort();
      await verifying;
      await backgroundTasks.finish();
    });
  });
}
