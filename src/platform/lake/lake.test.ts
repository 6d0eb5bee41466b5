// Reading the lake: parameters, values, aborts, opening and closing.

import { afterEach, expect, test } from "bun:test";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lakeYard, type PriceRow, price, prices, ticks } from "../../../test/faults/lake-support.ts";
import { StorageUnavailable } from "../errors.ts";
import { batchOf, type Lake } from "./lake.ts";

const yard = lakeYard();
afterEach(yard.clear);

const all = (lake: Lake) =>
  lake.query<PriceRow>("SELECT * EXCLUDE (recorded) FROM prices ORDER BY symbol, date");

test("an empty lake has typed views without rows", async () => {
  const lake = await yard.open();
  expect(await lake.columns("SELECT * FROM ticks")).toMatchObject({
    names: ["symbol", "interval", "at", "close", "recorded"],
    types: ["VARCHAR", "VARCHAR", "TIMESTAMP WITH TIME ZONE", "DOUBLE", "BIGINT"],
    rowCount: 0,
  });
  expect(await lake.append([])).toEqual([]);
  expect(await lake.append([batchOf(prices, [])])).toEqual([{ dataset: "prices", written: 0, skipped: 0 }]);
  expect(lake.stats()[0]).toEqual({
    dataset: "prices",
    rows: 0,
    bytes: 0,
    files: 0,
    first_date: null,
    last_date: null,
    last_known_at: null,
  });
});

test("parameters are bound: values never become SQL, and a missing or extra one is an error", async () => {
  const lake = await yard.open();
  const hostile = "x'; DROP VIEW prices; --";
  await lake.append([batchOf(prices, [price(hostile, "2026-01-05"), price("B", "2026-01-06", 2)])]);
  const close = (sql: string, params: Parameters<Lake["query"]>[1]) =>
    lake
      .query<{ close: number }>(`SELECT close FROM prices WHERE ${sql}`, params)
      .then((rows) => rows.map((r) => r.close));
  expect(await close("symbol = $symbol", { symbol: hostile })).toEqual([1]);
  expect(await close("symbol = ANY($symbols) ORDER BY close", { symbols: ["B", hostile] })).toEqual([1, 2]);
  expect(await close("symbol = ANY($symbols)", { symbols: [] })).toEqual([]);
  expect(await close("date BETWEEN $from AND $to", { from: "2026-01-06", to: "2026-12-31" })).toEqual([2]);
  expect(await close("date = ANY($dates::DATE[])", { dates: ["2026-01-05"] })).toEqual([1]);
  expect(await close("close > $least LIMIT $count", { least: 1.5, count: 10 })).toEqual([2]);
  expect(await close("known_at <= $at", { at: "2026-01-05T11:59:59Z" })).toEqual([]);
  expect(await close("$nothing IS NULL AND symbol = 'B'", { nothing: null })).toEqual([2]);
  await expect(close("symbol = $symbol", {})).rejects.toThrow("$symbol has no value");
  await expect(close("symbol = 'B'", { symbol: "B" })).rejects.toThrow("has no $symbol");
  await expect(close("close = $close", { close: Number.NaN })).rejects.toThrow("$close is NaN");
  await expect(lake.query("SELECT 1; SELECT 2")).rejects.toThrow("multiple statements");
  expect(await lake.query("SELECT count(*) AS n FROM prices")).toEqual([{ n: 2 }]);
});

test("results of every column type are plain values", async () => {
  const lake = await yard.open();
  const [row] =
    await lake.query(`SELECT sum(x) AS big, 12.50::DECIMAL(9,2) AS money, [1, 2] AS list, {'a': 'b'} AS pair,
    TIMESTAMPTZ '2026-07-01 00:00:00.5-04' AS at, DATE 'infinity' AS never, NULL AS nothing, true AS yes, -5::BIGINT AS low,
    '' AS empty FROM range(3) t(x)`);
  expect(row).toEqual({
    big: 3,
    money: 12.5,
    list: [1, 2],
    pair: { a: "b" },
    at: "2026-07-01T04:00:00.500Z",
    never: "infinity",
    nothing: null,
    yes: true,
    low: -5,
    empty: "",
  });
});

