// Versions of what is stored, and the small tables kept in memory for one of them.
import { afterEach, expect, test } from "bun:test";
import { lakeYard, price, prices, ticks } from "../../test/faults/lake-support.ts";
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
  const [first, again] = await Promise.all([lake.keep(before, select), lake.keep(before, select)]);
  expect(again).toBe(first);
  expect(await rowsOf(first)).toEqual(["A", "B"]);
  await lake.append([batchOf(prices, [price("C", "2026-01-05")])]);
  const next = await lake.keep(await lake.version(prices), select);
  expect(next).not.toBe(first);
  expect(await rowsOf(next)).toEqual(["A", "B", "C"]);
  // Who was given the first one still finds it.
  expect(await rowsOf(first)).toEqual(["A", "B"]);
});

test("a kept table that cannot be made is an error each time, and nothing is left of it", async () => {
  const lake = await yard.open();
  await expect(lake.keep("v", "SELECT nothing FROM prices")).rejects.toThrow("nothing");
  await expect(lake.keep("v", "SELECT nothing FROM prices")).rejects.toThrow("nothing");
  await lake.append([batchOf(prices, [price("A", "2026-01-05")])]);
  expect(await lake.query(`SELECT * FROM ${await lake.keep("v", "SELECT symbol FROM prices")}`)).toEqual([
    { symbol: "A" },
  ]);
});
