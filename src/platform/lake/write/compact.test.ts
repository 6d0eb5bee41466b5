// Compaction keeps every row once, and every file for as long as a reader may need it.

import { afterEach, expect, test } from "bun:test";
import { mkdir, readdir, readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { DATASETS, lakeYard, price, prices, ticks } from "../../../../test/faults/lake-support.ts";
import { fakeClock } from "../../../../test/support/fake-clock.ts";
import { batchOf, type Lake } from "../lake.ts";
import { openParts } from "../parts.ts";
import { needsCompaction } from "./compact.ts";
import { openWriter } from "./write.ts";

const yard = lakeYard({ publishes: false });
afterEach(yard.clear);

const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10);
const rows = (symbol: string, from: number, count: number) =>
  Array.from({ length: count }, (_, n) => price(symbol, day(from + n), 1 + n));

async function appendEach(
  lake: Lake,
  count: number,
  each: (n: number) => ReturnType<typeof rows>,
): Promise<void> {
  for (let n = 0; n < count; n++) await lake.append([batchOf(prices, each(n))]);
}

const kindsIn = async (dir: string) =>
  (await readdir(join(dir, "lake", "prices", "year=2026"))).map((name) => name.split("-")[0]).sort();
const liveKinds = async (dir: string) =>
  JSON.parse(await readFile(join(dir, "lake", "manifest.json"), "utf8"))
    .files.map((file: { kind: string; rows: number }) => [file.kind, file.rows])
    .sort();

test("a few deltas stay; more of them become the base, sorted over all rows", async () => {
  const dir = await yard.folder();
  const lake = await yard.open({ dir });
  await appendEach(lake, 3, (n) => rows(`S${9 - n}`, 0, 5));
  expect(await lake.compact()).toEqual([]);
  await appendEach(lake, 1, () => rows("S1", 0, 5));
  expect(await lake.compact()).toEqual([
    { dataset: "prices", partition: "year=2026", inputs: 4, rows: 20, kind: "base" },
  ]);
  expect(await liveKinds(dir)).toEqual([["base", 20]]);
  const order = await lake.query<{ symbol: string }>("SELECT DISTINCT symbol FROM prices ORDER BY symbol");
  expect(order.map((row) => row.symbol)).toEqual(["S1", "S7", "S8", "S9"]);
  expect((await lake.check()).findings).toEqual([]);
});

test("deltas below a tenth of the base are merged into one delta, larger ones into the base", async () => {
  const dir = await yard.folder();
  const lake = await yard.open({ dir });
  await lake.append([batchOf(prices, rows("A", 0, 100))]);
  await lake.compact({ force: true });
  await appendEach(lake, 4, (n) => rows("B", n, 1));
  expect(await lake.compact()).toMatchObject([{ inputs: 4, rows: 4, kind: "delta" }]);
  expect(await liveKinds(dir)).toEqual([
    ["base", 100],
    ["delta", 4],
  ]);
  await appendEach(lake, 3, (n) => rows("C", n * 10, 2));
  expect(await lake.compact()).toMatchObject([{ inputs: 5, rows: 110, kind: "base" }]);
  expect(await liveKinds(dir)).toEqual([["base", 110]]);
  expect(
    await lake.query("SELECT count(*) AS n, count(DISTINCT (symbol, date)) AS keys FROM prices"),
  ).toEqual([{ n: 110, keys: 110 }]);
});

test("two deltas of a partition are merged once a dataset has many such partitions", async () => {
  const dir = await yard.folder();
  const lake = await yard.open({ dir });
  const years = (count: number, symbol: string) =>
    lake.append([
      batchOf(
        prices,
        Array.from({ length: count }, (_, n) => price(symbol, `${1900 + n}-03-02`)),
      ),
    ]);
  await years(80, "A");
  await years(63, "B");
  // Merging would remove 63 files: each read still opens fewer than it would cost to write them.
  expect(await lake.compact()).toEqual([]);
  await years(1, "C");
  const merged = await lake.compact();
  expect(merged.length).toBe(63);
  expect(merged[0]).toEqual({ dataset: "prices", partition: "year=1900", inputs: 3, rows: 3, kind: "base" });
  // One file for each of the 80 years, 17 of them as they were.
  expect((await liveKinds(dir)).map(([kind]: [string]) => kind).join()).toBe(
    [...Array(63).fill("base"), ...Array(17).fill("delta")].join(),
  );
  expect(await lake.query("SELECT count(*) AS n FROM prices")).toEqual([{ n: 144 }]);
  expect(await lake.compact()).toEqual([]);
});

