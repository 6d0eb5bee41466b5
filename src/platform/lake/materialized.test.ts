// Versions of what is stored, and the small tables kept in memory for one of them.
import { afterEach, expect, test } from "bun:test";
import { lakeYard, price, prices, ticks } from "../../../test/faults/lake-support.ts";
import { batchOf } from "./lake.ts";

const yard = lakeYard();
afterEach(yard.clear);

test("a version changes with the files of its own datasets, and is the same for another process", async () => {
  const lake = await yard.open();
  const empty = await lake.version(prices);
  const others = await lake.version(ticks);
  await lake.append([batchOf(prices, [price("A", "2026-01-05")])]);
  const one = await lake.version(prices);
  expect(one).not.toBe(empty);
  expect(await lake.version(ticks)).toBe(others);
  // What is stored already changes nothing.
  await lake.append([batchOf(prices, [price("A", "2026-01-05")])]);
  expect(await lake.version(prices)).toBe(one);
  await lake.append([batchOf(prices, [price("A", "2026-01-06")])]);
  expect([empty, one]).not.toContain(await lake.version(prices));
});

test("a kept table is made once a version, and holds what was stored when it was made", async () => {
  const lake = await yard.open();
  await lake.append([batchOf(prices, [price("A", "2026-01-05"), price("B", "2026-01-05")])]);
  const select = "SELECT DISTINCT symbol FROM prices";
  const rowsOf = async (table: string) =>
    (await lake.query<{ symbol: string }>(`SELECT symbol FROM ${table} ORDER BY symbol`)).map(
      (r) => r.symbol,
    );
  const before = await lake.version(prices);
  const [first, again] = await Promise.all([
    lake.keep(before, select, async (table) => [table, await rowsOf(table)]),
    lake.keep(before, select, async (table) => [table, await rowsOf(table)]),
  ]);
  expect(again).toEqual(first);
  expect(first[1]).toEqual(["A", "B"]);
  await lake.append([batchOf(prices, [price("C", "2026-01-05")])]);
  const next = await lake.version(prices);
  // Who was lent the first one has it to the end.
  await lake.keep(before, select, async (old) => {
    for (let n = 0; n < 20; n++)
      expect(await lake.keep(`${next} ${n}`, select, rowsOf)).toEqual(["A", "B", "C"]);
    expect([old, await rowsOf(old)]).toEqual([...first]);
  });
});

test("of the tables nobody uses a few stay, however many versions there were", async () => {
  const lake = await yard.open();
  await lake.append([batchOf(prices, [price("A", "2026-01-05")])]);
  for (let n = 0; n < 30; n++)
    await lake.keep(`v${n}`, "SELECT DISTINCT symbol FROM prices", (table) => lake.query(`FROM ${table}`));
  const [row] = await lake.query<{ n: number }>(
    "SELECT count(*) AS n FROM duckdb_tables() WHERE table_name LIKE 'kept_%'",
  );
  expect(row?.n).toBeLessThanOrEqual(10);
});

test("a kept table that cannot be made is an error each time, and nothing is left of it", async () => {
  const lake = await yard.open();
  const broken = () => lake.keep("v", "SELECT nothing FROM prices", async () => "used");
  await expect(broken()).rejects.toThrow("nothing");
  await expect(broken()).rejects.toThrow("nothing");
  await lake.append([batchOf(prices, [price("A", "2026-01-05")])]);
  const rows = await lake.keep("v", "SELECT symbol FROM prices", (table) => lake.query(`FROM ${table}`));
  expect(rows).toEqual([{ symbol: "A" }]);
});
