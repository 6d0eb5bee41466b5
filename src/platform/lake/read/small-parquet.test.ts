// A small table is the same file of Parquet to its readers as one that the engine writes.
import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { lakeYard } from "../../../../test/faults/lake-support.ts";
import type { Lake } from "../lake.ts";
import { smallParquet, type TableColumns } from "./small-parquet.ts";

const yard = lakeYard();
afterEach(yard.clear);

const COLUMNS: TableColumns = [
  { name: "text", type: "VARCHAR" },
  { name: "day", type: "DATE" },
  { name: "at", type: "TIMESTAMPTZ" },
  { name: "price", type: "DOUBLE" },
  { name: "shares", type: "BIGINT" },
  { name: "place", type: "INTEGER" },
  { name: "provisional", type: "BOOLEAN" },
];
type Row = Readonly<Record<string, unknown>>;

const write = (rows: readonly Row[]) =>
  smallParquet(
    COLUMNS,
    rows.map((row) => COLUMNS.map(({ name }) => row[name])),
  );

const SCHEMA =
  "SELECT name, type, repetition_type, converted_type, logical_type FROM parquet_schema($path) OFFSET 1";

let files = 0;

async function compare(lake: Lake, dir: string, rows: readonly Row[]) {
  // The engine keeps the footers of files, which in a lake never change.
  const path = join(dir, `small-${++files}.parquet`);
  await Bun.write(path, write(rows));
  const written = await lake.copyRows(COLUMNS, rows, "parquet");
  for (const sql of [SCHEMA, "SELECT * FROM read_parquet($path)"]) {
    const [small, engines] = await Promise.all(
      [path, written.path].map((each) => lake.columns(sql, { path: each })),
    );
    expect(small).toEqual(engines as NonNullable<typeof engines>);
  }
  expect(await lake.query("SELECT * FROM read_parquet($path)", { path })).toEqual([...rows]);
  await written.discard();
}

async function opened() {
  const dir = await yard.folder();
  return { dir, lake: await yard.open({ dir }) };
}

test("columns, types and values are those of the engine's file", async () => {
  const { lake, dir } = await opened();
  const none = { text: null, day: null, at: null, price: null, shares: null, place: null, provisional: null };
  const one = {
    text: "é 東京",
    day: "1969-12-31",
    at: "2026-01-05T12:00:00.250Z",
    price: -0.1,
    shares: Number.MAX_SAFE_INTEGER,
    place: -2_147_483_647,
    provisional: true,
  };
  for (const rows of [
    [],
    [one],
    [none],
    [none, one, { ...one, text: "", price: 1e300, provisional: false }, none],
  ])
    await compare(lake, dir, rows);
});

test("any rows are read as they were written", async () => {
  const { lake, dir } = await opened();
  const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null });
  const ms = { min: Date.parse("1900-01-01"), max: Date.parse("2100-01-01") };
  const row = fc.record({
    text: orNull(fc.string({ unit: "binary", maxLength: 20 })),
    day: orNull(fc.integer(ms).map((each) => new Date(each).toISOString().slice(0, 10))),
    at: orNull(fc.integer(ms).map((each) => new Date(each).toISOString().replace(".000Z", "Z"))),
    price: orNull(fc.double({ noNaN: true, noDefaultInfinity: true }).filter((each) => !Object.is(each, -0))),
    shares: orNull(fc.maxSafeInteger()),
    place: orNull(fc.integer({ min: -2_147_483_647 })),
    provisional: orNull(fc.boolean()),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 300 }), (rows) => compare(lake, dir, rows)),
    { numRuns: 25 },
  );
});

test("a value that does not fit its column is refused", () => {
  expect(() => write([{ text: 1 }])).toThrow("answer.text is not a string");
  expect(() => write([{ price: Number.NaN }])).toThrow("answer.price is not a finite number");
});