test("many partitions of two deltas start a compaction, fewer do not", async () => {
  const dir = await realpath(await yard.folder());
  await mkdir(join(dir, "lake"));
  const { parts } = await openParts(
    { dir, datasets: DATASETS, macros: [], clock: fakeClock("2026-02-01T00:00:00Z") },
    dir,
  );
  const writer = openWriter(parts);
  const years = (count: number, symbol: string) =>
    writer.append([
      batchOf(
        prices,
        Array.from({ length: count }, (_, n) => price(symbol, `${1900 + n}-03-02`)),
      ),
    ]);
  await years(70, "A");
  await years(63, "B");
  expect(needsCompaction(parts, 8)).toBe(false);
  await years(1, "C");
  expect(needsCompaction(parts, 8)).toBe(true);
  await writer.end();
  await parts.db.close();
  parts.lock.close();
  parts.retired.close();
  parts.publishing.close();
});

test("only the requested dataset and partition are merged", async () => {
  const lake = await yard.open();
  for (const year of [2025, 2026])
    for (const symbol of ["A", "B"]) await lake.append([batchOf(prices, [price(symbol, `${year}-03-02`)])]);
  await lake.append([
    batchOf(ticks, [{ symbol: "A", interval: "5m", at: "2026-01-05T14:30:00Z", close: 1 }]),
  ]);
  const places = async (options: object) =>
    (await lake.compact({ force: true, ...options })).map(
      ({ dataset, partition }) => `${dataset}/${partition}`,
    );
  expect(await places({ dataset: "prices", partition: "year=2025" })).toEqual(["prices/year=2025"]);
  expect(await places({ dataset: "ticks" })).toEqual(["ticks/interval=5m/month=2026-01"]);
  expect(await places({})).toEqual(["prices/year=2026"]);
  expect(await places({})).toEqual([]);
});

test("replaced files stay for the grace period and while a reader uses them", async () => {
  const dir = await yard.folder();
  const clock = fakeClock("2026-02-01T00:00:00Z");
  const lake = await yard.open({ dir, clock, retentionMs: 60_000 });
  await appendEach(lake, 4, (n) => rows(`S${n}`, 0, 3));
  await lake.compact();
  expect(await kindsIn(dir)).toEqual(["base", "delta", "delta", "delta", "delta"]);
  clock.advance(59_999);
  await lake.compact();
  expect((await kindsIn(dir)).length).toBe(5);
  clock.advance(1);
  await lake.compact();
  expect(await kindsIn(dir)).toEqual(["base"]);
  expect(await lake.query("SELECT count(*) AS n FROM prices")).toEqual([{ n: 12 }]);
});

test("a reader that began before the compaction reads its files to the end", async () => {
  const dir = await yard.folder();
  const clock = fakeClock("2026-02-01T00:00:00Z");
  const lake = await yard.open({ dir, clock, retentionMs: 0 });
  await appendEach(lake, 4, (n) => rows(`S${n}`, 0, 3));
  const abort = new AbortController();
  const endless = lake.query(
    "SELECT count(*) FROM prices, range(100000000) a, range(1000) b",
    {},
    { signal: abort.signal },
  );
  await lake.query("SELECT 1");
  await lake.compact();
  expect((await kindsIn(dir)).length).toBe(5);
  abort.abort(new Error("enough"));
  await expect(endless).rejects.toThrow("enough");
  await lake.compact();
  expect(await kindsIn(dir)).toEqual(["base"]);
});

test("opening the lake removes retired files after their grace period", async () => {
  const dir = await yard.folder();
  const clock = fakeClock("2026-02-01T00:00:00Z");
  const lake = await yard.open({ dir, clock });
  await appendEach(lake, 4, (n) => rows(`S${n}`, 0, 3));
  await lake.compact();
  await lake.close();
  clock.advance(16 * 60_000);
  await yard.open({ dir, clock });
  expect(await kindsIn(dir)).toEqual(["base"]);
});

test("compactAtDeltas compacts a partition in the background", async () => {
  const dir = await yard.folder();
  const lake = await yard.open({ dir, compactAtDeltas: 5 });
  await appendEach(lake, 12, (n) => rows(`S${n}`, 0, 3));
  // The compaction runs during and after the appends; when exactly depends on the machine.
  while ((await liveKinds(dir)).length >= 8) await Bun.sleep(50);
  await lake.close();
  const kinds = await liveKinds(dir);
  expect(kinds.length).toBeLessThan(8);
  expect(kinds.reduce((sum: number, [, count]: [string, number]) => sum + count, 0)).toBe(36);
});