test("numbers that JSON would round are texts", async () => {
  const lake = await yard.open();
  const rows = await lake.query(`SELECT * FROM (VALUES
    (9007199254740991::BIGINT, 9007199254740991::HUGEINT, 123456789012.345::DECIMAL(38,3)),
    (9007199254740993, 170141183460469231731687303715884105727, 12345678901234567.891),
    (-9223372036854775808, -9007199254740993, -0.001)) t(big, huge, money)`);
  expect(rows).toEqual([
    { big: 9_007_199_254_740_991, huge: 9_007_199_254_740_991, money: 123_456_789_012.345 },
    {
      big: "9007199254740993",
      huge: "170141183460469231731687303715884105727",
      money: "12345678901234567.891",
    },
    { big: "-9223372036854775808", huge: "-9007199254740993", money: -0.001 },
  ]);
});

test("the columns of a result of many chunks with nulls stay aligned", async () => {
  const lake = await yard.open();
  const sql = `SELECT i, CASE WHEN i % 3 = 0 THEN NULL ELSE i / 2 END AS half, CASE WHEN i % 5 = 0 THEN NULL ELSE 'S' || (i // 1000) END AS text,
    CASE WHEN i % 7 = 0 THEN NULL ELSE DATE '2020-01-01' + (i % 400)::INTEGER END AS day,
    CASE WHEN i % 11 = 0 THEN NULL ELSE 'longer than twelve bytes ' || i END AS long FROM range(10000) t(i)`;
  const rows = await lake.query<{ i: number; half: number; text: string; day: string; long: string }>(sql);
  expect(rows.length).toBe(10_000);
  for (const { i, half, text, day, long } of rows) {
    expect(half).toBe(i % 3 === 0 ? (null as never) : i / 2);
    expect(text).toBe(i % 5 === 0 ? (null as never) : `S${Math.floor(i / 1000)}`);
    const date = new Date(Date.UTC(2020, 0, 1 + (i % 400))).toISOString().slice(0, 10);
    expect(day).toBe(i % 7 === 0 ? (null as never) : date);
    expect(long).toBe(i % 11 === 0 ? (null as never) : `longer than twelve bytes ${i}`);
  }
});

