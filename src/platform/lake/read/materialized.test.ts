// Versions of stored data, and the in-memory tables made for one of them.
import { afterEach, expect, test } from "bun:test";
import { lakeYard, price, prices, ticks } from "../../../../test/faults/lake-support.ts";
import { batchOf } from "../lake.ts";

const yard = lakeYard();
afterEach(yard.clear);

test("a version changes with the files of its own datasets and is equal in another process", async () => {
  const lake = await yard.open();
  const empty = await lake.version([prices]);
  const others = await lake.version([ticks]);
  await lake.append([batchOf(prices, [price("A", "2026-01-05")])]);
  const one = await lake.version([prices]);
  expect(one).not.toBe(empty);
  expect(await lake.version([ticks])).toBe(others);
  // Rows that are stored already do not change it.
  await lake.append([batchOf(prices, [price("A", "2026-01-05")])]);
  expect(await lake.version([prices])).toBe(one);
  await lake.append([batchOf(prices, [price("A", "2026-01-06")])]);
  expect([empty, one]).not.toContain(await lake.version([prices]));
});

test("a table is made once per version and has the rows stored at that time", async () => {
  const lake = await yard.open();
  await lake.append([batchOf(prices, [price("A", "2026-01-05"), price("B", "2026-01-05")])]);
  const select = "SELECT DISTINCT symbol FROM prices";
  const rowsOf = async (table: string) =>
    (await lake.query<{ symbol: string }>(`SELECT symbol FROM ${table} ORDER BY symbol`)).map(
      (r) => r.symbol,
    );
  const before = await lake.version([prices]);
  const [first, again] = await Promise.all([
    lake.materialize(before, select, async (table) => [table, await rowsOf(table)]),
    lake.materialize(before, select, async (table) => [table, await rowsOf(table)]),
  ]);
  expect(again).toEqual(first);
  expect(first[1]).toEqual(["A", "B"]);
  await lake.append([batchOf(prices, [price("C", "2026-01-05")])]);
  const next = await lake.version([prices]);
  // A user of the first table can use it to the end.
  await lake.materialize(before, select, async (old) => {
    for (let n = 0; n < 20; n++)
      expect(await lake.materialize(`${next} ${n}`, select, rowsOf)).toEqual(["A", "B", "C"]);
    expect([old, await rowsOf(old)]).toEqual([...first]);
  });
});

test("only a few unused tables stay, however many versions there were", async () => {
  const lake = await yard.open();
  await lake.append([batchOf(prices, [price("A", "2026-01-05")])]);
  for (let n = 0; n < 30; n++)
    await lake.materialize(`v${n}`, "SELECT DISTINCT symbol FROM prices", (table) =>
      lake.query(`FROM ${table}`),
    );
  const [row] = await lake.query<{ n: number }>(
    "SELECT count(*) AS n FROM duckdb_tables() WHERE table_name LIKE 'kept_%'",
  );
  expect(row?.n).toBeLessThanOrEqual(10);
});

test("a table that cannot be made throws each time and leaves nothing behind", async () => {
  const lake = await yard.open();
  const broken = () => lake.materialize("v", "SELECT nothing FROM prices", async () => "used");
  await expect(broken()).rejects.toThrow("nothing");
  await expect(broken()).rejects.toThrow("nothing");
  await lake.append([batchOf(prices, [price("A", "2026-01-05")])]);
  const rows = await lake.materialize("v", "SELECT symbol FROM prices", (table) =>
    lake.query(`FROM ${table}`),
  );
  expect(rows).toEqual([{ symbol: "A" }]);
});
