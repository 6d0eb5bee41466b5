// Writing the lake: refused and skipped rows, and independence of order and of concurrent writers.

import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import fc from "fast-check";
import {
  DATASETS,
  events,
  lakeYard,
  type PriceRow,
  price,
  prices,
  ticks,
} from "../../../../test/faults/lake-support.ts";
import { drawnRuns } from "../../../../test/support/seed.ts";
import { dataset } from "../dataset.ts";
import { type Disk, realDisk } from "../disk.ts";
import { batchOf, type Lake } from "../lake.ts";
import type { LakeFile } from "../manifest.ts";

setDefaultTimeout(1_200_000);

const yard = lakeYard({ publishes: false });
afterEach(yard.clear);

const all = (lake: Lake) =>
  lake.query<PriceRow>("SELECT * EXCLUDE (recorded) FROM prices ORDER BY symbol, date");

test("rows of every type are read back unchanged", async () => {
  const lake = await yard.open();
  const rows = [
    price("A", "2024-02-29", 0.1 + 0.2, { volume: 9_007_199_254_740_991, final: true, rank: -2_147_483_647 }),
    price("A", "2026-01-05", 1e-300, {
      volume: 0,
      final: false,
      rank: 0,
      known_at: "2026-01-05T12:00:00.120Z",
    }),
    price("BRK-B", "1969-12-31", 1.7976931348623157e308, { known_at: "1969-12-31T23:59:59.999Z" }),
    price("a symbol longer than twelve bytes: é", "9999-12-31", 5, { known_at: "9999-12-31T00:00:00Z" }),
  ];
  expect(await lake.append([batchOf(prices, rows)])).toEqual([{ dataset: "prices", written: 4, skipped: 0 }]);
  expect(await all(lake)).toEqual(rows);
});

test("a data file is synced before it is in place, and its folder before the manifest lists it", async () => {
  const acts: string[] = [];
  const disk: Disk = {
    ...realDisk,
    async sync(path) {
      await realDisk.sync(path);
      acts.push(`sync ${basename(path)}`);
    },
    async rename(from, to) {
      await realDisk.rename(from, to);
      acts.push(`rename ${basename(from)}`);
      if (to.endsWith(".parquet")) places.push([basename(from), basename(dirname(to))]);
    },
  };
  const places: [file: string, folder: string][] = [];
  const lake = await yard.open({ disk });
  await lake.append([batchOf(prices, [price("A", "2025-12-31"), price("A", "2026-01-05")])]);
  expect(places.map(([, folder]) => folder)).toEqual(["year=2025", "year=2026"]);
  for (const [file, folder] of places) {
    const order = [`sync ${file}`, `rename ${file}`, `sync ${folder}`, "rename manifest-1.json", "sync lake"];
    const at = order.map((act) => acts.lastIndexOf(act));
    expect(at.toSorted((a, b) => a - b)).toEqual(at);
    expect(at[0]).toBeGreaterThanOrEqual(0);
  }
});

test("an instant in another time zone is read back in UTC", async () => {
  const lake = await yard.open();
  await lake.append([
    batchOf(prices, [price("A", "2026-01-05", 1, { known_at: "2026-01-05T09:30:00-05:00" })]),
  ]);
  expect((await all(lake))[0]?.known_at).toBe("2026-01-05T14:30:00Z");
});

