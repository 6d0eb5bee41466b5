// Reading the lake at an earlier generation: the same rows, whatever was appended, replaced or merged since.

import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import {
  DATASETS,
  events,
  lakeYard,
  type PriceRow,
  price,
  prices,
} from "../../../../test/faults/lake-support.ts";
import { systemClock } from "../../clock.ts";
import { Reading } from "../../reading.ts";
import { columnsOf, type Macro } from "../dataset.ts";
import { batchOf, type Lake, openLake } from "../lake.ts";

setDefaultTimeout(1_200_000);

const yard = lakeYard({ publishes: false });
afterEach(yard.clear);

const rowsAt = (lake: Lake, version?: number) =>
  lake.query<PriceRow>("SELECT * FROM prices ORDER BY symbol, date", {}, { version });
const eventsAt = (lake: Lake, version?: number) =>
  lake.query("SELECT * FROM events ORDER BY ALL", {}, { version });

const of = (symbol: string) => ({ by: ["symbol"], groups: [[symbol]] });
const symbols = fc.constantFrom("A", "B", "C");
const years = fc.constantFrom("2024", "2025");
const steps = fc.oneof(
  fc.record({
    kind: fc.constant("append"),
    symbol: symbols,
    year: years,
    day: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record({
    kind: fc.constant("replace"),
    symbol: symbols,
    year: years,
    day: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record({
    kind: fc.constant("event"),
    symbol: symbols,
    year: years,
    day: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record({ kind: fc.constant("compact"), symbol: symbols, year: years, day: fc.constant(0) }),
  fc.record({ kind: fc.constant("reopen"), symbol: symbols, year: years, day: fc.constant(0) }),
);

test("the ranges of a request's version are the manifest's where it is the newest, and its rows' where it is not", async () => {
  const dir = await yard.folder();
  const lake = await yard.open({ dir });
  await lake.append([batchOf(prices, [price("A", "2025-03-03", 1)])]);
  const version = await lake.generation();
  const newestDay = () => lake.ofMetadata(({ range }) => range(prices, "date")?.[1]);
  const ofVersion = new Reading();
  ofVersion.pinned = version;
  const path = (
    await Array.fromAsync(new Bun.Glob("lake/**/*.parquet").scan({ cwd: dir, absolute: true }))
  )[0];
  const bytes = await Bun.file(path ?? "").bytes();
  // The manifest answers without the file.
  await rm(path ?? "");
  expect(await ofVersion.run(newestDay)).toBe("2025-03-03");
  await Bun.write(path ?? "", bytes);
  await lake.append([batchOf(prices, [price("A", "2025-03-04", 2)])]);
  expect(await ofVersion.run(newestDay)).toBe("2025-03-03");
  expect(await newestDay()).toBe("2025-03-04");
});

test("every version reads as it did when it was the newest", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 3, maxLength: 14 }), async (script) => {
      const dir = await yard.folder();
      let lake = await yard.open({ dir });
      const seen = new Map<number, [PriceRow[], Record<string, unknown>[]]>();
      let close = 1;
      for (const { kind, symbol, year, day } of script) {
        const row = price(symbol, `${year}-03-0${day || 1}`, ++close);
        if (kind === "append") await lake.append([batchOf(prices, [row])]);
        if (kind === "replace") await lake.append([batchOf(prices, day > 2 ? [row] : [], of(symbol))]);
        if (kind === "event")
          await lake.append([
            batchOf(events, [
              { symbol, date: row.date, amount: close, known_at: `2026-01-0${day}T00:00:00Z` },
            ]),
          ]);
        if (kind === "compact") await lake.compact({ force: true });
        if (kind === "reopen") {
          await lake.close();
          lake = await yard.open({ dir });
        }
        seen.set(await lake.generation(), [await rowsAt(lake), await eventsAt(lake)]);
      }
      for (const [version, [atPrices, atEvents]] of seen) {
        expect(await rowsAt(lake, version)).toEqual(atPrices);
        expect(await eventsAt(lake, version)).toEqual(atEvents);
      }
      expect((await lake.check()).findings).toEqual([]);
      await lake.close();
    }),
    { numRuns: 15 },
  );
});

test("macros and files read a version too, while others read the newest rows", async () => {
  const dear: Macro = {
    name: "dear",
    description: "Prices above a limit.",
    kind: "table",
    parameters: ["least"],
    columns: columnsOf(prices, "symbol", "close"),
    body: () => "SELECT symbol, close FROM prices WHERE close >= least",
  };
  const lake = await openLake({
    dir: await yard.folder(),
    datasets: DATASETS,
    macros: [dear],
    clock: systemClock,
  });
  await lake.append([batchOf(prices, [price("A", "2026-03-03", 5)])]);
  const version = await lake.generation();
  await lake.append([batchOf(prices, [price("A", "2026-03-03", 6)], of("A"))]);
  await lake.append([batchOf(prices, [price("B", "2026-03-03", 9)])]);
  const sql = "SELECT * FROM dear(5) ORDER BY symbol";
  const [then, now] = await Promise.all([
    Promise.all(Array.from({ length: 8 }, () => lake.query(sql, {}, { version }))),
    Promise.all(Array.from({ length: 8 }, () => lake.query(sql))),
  ]);
  for (const rows of then) expect(rows).toEqual([{ symbol: "A", close: 5 }]);
  for (const rows of now)
    expect(rows).toEqual([
      { symbol: "A", close: 6 },
      { symbol: "B", close: 9 },
    ]);
  const file = await lake.copyOut(sql, {}, "ndjson", { version });
  expect(await Bun.file(file.path).text()).toBe('{"symbol":"A","close":5.0}\n');
  await file.discard();
  await lake.close();
});

test("more versions than are kept at once are read in turn", async () => {
  const lake = await yard.open();
  const names = Array.from({ length: 20 }, (_, n) => `S${String(n).padStart(2, "0")}`);
  for (const name of names) await lake.append([batchOf(prices, [price(name, "2026-03-03")])]);
  for (const round of [0, 1])
    for (const [n] of names.entries()) {
      const rows = await rowsAt(lake, n + 1);
      expect([round, rows.map(({ symbol }) => symbol)]).toEqual([round, names.slice(0, n + 1)]);
    }
  const schemas = await lake.query<{ n: number }>(
    "SELECT count(*) AS n FROM duckdb_schemas() WHERE schema_name LIKE 'version_%'",
  );
  expect(schemas).toEqual([{ n: 16 }]);
});

test("a damaged file of another dataset, met while a version is read, stops no later write", async () => {
  const dir = await yard.folder();
  const lake = await yard.open({ dir });
  await lake.append([batchOf(prices, [price("A", "2024-01-02", 1)])]);
  await lake.append([
    batchOf(events, [{ symbol: "A", date: "2024-01-02", amount: 1, known_at: "2026-01-05T12:00:00Z" }]),
  ]);
  const version = await lake.generation();
  await lake.append([batchOf(prices, [price("A", "2024-01-03", 2)])]);
  const [file = ""] = await Array.fromAsync(new Bun.Glob("lake/events/**/*.parquet").scan(dir));
  const path = join(dir, file);
  const bytes = await readFile(path);
  // Within the footer, which the view of the version opens.
  bytes.fill(0xff, bytes.length - 40, bytes.length - 8);
  await writeFile(path, bytes);
  expect((await rowsAt(lake, version)).length).toBe(1);
  // Each of the two connections that write.
  for (const day of ["04", "05", "08"])
    await lake.append([batchOf(prices, [price("A", `2024-01-${day}`, 3)])]);
  expect((await rowsAt(lake)).length).toBe(5);
});
