// Keeps small results of reads in memory, so that what is asked for again needs no engine. A result counts as
// long as the files of its datasets are the same, and within the hour: macros know the day of New York, which
// changes with an hour.
import { LRUCache } from "lru-cache";
import type { Clock } from "../../clock.ts";
import type { Dataset } from "../dataset.ts";
import type { Params } from "../duckdb.ts";
import type { ColumnsResult } from "../duckdb-read.ts";
import { hasViews, type Snapshot, type Snapshots } from "../snapshot.ts";

const HOUR_MS = 3_600_000;

export interface KeptSizes {
  /** Bytes of all results together: those used longest ago are dropped. */
  readonly bytesMax: number;
  /** A larger result is not kept. */
  readonly resultBytesMax: number;
}
/** Some thousand symbol-years in all, or ten years of five symbols in one. */
const SIZES: KeptSizes = { bytesMax: 48 * 1024 * 1024, resultBytesMax: 2 * 1024 * 1024 };

/** A value's place in its list, which may be half empty, and a text of its own beside its characters. */
const CELL_BYTES = 12;
const TEXT_BYTES = 24;

interface Kept {
  readonly result: ColumnsResult;
  readonly files: string;
  readonly hour: number;
}

const cellBytes = ({ columns, rowCount }: ColumnsResult) => columns.length * rowCount * CELL_BYTES;

/** The memory that a result takes, at most. Equal texts that follow each other are one. */
function bytesOf(result: ColumnsResult): number {
  let bytes = cellBytes(result);
  for (const column of result.columns) {
    let last: unknown;
    for (const value of column) {
      if (typeof value === "string" && value !== last) bytes += TEXT_BYTES + 2 * value.length;
      last = value;
    }
  }
  return bytes;
}

/** Names the files of each dataset in a snapshot. */
export function filesOfDatasets() {
  const known = new WeakMap<Snapshot, Map<string, string>>();
  return (snapshot: Snapshot, datasets: readonly Dataset[]): string => {
    const names = new Set(datasets.map(({ name }) => name));
    const ofSnapshot = known.get(snapshot) ?? new Map<string, string>();
    known.set(snapshot, ofSnapshot);
    const key = [...names].join(" ");
    const found = ofSnapshot.get(key);
    if (found !== undefined) return found;
    const own = snapshot.files.filter(({ dataset }) => names.has(dataset)).map(({ path }) => path);
    const files = Bun.hash(own.join("\n")).toString(36);
    ofSnapshot.set(key, files);
    return files;
  };
}

/** A statement, its values, and the datasets that it reads. */
export interface KeptRead {
  readonly sql: string;
  readonly params: Params;
  readonly datasets: readonly Dataset[];
}

export function keptResults(
  { snapshots, clock }: { readonly snapshots: Pick<Snapshots, "last">; readonly clock: Clock },
  filesOf: ReturnType<typeof filesOfDatasets>,
  { bytesMax, resultBytesMax }: KeptSizes = SIZES,
) {
  const results = new LRUCache<string, Kept>({
    maxSize: bytesMax,
    maxEntrySize: resultBytesMax,
    sizeCalculation: ({ result }, key) => bytesOf(result) + key.length,
  });
  return {
    /** Bytes of the results that are kept, at most. */
    bytes: () => results.calculatedSize,
    /**
     * The result of `run`, which reads the rows of `snapshot`, or the one that is kept of them. Callers must
     * not change it.
     */
    async read(
      snapshot: Snapshot,
      { sql, params, datasets }: KeptRead,
      run: () => Promise<ColumnsResult>,
    ): Promise<ColumnsResult> {
      const key = `${sql} ${JSON.stringify(params)}`;
      const files = filesOf(snapshot, datasets);
      const hour = Math.floor(clock.nowMs() / HOUR_MS);
      const known = results.get(key);
      if (known?.files === files && known.hour === hour) return known.result;
      if (known) results.delete(key);
      const result = await run();
      // After a commit meanwhile the rows may be those of either snapshot, and before its views are in place
      // those of the last.
      const isSettled = hasViews(snapshot) && snapshots.last() === snapshot;
      if (isSettled && cellBytes(result) <= resultBytesMax) results.set(key, { result, files, hour });
      return result;
    },
  };
}