test("the error names a row that does not fit, and nothing of its call is stored", async () => {
  const lake = await yard.open();
  const refused: [Partial<Record<keyof PriceRow | "extra", unknown>>, string][] = [
    [{ close: Number.NaN }, "prices.close is not a finite number (row symbol=A, date=2026-01-05)"],
    [{ close: Number.POSITIVE_INFINITY }, "not a finite number"],
    [{ close: null }, "must not be null"],
    [{ close: 0 }, "not greater than zero"],
    [{ close: "1" }, "not a finite number"],
    [{ date: "2026-02-30" }, "not a date"],
    [{ date: "2023-02-29" }, "not a date"],
    [{ date: "20260105" }, "not a date"],
    [{ date: "2026-1-5" }, "not a date"],
    [{ symbol: null }, "prices.symbol must not be null"],
    [{ symbol: undefined }, "must not be null"],
    [{ symbol: "" }, "is empty"],
    [{ symbol: 7 }, "not a string"],
    [{ volume: 1.5 }, "not an integer"],
    [{ volume: 2 ** 53 }, "not an integer"],
    [{ rank: 2 ** 31 }, "32 bits"],
    [{ final: 1 }, "not a boolean"],
    [{ known_at: "2026-01-05T12:00:00" }, "not an instant"],
    [{ known_at: "2026-01-05" }, "not an instant"],
    [{ known_at: "2026-13-05T12:00:00Z" }, "not an instant"],
    [{ known_at: "2026-01-05T12:00:00.0001Z" }, "is more precise than a millisecond"],
    [{ extra: 1 }, "prices.extra is not a column"],
  ];
  for (const [change, description] of refused) {
    const rows = [price("Z", "2026-01-06"), { ...price("A", "2026-01-05"), ...change } as PriceRow];
    await expect(lake.append([batchOf(prices, rows)])).rejects.toThrow(description);
  }
  const folder = { symbol: "A", interval: "../x", at: "2026-01-05T00:00:00Z", close: 1 };
  await expect(
    lake.append([batchOf(prices, [price("Z", "2026-01-06")]), batchOf(ticks, [folder])]),
  ).rejects.toThrow("cannot name a folder");
  expect(await all(lake)).toEqual([]);
});

test("the first row of a key stays, within one batch and across batches", async () => {
  const lake = await yard.open();
  const [first] = await lake.append([
    batchOf(prices, [price("A", "2026-01-05", 1), price("A", "2026-01-05", 2), price("B", "2026-01-05", 3)]),
  ]);
  expect(first).toEqual({ dataset: "prices", written: 2, skipped: 1 });
  const [second] = await lake.append([
    batchOf(prices, [price("A", "2026-01-05", 9), price("A", "2026-01-06", 4)]),
  ]);
  expect(second).toEqual({ dataset: "prices", written: 1, skipped: 1 });
  expect((await all(lake)).map((row) => row.close)).toEqual([1, 4, 3]);
  const files = lake.stats()[0]?.files;
  expect(await lake.append([batchOf(prices, [price("A", "2026-01-05", 9)])])).toEqual([
    { dataset: "prices", written: 0, skipped: 1 },
  ]);
  expect(lake.stats()[0]?.files).toBe(files);
});

test("versions are stored by known_at, each once", async () => {
  const lake = await yard.open();
  const row = { symbol: "A", date: "2026-01-05", amount: 1, known_at: "2026-01-05T12:00:00Z" };
  const later = { ...row, amount: 2, known_at: "2026-01-05T12:00:00.001Z" };
  await lake.append([batchOf(events, [row, later])]);
  expect(await lake.append([batchOf(events, [later, { ...row, known_at: "2026-01-05T11:59:59Z" }])])).toEqual(
    [{ dataset: "events", written: 1, skipped: 1 }],
  );
  expect(await lake.query("SELECT amount FROM events ORDER BY known_at")).toEqual([
    { amount: 1 },
    { amount: 1 },
    { amount: 2 },
  ]);
});

test("partitions are Hive folders of the key's own date, by UTC for instants", async () => {
  const dir = await yard.folder();
  const lake = await yard.open({ dir });
  const tick = (at: string, interval: string) => ({ symbol: "A", interval, at, close: 1 });
  await lake.append([
    batchOf(prices, [price("A", "2025-12-31"), price("A", "2026-01-01")]),
    batchOf(ticks, [tick("2026-01-31T20:00:00-05:00", "5m"), tick("2026-01-31T12:00:00Z", "1h")]),
    batchOf(events, [{ symbol: "A", date: "2026-01-05", amount: 1, known_at: "2026-01-05T12:00:00Z" }]),
  ]);
  const names = (await readdir(join(dir, "lake"), { recursive: true })).filter((name) =>
    name.endsWith(".parquet"),
  );
  expect(names.map((name) => name.replace(/delta-[0-9A-Z]{26}/, "delta")).sort()).toEqual([
    "events/delta.parquet",
    "prices/year=2025/delta.parquet",
    "prices/year=2026/delta.parquet",
    "ticks/interval=1h/month=2026-01/delta.parquet",
    "ticks/interval=5m/month=2026-02/delta.parquet",
  ]);
});

