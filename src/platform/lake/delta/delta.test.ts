// Each dataset is a Delta table whose log, added up, has the files of the manifest after every commit.

import { afterEach, expect, test } from "bun:test";
import { cp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { events, lakeYard, price, prices, ticks } from "../../../../test/faults/lake-support.ts";
import { realDisk } from "../disk.ts";
import { batchOf, type Lake } from "../lake.ts";
import { type LakeFile, type Manifest, readManifest } from "../manifest.ts";

const yard = lakeYard();
afterEach(yard.clear);

const logOf = (dir: string, dataset: string) => join(dir, "lake", dataset, "_delta_log");
const nameOf = (version: number) => `${String(version).padStart(20, "0")}.json`;
const manifestOf = (dir: string): Promise<Manifest> => readManifest(join(dir, "lake", "manifest.json"));

interface FileLine {
  path: string;
  dataChange: boolean;
  stats: string;
}
/** The fields of a log's line that the test reads. */
interface Line {
  add?: FileLine;
  remove?: FileLine;
  txn?: { appId: string; version: number };
  commitInfo?: { operation: string };
  protocol?: unknown;
  metaData?: { schemaString: string; partitionColumns: string[]; configuration: Record<string, string> };
}

/** The entries of a log, oldest first, as plain JSON. */
async function entries(dir: string, dataset: string): Promise<Line[][]> {
  const names = (await readdir(logOf(dir, dataset))).filter((name) => /^\d{20}\.json$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) =>
      (await readFile(join(logOf(dir, dataset), name), "utf8"))
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ),
  );
}

/** The paths that the entries add up to. */
function liveIn(all: readonly Line[][]): string[] {
  const live = new Set<string>();
  for (const entry of all)
    for (const { add, remove } of entry) {
      if (remove) live.delete(remove.path);
      if (add) live.add(add.path);
    }
  return [...live].sort();
}

const filesOf = ({ files }: Manifest, dataset: string): LakeFile[] =>
  files.filter((file) => file.dataset === dataset && file.kind !== "history");
const pathsOf = (manifest: Manifest, dataset: string): string[] =>
  filesOf(manifest, dataset)
    .map(({ path }) => path.slice(dataset.length + 1))
    .sort();

async function expectFollowed(dir: string, dataset = "prices"): Promise<Line[][]> {
  const all = await entries(dir, dataset);
  const manifest = await manifestOf(dir);
  expect(liveIn(all)).toEqual(pathsOf(manifest, dataset));
  return all;
}

const open = (dir: string, more: Parameters<typeof yard.open>[0] = {}) =>
  yard.open({ dir, deltaLogs: true, publishDelayMs: 60_000, ...more });
const add = (lake: Lake, symbol: string, close = 1) =>
  lake.append([batchOf(prices, [price(symbol, "2026-01-05", close)])]);

test("a log begins with protocol, schema and statistics, and ends each entry with the generation", async () => {
  const dir = await yard.folder();
  const lake = await open(dir);
  await lake.append([
    batchOf(prices, [price("A", "2026-01-05"), price("C", "2026-02-05")]),
    batchOf(events, [{ symbol: "A", date: "2026-01-05", amount: null, known_at: "2026-01-05T12:00:00Z" }]),
  ]);
  const [first = []] = await expectFollowed(dir);
  const found: Line = Object.assign({}, ...first);
  expect(found.protocol).toEqual({ minReaderVersion: 1, minWriterVersion: 2 });
  expect(found.metaData?.partitionColumns).toEqual([]);
  expect(
    JSON.parse(found.metaData?.schemaString ?? "").fields.map((field: Record<string, unknown>) => [
      field.name,
      field.type,
    ]),
  ).toEqual([
    ["symbol", "string"],
    ["date", "date"],
    ["close", "double"],
    ["volume", "long"],
    ["final", "boolean"],
    ["rank", "integer"],
    ["known_at", "timestamp"],
    ["recorded", "long"],
  ]);
  expect(JSON.parse(found.add?.stats ?? "")).toEqual({
    numRecords: 2,
    minValues: { symbol: "A", date: "2026-01-05", known_at: "2026-01-05T12:00:00.000Z", recorded: 1 },
    maxValues: { symbol: "C", date: "2026-02-05", known_at: "2026-01-05T12:00:00.000Z", recorded: 1 },
    nullCount: { symbol: 0, date: 0, known_at: 0, recorded: 0 },
  });
  expect(found.metaData?.configuration).toEqual({
    "delta.dataSkippingStatsColumns": "symbol,date,known_at,recorded",
  });
  expect(found.txn).toMatchObject({ appId: "asof", version: 1 });
  await expectFollowed(dir, "events");
  // A dataset without files has no log.
  expect(await readdir(join(dir, "lake", "ticks")).catch(() => [])).toEqual([]);
  await lake.close();
});

