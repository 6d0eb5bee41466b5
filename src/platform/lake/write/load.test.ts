// Values loaded into a temporary table are read back unchanged, whether a column varies or not.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { type Columns, quoted } from "../dataset.ts";
import { readOn } from "../duckdb.ts";
import { rowObjects } from "../duckdb-read.ts";
import { dropTables, loadTable, rowsBehind } from "./load.ts";
import { typedRows } from "./rows.ts";

const COLUMNS: Columns = {
  day: { type: "DATE", nullable: true, description: "d" },
  at: { type: "TIMESTAMPTZ", nullable: true, description: "t" },
  price: { type: "DOUBLE", nullable: true, description: "p" },
  volume: { type: "BIGINT", nullable: true, description: "v" },
  count: { type: "INTEGER", nullable: true, description: "c" },
  name: { type: "VARCHAR", nullable: true, description: "n" },
  open: { type: "BOOLEAN", nullable: true, description: "o" },
};
type Row = Readonly<Record<string, unknown>>;

let instance: DuckDBInstance;
let connection: DuckDBConnection;
beforeAll(async () => {
  instance = await DuckDBInstance.create(":memory:");
  connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
});
afterAll(() => {
  connection.disconnectSync();
  instance.closeSync();
});

/** The rows as they come back, and how many columns were stored a row. */
async function throughTable(rows: readonly Row[], stored?: string) {
  const typed = typedRows({ name: "t", columns: COLUMNS, key: [] }, rows);
  await loadTable(connection, "t", typed, stored);
  const back = await readOn(connection, `SELECT ${typed.names.map(quoted).join(", ")} FROM t`);
  const behind = await readOn(connection, `SELECT * FROM ${rowsBehind("t")} LIMIT 0`);
  const types = (await readOn(connection, "DESCRIBE t")).columns[1];
  await dropTables(connection, ["t"]);
  expect(types).toEqual([
    "DATE",
    "TIMESTAMP WITH TIME ZONE",
    "DOUBLE",
    "BIGINT",
    "INTEGER",
    "VARCHAR",
    "BOOLEAN",
  ]);
  return { rows: rowObjects<Row>(back), names: behind.names };
}

const ROW: Row = {
  day: "2026-02-28",
  at: "2026-02-28T21:00:00.250Z",
  price: 0.1,
  volume: 9_007_199_254_740_991,
  count: -7,
  name: "O'Neil | 100%",
  open: false,
};
const NOTHING: Row = Object.fromEntries(Object.keys(COLUMNS).map((name) => [name, null]));
/** More than two of DuckDB's vectors. */
const MANY = 4_500;

test.each([
  ["one row", [ROW]],
  ["one row of nulls", [NOTHING]],
  ["the same row again and again", Array<Row>(MANY).fill(ROW)],
  ["nulls throughout", Array<Row>(MANY).fill(NOTHING)],
  ["a value and a null in turn", Array.from({ length: MANY }, (_, i) => (i % 2 ? ROW : NOTHING))],
  ["days before 1970", [{ ...ROW, day: "1901-03-04", at: "1901-03-04T05:06:07Z" }]],
  ["texts of every kind", ["", "\u0001", "Zoë", "'", '"', "\n", "日本"].map((name) => ({ ...ROW, name }))],
  ["one text that is not plain", Array<Row>(3).fill({ ...ROW, name: "a\nZoë" })],
])("%s", async (_, rows) => {
  expect((await throughTable(rows)).rows).toEqual([...rows]);
});

test("values that differ in every row", async () => {
  const rows = Array.from({ length: MANY }, (_, i): Row => {
    const at = new Date(Date.UTC(2020, 0, 1) + i * 86_400_000).toISOString();
    return {
      day: at.slice(0, 10),
      at: at.replace(".000Z", "Z"),
      price: i / 3,
      volume: i * 1e9,
      count: 7 - i,
      name: `symbol number ${i}`,
      open: i % 3 === 0,
    };
  });
  expect((await throughTable(rows)).rows).toEqual(rows);
});

test("a column with a single value is not stored row by row unless requested", async () => {
  const rows = [1, 2, 3].map((price) => ({ ...ROW, price }));
  expect((await throughTable(rows)).names).toEqual(["price"]);
  expect((await throughTable(rows, "count")).names).toEqual(["price", "count"]);
});
