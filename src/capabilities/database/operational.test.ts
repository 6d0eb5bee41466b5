// Counting the tables of the operational database in parts, with turns of the event loop in between.
import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqlite } from "../../platform/sqlite/sqlite.ts";
import { operationalTables } from "./operational.ts";

const dataDir = await mkdtemp(join(tmpdir(), "asof-tables-"));
const sqlite = openSqlite(join(dataDir, "ops.sqlite"));
afterAll(async () => {
  sqlite.close();
  await rm(dataDir, { recursive: true, force: true });
});

const rowsOf = async (name: string) =>
  (await operationalTables(sqlite).counts()).find((table) => table.name === name)?.rows;
const addParses = (from: number, to: number) =>
  sqlite
    .prepare(
      `WITH RECURSIVE s(n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM s WHERE n < ${to})
       INSERT INTO filing_parses (accession_number, status, attempts) SELECT n, 'succeeded', 1 FROM s`,
    )
    .run();

test("every row counts once, whatever the table's size and gaps", async () => {
  expect(await rowsOf("filing_parses")).toBe(0);
  addParses(1, 20_000);
  expect(await rowsOf("filing_parses")).toBe(20_000);
  addParses(20_001, 45_001);
  expect(await rowsOf("filing_parses")).toBe(45_001);
  sqlite.prepare("DELETE FROM filing_parses WHERE rowid % 3 = 0").run();
  expect(await rowsOf("filing_parses")).toBe(30_001);
  expect(await rowsOf("filings")).toBe(0);
});

test("other work is done between the parts of a large table", async () => {
  let turns = 0;
  let isCounting = true;
  const turn = () => {
    turns += 1;
    if (isCounting) setImmediate(turn);
  };
  setImmediate(turn);
  addParses(50_001, 200_000);
  await rowsOf("filing_parses");
  isCounting = false;
  expect(turns).toBeGreaterThan(7);
});
