// The published catalogue returns the rows of the lake and allows nothing else.

import { afterEach, expect, test } from "bun:test";
import { cp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { lakeYard, price, prices } from "../../../test/faults/lake-support.ts";
import { literal, type Macro, storedColumns } from "./dataset.ts";
import { batchOf, openCatalogue } from "./lake.ts";

const yard = lakeYard();
afterEach(yard.clear);

const cheap: Macro = {
  name: "cheap",
  description: "Prices below a limit.",
  kind: "table",
  parameters: ["most := NULL"],
  columns: storedColumns(prices),
  body: () => "SELECT * FROM prices WHERE most IS NULL OR close < twice(most) / 2",
};
const twice: Macro = {
  name: "twice",
  description: "Twice.",
  kind: "scalar",
  parameters: ["x"],
  returns: { type: "DOUBLE" },
  body: () => "x * 2",
};
const macros = [twice, cheap];

async function published() {
  const dir = await yard.folder();
  const lake = await yard.open({ dir, macros, publishDelayMs: 60_000 });
  await lake.append([batchOf(prices, [price("A", "2025-12-31", 1), price("A", "2026-01-05", 2)])]);
  await lake.publish();
  return { dir, lake };
}

test("the catalogue returns the rows of the lake by view and by macro", async () => {
  const { dir, lake } = await published();
  const catalogue = await openCatalogue(dir);
  for (const sql of [
    "SELECT * FROM prices ORDER BY date",
    "SELECT close FROM cheap(most := 2)",
    "SELECT count(*) FROM cheap()",
    "SELECT * FROM ticks",
    "SELECT twice(4) AS n",
  ])
    expect((await catalogue.query(sql)).columns).toEqual((await lake.columns(sql)).columns);
  expect((await catalogue.query("SELECT close FROM cheap(2)")).columns).toEqual([[1]]);
  catalogue.close();
});

test("the catalogue documents its views, columns and macros", async () => {
  const { dir } = await published();
  const catalogue = await openCatalogue(dir);
  const views = await catalogue.query("SELECT comment FROM duckdb_views() WHERE view_name = 'prices'");
  expect(views.columns).toEqual([["Prices, the first good one a symbol and day."]]);
  const columns = await catalogue.query(
    "SELECT comment FROM duckdb_columns() WHERE table_name = 'prices' AND column_name = 'close'",
  );
  expect(columns.columns).toEqual([["Close. (USD)"]]);
  const described = await catalogue.query(
    "SELECT comment FROM duckdb_functions() WHERE function_name IN ('cheap', 'twice') ORDER BY function_name",
  );
  expect(described.columns).toEqual([["Prices below a limit.", "Twice."]]);
  catalogue.close();
});

test("the catalogue accepts a single SELECT and nothing else", async () => {
  const { dir } = await published();
  const catalogue = await openCatalogue(dir);
  const out = join(dir, "lake", "out.csv");
  await writeFile(join(dir, "secret.txt"), "secret");
  for (const sql of [
    `COPY (SELECT 1) TO '${out}'`,
    `EXPLAIN ANALYZE COPY (SELECT 1) TO '${out}'`,
    `EXPORT DATABASE '${join(dir, "lake", "exported")}'`,
    ` -- a comment\n/* another */ export database '${join(dir, "lake", "exported")}' (FORMAT parquet)`,
    `EXPLAIN EXPORT DATABASE '${join(dir, "lake", "exported")}'`,
    "SELECT 1; SELECT 2",
    "SELECT 1; DROP VIEW prices",
    "DROP VIEW prices",
    "CREATE TEMP TABLE t AS SELECT 1",
    "SET memory_limit = '10GB'",
    "ATTACH ':memory:' AS other",
    "SELECT * FROM read_text('/etc/passwd')",
    `SELECT * FROM read_text('${join(dir, "lake", "..", "secret.txt")}')`,
    "",
  ])
    await expect(catalogue.query(sql)).rejects.toThrow();
  await expect(stat(out)).rejects.toThrow("ENOENT");
  expect(await readdir(join(dir, "lake"))).not.toContain("exported");
  const shapes = ["-- first\nFROM prices", "(SELECT 1)", "DESCRIBE prices", "SUMMARIZE prices", "VALUES (1)"];
  for (const sql of shapes) expect((await catalogue.query(sql)).rowCount).toBeGreaterThan(0);
  catalogue.close();
});

test("a result is cut at the row limit and marked as cut; a query can be aborted", async () => {
  const { dir } = await published();
  const catalogue = await openCatalogue(dir);
  const many = await catalogue.query("SELECT * FROM range(1000000)", { rowsMax: 2500 });
  expect([many.rowCount, many.columns[0]?.at(-1), many.cut]).toEqual([2500, 2499, true]);
  const few = await catalogue.query("SELECT * FROM range(5)", { rowsMax: 3 });
  expect([few.rowCount, few.cut]).toEqual([3, true]);
  const exact = await catalogue.query("SELECT * FROM range(2500)", { rowsMax: 2500 });
  expect([exact.rowCount, exact.cut]).toEqual([2500, false]);
  const abort = new AbortController();
  const endless = catalogue.query("SELECT count(*) FROM range(1000000) a, range(1000000) b", {
    signal: abort.signal,
  });
  setTimeout(() => abort.abort(new Error("enough")), 50);
  await expect(endless).rejects.toThrow("enough");
  expect((await catalogue.query("SELECT 1")).columns).toEqual([[1]]);
  catalogue.close();
});

test("an open catalogue still answers while the lake is written, compacted and published", async () => {
  const { dir, lake } = await published();
  const catalogue = await openCatalogue(dir);
  await lake.append([batchOf(prices, [price("B", "2026-01-05", 3)])]);
  await lake.compact({ force: true });
  await lake.publish();
  expect((await catalogue.query("SELECT count(*) FROM prices")).columns).toEqual([[2]]);
  const fresh = await openCatalogue(dir);
  expect((await fresh.query("SELECT count(*) FROM prices")).columns).toEqual([[3]]);
  for (const each of [catalogue, fresh]) each.close();
});

test("closing runs the pending publication and leaves no unfinished file", async () => {
  const dir = await yard.folder();
  const lake = await yard.open({ dir, publishDelayMs: 60_000 });
  await lake.append([batchOf(prices, [price("A", "2026-01-05")])]);
  await lake.close();
  expect((await readdir(dir)).sort()).toEqual(["_staging", "catalog.duckdb", "lake"]);
  const catalogue = await openCatalogue(dir);
  expect((await catalogue.query("SELECT symbol FROM prices")).columns).toEqual([["A"]]);
  catalogue.close();
});

test("the catalogue works in a moved data folder that no process has opened there", async () => {
  const { dir, lake } = await published();
  await lake.close();
  const moved = join(await yard.folder(), "elsewhere");
  await rename(dir, moved);
  const catalogue = await openCatalogue(moved);
  expect((await catalogue.query("SELECT count(*) FROM prices")).columns).toEqual([[2]]);
  expect((await catalogue.query("SELECT close FROM cheap(2)")).columns).toEqual([[1]]);
  catalogue.close();
});

/** The closes of a catalogue for a reader outside the service, which opens `database` and runs `setup`. */
async function closesRead(database: string, setup: string, view: string): Promise<unknown> {
  const instance = await DuckDBInstance.create(
    database,
    database === ":memory:" ? {} : { access_mode: "READ_ONLY" },
  );
  const connection = await instance.connect();
  try {
    if (setup) await connection.run(setup);
    const reader = await connection.runAndReadAll(`SELECT close FROM ${view} ORDER BY close`);
    return reader.getColumns()[0];
  } finally {
    connection.disconnectSync();
    instance.closeSync();
  }
}

test("a reader opens a copied catalogue as it is, or attaches it and names its folder", async () => {
  const { dir, lake } = await published();
  await lake.close();
  const copied = join(await yard.folder(), "it's a copy");
  await cp(dir, copied, { recursive: true });
  const attach = (folder: string) => `ATTACH ${literal(join(folder, "catalog.duckdb"))} AS other (READ_ONLY)`;
  // Where it was published, an attached catalogue needs no folder.
  expect(await closesRead(":memory:", attach(dir), "other.prices")).toEqual([1, 2]);
  await rm(dir, { recursive: true });
  expect(await closesRead(join(copied, "catalog.duckdb"), "", "prices")).toEqual([1, 2]);
  expect(await closesRead(join(copied, "catalog.duckdb"), "", "cheap(2)")).toEqual([1]);
  const named = `SET VARIABLE asof_data = ${literal(copied)}; ${attach(copied)}; USE other`;
  expect(await closesRead(":memory:", named, "prices")).toEqual([1, 2]);
  expect(await closesRead(":memory:", named, "cheap(2)")).toEqual([1]);
  await expect(closesRead(":memory:", attach(copied), "other.prices")).rejects.toThrow("No files found");
});
