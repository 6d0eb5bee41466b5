// Drawn attacks on the door for SQL: to read later rows under a frozen clock or version, to read and write
// files, and to change settings. Each runs on two stores that differ in later rows only; what comes out must
// be the same. RUNS=500 tries more, as `bun run endure` does.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { queryRunner, type RunQuery } from "../../src/capabilities/sql/run-query.ts";
import { barsDaily, DATASETS, filings, MACROS } from "../../src/datasets/index.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { InvalidRequest } from "../../src/platform/errors.ts";
import { batchOf, type Lake, openLake } from "../../src/platform/lake/lake.ts";
import { seedOf } from "../support/seed.ts";

setDefaultTimeout(3_600_000);

const RUNS = Number(process.env.RUNS ?? 12);
const SEED = seedOf();
/** Two at once, as the route allows. */
const AT_ONCE = 2;
const THEN = "2026-03-12T15:00:00Z";
/** It is in every later row, and in no other. */
const LATER = "77777";

const filing = (accession_number: string, known_at: string) => ({
  accession_number,
  cik: "0000000001",
  company_name: accession_number.startsWith(LATER) ? `Later ${LATER}` : "Made up",
  form_type: "8-K",
  filing_date: known_at.slice(0, 10),
  report_date: null,
  primary_document: null,
  items: null,
  known_at,
  accepted_at: null,
  size: null,
  is_xbrl: null,
  indexed_at: "2026-03-01T00:00:00Z",
});
const bar = (date: string, close: number) => ({
  symbol: "ABC",
  date,
  open: close,
  high: close,
  low: close,
  close,
  adj_close: close,
  volume: 1_000,
  currency: "USD",
  basis_date: "2026-03-01",
  known_at: "2026-03-01T00:00:00Z",
  source: "test",
});

const EARLY = [
  batchOf(filings, [filing("a-1", "2026-03-02T21:00:00Z"), filing("a-2", "2026-03-09T13:00:00Z")]),
  batchOf(barsDaily, [bar("2026-03-09", 10), bar("2026-03-10", 11), bar("2026-03-11", 12)]),
];
const LATE = [
  batchOf(filings, [
    filing(`${LATER}-1`, "2026-03-12T15:00:01Z"),
    filing(`${LATER}-2`, "2026-06-01T13:00:00Z"),
  ]),
  batchOf(barsDaily, [bar("2026-03-12", Number(LATER)), bar("2026-03-13", Number(LATER))]),
];

interface Side {
  readonly dir: string;
  readonly lake: Lake;
  readonly run: RunQuery;
}
let then: Side;
let now: Side;
let version: number;

async function open(): Promise<Side> {
  const dir = await mkdtemp(join(tmpdir(), "asof-door-"));
  const lake = await openLake({ dir, datasets: DATASETS, macros: MACROS, clock: systemClock });
  await lake.append(EARLY);
  return { dir, lake, run: queryRunner({ dataDir: dir, extraClosures: [] }) };
}
beforeAll(async () => {
  [then, now] = [await open(), await open()];
  version = await now.lake.generation();
  await now.lake.append(LATE);
});
afterAll(async () => {
  for (const { lake, dir } of [then, now]) {
    await lake.close();
    await rm(dir, { recursive: true });
  }
});

/** FOLDER stands for the data folder of the store that is asked. */
const PERMITTED = [
  "filings",
  '"FILINGS"',
  "bars_daily",
  "filings_as_of(NULL)",
  "filings_as_of('2027-01-01')",
  "bars(NULL)",
  "bars('2027-01-01')",
  "bars_now()",
];
const REFUSED = [
  "stored.filings",
  "memory.stored.bars_daily",
  '"stored"."filings"',
  "main.filings",
  "temp.filings",
  "system.main.filings",
  "information_schema.columns",
  "sqlite_master",
  "duckdb_views()",
  "duckdb_tables()",
  "duckdb_settings()",
  "pragma_storage_info('filings')",
  "query('from stored.filings')",
  "query_table('filings')",
  "query_table(['filings', 'bars_daily'])",
  "read_parquet('FOLDER/lake/**/*.parquet')",
  "parquet_scan('FOLDER/lake/**/*.parquet')",
  "parquet_metadata('FOLDER/lake/**/*.parquet')",
  "'FOLDER/lake/filings/*.parquet'",
  "delta_scan('FOLDER/lake/filings')",
  "read_text('FOLDER/lake/manifest.json')",
  "read_blob('/etc/passwd')",
  "read_csv('/etc/passwd')",
  "read_json('FOLDER/lake/manifest.json')",
  "glob('FOLDER/**')",
  "sniff_csv('/etc/passwd')",
  "'/etc/passwd'",
  "'https://example.com/x.parquet'",
];
/** FROM stands for the source. */
const SHAPES = [
  "select * from FROM",
  "select count(*) as n from FROM",
  "select * from FROM order by all desc limit 1",
  "select max(known_at) as newest, min(known_at) as oldest from FROM",
  "with x as (from FROM) select count(*) as n from x, x y",
  "with filings as (select 1 as a) select (select count(*) from FROM) as n from filings",
  "with recursive r(n) as (select 0 union all select n + 1 from r where n < (select count(*) from FROM)) from r",
  "select (select count(*) from FROM) as n",
  "select list(x) as all_rows from (from FROM) x",
  "select 1 as a where exists (select 1 from FROM t where t::VARCHAR like '%77777%')",
  "select count(*) as n from FROM t where case when t::VARCHAR like '%77777%' then error('seen') else true end",
  "select try_cast(replace(max(t::VARCHAR), 'x', '') as BIGINT) as n from FROM t",
  "from FROM using sample 100%",
  "summarize from FROM",
  "describe from FROM",
  "select lead(known_at, 1) over (order by known_at) as next from FROM",
  "select list_transform([1, 2], i -> (select count(*) from FROM)) as n",
  "select * from range(3) r, lateral (select count(*) as n from FROM) x",
  "from FROM union all from FROM",
  "from FROM except (from FROM limit 1)",
  "select approx_count_distinct(known_at) as n, histogram(known_at::VARCHAR) as h from FROM",
  "pivot (from FROM) on known_at using count(*)",
  "select columns(*)::VARCHAR from FROM",
  "from FROM t select t order by (select max(known_at) from FROM)",
];
/** A place outside of the store. */
const OUTSIDE = join(tmpdir(), "asof-door");
/** QUERY stands for a query; each is refused whatever it is. */
const WRAPS = [
  "explain analyze QUERY",
  "copy (QUERY) to 'FOLDER/out.csv'",
  `copy (QUERY) to '${OUTSIDE}-out.csv'`,
  "create table x as QUERY",
  "create or replace view filings as QUERY",
  "insert into filings QUERY",
  "QUERY; select 1",
  "select 1; QUERY",
  "set threads = 8; QUERY",
  "prepare p as QUERY",
  `attach '${OUTSIDE}.duckdb' as x`,
  "pragma database_list",
  "call pragma_version()",
  "install httpfs",
  "load httpfs",
  "reset memory_limit",
  `export database '${OUTSIDE}-export'`,
  "vacuum",
  "checkpoint",
  "use stored",
  "drop view filings",
  "begin transaction",
];

