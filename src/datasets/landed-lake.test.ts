// A lake that an earlier release wrote, without generations, is read under the present rules without loss.

import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { fakeClock } from "../../test/support/fake-clock.ts";
import { openWholeLake } from "../../test/support/whole-lake.ts";
import { batchOf, type Lake } from "../platform/lake/lake.ts";
import { actionCoverage } from "./index.ts";

setDefaultTimeout(1_200_000);

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

interface Written {
  readonly dataset: string;
  readonly partition: string;
  /** Columns as that release had them, with their types. */
  readonly columns: Readonly<Record<string, string>>;
  /** Rows as SQL values, in the order of the columns. */
  readonly rows: readonly string[];
}

const BARS = {
  symbol: "VARCHAR",
  date: "DATE",
  open: "DOUBLE",
  high: "DOUBLE",
  low: "DOUBLE",
  close: "DOUBLE",
  volume: "BIGINT",
  adj_close: "DOUBLE",
  currency: "VARCHAR",
  basis_date: "DATE",
  known_at: "TIMESTAMPTZ",
  source: "VARCHAR",
};
const INTRADAY = {
  symbol: "VARCHAR",
  interval: "VARCHAR",
  at: "TIMESTAMPTZ",
  session_date: "DATE",
  session: "VARCHAR",
  open: "DOUBLE",
  high: "DOUBLE",
  low: "DOUBLE",
  close: "DOUBLE",
  volume: "BIGINT",
  vwap: "DOUBLE",
  trade_count: "BIGINT",
  basis_date: "DATE",
  known_at: "TIMESTAMPTZ",
  source: "VARCHAR",
};
const ACTIONS = {
  symbol: "VARCHAR",
  ex_date: "DATE",
  kind: "VARCHAR",
  amount: "DOUBLE",
  currency: "VARCHAR",
  numerator: "DOUBLE",
  denominator: "DOUBLE",
  price_factor: "DOUBLE",
  basis_date: "DATE",
  known_at: "TIMESTAMPTZ",
  source: "VARCHAR",
};
const DIVIDENDS = {
  symbol: "VARCHAR",
  ex_dividend_date: "DATE",
  dividend_type: "VARCHAR",
  part: "INTEGER",
  declaration_date: "DATE",
  record_date: "DATE",
  payment_date: "DATE",
  amount: "DOUBLE",
  reported_amount: "DOUBLE",
  basis_date: "DATE",
  currency: "VARCHAR",
  frequency: "VARCHAR",
  status: "VARCHAR",
  as_of_date: "DATE",
  revision: "INTEGER",
  known_at: "TIMESTAMPTZ",
  source: "VARCHAR",
};
const FACTS = {
  cik: "VARCHAR",
  symbol: "VARCHAR",
  statement: "VARCHAR",
  line: "VARCHAR",
  period: "VARCHAR",
  period_start: "DATE",
  period_end: "DATE",
  period_months: "INTEGER",
  fiscal_year: "INTEGER",
  fiscal_period: "VARCHAR",
  value: "DOUBLE",
  unit: "VARCHAR",
  currency: "VARCHAR",
  tag: "VARCHAR",
  taxonomy: "VARCHAR",
  accession_number: "VARCHAR",
  form: "VARCHAR",
  filed_date: "DATE",
  accepted_at: "TIMESTAMPTZ",
  known_at: "TIMESTAMPTZ",
  vintage: "INTEGER",
  revision: "VARCHAR",
  flags: "VARCHAR",
  split_basis: "DATE",
  source: "VARCHAR",
};

/** Fetched on 2026-09-09, after a 4:1 split with the ex date 2024-03-08. */
const FETCHED = "'2026-09-09', '2026-09-09 21:00:00+00', 'yahoo'";
const bar = (date: string, close: number) =>
  `'ABC', '${date}', ${close}, ${close}, ${close}, ${close}, 4000, ${close}, 'USD', ${FETCHED}`;