test("rows appended in any order and split are the same as those appended at once", async () => {
  const row = fc.record({
    symbol: fc.constantFrom("A", "B", "C"),
    date: fc.constantFrom("2024-02-29", "2025-12-31", "2026-01-01", "2026-01-02"),
  });
  const calls = fc.array(fc.array(row, { maxLength: 6 }), { maxLength: 6 });
  const world = fc.tuple(calls, fc.boolean(), fc.boolean());
  const property = fc.asyncProperty(world, async ([batches, isAtOnce, isCompacted]) => {
    const lake = await yard.open();
    const rowsOf = (n: number) => (batches[n] ?? []).map(({ symbol, date }) => price(symbol, date, n + 1));
    const append = (n: number) => lake.append([batchOf(prices, rowsOf(n))]);
    const answers = isAtOnce ? await Promise.all(batches.map((_, n) => append(n))) : [];
    if (!isAtOnce) for (const n of batches.keys()) answers.push(await append(n));
    if (isCompacted) await lake.compact({ force: true });
    const wanted = new Map<string, PriceRow>();
    for (const n of batches.keys())
      for (const each of rowsOf(n))
        if (!wanted.has(each.symbol + each.date)) wanted.set(each.symbol + each.date, each);
    const sorted = [...wanted.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
    expect(await all(lake)).toEqual(sorted);
    expect(answers.flat().reduce((sum, { written }) => sum + written, 0)).toBe(wanted.size);
    for (const [n, [answer]] of answers.entries())
      expect((answer?.written ?? 0) + (answer?.skipped ?? 0)).toBe(batches[n]?.length ?? 0);
    await lake.close();
  });
  await fc.assert(property, { numRuns: drawnRuns(14, 25) });
});

test("two lakes on one folder that append and compact at once lose and duplicate nothing", async () => {
  const dir = await yard.folder();
  const lakes = await Promise.all([yard.open({ dir }), yard.open({ dir })]);
  const written: number[] = [];
  await Promise.all(
    lakes.map(async (lake, which) => {
      for (let n = 0; n < 15; n++) {
        const rows = [
          price("BOTH", `2026-01-${String(n + 1).padStart(2, "0")}`, which + 1),
          price(`L${which}`, "2026-03-02"),
        ];
        const [answer] = await lake.append([batchOf(prices, rows)]);
        written.push(answer?.written ?? 0);
        if (n % 4 === 3) await lake.compact({ force: n % 8 === 7 });
      }
    }),
  );
  for (const lake of lakes) {
    const rows = await all(lake);
    expect(rows.map((row) => row.symbol + row.date).length).toBe(
      new Set(rows.map((row) => row.symbol + row.date)).size,
    );
    expect(rows.length).toBe(17);
  }
  expect(written.reduce((sum, n) => sum + n, 0)).toBe(17);
  expect((await lakes[0]?.check())?.findings).toEqual([]);
});

test("the next read sees what another lake wrote", async () => {
  const dir = await yard.folder();
  const [one, two] = [await yard.open({ dir }), await yard.open({ dir })];
  await one.append([batchOf(prices, [price("A", "2026-01-05")])]);
  expect((await all(two)).length).toBe(1);
  await two.append([batchOf(prices, [price("A", "2026-01-05", 9), price("A", "2026-01-06")])]);
  expect((await all(one)).map((row) => row.close)).toEqual([1, 1]);
});

test("files of an older declaration are read with nulls for missing columns and compacted into the new schema", async () => {
  const dir = await yard.folder();
  const old = await yard.open({ dir });
  await old.append([batchOf(prices, [price("A", "2026-01-05", 3)])]);
  await old.close();
  const wider = dataset({
    name: "prices",
    description: "Prices.",
    key: ["symbol", "date"],
    sort: ["symbol", "date"],
    fill: "first",
    partition: { by: "year", column: "date" },
    columns: { ...prices.columns, note: { type: "VARCHAR", nullable: true, description: "Note." } },
  });
  const lake = await yard.open({ dir, datasets: [wider, ticks, events] });
  await lake.append([
    batchOf(wider, [
      { ...price("A", "2026-01-06", 4), note: "new" },
      { ...price("A", "2026-01-05", 5), note: "late" },
    ]),
  ]);
  const wanted = [
    { close: 3, note: null },
    { close: 4, note: "new" },
  ];
  expect(await lake.query("SELECT close, note FROM prices ORDER BY date")).toEqual(wanted);
  await lake.compact({ force: true });
  expect(await lake.query("SELECT close, note FROM prices ORDER BY date")).toEqual(wanted);
  expect((await lake.check()).findings).toEqual([]);
});

test("a dataset the lake was not opened with is refused", async () => {
  const lake = await yard.open({ datasets: DATASETS.slice(1) });
  await expect(lake.append([batchOf(prices, [price("A", "2026-01-05")])])).rejects.toThrow(
    "no dataset prices",
  );
});

test("a batch of many slices is one append: all its rows or none", async () => {
  const lake = await yard.open();
  const rows = Array.from({ length: 40_000 }, (_, n) =>
    price(
      `S${n % 200}`,
      new Date(Date.UTC(2025, 6, 1 + Math.floor(n / 200))).toISOString().slice(0, 10),
      n + 1,
    ),
  );
  const broken = [...rows.slice(0, 39_999), price("S199", "2026-01-16", -1)];
  await expect(lake.append([batchOf(prices, broken)])).rejects.toThrow("not greater than zero");
  expect(await all(lake)).toEqual([]);
  expect(await lake.append([batchOf(prices, [...rows, ...rows.slice(0, 7)])])).toEqual([
    { dataset: "prices", written: 40_000, skipped: 7 },
  ]);
  expect(await lake.query("SELECT count(*) AS n, sum(close) AS sum FROM prices")).toEqual([
    { n: 40_000, sum: (40_000 * 40_001) / 2 },
  ]);
});

test("the recorded ranges of a file are those DuckDB computes, in DuckDB's text order", async () => {
  const dir = await yard.folder();
  const lake = await yard.open({ dir });
  const symbols = ["é", "Z", "\u{1F600}", "\uFFFD", "a"];
  await lake.append([
    batchOf(prices, [price("AA", "2026-01-02", 1, { known_at: "2026-01-02T10:00:00.5Z" })]),
  ]);
  await lake.append([
    batchOf(prices, [
      // The key of a stored row: it neither counts nor widens the ranges of the file.
      price("AA", "2026-01-02", 1, { known_at: "2026-01-02T10:00:00.5Z" }),
      ...symbols.map((symbol, n) =>
        price(symbol, `2026-02-0${5 - n}`, n + 1, { known_at: `2026-02-0${5 - n}T00:00:0${n}.120Z` }),
      ),
    ]),
  ]);
  const { files } = (await Bun.file(join(dir, "lake", "manifest.json")).json()) as { files: LakeFile[] };
  expect(files.map(({ rows, ranges }) => [rows, ranges])).toEqual([
    [
      1,
      {
        symbol: ["AA", "AA"],
        date: ["2026-01-02", "2026-01-02"],
        known_at: ["2026-01-02T10:00:00.500Z", "2026-01-02T10:00:00.500Z"],
      },
    ],
    [
      5,
      {
        symbol: ["Z", "\u{1F600}"],
        date: ["2026-02-01", "2026-02-05"],
        known_at: ["2026-02-01T00:00:04.120Z", "2026-02-05T00:00:00.120Z"],
      },
    ],
  ]);
  expect(await lake.check()).toMatchObject({ ok: true, findings: [] });
});
