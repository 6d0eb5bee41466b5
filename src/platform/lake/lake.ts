// The lake: the datasets of the service as Parquet files, with one manifest that lists the live files.

import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { currentReading, refuseInReplay, sharedKey } from "../reading.ts";
import type { Batch as TableBatch } from "../table.ts";
import {
  type CheckOptions,
  checkLake,
  commitLogFindings,
  deltaFindings,
  type LakeProblem,
  type LakeReport,
  problemsOf,
} from "./check.ts";
import type { Dataset, LakeMetadata, RowOf } from "./dataset.ts";
import { onDisk } from "./disk.ts";
import { type Params, type QueryOptions as ReadSignal, withSearchPath } from "./duckdb.ts";
import { type ColumnsResult, rowObjects } from "./duckdb-read.ts";
import { lineOf } from "./lineage.ts";
import { startMaintenance } from "./maintenance.ts";
import { type LakeFile, type Line, type LostFile, type RetiredFile, readManifest } from "./manifest.ts";
import { type LakeOptions, openParts } from "./parts.ts";
import { type Publication, takePublication } from "./publication.ts";
import { type CopiedFile, type CopyFormat, type CopyOptions, copyQuery } from "./read/copy.ts";
import { filesOfDatasets, keptResults } from "./read/kept-results.ts";
import { materializedTables } from "./read/materialized.ts";
import { type SeriesRead, seriesBatches } from "./series/read.ts";
import { SeriesStore } from "./series/store.ts";
import { lakeReads, type QueryOptions } from "./sound-reads.ts";
import { type DatasetStats, statsOf } from "./stats.ts";
import {
  type Change,
  type ChangeCount,
  copyLedger,
  countChanges,
  type LedgerEnd,
  type LedgerForm,
  type LedgerPart,
  type LedgerRange,
  type LedgerRequest,
  ledgerBatches,
  ledgerEnd,
  readLedger,
} from "./versions/ledger.ts";
import { withRangesOf } from "./versions/version-metadata.ts";
import { metadataOf } from "./views.ts";
import { forkLake, type LakeParts } from "./write/commit.ts";
import { type CommitRequest, type Commits, readCommits } from "./write/commit-log.ts";
import type { Compacted, CompactOptions } from "./write/compact.ts";
import { lostValues, settleLosses } from "./write/losses.ts";
import type { Replacement } from "./write/replace.ts";
import type { Appended, Batch } from "./write/staging-batch.ts";
import { listedRetired } from "./write/sweep.ts";
import { openWriter } from "./write/write.ts";

export { type Catalogue, openCatalogue } from "./catalogue.ts";
export { CAUSE_NAMES, CAUSES, type Cause } from "./change-causes.ts";
export type { Finding, LakeProblem, LakeReport } from "./check.ts";
export type { Param, Params } from "./duckdb.ts";
export type { ColumnsResult } from "./duckdb-read.ts";
export type { Line, LostFile, RetiredFile } from "./manifest.ts";
export type { LakeOptions } from "./parts.ts";
export type { CopiedFile, CopyFormat } from "./read/copy.ts";
export { type DaysRead, NO_END } from "./read/day-views.ts";
export { openReader, type Reader } from "./reader.ts";
export type { SeriesRead } from "./series/read.ts";
export type { QueryOptions } from "./sound-reads.ts";
export type { DatasetStats } from "./stats.ts";
export type {
  Change,
  ChangeCount,
  ChangeOp,
  LedgerEnd,
  LedgerRange,
  LedgerRequest,
} from "./versions/ledger.ts";
export type { Commits } from "./write/commit-log.ts";
export type { Compacted, CompactOptions } from "./write/compact.ts";
export type { Appended, Batch } from "./write/staging-batch.ts";

/** Pairs a dataset with rows of its own type, for `Lake.append`. */
export function batchOf<D extends Dataset>(
  dataset: D,
  rows: readonly RowOf<D>[],
  replacement?: Replacement,
): Batch {
  return { dataset, rows, replacement };
}

export interface ColumnsOptions extends QueryOptions {
  /**
   * The datasets whose rows alone the read depends on, beside the day in New York. A small result of the
   * newest rows is then kept in memory, as long as these datasets have the same files; the caller must not
   * change what it gets.
   */
  keptOf?: readonly Dataset[] | undefined;
}

