// Reads of the lake whose files are as they were written: a damaged one is found before its rows are used.

import { currentReading } from "../reading.ts";
import { asStorageError, onDisk } from "./disk.ts";
import type { Params, ReadOptions, QueryOptions as ReadSignal } from "./duckdb.ts";
import type { LakeFile } from "./manifest.ts";
import { type LakeUse, lakeUses } from "./read/damage.ts";
import { canHold, type DaysRead, dayViews } from "./read/day-views.ts";
import type { Snapshot } from "./snapshot.ts";
import type { LedgerRange } from "./versions/ledger.ts";
import { beganBy, versionViews } from "./versions/versions.ts";
import type { LakeParts } from "./write/commit.ts";

/** How DuckDB's error messages begin: any may come of damaged bytes, such as those of a column's name. */
const OF_ENGINE = /^[A-Z][A-Za-z ]+ Error: /;
/** How they begin where a file that looks as it did may be broken. */
const MAYBE_BROKEN_FILE =
  /^(IO Error|Invalid Input Error|Invalid Error|Serialization Error|INTERNAL Error|Fatal Error)/;

/**
 * Reads with files that were compared with their hash, and with one retry: a read that fails as a broken file
 * makes it fail runs again without the files found broken.
 */
function soundReader(parts: LakeParts, uses: ReturnType<typeof lakeUses>) {
  let inspectedGeneration = -1;
  /**
   * Excludes broken files of a snapshot whose read failed, also those that another read has just found. All
   * files are compared again only once per generation.
   */
  const excludeBrokenFiles = async (
    { files, history, manifest: { generation } }: Snapshot,
    error: Error,
  ): Promise<boolean> => {
    if (await parts.snapshots.verify([...files, ...history])) return true;
    if (generation === inspectedGeneration || !MAYBE_BROKEN_FILE.test(error.message)) return false;
    inspectedGeneration = generation;
    return parts.snapshots.inspect();
  };
  /** Runs a read once the files that it uses are those that were written. */
  const readSound = async <T>(
    useOf: (snapshot: Snapshot) => LakeUse,
    read: (snapshot: Snapshot, use: LakeUse) => Promise<T>,
  ): Promise<T> => {
    for (;;) {
      const done = await parts.snapshots.hold(async (snapshot) => {
        const use = useOf(snapshot);
        if (await parts.snapshots.verify(uses.files(snapshot, use))) return null;
        return { result: await read(snapshot, use) };
      });
      if (done) return done.result;
    }
  };
  return async <T>(
    useOf: (snapshot: Snapshot) => LakeUse,
    read: (snapshot: Snapshot, use: LakeUse) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> => {
    let last: Snapshot | undefined;
    try {
      return await readSound((snapshot) => {
        last = snapshot;
        return useOf(snapshot);
      }, read);
    } catch (error) {
      const isSuspect = error instanceof Error && !signal?.aborted && OF_ENGINE.test(error.message);
      if (isSuspect && last && (await excludeBrokenFiles(last, error)))
        return onDisk(() => readSound(useOf, read));
      throw asStorageError(error);
    }
  };
}

export interface QueryOptions extends ReadSignal, Pick<ReadOptions, "heavy"> {
  /**
   * Reads the rows that the lake had at this generation instead of the newest; from the oldest on that
   * `oldestVersion` names.
   */
  version?: number | undefined;
  /** The days of which the read uses rows, so that files of other days are not opened. */
  days?: DaysRead | undefined;
  /** The symbols of which it uses rows, where they are part of its text. */
  symbols?: readonly string[] | undefined;
}

/** The reads of a lake: of the newest rows, of a version, of the ledger. */
export function lakeReads(parts: LakeParts) {
  const uses = lakeUses(parts);
  const read = soundReader(parts, uses);
  const views = versionViews(parts);
  const ofDays = dayViews(parts);
  /**
   * Runs a read over the newest rows, those of `newest`, or those of the version that the options or the
   * request name.
   */
  const readAt = <T>(
    { sql, params }: { readonly sql: string; readonly params?: Params | undefined },
    { version, signal, days, symbols }: QueryOptions,
    work: (searchPath?: string, newest?: Snapshot) => Promise<T>,
  ) => {
    const useOf = (snapshot: Snapshot) => uses.of(snapshot, sql, params, { days, symbols });
    const ofVersion = (snapshot: Snapshot, at: number, now: Temporal.Instant | null) =>
      views.use(snapshot, { version: at, now, days }, work);
    const ofNewest = (snapshot: Snapshot) => {
      const own = (searchPath?: string) => work(searchPath, snapshot);
      return days === undefined ? own() : ofDays.use(snapshot, days, own);
    };
    return noted(useOf, ofNewest, ofVersion, { version, signal });
  };
  /** Runs a read of the newest rows or of a version, and notes with the request what it saw. */
  const noted = <T>(
    useOf: (snapshot: Snapshot) => LakeUse,
    ofNewest: (snapshot: Snapshot) => Promise<T>,
    ofVersion: (snapshot: Snapshot, version: number, now: Temporal.Instant | null) => Promise<T>,
    { version, signal }: Pick<QueryOptions, "version" | "signal">,
  ) => {
    const reading = currentReading();
    const replay = version === undefined ? reading?.replay : undefined;
    const at = version ?? replay?.version ?? reading?.pinned ?? undefined;
    const readUse = async (snapshot: Snapshot, use: LakeUse) => {
      const { generation } = snapshot.manifest;
      if (at !== undefined && (replay || at !== generation)) {
        uses.note(snapshot, use, at);
        reading?.saw(at, at);
        return ofVersion(snapshot, at, replay?.now ?? null);
      }
      uses.note(snapshot, use);
      const result = await ofNewest(snapshot);
      reading?.saw(generation, parts.snapshots.last().manifest.generation);
      return result;
    };
    return read(useOf, readUse, signal);
  };
  /** Runs a read of the files that hold rows of the days, as the newest rows or a version has them. */
  const ofDaysFiles = <T>(
    { days, symbols, signal }: QueryOptions & { readonly days: DaysRead },
    work: (snapshot: Snapshot, files: readonly LakeFile[], version: number | undefined) => Promise<T>,
  ) => {
    const datasets = new Set(days.datasets.map(({ name }) => name));
    const own = (files: readonly LakeFile[], version: number | undefined) =>
      files.filter(
        (file) =>
          datasets.has(file.dataset) &&
          canHold(file, days) &&
          (version === undefined || beganBy(version)(file)),
      );
    const ofVersion = (snapshot: Snapshot, version: number) =>
      work(snapshot, own([...snapshot.files, ...snapshot.history], version), version);
    return noted(
      () => ({ datasets, days, symbols }),
      (snapshot) => work(snapshot, own(snapshot.files, undefined), undefined),
      ofVersion,
      { signal },
    );
  };
  /** Reads the ledger of a range, which is none without the rows of a damaged file. */
  const ofLedger = <T>(
    { datasets, symbol }: Pick<LedgerRange, "datasets" | "symbol">,
    work: (snapshot: Snapshot) => Promise<T>,
    signal?: AbortSignal,
  ) => {
    const names = new Set(datasets.map(({ name }) => name));
    const readUse = (snapshot: Snapshot, use: LakeUse) => {
      uses.refuse(snapshot, use);
      return work(snapshot);
    };
    return read(
      () => ({ datasets: names, symbols: symbol === undefined ? null : [symbol] }),
      readUse,
      signal,
    );
  };
  /** The paths of damaged files, for a reader of its own of a statement. */
  const damagedFor = (sql: string): Promise<string[]> =>
    read(
      (snapshot) => uses.of(snapshot, sql),
      async (snapshot, use) => {
        uses.note(snapshot, use);
        return snapshot.lost.map(({ path }) => path);
      },
    );
  return { uses, readAt, ofDaysFiles, ofLedger, damagedFor };
}
