// Appends: calls that wait together are committed together, each key is stored once.

import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { commit, discard, type LakeParts, nextManifest, type StagedFile, stage } from "./commit.ts";
import { identityOf, quoted } from "./dataset.ts";
import { onDisk, storageUnavailable } from "./disk.ts";
import { readOn } from "./duckdb.ts";
import { dropTables, loadTable, rowsBehind } from "./load.ts";
import { type LakeFile, type Manifest, schemaNumber } from "./manifest.ts";
import { withoutReplaced } from "./replace.ts";
import { yieldToEventLoop } from "./rows.ts";
import {
  type Appended,
  type Batch,
  type Checked,
  checked,
  collectBatch,
  describe,
  type Incoming,
  PART,
  type Ranges,
  SEQ,
} from "./staging-batch.ts";
import { ulid } from "./ulid.ts";
import { readParquet } from "./views.ts";

/** Rows committed together at most; a longer queue is committed in turns. */
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

/** Drops the rows whose key a live file holds already; the answers of the dropped ones do not count them. */
async function dropStored(
  connection: DuckDBConnection,
  parts: LakeParts,
  incoming: Incoming,
  files: readonly LakeFile[],
) {
  const identity = identityOf(incoming.dataset);
  const described = describe(incoming);
  const candidates = files.filter((file) =>
    described.some(
      ({ part, ranges }) =>
        incoming.partitions[part] === file.partition && overlap(ranges, file.ranges, identity),
    ),
  );
  for (const answer of incoming.answers) count(answer, 1);
  if (candidates.length === 0) return described;
  const keys = identity.map(quoted).join(", ");
  const stored = readParquet(candidates.map((file) => join(parts.lakeDir, file.path)));
  const table = quoted(incoming.table);
  const dropped = await readOn(
    connection,
    `DELETE FROM temp.${rowsBehind(incoming.table)}
     WHERE ${SEQ} IN (SELECT i.${SEQ} FROM ${stored} f JOIN ${table} i USING (${keys})) RETURNING ${SEQ}`,
  );
  const rows = new Set((dropped.columns[0] ?? []).map(Number));
  for (const row of rows) {
    const answer = incoming.answers[row];
    if (answer) count(answer, -1);
  }
  return rows.size > 0 ? describe(incoming, rows) : described;
}

/** What a broken file held may be fetched and written again now, so that file must not come back beside it. */
function setBrokenAside(parts: LakeParts, manifest: Manifest, fresh: readonly StagedFile[]): void {
  const touched = new Set(fresh.map(({ file }) => `${file.dataset}/${file.partition}`));
  for (const file of [...manifest.files]) {
    const description = parts.snapshots.broken().get(file.path);
    if (description === undefined || !touched.has(`${file.dataset}/${file.partition}`)) continue;
    manifest.files.splice(manifest.files.indexOf(file), 1);
    manifest.set_aside.push({ ...file, description });
  }
}

async function stageAll(parts: LakeParts, connection: DuckDBConnection, incomings: readonly Incoming[]) {
  const { snapshot, manifest } = await nextManifest(parts);
  const fresh: StagedFile[] = [];
  const retiredCount = manifest.retired.length;
  try {
    for (const incoming of incomings) {
      const { dataset, table, partitions } = incoming;
      const stored = await withoutReplaced(parts, connection, incoming, snapshot.files, manifest, fresh);
      const columns = Object.keys(dataset.columns).map(quoted).join(", ");
      for (const { part, rows, ranges } of await dropStored(connection, parts, incoming, stored)) {
        const partition = partitions[part] ?? "";
        const path = [dataset.name, partition, `delta-${ulid(parts.clock.nowMs())}.parquet`]
          .filter(Boolean)
          .join("/");
        const select = `SELECT ${columns} FROM ${quoted(table)} WHERE ${PART} = ${part}`;
        const schema = schemaNumber(manifest, dataset);
        const file = { path, dataset: dataset.name, partition, kind: "delta" as const, rows, schema, ranges };
        fresh.push(await stage(parts, connection, select, dataset, file));
      }
    }
    setBrokenAside(parts, manifest, fresh);
    return { manifest, fresh, isChanged: fresh.length > 0 || manifest.retired.length > retiredCount };
  } catch (error) {
    await discard(parts, fresh);
    throw error;
  }
}

