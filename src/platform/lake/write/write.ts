// Appends rows: calls that wait at the same time are committed together, and each key is stored once.

import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { yieldToEventLoop } from "../../event-loop.ts";
import { currentReading } from "../../reading.ts";
import { writeFailures } from "../../write-failures.ts";
import { identityOf, quoted, RECORDED } from "../dataset.ts";
import { onDisk, storageUnavailable } from "../disk.ts";
import { readOn } from "../duckdb.ts";
import { type LakeFile, type Manifest, pathInLake, schemaNumber } from "../manifest.ts";
import { ulid } from "../ulid.ts";
import { readParquet } from "../views.ts";
import { commit, discard, type LakeParts, nextManifest, type StagedFile, stage } from "./commit.ts";
import { dropTables, loadTable, rowsBehind } from "./load.ts";
import { withoutReplaced } from "./replace.ts";
import {
  type Appended,
  type Batch,
  type CheckedSlice,
  checkBatch,
  collectBatch,
  describePartitions,
  PARTITION_NUMBER,
  type Ranges,
  ROW_NUMBER,
  type StagingBatch,
} from "./staging-batch.ts";

/** Rows committed together at most; a longer queue takes several commits. */
const GROUP_ROWS_MAX = 250_000;

function overlap(a: Ranges, b: Ranges, names: readonly string[]): boolean {
  return names.every((name) => {
    const [x, y] = [a[name], b[name]];
    return !x || !y || (x[0] <= y[1] && y[0] <= x[1]);
  });
}

/** Counts rows of a call as written instead of skipped. */
function count(answer: Appended, rows: number): void {
  answer.written += rows;
  answer.skipped -= rows;
}

/** Deletes the staged rows whose key is in a live file already, and counts the others as written. */
async function dropStored(
  connection: DuckDBConnection,
  parts: LakeParts,
  stagingBatch: StagingBatch,
  files: readonly LakeFile[],
) {
  const identity = identityOf(stagingBatch.dataset);
  const described = describePartitions(stagingBatch);
  const candidates = files.filter((file) =>
    described.some(
      ({ part, ranges }) =>
        stagingBatch.partitions[part] === file.partition && overlap(ranges, file.ranges, identity),
    ),
  );
  for (const answer of stagingBatch.answers) count(answer, 1);
  if (candidates.length === 0) return described;
  const keys = identity.map(quoted).join(", ");
  const stored = readParquet(candidates.map((file) => join(parts.lakeDir, file.path)));
  const table = quoted(stagingBatch.table);
  const dropped = await readOn(
    connection,
    `DELETE FROM temp.${rowsBehind(stagingBatch.table)}
     WHERE ${ROW_NUMBER} IN (SELECT i.${ROW_NUMBER} FROM ${stored} f JOIN ${table} i USING (${keys})) RETURNING ${ROW_NUMBER}`,
  );
  const rows = new Set((dropped.columns[0] ?? []).map(Number));
  for (const row of rows) {
    const answer = stagingBatch.answers[row];
    if (answer) count(answer, -1);
  }
  return rows.size > 0 ? describePartitions(stagingBatch, rows) : described;
}

/**
 * Moves broken files of the written partitions to `set_aside`. Their rows may be fetched and stored again by
 * this commit, so the old files must not be served again beside the new ones.
 */
export function setBrokenAside(parts: LakeParts, manifest: Manifest, fresh: readonly StagedFile[]): void {
  const touched = new Set(fresh.map(({ file }) => `${file.dataset}/${file.partition}`));
  for (const file of [...manifest.files]) {
    const description = parts.snapshots.broken().get(file.path);
    if (description === undefined || !touched.has(`${file.dataset}/${file.partition}`)) continue;
    manifest.files.splice(manifest.files.indexOf(file), 1);
    manifest.set_aside.push({ ...file, description, since: manifest.generation });
  }
}

/** Compares the files whose keys or rows a commit reads with their hashes: it leaves out damaged ones. */
async function verifyTouched(parts: LakeParts, stagingBatches: readonly StagingBatch[]): Promise<void> {
  const { files } = await parts.snapshots.current();
  const isTouched = ({ dataset, partition }: LakeFile) =>
    stagingBatches.some(
      (batch) =>
        batch.dataset.name === dataset && (batch.replacement || batch.partitions.includes(partition)),
    );
  await parts.snapshots.verify(files.filter(isTouched));
}

async function stageAll(
  parts: LakeParts,
  connection: DuckDBConnection,
  stagingBatches: readonly StagingBatch[],
) {
  await verifyTouched(parts, stagingBatches);
  const { snapshot, manifest } = await nextManifest(parts);
  const fresh: StagedFile[] = [];
  const retiredCount = manifest.retired.length;
  const written = new Map<string, number>();
  try {
    for (const stagingBatch of stagingBatches) {
      const { dataset, table, partitions } = stagingBatch;
      const stored = await withoutReplaced(parts, connection, stagingBatch, snapshot.files, manifest, fresh);
      const columns = Object.keys(dataset.columns).map(quoted).join(", ");
      for (const { part, rows, ranges } of await dropStored(connection, parts, stagingBatch, stored)) {
        const partition = partitions[part] ?? "";
        const kind = "delta" as const;
        const place = { kind, dataset: dataset.name, partition };
        const path = pathInLake(place, `delta-${ulid(parts.clock.nowMs())}`);
        const { generation } = manifest;
        const select = `SELECT ${columns}, ${generation}::BIGINT AS ${RECORDED} FROM ${quoted(table)} WHERE ${PARTITION_NUMBER} = ${part}`;
        const schema = schemaNumber(manifest, dataset);
        const recorded = [generation, generation] as const;
        const file = { ...place, path, rows, schema, ranges, recorded };
        fresh.push(await stage(parts, connection, select, dataset, file));
        written.set(dataset.name, (written.get(dataset.name) ?? 0) + rows);
      }
    }
    setBrokenAside(parts, manifest, fresh);
    const isChanged = fresh.length > 0 || manifest.retired.length > retiredCount;
    const causes = new Map(
      stagingBatches.flatMap(({ dataset, replacement }) =>
        replacement?.cause ? [[dataset.name, replacement.cause] as const] : [],
      ),
    );
    return { manifest, fresh, isChanged, note: { rows: written, causes } };
  } catch (error) {
    await discard(parts, fresh);
    throw error;
  }
}