export interface Lake {
  /**
   * Stores rows and resolves when they are durable and visible; all datasets of one call become visible
   * together. Throws RowRefused, which names dataset, column and key, for a row that does not fit; then
   * nothing is written. Throws StorageUnavailable (`database_unavailable`) when the disk fails; then nothing
   * becomes visible. With `replacement`, the stored rows it selects leave the tables in the same commit and
   * stay for earlier versions. Use it for values that were parsed wrongly out of documents that do not
   * change.
   */
  append(batch: readonly Batch[]): Promise<Appended[]>;
  /** The generation of the newest commit: the version of the data that a read now sees. */
  generation(): Promise<number>;
  /**
   * Calls `listener` after each commit of this process; the returned function ends that. Commits of others
   * are seen by `generation`.
   */
  onCommit(listener: () => void): () => void;
  /**
   * The oldest generation that can still be read: rows of releases before it were not recorded by generation.
   */
  oldestVersion(): number;
  /** Whether the commit of a generation is known to have only moved rows between files. */
  isRowless(generation: number): boolean;
  /** Reads what is noted of the commits, the newest first. */
  commits(request: CommitRequest, options?: ReadSignal): Promise<Commits>;
  /**
   * The id of the line of history that a generation is of, by default the newest; null where it is of none
   * that this lake has.
   */
  lineOf(generation?: number): string | null;
  /** Begins another line of history: the newest rows under a number that no other line has. */
  fork(): Promise<readonly Line[]>;
  /** Finds the commit at which a page of the ledger ends, so that whole commits make up about `rows` rows. */
  ledgerEnd(
    request: Omit<LedgerRange, "to"> & { readonly to?: number | undefined; readonly rows: number },
    options?: ReadSignal,
  ): Promise<LedgerEnd>;
  /** Reads what the commits of a range of generations changed. */
  ledger(request: LedgerRequest, options?: ReadSignal): Promise<Change[]>;
  /** Returns these changes as batches, with keys and values as text. */
  ledgerBatches(request: LedgerRequest, options?: ReadSignal): Promise<TableBatch[]>;
  /** Reads a part of the same; `isCut` says whether changes of the request follow it. */
  ledgerPart(
    request: LedgerRequest & { readonly part?: LedgerPart | undefined },
    options?: ReadSignal,
  ): ReturnType<typeof readLedger>;
  /** Writes these changes to a file, for any number of rows; null where there are none. */
  ledgerOut(request: LedgerRequest, form: LedgerForm, options?: ReadSignal): Promise<CopiedFile | null>;
  /** Counts the changes of a range of generations by dataset, kind, cause and symbol. */
  ledgerCounts(range: LedgerRange, options?: ReadSignal): Promise<ChangeCount[]>;
  /**
   * Returns rows as objects: DATE as "YYYY-MM-DD", TIMESTAMPTZ as "…Z" (milliseconds when non-zero), integers
   * as number.
   */
  query<T = Record<string, unknown>>(sql: string, params?: Params, options?: ColumnsOptions): Promise<T[]>;
  /** Returns the same values by column, which is faster for many rows. */
  columns(sql: string, params?: Params, options?: ColumnsOptions): Promise<ColumnsResult>;
  /**
   * Reads rows of some symbols and days of a dataset with `series`, ordered by these, out of its arrays. Null
   * where there are none of a file: the engine has the rows.
   */
  series(dataset: Dataset, read: SeriesRead): Promise<AsyncIterable<TableBatch> | null>;
  /** The upkeep of the arrays; null where they are off. */
  readonly arrays: Pick<SeriesStore, "fill" | "drop" | "check" | "stats"> | null;
  /** Writes the result of a query to a file in the staging folder. */
  copyOut(
    sql: string,
    params: Params,
    format: CopyFormat,
    options?: QueryOptions & Pick<CopyOptions, "rowsOnly">,
  ): Promise<CopiedFile>;
  /** Returns the rows of a query as batches of columns, for the rows of an answer. */
  batches(sql: string, params?: Params, options?: QueryOptions): Promise<TableBatch[]>;
  /**
   * Identifies the stored files of datasets, for what is known of some symbols or of all. The text changes
   * when any process adds or removes one of their files.
   */
  version(datasets: readonly Dataset[], symbols?: readonly string[]): Promise<string>;
  /**
   * Passes `use` the name of an in-memory table with the rows of `select`, made once per `version`. It is
   * meant for small sets that many queries join with. The table exists at least until `use` ends.
   */
  materialize<T>(version: string, select: string, use: (table: string) => Promise<T>): Promise<T>;
  /** Merges deltas, one partition at a time, and removes files that no reader needs. */
  compact(options?: CompactOptions): Promise<Compacted[]>;
  /** Builds catalog.duckdb now. It is also rebuilt within seconds of each change. */
  publish(): Promise<void>;
  /** Takes one moment of the lake for a copy elsewhere. */
  publication(): Promise<Publication>;
  /** Reads every file and reports problems; `repair` moves broken files to quarantine. */
  check(options?: CheckOptions): Promise<LakeReport>;
  /** The files whose rows are lost still, once those that are stored again are noted. */
  losses(): Promise<LostFile[]>;
  /** The values of a column of such a file, else those of the relation `others` within its ranges. */
  lostValues(file: LostFile, column: string, others: string): Promise<string[]>;
  /** Compares every file with its hash again: what time does to a disk changes no date of a file. */
  inspect(signal?: AbortSignal): Promise<void>;
  /** Row counts and ranges of each dataset, from the manifest alone. */
  stats(): DatasetStats[];
  /** Bytes of the files that the manifest names: those that are served, and the history of replaced rows. */
  liveBytes(): number;
  /** Replaced files that are still on disk for readers of older catalogues, oldest first. */
  retired(): readonly RetiredFile[];
  /**
   * Computes something from the ranges and partitions of single datasets, as macros get them. `make` may be
   * called several times. In an earlier version the ranges are those of its rows.
   */
  ofMetadata<T>(make: (metadata: LakeMetadata) => T): Promise<T>;
  /**
   * Compares the files that a statement reads with their hashes, for a reader of its own, and notes which it
   * lacks. Returns the paths of the damaged ones.
   */
  damagedFor(sql: string): Promise<string[]>;
  /** Files that the manifest lists but that are missing or broken, and are therefore not served. */
  problems(): LakeProblem[];
  /** Why the newest write failed, seconds ago at most; null otherwise. */
  writeFailure(): string | null;
  /**
   * Finishes running appends and the pending publication, interrupts running reads, and releases everything.
   */
  close(): Promise<void>;
}