const kept = fc.constant("QUERY");
const tries = fc.record({
  from: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...PERMITTED) }, fc.constantFrom(...REFUSED)),
  shape: fc.constantFrom(...SHAPES),
  wrap: fc.oneof({ weight: 4, arbitrary: kept }, fc.constantFrom(...WRAPS)),
  space: fc.constantFrom(" ", "/**/ ", "\n-- x\n", "\t"),
  isLoud: fc.boolean(),
  isVersion: fc.boolean(),
});
type Try = typeof tries extends fc.Arbitrary<infer T> ? T : never;

function sqlOf({ from, shape, wrap, space, isLoud }: Try): string {
  // The source is named before the words change their case.
  const query = shape.replaceAll(" FROM", ` ${from}`);
  const words = isLoud
    ? query.replace(/\b(?:select|from|with|count|where)\b/g, (word) => word.toUpperCase())
    : query;
  return wrap.replace("QUERY", () => words).replaceAll(" ", space === " " ? " " : ` ${space}`);
}

/** Returns the outcome of a query: the rows as text, or why it was refused. */
async function outcome({ dir, run }: Side, sql: string, isVersion: boolean): Promise<string> {
  const asOf = isVersion ? null : Temporal.Instant.from(THEN);
  try {
    const found = await run({
      sql: sql.replaceAll("FOLDER", dir),
      asOf,
      version: isVersion ? version : null,
      rowsMax: 1_000,
    });
    return JSON.stringify([found.names, found.columns]);
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return `${error.code}: ${error.message.replaceAll(dir, "FOLDER")}`;
  }
}

interface Found {
  readonly one: Try;
  readonly sql: string;
  readonly text: string;
}

/** Runs a try on both stores and holds that neither shows a later row. */
async function held(one: Try): Promise<Found> {
  const sql = sqlOf(one);
  const [before, after] = [await outcome(then, sql, one.isVersion), await outcome(now, sql, one.isVersion)];
  const shown = after.replaceAll(`%${LATER}%`, "");
  if (after !== before || shown.includes(LATER))
    throw new Error(`SEED=${SEED}\n${sql}\nbefore: ${before.slice(0, 400)}\nafter: ${after.slice(0, 400)}`);
  return { one, sql, text: after };
}

/** Files that attacks try to write outside of the store. */
const WRITTEN = ["-out.csv", ".duckdb", "-export"].map((ending) => OUTSIDE + ending);

/** The files of both stores, but for the catalogue, which the lake itself writes in the background. */
const filesOf = () =>
  Promise.all(
    [then, now].map(async ({ dir }) =>
      (await readdir(dir, { recursive: true }))
        .filter((name) => !/catalog|publishing|^_staging/.test(name))
        .toSorted(),
    ),
  );

test("no attack shows a later row, reads or writes a file, or changes a setting", async () => {
  const drawn = fc.sample(tries, { numRuns: RUNS, seed: SEED });
  const folders = await filesOf();
  const found: Found[] = [];
  for (let i = 0; i < drawn.length; i += AT_ONCE)
    found.push(...(await Promise.all(drawn.slice(i, i + AT_ONCE).map(held))));
  const isRefused = ({ text }: Found) => text.startsWith("query_refused: ");
  for (const each of found)
    if (each.one.wrap !== "QUERY" || REFUSED.includes(each.one.from))
      expect([each.sql, isRefused(each)]).toEqual([each.sql, true]);
  // The permitted ones must have got through, or nothing was attacked.
  const answered = found.filter(({ text }) => text.startsWith("["));
  expect(answered.length).toBeGreaterThan(RUNS / 6);
  expect(await filesOf()).toEqual(folders);
  expect(WRITTEN.filter((path) => existsSync(path))).toEqual([]);
  console.log(`SQL: ${found.length} tries (SEED=${SEED}), ${answered.length} answered, the others refused`);
});