test("the log has the manifest's files after each append, replacement and compaction", async () => {
  const dir = await yard.folder();
  const lake = await open(dir);
  for (const symbol of ["A", "B", "C"]) {
    await add(lake, symbol);
    await expectFollowed(dir);
  }
  await lake.append([
    batchOf(prices, [price("A", "2026-01-05", 9)], { by: ["symbol"], groups: [["A"]] }),
    batchOf(ticks, [{ symbol: "A", interval: "5m", at: "2026-01-05T15:00:00Z", close: 1 }]),
  ]);
  const replaced = (await expectFollowed(dir)).at(-1) ?? [];
  expect(replaced.flatMap(({ add, remove }) => (add ?? remove)?.dataChange ?? [])).toEqual([true, true]);
  await expectFollowed(dir, "ticks");
  const { files } = await manifestOf(dir);
  expect(files.filter(({ kind }) => kind === "history")).toHaveLength(1);
  await lake.compact({ force: true, dataset: "prices" });
  const all = await expectFollowed(dir);
  const merged = all.at(-1) ?? [];
  expect(merged[0]?.commitInfo?.operation).toBe("OPTIMIZE");
  expect(merged.filter(({ add, remove }) => (add ?? remove)?.dataChange === false)).toHaveLength(4);
  expect(all).toHaveLength(5);
  const { generation } = await manifestOf(dir);
  expect(merged.at(-1)?.txn?.version).toBe(generation);
  await lake.close();
});

test("an entry that a crash or a full disk prevented is made up for", async () => {
  const dir = await yard.folder();
  const lake = await open(dir);
  await add(lake, "A");
  await lake.close();
  // A crash between manifest and log: the commit of a lake without logs.
  const bare = await open(dir, { deltaLogs: false });
  await add(bare, "B");
  await bare.close();
  expect(liveIn(await entries(dir, "prices"))).toHaveLength(1);
  const late = await open(dir, { verifyDelayMs: 3_600_000 });
  expect(await late.check()).toMatchObject({ ok: true, findings: [{ severity: "warning" }] });
  await late.close();
  let isFull = false;
  const reported: string[] = [];
  const disk = {
    ...realDisk,
    link: (from: string, to: string) =>
      isFull ? Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" })) : realDisk.link(from, to),
  };
  const again = await open(dir, { disk, onError: (task) => reported.push(task) });
  await again.publish();
  await add(again, "C");
  await expectFollowed(dir);
  isFull = true;
  await add(again, "D");
  expect(await again.query("SELECT count(*) AS n FROM prices")).toEqual([{ n: 4 }]);
  expect(liveIn(await entries(dir, "prices"))).toHaveLength(3);
  isFull = false;
  await again.publish();
  expect(reported).toEqual(["the Delta log of prices"]);
  await expectFollowed(dir);
  expect((await again.check()).findings).toEqual([]);
  await again.close();
});

test("a reader that loads the manifest before its writer has gone on does not cost the log an entry", async () => {
  const dir = await yard.folder();
  let read: (() => Promise<unknown>) | undefined;
  const lake = await open(dir, {
    disk: {
      ...realDisk,
      async rename(from, to) {
        await realDisk.rename(from, to);
        if (to.endsWith("manifest.json")) await read?.();
      },
    },
  });
  await add(lake, "A");
  read = () => lake.query("SELECT count(*) AS n FROM prices");
  await add(lake, "B");
  read = undefined;
  expect((await expectFollowed(dir)).length).toBe(2);
  expect((await lake.check()).findings).toEqual([]);
  await lake.close();
});

