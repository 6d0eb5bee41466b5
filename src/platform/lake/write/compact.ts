// Compaction: merges small delta files, and merges them into the base file once they hold a tenth of its
// rows.

import { type Dataset, literal } from "../dataset.ts";
import { storageUnavailable } from "../disk.ts";
import { readOn } from "../duckdb.ts";
import {
  CIK_COLUMNS,
  historySchemaOf,
  type LakeFile,
  pathInLake,
  rangedColumns,
  schemaNumber,
  schemaOf,
} from "../manifest.ts";
import type { Snapshot } from "../snapshot.ts";
import { ulid } from "../ulid.ts";
import { generationsOver, locateIn, rangeOver, selectFiles } from "../views.ts";
import {
  commit,
  discard,
  ensureStaging,
  type LakeParts,
  nextManifest,
  retire,
  type StagedFile,
  stage,
} from "./commit.ts";

export interface CompactOptions {
  /** Only this dataset. */
  dataset?: string;
  /** Only this partition ("year=2026"). */
  partition?: string;
  /** Merge every delta into the base, however small. */
  force?: boolean;
  signal?: AbortSignal;
}

export interface Compacted {
  dataset: string;
  partition: string;
  /** Files merged. */
  inputs: number;
  rows: number;
  kind: LakeFile["kind"];
}

interface Merge {
  dataset: Dataset;
  partition: string;
  kind: LakeFile["kind"];
  inputs: LakeFile[];
}

/** Fewer deltas than this are not merged: reading a few files costs less than rewriting them. */
const DELTAS_MIN = 4;
/**
 * Files of a dataset that merging would remove, from which on two deltas of a partition are merged too: a
 * symbol with decades of bars adds a file to each year, and each read opens all of them.
 */
const REMOVABLE_MAX = 64;
/** Deltas are merged into the base from this share of its rows. */
const BASE_SHARE = 0.1;

const mergedSchema = ({ dataset, kind }: Merge) =>
  kind === "history" ? historySchemaOf(dataset) : schemaOf(dataset);

const rowsIn = (files: readonly LakeFile[]) => files.reduce((sum, file) => sum + file.rows, 0);

/** The datasets with many deltas in partitions of few. */
function crowdedDatasets(files: readonly LakeFile[]): ReadonlySet<string> {
  const removable = new Map<string, number>();
  const placesWithDelta = new Set<string>();
  for (const { dataset, partition, kind } of files) {
    if (kind !== "delta") continue;
    const place = `${dataset}/${partition}`;
    if (placesWithDelta.has(place)) removable.set(dataset, (removable.get(dataset) ?? 0) + 1);
    placesWithDelta.add(place);
  }
  return new Set([...removable].flatMap(([dataset, count]) => (count >= REMOVABLE_MAX ? [dataset] : [])));
}

/** Plans the merge of one partition; null when there is nothing worth merging. */
function planMerge(
  dataset: Dataset,
  partition: string,
  files: LakeFile[],
  { force, deltasMin }: { readonly force: boolean; readonly deltasMin: number },
): Merge | null {
  if (files.some(({ kind }) => kind === "history"))
    return files.length >= (force ? 2 : DELTAS_MIN)
      ? { dataset, partition, kind: "history", inputs: files }
      : null;
  const deltas = files.filter((file) => file.kind === "delta");
  const base = files.filter((file) => file.kind === "base");
  if (force) return deltas.length > 0 ? { dataset, partition, kind: "base", inputs: files } : null;
  if (deltas.length < deltasMin) return null;
  return rowsIn(deltas) >= rowsIn(base) * BASE_SHARE
    ? { dataset, partition, kind: "base", inputs: files }
    : { dataset, partition, kind: "delta", inputs: deltas };
}

function planMerges(
  parts: LakeParts,
  snapshot: Snapshot,
  options: CompactOptions,
  crowded: ReadonlySet<string>,
): Merge[] {
  const brokenIn = new Set(
    snapshot.manifest.files
      .filter((file) => parts.snapshots.broken().has(file.path))
      .map((file) => `${file.dataset}/${file.partition}`),
  );
  const merges: Merge[] = [];
  const force = options.force ?? false;
  const placeOf = (file: LakeFile) => `${file.dataset}/${file.partition}`;
  const groups = [snapshot.files, snapshot.history].flatMap((files) => [...Map.groupBy(files, placeOf)]);
  for (const [place, files] of groups) {
    const [first] = files;
    const dataset = first && parts.datasets.get(first.dataset);
    if (!first || !dataset || brokenIn.has(place)) continue;
    if (options.dataset !== undefined && options.dataset !== dataset.name) continue;
    if (options.partition !== undefined && options.partition !== first.partition) continue;
    const deltasMin = crowded.has(dataset.name) ? 2 : DELTAS_MIN;
    const merge = planMerge(dataset, first.partition, files, { force, deltasMin });
    if (merge) merges.push(merge);
  }
  return merges;
}