const fact = (accession: string, filed: string, value: number, vintage: number) =>
  `'0000000042', 'ABC', 'income_statement', 'revenue', '2024-01-01/2024-12-31', '2024-01-01', '2024-12-31', 12, 2024, 'FY',
   ${value}, 'USD', 'USD', 'Revenues', 'us-gaap', '${accession}', '10-K', '${filed}', '${filed} 21:00:00+00', '${filed} 21:00:00+00',
   ${vintage}, '${vintage === 1 ? "first" : "restated"}', NULL, NULL, 'xbrl'`;

const WRITTEN: readonly Written[] = [
  {
    dataset: "bars_daily",
    partition: "year=2024",
    columns: BARS,
    rows: [bar("2024-03-06", 102.5), bar("2024-03-07", 103), bar("2024-03-08", 104), bar("2024-03-11", 105)],
  },
  { dataset: "bars_daily", partition: "year=2026", columns: BARS, rows: [bar("2026-09-08", 110)] },
  {
    dataset: "bars_intraday",
    partition: "interval=5m/month=2024-03",
    columns: INTRADAY,
    rows: ["07", "08"].map(
      (day) =>
        `'ABC', '5m', '2024-03-${day} 15:00:00+00', '2024-03-${day}', 'regular', 103, 103, 103, 103, 400, NULL, NULL, ${FETCHED}`,
    ),
  },
  {
    dataset: "corporate_actions",
    partition: "",
    columns: ACTIONS,
    rows: [`'ABC', '2024-03-08', 'split', NULL, NULL, 4, 1, 0.25, ${FETCHED}`],
  },
  {
    dataset: "dividend_calendar",
    partition: "",
    columns: DIVIDENDS,
    rows: [
      `'ABC', '2023-11-10', 'cash', 1, NULL, NULL, NULL, NULL, 0.23, '2026-09-09', 'USD', NULL, 'declared',
       '2026-09-09', 1, '2026-09-09 21:00:00+00', 'yahoo'`,
      `'ABC', '2024-02-09', 'cash', 1, '2024-02-01', '2024-02-12', '2024-02-15', 0.96, NULL, NULL, 'USD', 'quarterly', 'declared',
       '2026-09-09', 1, '2026-09-09 21:00:00+00', 'nasdaq'`,
    ],
  },
  {
    dataset: "financial_facts",
    partition: "year=2025",
    columns: FACTS,
    rows: [fact("0000000042-25-000001", "2025-02-03", 1000, 1)],
  },
  {
    dataset: "financial_facts",
    partition: "year=2026",
    columns: FACTS,
    rows: [fact("0000000042-26-000001", "2026-02-02", 990, 2)],
  },
];

const RETIRED = "bars_daily/year=2024/delta-01J00000000000000000000000.parquet";
const SET_ASIDE = "bars_daily/year=2023/base-1.parquet";
const isRanged = ([name, type]: [string, string]) =>
  type === "DATE" || type === "TIMESTAMPTZ" || name === "symbol";