test("a reader finds the rows of a commit while its entry is being written, and the version that it stated stays", async () => {
  const dir = await yard.folder();
  const seen: unknown[] = [];
  let read: (() => Promise<unknown>) | undefined;
  const lake = await open(dir, {
    disk: {
      ...realDisk,
      async link(from, to) {
        seen.push(await read?.());
        await realDisk.link(from, to);
      },
    },
  });
  await add(lake, "A");
  read = async () => [await lake.query("SELECT symbol FROM prices ORDER BY symbol"), await lake.generation()];
  await add(lake, "B");
  await add(lake, "C");
  const symbols = (of: string) => [...of].map((symbol) => ({ symbol }));
  expect(seen.slice(1)).toEqual([
    [symbols("AB"), 2],
    [symbols("ABC"), 3],
  ]);
  expect([await lake.query("SELECT symbol FROM prices ORDER BY symbol"), await lake.generation()]).toEqual([
    symbols("ABC"),
    3,
  ]);
  expect((await expectFollowed(dir)).length).toBe(3);
});

test("two processes write one log by turns", async () => {
  const dir = await yard.folder();
  const [one, other] = [await open(dir), await open(dir)];
  for (const symbol of ["A", "B", "C"]) {
    await add(one, `${symbol}1`);
    await add(other, `${symbol}2`);
    await expectFollowed(dir);
  }
  expect(await entries(dir, "prices")).toHaveLength(6);
  for (const lake of [one, other]) await lake.close();
});

test("after a checkpoint the log is read from it, and entries behind it go after the retention", async () => {
  const dir = await yard.folder();
  const lake = await open(dir, { retentionMs: 0 });
  for (let n = 0; n < 50; n++) await add(lake, `S${n}`);
  await lake.publish();
  const folder = logOf(dir, "prices");
  const last = JSON.parse(await readFile(join(folder, "_last_checkpoint"), "utf8"));
  expect([last.version, last.numOfAddFiles, "parts" in last]).toEqual([49, 50, false]);
  const checkpoint = join(folder, `${String(49).padStart(20, "0")}.checkpoint.parquet`);
  const rows = await lake.query<Record<string, unknown>>(
    `SELECT add.path, add.stats, protocol.minReaderVersion AS reader, txn.version AS generation, metaData.name AS name
     FROM read_parquet('${checkpoint}')`,
  );
  expect(rows.flatMap((row) => row.path ?? []).sort()).toEqual(pathsOf(await manifestOf(dir), "prices"));
  expect(rows.flatMap((row) => row.reader ?? row.generation ?? row.name ?? [])).toEqual([1, "prices", 50]);
  await lake.close();
  // The next process goes on from the checkpoint.
  const next = await open(dir, { retentionMs: 0 });
  await add(next, "NEXT");
  await next.compact({ force: true });
  for (let n = 0; n < 50; n++) await add(next, `T${n}`);
  await next.publish();
  const names = await readdir(folder);
  expect(names).not.toContain(nameOf(0));
  expect(names).not.toContain(nameOf(48));
  expect((await next.check()).findings).toEqual([]);
  expect((await next.query("SELECT count(*) AS n FROM prices"))[0]).toEqual({ n: 101 });
  await next.close();
});

test("the check names an entry of another program, a missing one and a truncated one, and repairs them", async () => {
  const dir = await yard.folder();
  const lake = await open(dir);
  for (const symbol of ["A", "B", "C"]) await add(lake, symbol);
  const [live = ""] = pathsOf(await manifestOf(dir), "prices");
  const folder = logOf(dir, "prices");
  const remove = {
    remove: { path: live, deletionTimestamp: 1, dataChange: true, size: 1, partitionValues: {} },
  };
  await writeFile(join(folder, nameOf(3)), `${JSON.stringify(remove)}\n`);
  const descriptions = async (repair = false) =>
    (await lake.check({ repair })).findings.map(({ severity, description }) => `${severity}: ${description}`);
  const foreign = "version 3 of its Delta log was written by another program";
  expect(await descriptions()).toEqual([
    `error: ${foreign}`,
    "error: its Delta log lacks 1 files of the manifest and has 0 that are not in it",
  ]);
  await add(lake, "D");
  await expectFollowed(dir);
  expect(await descriptions()).toEqual([`warning: ${foreign}`]);
  await truncate(join(folder, nameOf(4)), 20);
  expect(await descriptions()).toEqual(["error: version 4 of its Delta log cannot be read"]);
  expect((await lake.check({ repair: true })).ok).toBe(true);
  await expectFollowed(dir);
  expect(await descriptions()).toEqual([]);
  await add(lake, "E");
  await add(lake, "F");
  await rm(join(folder, nameOf(1)));
  expect(await descriptions()).toEqual(["error: version 1 of its Delta log is missing"]);
  await lake.close();
});