/** Reads rows out of the arrays of the files that have them. */
const seriesReader =
  (arrays: SeriesStore | null, ofDaysFiles: ReturnType<typeof lakeReads>["ofDaysFiles"]): Lake["series"] =>
  async (dataset, read) => {
    if (arrays === null || dataset.series === undefined) return null;
    const days = { datasets: [dataset], column: dataset.series.day, ranges: read.ranges };
    return ofDaysFiles(
      { days, symbols: read.symbols, signal: read.signal },
      async (snapshot, files, version) => {
        // Replaced rows are in history files; no dataset with arrays has had one.
        const found = files.some(({ kind }) => kind === "history")
          ? null
          : await arrays.open(snapshot, files);
        const remake = ({ file }: { readonly file: LakeFile }) => arrays.remake(snapshot, file);
        return found && seriesBatches({ dataset, version, remake }, files, found, read);
      },
    );
  };

/** The public interface over the parts. */
function lakeOver(
  parts: LakeParts,
  arrays: SeriesStore | null,
  maintenance: ReturnType<typeof startMaintenance>,
): Lake {
  const writer = openWriter(parts);
  const { uses, readAt, ofDaysFiles, ofLedger, damagedFor } = lakeReads(parts);
  const ledgerPart: Lake["ledgerPart"] = (request, options) =>
    ofLedger(request, (snapshot) => readLedger(parts, snapshot, request, options), options?.signal);
  const filesOf = filesOfDatasets();
  const kept = keptResults(parts, filesOf);
  /** Findings of the newest inspection beside the Parquet files. */
  let ofLogs: readonly LakeProblem[] = [];
  const materialized = materializedTables((sql) =>
    readAt({ sql }, {}, (searchPath) =>
      parts.db.useToWrite((connection) =>
        withSearchPath(connection, searchPath, async () => void (await connection.run(sql))),
      ),
    ),
  );
  const columns: Lake["columns"] = (sql, params, options = {}) =>
    readAt({ sql, params }, options, (searchPath, newest) => {
      const run = () => parts.db.read(sql, params, { ...options, searchPath });
      if (newest === undefined || options.keptOf === undefined) return run();
      return kept.read(newest, { sql, params: params ?? {}, datasets: options.keptOf }, run);
    });
  return {
    append(batch) {
      refuseInReplay("to store rows");
      return writer.append(batch);
    },
    generation: async () => (await onDisk(() => parts.snapshots.current())).manifest.generation,
    onCommit: parts.changes.subscribe,
    oldestVersion: () =>
      parts.snapshots.last().manifest.oldest_version ?? parts.snapshots.last().manifest.generation,
    isRowless: (generation) => parts.rowless.has(generation),
    commits: (request, options) => onDisk(() => readCommits(parts, parts.snapshots.last(), request, options)),
    lineOf(generation) {
      const { manifest } = parts.snapshots.last();
      return lineOf(manifest, generation ?? manifest.generation);
    },
    fork: () => onDisk(() => forkLake(parts)),
    ledgerEnd: (request, options) =>
      ofLedger(request, (snapshot) => ledgerEnd(parts, snapshot, request, options), options?.signal),
    ledger: async (request, options) => (await ledgerPart(request, options)).changes,
    ledgerPart,
    ledgerOut: (request, form, options) =>
      ofLedger(request, (snapshot) => copyLedger(parts, snapshot, request, form, options), options?.signal),
    ledgerBatches: (request, options) =>
      ofLedger(request, (snapshot) => ledgerBatches(parts, snapshot, request, options), options?.signal),
    ledgerCounts: (range, options) =>
      ofLedger(range, (snapshot) => countChanges(parts, snapshot, range, options), options?.signal),
    columns,
    query: async <T>(sql: string, params?: Params, options?: ColumnsOptions) =>
      rowObjects<T>(await columns(sql, params, options)),
    arrays,
    series: seriesReader(arrays, ofDaysFiles),
    copyOut: (sql, params, format, options = {}) =>
      readAt({ sql, params }, options, (searchPath) =>
        copyQuery(parts, sql, params, format, { ...options, searchPath }),
      ),
    batches: (sql, params, options = {}) =>
      readAt({ sql, params }, options, (searchPath) =>
        parts.db.batches(sql, params, { ...options, searchPath }),
      ),
    async version(datasets, symbols) {
      const reading = currentReading();
      if (reading?.replay) return sharedKey("");
      const snapshot = await onDisk(() => parts.snapshots.current());
      reading?.saw(snapshot.manifest.generation, snapshot.manifest.generation);
      // The caller may keep what it has read of these files, and not read it again.
      uses.note(snapshot, { datasets: new Set(datasets.map(({ name }) => name)), symbols });
      return filesOf(snapshot, datasets);
    },
    materialize(version, select, use) {
      const snapshot = parts.snapshots.last();
      uses.note(snapshot, uses.of(snapshot, select));
      return materialized(version, select, use);
    },
    compact: (options) => onDisk(() => maintenance.compact(options)),
    publish: () => onDisk(maintenance.publish),
    publication: () => onDisk(() => takePublication(parts)),
    check: (options) => onDisk(() => checkLake(parts, options)),
    losses: () => onDisk(() => settleLosses(parts)),
    lostValues: (...asked) => onDisk(() => lostValues(parts, ...asked)),
    async inspect(signal) {
      await readManifest(parts.manifestPath);
      await onDisk(() => parts.snapshots.inspect(signal));
      const ofDelta = (await deltaFindings(parts, false)).filter(({ severity }) => severity === "error");
      ofLogs = [...ofDelta, ...(await commitLogFindings(parts))];
    },
    stats: () =>
      [...parts.datasets.values()].map((dataset) => statsOf(dataset, parts.snapshots.last().files)),
    liveBytes: () => parts.snapshots.last().manifest.files.reduce((sum, { bytes }) => sum + bytes, 0),
    retired: () => listedRetired(parts),
    async ofMetadata(make) {
      const { files, manifest } = parts.snapshots.last();
      const reading = currentReading();
      const isNewest = (reading?.pinned ?? manifest.generation) === manifest.generation;
      if (!reading?.replay && isNewest) return make(metadataOf(files));
      return withRangesOf(async (sql) => (await columns(sql)).columns.map(([value]) => value), files, make);
    },
    damagedFor,
    problems: () => [...problemsOf(parts), ...ofLogs],
    writeFailure: writer.writeFailure,
    async close() {
      await writer.end();
      await maintenance.finish();
      await parts.db.close();
      await parts.staging.release().catch(() => undefined);
      parts.lock.close();
      parts.retired.close();
      parts.publishing.close();
    },
  };
}

/** Opens the lake of a data folder, makes it when absent, and removes what crashed processes left behind. */
export async function openLake(options: LakeOptions): Promise<Lake> {
  return onDisk(async () => {
    await mkdir(join(options.dir, "lake"), { recursive: true });
    const { parts, errors } = await openParts(options, await realpath(options.dir));
    const series = new SeriesStore(parts);
    const arrays = options.arrays === false ? null : series;
    if (arrays === null) await series.drop().catch(() => undefined);
    return lakeOver(parts, arrays, startMaintenance(parts, options, arrays, errors));
  });
}