/** Writes the folder as the release of manifest format 1 without generations did. */
async function writeLanded(dir: string): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  const files = [];
  const schemas: Record<string, unknown[]> = {};
  for (const [i, { dataset, partition, columns, rows }] of WRITTEN.entries()) {
    const path = [dataset, partition, "base-1.parquet"].filter(Boolean).join("/");
    const target = join(dir, "lake", path);
    await mkdir(dirname(target), { recursive: true });
    const declared = Object.entries(columns).map(([name, type]) => `"${name}" ${type}`);
    await connection.run(`CREATE TABLE w${i} (${declared.join(", ")})`);
    await connection.run(`INSERT INTO w${i} VALUES ${rows.map((row) => `(${row})`).join(", ")}`);
    await connection.run(`COPY w${i} TO '${target}' (FORMAT parquet, COMPRESSION zstd)`);
    const ranges: Record<string, string[]> = {};
    for (const [name, type] of Object.entries(columns).filter(isRanged)) {
      const text = (bound: string) =>
        type === "TIMESTAMPTZ" ? `strftime(${bound}, '%Y-%m-%dT%H:%M:%S.%gZ')` : `${bound}::VARCHAR`;
      const read = await connection.runAndReadAll(
        `SELECT ${text(`min("${name}")`)}, ${text(`max("${name}")`)} FROM w${i}`,
      );
      const [[low, high] = []] = read.getRowsJson();
      if (low !== null) ranges[name] = [String(low), String(high)];
    }
    const bytes = await readFile(target);
    schemas[dataset] = [columns];
    const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    const file = { path, dataset, partition, kind: "base", rows: rows.length, bytes: bytes.length };
    files.push(Object.assign(file, { sha256, schema: 0, ranges }));
  }
  connection.disconnectSync();
  instance.closeSync();
  await writeFile(join(dir, "lake", RETIRED), "replaced");
  const retired = [{ path: RETIRED, retired_at: "2026-11-20T12:00:00.000Z", generation: 6 }];
  const [file] = files;
  const set_aside = [{ ...file, path: SET_ASIDE, partition: "year=2023", says: "the file is gone" }];
  const manifest = { format: 1, generation: 7, schemas, files, retired, set_aside };
  await writeFile(join(dir, "lake", "manifest.json"), JSON.stringify(manifest));
}

async function landed(): Promise<{ dir: string; lake: Lake }> {
  const dir = await mkdtemp(join(tmpdir(), "landed-"));
  open.push(() => rm(dir, { recursive: true }));
  await writeLanded(dir);
  const clock = fakeClock("2026-11-20T13:00:00Z");
  const lake = await openWholeLake(dir, clock, { retentionMs: 86_400_000 });
  open.push(() => lake.close());
  return { dir, lake };
}

const AFTER = "TIMESTAMPTZ '2026-09-10 12:00:00+00'";
const BEFORE = "TIMESTAMPTZ '2024-03-07 23:00:00+00'";

async function pricesAt(lake: Lake, asOf: string): Promise<string[]> {
  const rows = await lake.query<Record<string, unknown>>(
    `SELECT date::VARCHAR AS date, close, volume, strftime(known_at AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M') AS known, backfilled
     FROM bars(${asOf}) ORDER BY date`,
  );
  return rows.map((row) => Object.values(row).join(" "));
}

test("every daily bar counts from the open of the next session, and is there before its fetch once its actions are complete", async () => {
  const { lake } = await landed();
  const all = [
    "2024-03-06 102.5 4000 2024-03-07T14:30 false",
    "2024-03-07 103 4000 2024-03-08T14:30 false",
    "2024-03-08 104 4000 2024-03-11T13:30 false",
    "2024-03-11 105 4000 2024-03-12T13:30 false",
    "2026-09-08 110 4000 2026-09-09T13:30 false",
  ];
  expect(await pricesAt(lake, "NULL")).toEqual(all);
  expect(await pricesAt(lake, AFTER)).toEqual(all);
  // That release did not note from when on the actions of a symbol are complete.
  expect(await pricesAt(lake, "TIMESTAMPTZ '2024-03-11 21:00:00+00'")).toEqual([]);
  const known_at = "2026-11-20T13:00:00Z";
  await lake.append([
    batchOf(actionCoverage, [
      { symbol: "ABC", from_date: "2024-03-05", incomplete_through: null, known_at, source: "yahoo" },
    ]),
  ]);
  expect(await pricesAt(lake, "TIMESTAMPTZ '2024-03-11 21:00:00+00'")).toEqual([
    "2024-03-06 102.5 4000 2024-03-07T14:30 true",
    "2024-03-07 103 4000 2024-03-08T14:30 true",
    "2024-03-08 104 4000 2024-03-11T13:30 true",
  ]);
  // Before the split, on the basis of then.
  expect(await pricesAt(lake, BEFORE)).toEqual(["2024-03-06 410 1000 2024-03-07T14:30 true"]);
  expect(await pricesAt(lake, AFTER)).toEqual(all);
});