/** Commits a group of calls; gives the generation of the commit, or null where nothing was new. */
async function commitGroup(parts: LakeParts, group: readonly CheckedSlice[]): Promise<number | null> {
  const byDataset = Map.groupBy(group, ({ dataset }) => dataset);
  const stagingBatches: StagingBatch[] = [];
  for (const [dataset, slices] of byDataset) stagingBatches.push(await collectBatch(dataset, slices));
  return parts.db.useToWrite(async (connection) => {
    try {
      for (const { table, rows } of stagingBatches) await loadTable(connection, table, rows, ROW_NUMBER);
      return await parts.lock.hold(async () => {
        await parts.staging.ensure();
        const { manifest, fresh, isChanged, note } = await stageAll(parts, connection, stagingBatches);
        if (!isChanged) return null;
        try {
          await commit(parts, manifest, fresh, note);
          return manifest.generation;
        } finally {
          await discard(parts, fresh);
        }
      });
    } finally {
      await dropTables(
        connection,
        stagingBatches.map(({ table }) => table),
      );
    }
  });
}

async function checkBatches(batches: readonly Batch[]): Promise<Pick<Call, "slices" | "answers">> {
  const slices: CheckedSlice[] = [];
  const answers: Appended[] = [];
  for (const each of batches) {
    await yieldToEventLoop();
    const own = await checkBatch(each);
    slices.push(...own.filter(({ typed, replacement }) => typed.rowCount > 0 || replacement));
    answers.push(...own.slice(0, 1).map(({ answer }) => answer));
  }
  return { slices, answers };
}

interface Call {
  slices: CheckedSlice[];
  /** One per batch, filled in by the commit. */
  answers: Appended[];
  /** Ends the call with the generation of its commit; null where nothing was new. */
  resolve(generation: number | null): void;
  reject(error: unknown): void;
}

const replacesRows = ({ slices }: Call) => slices.some(({ replacement }) => replacement);

/** Opens the writer of a lake, which implements `Lake.append`. */
export function openWriter(parts: LakeParts) {
  const queue: Call[] = [];
  let running: Promise<void> | undefined;
  let isEnding = false;
  const failures = writeFailures();
  let lastCheck: Promise<unknown> = Promise.resolve();
  const takeGroup = (): Call[] => {
    const group: Call[] = [];
    for (let rows = 0; rows < GROUP_ROWS_MAX; ) {
      // A call that replaces rows is committed by itself, so that its order relative to other calls is kept.
      if (group.some(replacesRows) || (group.length > 0 && queue[0] && replacesRows(queue[0]))) break;
      const call = queue.shift();
      if (!call) break;
      group.push(call);
      for (const { typed } of call.slices) rows += typed.rowCount;
    }
    return group;
  };
  const drain = async () => {
    // Wait one turn of the event loop, so that calls that arrive together are committed together.
    await yieldToEventLoop();
    for (let group = takeGroup(); group.length > 0; group = takeGroup()) {
      try {
        const generation = await onDisk(() =>
          commitGroup(
            parts,
            group.flatMap((call) => call.slices),
          ),
        );
        failures.clear();
        for (const call of group) call.resolve(generation);
      } catch (error) {
        failures.note(error);
        for (const call of group) call.reject(error);
      }
    }
    running = undefined;
  };
  return {
    async append(batches: readonly Batch[]): Promise<Appended[]> {
      for (const { dataset } of batches)
        if (parts.datasets.get(dataset.name) !== dataset)
          throw new Error(`the lake has no dataset ${dataset.name}`);
      // Calls are checked one after the other, so that a burst does not block the event loop and calls are
      // committed in the order they were made.
      const checking = lastCheck.then(() => checkBatches(batches));
      lastCheck = checking.catch(() => undefined);
      const { slices, answers } = await checking;
      if (slices.length === 0) return answers;
      if (isEnding) throw storageUnavailable("The data store is closed.");
      const generation = await new Promise<number | null>((resolve, reject) => {
        queue.push({ slices, answers, resolve, reject });
        running ??= drain();
      });
      if (generation !== null) currentReading()?.wrote(generation);
      return answers;
    },
    /** Why the newest write failed, seconds ago at most; null otherwise. */
    writeFailure: failures.recent,
    /** Accepts no more calls and resolves once all accepted ones are committed. */
    async end(): Promise<void> {
      await lastCheck;
      await yieldToEventLoop();
      isEnding = true;
      while (running) await running;
    },
  };
}
