// Which queries may run, held against the engine's own parser.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { refusalOf } from "./permitted.ts";

const PERMITTED = { tables: new Set(["bars_daily", "filings"]), tableFunctions: new Set(["bars"]) };
let instance: DuckDBInstance;
let connection: DuckDBConnection;
beforeAll(async () => {
  instance = await DuckDBInstance.create(":memory:");
  connection = await instance.connect();
});
afterAll(() => {
  connection.disconnectSync();
  instance.closeSync();
});

async function refused(sql: string): Promise<string | null> {
  const found = await connection.runAndReadAll("SELECT json_serialize_sql($1::VARCHAR)", [sql]);
  return refusalOf(JSON.parse(String(found.getRows()[0]?.[0])), PERMITTED);
}

describe("queries that may run", () => {
  test.each([
    "select 1",
    "from bars_daily",
    'select * from "BARS_DAILY" b join filings f on true',
    "from bars(NULL) where symbol = 'A'",
    "with x as (select 1 as a), y as (from x) select * from y, x",
    "with recursive t(n) as (select 1 union all select n + 1 from t where n < 5) from t",
    "select * from bars_daily where close > (select avg(close) from bars('2020-01-02'))",
    "from unnest([1, 2]) u(x), range(3)",
    "select * from (values (1), (2)) v(x)",
    "select close, lag(close) over (partition by symbol order by date) from bars_daily",
    "describe bars_daily",
    "summarize from bars(NULL)",
    "from bars_daily union all from bars_daily",
    "from bars_daily where exists (select 1 from filings f where f.cik = symbol)",
  ])("%s", async (sql) => {
    expect(await refused(sql)).toBeNull();
  });
});

describe("queries that may not run", () => {
  test.each([
    ["from read_parquet('/data/lake/x.parquet')", "read_parquet"],
    ["from parquet_metadata('x')", "parquet_metadata"],
    ["from read_text('/etc/passwd')", "read_text"],
    ["from glob('/*')", "glob"],
    ["from '/data/lake/x.parquet'", "x.parquet"],
    ['from "x.csv"', "x.csv"],
    ["from stored.bars_daily", "bars_daily"],
    ["from memory.stored.bars_daily", "bars_daily"],
    ["from stored.bars(NULL)", "bars"],
    ["from duckdb_views()", "duckdb_views"],
    ["from duckdb_settings()", "duckdb_settings"],
    ["from information_schema.tables", "tables"],
    ["from sqlite_master", "sqlite_master"],
    ["from query('from stored.bars_daily')", "query"],
    ["from query_table('bars_daily')", "query_table"],
    ["select (select count(*) from read_csv('x'))", "read_csv"],
    ["select * from bars_daily where exists (from read_blob('x'))", "read_blob"],
    ["select list_transform([1], x -> (select count(*) from read_csv('y')))", "read_csv"],
    ["with a as (from read_json('x')) from a", "read_json"],
    ["select case when true then (from read_csv('x') limit 1) end", "read_csv"],
    ["select sum(1) filter (where exists (from read_csv('x'))) from bars_daily", "read_csv"],
    ["select 1 order by (select 1 from read_csv('x'))", "read_csv"],
    ["select 1 limit (select 1 from read_csv('x'))", "read_csv"],
    ["from bars_daily select 1 qualify exists (from read_csv('x'))", "read_csv"],
    ["from (pivot read_csv('x') on a using count(*))", "SELECT"],
    ["from pragma_table_info('bars_daily')", "pragma_table_info"],
    ["summarize from read_parquet('x')", "read_parquet"],
    ["select stats(filing_date) from filings", "stats"],
    ["select upper(main.stats(filing_date)) from filings", "stats"],
    [
      "select json_serialize_plan('select max(known_at) from stored.filings', optimize := true)",
      "json_serialize_plan",
    ],
  ])("%s", async (sql, named) => {
    expect(await refused(sql)).toContain(named);
  });

  test("a name of a WITH clause counts within its own query only", async () => {
    const inner = 'exists (with "x.parquet" as (select 1) from "x.parquet")';
    expect(await refused(`select 1 where ${inner}`)).toBeNull();
    expect(await refused(`from "x.parquet" where ${inner}`)).toContain("x.parquet");
  });

  test.each([
    "select 1; select 2",
    "attach 'x'",
    "copy bars_daily to 'x'",
    "set threads = 4",
    "insert into x values (1)",
    "load x",
    "",
    "selec",
    "show tables",
    "create table x(a int)",
  ])("not one SELECT: %s", async (sql) => {
    expect(await refused(sql)).toBeString();
  });

  test("a statement of another kind is refused with what to send instead", async () => {
    const pivot = "pivot bars_daily on symbol";
    for (const sql of ["copy bars_daily to 'x'", `${pivot} using max(close)`])
      expect(await refused(sql)).toBe("Send one SELECT. A PIVOT has to name its values: ON column IN (…).");
    expect(await refused(`${pivot} in ('A', 'B') using max(close)`)).toBeNull();
  });
});