test("an aborted query rejects with the signal's reason and leaves its connection usable", async () => {
  const lake = await yard.open();
  const endless = "SELECT count(*) FROM range(1000000) a, range(1000000) b";
  for (let n = 0; n < 8; n++) {
    const abort = new AbortController();
    const query = lake.query(endless, {}, { signal: abort.signal });
    setTimeout(() => abort.abort(new Error(`enough ${n}`)), 5 * n);
    await expect(query).rejects.toThrow(`enough ${n}`);
  }
  await expect(
    lake.query("SELECT 1", {}, { signal: AbortSignal.abort(new Error("before")) }),
  ).rejects.toThrow("before");
  expect(await lake.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
});

test("more queries than connections each get their own result while rows are written", async () => {
  const lake = await yard.open();
  const appends = Array.from({ length: 20 }, (_, n) =>
    lake.append([batchOf(prices, [price(`S${n}`, "2026-01-05", n + 1)])]),
  );
  const queries = Array.from({ length: 60 }, (_, n) =>
    lake.query("SELECT $n AS n, count(*) >= 0 AS ok FROM prices", { n }),
  );
  expect(await Promise.all(queries)).toEqual(Array.from({ length: 60 }, (_, n) => [{ n, ok: true }]));
  await Promise.all(appends);
  expect((await all(lake)).length).toBe(20);
  expect(lake.stats()[0]?.files).toBeLessThan(20);
});

test("stats come from the manifest", async () => {
  const lake = await yard.open();
  await lake.append([
    batchOf(prices, [
      price("A", "2025-12-31"),
      price("A", "2026-01-05", 1, { known_at: "2026-01-06T00:00:00.500Z" }),
    ]),
    batchOf(ticks, [{ symbol: "A", interval: "5m", at: "2026-01-05T14:30:00Z", close: 1 }]),
  ]);
  const [ofPrices, ofTicks, ofEvents] = lake.stats();
  expect(ofPrices).toMatchObject({ rows: 2, files: 2, first_date: "2025-12-31", last_date: "2026-01-05" });
  expect(ofPrices?.last_known_at).toBe("2026-01-06T00:00:00.500Z");
  expect(ofPrices?.bytes).toBeGreaterThan(0);
  expect(ofTicks).toMatchObject({ rows: 1, first_date: "2026-01-05", last_known_at: null });
  expect(ofEvents).toMatchObject({ rows: 0, first_date: null });
});

test("opening the lake removes unpublished files and nothing else", async () => {
  const dir = await yard.folder();
  const lake = await yard.open({ dir });
  await lake.append([batchOf(prices, [price("A", "2026-01-05")])]);
  const folder = join(dir, "lake", "prices", "year=2026");
  const [named = ""] = await readdir(folder);
  const orphan = join(folder, "delta-01ARZ3NDEKTSV4RRFFQ69G5FAV.parquet");
  await writeFile(orphan, await readFile(join(folder, named)));
  await writeFile(join(folder, "mine.parquet"), await readFile(join(folder, named)));
  await writeFile(join(dir, "_staging", "left.part"), "half");
  const second = await yard.open({ dir });
  expect((await readdir(folder)).sort()).toEqual([named, "mine.parquet"].sort());
  expect((await readdir(join(dir, "_staging"))).length).toBe(2);
  expect((await all(second)).length).toBe(1);
  await lake.close();
  await second.close();
  expect(await readdir(join(dir, "_staging"))).toEqual([]);
});

test("a lake whose manifest is missing, damaged or newer is refused, and nothing is removed", async () => {
  const dir = await yard.folder();
  const lake = await yard.open({ dir });
  await lake.append([batchOf(prices, [price("A", "2026-01-05")])]);
  await lake.close();
  const manifest = join(dir, "lake", "manifest.json");
  const text = await readFile(manifest, "utf8");
  await rm(manifest);
  await expect(yard.open({ dir })).rejects.toThrow("its manifest is missing");
  for (const broken of ["", "{", text.slice(0, -20), text.replace('"format":1', '"format":3')]) {
    await writeFile(manifest, broken);
    await expect(yard.open({ dir })).rejects.toBeInstanceOf(StorageUnavailable);
  }
  await writeFile(manifest, text);
  expect((await all(await yard.open({ dir }))).length).toBe(1);
});

test("nothing outside the data folder can be read or written", async () => {
  const lake = await yard.open();
  for (const sql of [
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM glob('/etc/*')",
    "COPY (SELECT 1) TO '/var/out.csv'",
    "ATTACH '/var/other.db'",
    "INSTALL httpfs",
  ])
    await expect(lake.query(sql)).rejects.toThrow();
});

test("closing interrupts reads, finishes writes and refuses later calls", async () => {
  const dir = await yard.folder();
  const lake = await yard.open({ dir });
  const endless = lake.query("SELECT count(*) FROM range(1000000) a, range(1000000) b");
  const written = lake.append([batchOf(prices, [price("A", "2026-01-05")])]);
  await Promise.resolve();
  await Promise.resolve();
  const closed = lake.close();
  await expect(endless).rejects.toThrow(/INTERRUPT|closed/i);
  expect(await written).toMatchObject([{ written: 1 }]);
  await closed;
  await expect(lake.query("SELECT 1")).rejects.toBeInstanceOf(StorageUnavailable);
  await expect(lake.append([batchOf(prices, [price("B", "2026-01-05")])])).rejects.toBeInstanceOf(
    StorageUnavailable,
  );
  expect((await all(await yard.open({ dir }))).length).toBe(1);
});