async function commitGroup(parts: LakeParts, group: readonly Checked[]): Promise<void> {
  const byDataset = Map.groupBy(group, ({ dataset }) => dataset);
  const incomings: Incoming[] = [];
  for (const [dataset, slices] of byDataset) incomings.push(await collectBatch(dataset, slices));
  await parts.db.useToWrite(async (connection) => {
    try {
      for (const { table, rows } of incomings) await loadTable(connection, table, rows, SEQ);
      await parts.lock.hold(async () => {
        await parts.staging.ensure();
        const { manifest, fresh, isChanged } = await stageAll(parts, connection, incomings);
        if (!isChanged) return;
        try {
          await commit(parts, manifest, fresh);
        } finally {
          await discard(parts, fresh);
        }
      });
    } finally {
      await dropTables(
        connection,
        incomings.map(({ table }) => table),
      );
    }
  });
}

async function checkAll(batch: readonly Batch[]): Promise<Pick<Call, "slices" | "answers">> {
  const slices: Checked[] = [];
  const answers: Appended[] = [];
  for (const each of batch) {
    await yieldToEventLoop();
    const own = await checked(each);
    slices.push(...own.filter(({ typed, instead }) => typed.rowCount > 0 || instead));
    answers.push(...own.slice(0, 1).map(({ answer }) => answer));
  }
  return { slices, answers };
}

interface Call {
  slices: Checked[];
  /** One a batch, filled by the commit. */
  answers: Appended[];
  resolve(answers: Appended[]): void;
  reject(error: unknown): void;
}

const takesOut = ({ slices }: Call) => slices.some(({ instead }) => instead);

/** The writer of a lake: `append` as the Lake has it, and its end. */
export function openWriter(parts: LakeParts) {
  const queue: Call[] = [];
  let running: Promise<void> | undefined;
  let isEnding = false;
  let lastCheck: Promise<unknown> = Promise.resolve();
  const takeGroup = (): Call[] => {
    const group: Call[] = [];
    for (let rows = 0; rows < GROUP_ROWS_MAX; ) {
      // What takes rows out is committed by itself: it must see what was written before it, and be seen by what follows.
      if (group.some(takesOut) || (group.length > 0 && queue[0] && takesOut(queue[0]))) break;
      const call = queue.shift();
      if (!call) break;
      group.push(call);
      for (const { typed } of call.slices) rows += typed.rowCount;
    }
    return group;
  };
  const drain = async () => {
    // One turn of the event loop lets calls that arrive together be committed together.
    await yieldToEventLoop();
    for (let group = takeGroup(); group.length > 0; group = takeGroup()) {
      try {
        await onDisk(() =>
          commitGroup(
            parts,
            group.flatMap((call) => call.slices),
          ),
        );
        for (const call of group) call.resolve(call.answers);
      } catch (error) {
        for (const call of group) call.reject(error);
      }
    }
    running = undefined;
  };
  return {
    async append(batch: readonly Batch[]): Promise<Appended[]> {
      for (const { dataset } of batch)
        if (parts.datasets.get(dataset.name) !== dataset)
          throw new Error(`the lake has no dataset ${dataset.name}`);
      // One call is checked after the other, so that a burst does not keep the event loop from everyone else, and
      // calls are committed in the order they were made.
      const checking = lastCheck.then(() => checkAll(batch));
      lastCheck = checking.catch(() => undefined);
      const { slices, answers } = await checking;
      if (slices.length === 0) return answers;
      if (isEnding) throw storageUnavailable("The data store is closed.");
      return new Promise((resolve, reject) => {
        queue.push({ slices, answers, resolve, reject });
        running ??= drain();
      });
    },
    /** Takes no more and resolves once everything taken is committed. */
    async end(): Promise<void> {
      await lastCheck;
      await yieldToEventLoop();
      isEnding = true;
      while (running) await running;
    },
  };
}