/** Writes a checkpoint as another program does, after the entries up to `version`: the table has no file. */
async function writeForeignCheckpoint(folder: string, version: number, schemaString: string): Promise<void> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  const path = join(folder, `${String(version).padStart(20, "0")}.checkpoint.parquet`);
  await connection.run(
    `COPY (SELECT {minReaderVersion: 1, minWriterVersion: 2} AS protocol, NULL AS metaData UNION ALL
       SELECT NULL, {id: 'theirs', name: 'prices', schemaString: '${schemaString}', partitionColumns: []::VARCHAR[]})
     TO '${path}' (FORMAT parquet)`,
  );
  connection.closeSync();
  instance.closeSync();
  await writeFile(join(folder, "_last_checkpoint"), JSON.stringify({ version, size: 2 }));
}

test("a checkpoint of another program does not hide what that program committed before it", async () => {
  const dir = await yard.folder();
  const lake = await open(dir);
  await add(lake, "A");
  const [live = ""] = pathsOf(await manifestOf(dir), "prices");
  const [own = []] = await entries(dir, "prices");
  const schemaString = own.find(({ metaData }) => metaData)?.metaData?.schemaString ?? "";
  const folder = logOf(dir, "prices");
  await writeFile(
    join(folder, nameOf(1)),
    `${JSON.stringify({ remove: { path: live, dataChange: true } })}\n`,
  );
  await writeForeignCheckpoint(folder, 1, schemaString);
  const foreign = "version 1 of its Delta log was written by another program";
  const descriptions = async () =>
    (await lake.check()).findings.map(({ severity, description }) => `${severity}: ${description}`);
  expect(await descriptions()).toEqual([
    `error: ${foreign}`,
    "error: its Delta log lacks 1 files of the manifest and has 0 that are not in it",
  ]);
  await lake.close();
  const reported: string[] = [];
  const again = await open(dir, { onError: (_, error) => reported.push(String(error)) });
  expect((await again.check()).findings.map(({ severity, description }) => [severity, description])).toEqual([
    ["warning", foreign],
  ]);
  await again.close();
  expect(reported).toEqual([`Error: ${foreign}`]);
  const [, , repaired = []] = await entries(dir, "prices");
  expect(repaired.flatMap(({ add: added }) => added?.path ?? [])).toEqual([live]);
});

test("an entry of another program that changes nothing, as VACUUM writes, is a warning", async () => {
  const dir = await yard.folder();
  const lake = await open(dir);
  await add(lake, "A");
  const folder = logOf(dir, "prices");
  await writeFile(
    join(folder, nameOf(1)),
    `${JSON.stringify({ commitInfo: { operation: "VACUUM START" } })}\n`,
  );
  const { ok, findings } = await lake.check();
  expect([ok, findings.map(({ severity, description }) => [severity, description])]).toEqual([
    true,
    [["warning", "version 1 of its Delta log was written by another program"]],
  ]);
  await add(lake, "B");
  expect(await expectFollowed(dir)).toHaveLength(3);
  await lake.close();
});

test("a process that finds a damaged log begins it again and reports that", async () => {
  const dir = await yard.folder();
  const lake = await open(dir);
  for (const symbol of ["A", "B", "C"]) await add(lake, symbol);
  await lake.close();
  await rm(join(logOf(dir, "prices"), nameOf(1)));
  const reported: string[] = [];
  const again = await open(dir, { onError: (_, error) => reported.push(String(error)) });
  await again.close();
  expect(reported).toEqual(["Error: version 1 of its Delta log is missing; it was begun again"]);
  expect(await expectFollowed(dir)).toHaveLength(1);
});

test("a moved folder keeps its logs, and paths in them are relative to the table", async () => {
  const dir = await yard.folder();
  const lake = await open(dir);
  await add(lake, "A");
  await lake.close();
  const moved = join(await yard.folder(), "moved");
  await cp(dir, moved, { recursive: true });
  await rm(dir, { recursive: true });
  const again = await open(moved);
  await add(again, "B");
  const all = await expectFollowed(moved);
  expect(all).toHaveLength(2);
  expect(
    all
      .flat()
      .flatMap(({ add }) => add?.path ?? [])
      .every((path) => /^year=2026\/delta-\w+\.parquet$/.test(path)),
  ).toBe(true);
  await again.close();
});