test("intraday bars count from their end, on the basis of the moment", async () => {
  const { lake } = await landed();
  const closes = async (asOf: string) =>
    (
      await lake.query<{ day: string; close: number; volume: number; backfilled: boolean }>(
        `SELECT session_date::VARCHAR AS day, close, volume, backfilled FROM intraday_bars(${asOf}) ORDER BY "at"`,
      )
    ).map((row) => Object.values(row).join(" "));
  expect(await closes(AFTER)).toEqual(["2024-03-07 103 400 false", "2024-03-08 103 400 false"]);
  expect(await closes(BEFORE)).toEqual([]);
  const known_at = "2026-11-20T13:00:00Z";
  await lake.append([
    batchOf(actionCoverage, [
      { symbol: "ABC", from_date: "2024-03-05", incomplete_through: null, known_at, source: "yahoo" },
    ]),
  ]);
  expect(await closes(BEFORE)).toEqual(["2024-03-07 412 100 true"]);
});

test("dividends count from the end of their declaration day, else from their ex date, and are as paid", async () => {
  const { lake } = await landed();
  const paid = async (asOf: string) =>
    (
      await lake.query<{ day: string; amount: number; backfilled: boolean }>(
        `SELECT ex_dividend_date::VARCHAR AS day, amount, backfilled FROM dividends_as_of(${asOf}) ORDER BY 1`,
      )
    ).map((row) => Object.values(row).join(" "));
  expect(await paid(AFTER)).toEqual(["2023-11-10 0.92 false", "2024-02-09 0.96 false"]);
  expect(await paid("TIMESTAMPTZ '2024-02-02 04:59:59+00'")).toEqual(["2023-11-10 0.92 true"]);
  expect(await paid("TIMESTAMPTZ '2024-02-02 05:00:00+00'")).toEqual([
    "2023-11-10 0.92 true",
    "2024-02-09 0.96 true",
  ]);
  expect(await paid("TIMESTAMPTZ '2023-11-10 14:29:59+00'")).toEqual([]);
});

test("financials serves the report of the moment; both reports stay", async () => {
  const { lake } = await landed();
  const value = async (asOf: string) =>
    (await lake.query<{ value: number }>(`SELECT value FROM financials(${asOf})`)).map((row) => row.value);
  expect(await value("TIMESTAMPTZ '2025-02-03 20:59:59+00'")).toEqual([]);
  expect(await value("TIMESTAMPTZ '2025-06-01 00:00:00+00'")).toEqual([1000]);
  expect(await value("NULL")).toEqual([990]);
  expect(await lake.query("SELECT value, recorded FROM financial_facts ORDER BY vintage")).toEqual([
    { value: 1000, recorded: 0 },
    { value: 990, recorded: 0 },
  ]);
});

test("replaced files are taken over with their time, and what was set aside keeps its reason", async () => {
  const { dir, lake } = await landed();
  const { size } = await stat(join(dir, "lake", RETIRED));
  expect(lake.retired()).toEqual([
    { path: RETIRED, retired_at: "2026-11-20T12:00:00.000Z", generation: 6, bytes: size },
  ]);
  expect(existsSync(join(dir, "lake", RETIRED))).toBe(true);
  const report = await lake.check();
  expect(report.findings.map(({ path, description }) => [path, description])).toEqual([
    [SET_ASIDE, "the file is gone; its 4 rows are not served"],
  ]);
  // Merged into files of this release, no row is lost and none has a generation that it never had.
  const count = "SELECT count(*) AS n, max(recorded) AS newest FROM bars_daily";
  const before = await lake.query(count);
  await lake.compact({ force: true });
  expect(await lake.query(count)).toEqual(before);
  expect(before).toEqual([{ n: 5, newest: 0 }]);
});