/** Writes the merged file to staging and checks its row count. Does not need the lock. */
async function stageMerge(
  parts: LakeParts,
  snapshot: Snapshot,
  merge: Merge,
  signal?: AbortSignal,
): Promise<StagedFile> {
  const { dataset, partition, kind, inputs } = merge;
  const ranges: LakeFile["ranges"] = {};
  for (const column of rangedColumns(schemaOf(dataset))) {
    const range = rangeOver(inputs, dataset.name, column);
    const isWhole = !CIK_COLUMNS.includes(column) || inputs.every(({ ranges }) => column in ranges);
    if (range && isWhole) ranges[column] = range;
  }
  const rows = rowsIn(inputs);
  const source = selectFiles(
    dataset,
    inputs,
    snapshot.manifest.schemas[dataset.name] ?? [],
    locateIn(parts.lakeDir),
    mergedSchema(merge),
  );
  const own = {
    recorded: generationsOver(inputs, "recorded"),
    ...(kind === "history" ? { superseded: generationsOver(inputs, "superseded") } : {}),
  };
  const file = { path: "", dataset: dataset.name, partition, kind, rows, schema: 0, ranges, ...own };
  const staged = await parts.db.use(
    (connection) => stage(parts, connection, `SELECT * FROM (${source})`, dataset, file),
    { signal, heavy: true },
  );
  // Counted on a connection that keeps no footers: the file has another path later.
  const counted = await parts.db.useToWrite((connection) =>
    readOn(connection, `SELECT sum(num_rows) FROM parquet_file_metadata(${literal(staged.staged)})`),
  );
  const found = Number(counted.columns[0]?.[0]);
  if (found === rows) return staged;
  await discard(parts, [staged]);
  throw storageUnavailable(`Merging ${dataset.name} ${partition} wrote ${found} rows instead of ${rows}.`);
}

/** Replaces the input files by the merged file; false when another process changed the inputs meanwhile. */
async function commitMerge(parts: LakeParts, merge: Merge, fresh: StagedFile): Promise<boolean> {
  return parts.lock.hold(async () => {
    const { snapshot, manifest } = await nextManifest(parts);
    const live = new Set([...snapshot.files, ...snapshot.history].map((file) => file.path));
    if (!merge.inputs.every((file) => live.has(file.path))) return false;
    const name =
      merge.kind === "base" ? `base-${manifest.generation}` : `${merge.kind}-${ulid(parts.clock.nowMs())}`;
    fresh.file.path = pathInLake(fresh.file, name);
    fresh.file.schema = schemaNumber(manifest, merge.dataset, mergedSchema(merge));
    retire(manifest, new Set(merge.inputs.map((file) => file.path)), parts.clock.now().toString());
    await commit(parts, manifest, [fresh]);
    return true;
  });
}

/** Merges the partitions that are worth it, one at a time. Reads and appends continue meanwhile. */
export async function compactLake(parts: LakeParts, options: CompactOptions): Promise<Compacted[]> {
  const done: Compacted[] = [];
  await ensureStaging(parts);
  const before = await parts.snapshots.current();
  const crowded = crowdedDatasets(before.files);
  for (const { dataset, partition } of planMerges(parts, before, options, crowded)) {
    options.signal?.throwIfAborted();
    await parts.snapshots.hold(async (snapshot) => {
      const narrowed = { ...options, dataset: dataset.name, partition };
      const [merge] = planMerges(parts, snapshot, narrowed, crowded);
      // A merge would give wrong values a right hash.
      if (!merge || (await parts.snapshots.verify(merge.inputs))) return;
      const fresh = await stageMerge(parts, snapshot, merge, options.signal);
      try {
        if (!(await commitMerge(parts, merge, fresh))) return;
      } finally {
        await discard(parts, [fresh]);
      }
      done.push({
        dataset: dataset.name,
        partition,
        inputs: merge.inputs.length,
        rows: fresh.file.rows,
        kind: merge.kind,
      });
    });
  }
  return done;
}

/** Whether any partition has at least this many deltas, or any dataset many in partitions of few. */
export function needsCompaction(parts: LakeParts, deltas: number): boolean {
  const { files } = parts.snapshots.last();
  const byPlace = Map.groupBy(
    files.filter((file) => file.kind === "delta"),
    (file) => `${file.dataset}/${file.partition}`,
  );
  return [...byPlace.values()].some((group) => group.length >= deltas) || crowdedDatasets(files).size > 0;
}
