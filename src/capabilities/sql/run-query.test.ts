// Queries: what they see under a frozen clock and a version, answered here; and where the process that each
// has in the service is ended.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storePrinted } from "../../../test/support/adjusted-bars.ts";
import { expectPrice } from "../../../test/support/price-digits.ts";
import { DATASETS, filings, MACROS } from "../../datasets/index.ts";
import { systemClock } from "../../platform/clock.ts";
import type { RowOf } from "../../platform/lake/dataset.ts";
import { batchOf, type Lake, openLake } from "../../platform/lake/lake.ts";
import { answerTo } from "./answer.ts";
import { queryRunner, type RunQuery } from "./run-query.ts";

setDefaultTimeout(1_200_000);

const filing = (accession_number: string, known_at: string): RowOf<typeof filings> => ({
  accession_number,
  cik: "0000000001",
  company_name: "Made up",
  form_type: "8-K",
  filing_date: known_at.slice(0, 10),
  report_date: null,
  primary_document: null,
  items: null,
  known_at,
  accepted_at: null,
  size: null,
  is_xbrl: null,
  indexed_at: "2026-07-01T00:00:00Z",
});

let dir: string;
let lake: Lake;
let run: RunQuery;
let before: number;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "asof-sql-"));
  lake = await openLake({ dir, datasets: DATASETS, macros: MACROS, clock: systemClock });
  await storePrinted(lake, "ABC", "2026-03-01");
  before = await lake.generation();
  await lake.append([
    batchOf(filings, [filing("a-1", "2026-03-10T21:00:00Z"), filing("a-2", "2026-05-20T13:00:00Z")]),
  ]);
  run = queryRunner({ dataDir: dir, extraClosures: [] });
});
afterAll(async () => {
  await lake.close();
  await rm(dir, { recursive: true });
});

/** The rows of a query as objects, answered as the process of a query does. */
async function rows(sql: string, as_of: string | null = null, version: number | null = null) {
  const limits = { rows_max: 1_000, memory_mb: 1_000, closures: [] };
  const answer = await answerTo({ data_dir: dir, sql, as_of, version, now: null, ...limits });
  if ("refused" in answer) throw new Error(answer.refused);
  const { names, columns, rows: count } = answer;
  return Array.from({ length: count }, (_, row) =>
    Object.fromEntries(names.map((name, i) => [name, columns[i]?.[row]])),
  );
}

const THEN = "2026-03-12T15:00:00Z";

describe("under a frozen clock", () => {
  test("bars are those of then, on the basis of then, whatever a query asks for", async () => {
    const wanted = await lake.query<{ date: string; close: number; adj_close: number; volume: number }>(
      "SELECT CAST(date AS VARCHAR) AS date, close, adj_close, volume FROM bars($moment) ORDER BY date",
      { moment: THEN },
    );
    expect(wanted.map(({ date }) => date)).toEqual(["2026-03-06", "2026-03-09", "2026-03-10", "2026-03-11"]);
    const sources = ["bars_daily", "bars(NULL)", "bars_now()", "bars('2027-01-01')", `bars('${THEN}')`];
    const selects = sources.map(
      (from, i) => `SELECT ${i} AS i, date::VARCHAR AS date, close, adj_close, volume FROM ${from}`,
    );
    const all = await rows(`${selects.join(" UNION ALL ")} ORDER BY i, date`, THEN);
    for (const place of sources.keys()) {
      const found = all.filter(({ i }) => i === place);
      expect(found.map(({ date }) => date)).toEqual(wanted.map(({ date }) => date));
      for (const [i, each] of wanted.entries()) {
        expectPrice(Number(found[i]?.close), each.close);
        expectPrice(Number(found[i]?.adj_close), each.adj_close);
        expect(found[i]?.volume).toBe(each.volume);
      }
    }
    // Not frozen, the stored rows are on the basis of June, after the second split.
    const [stored] = await rows("SELECT close FROM bars_daily WHERE date = '2026-03-11'");
    expectPrice(Number(stored?.close), 1_040);
  });

  test("an earlier moment than the frozen one is shown on its own basis", async () => {
    const earlier = "2026-03-10T15:00:00Z";
    const wanted = await lake.query("SELECT close FROM bars($earlier) ORDER BY date", { earlier });
    expect(wanted).toHaveLength(2);
    expect(await rows(`SELECT close FROM bars('${earlier}') ORDER BY date`, THEN)).toEqual(wanted);
  });

  test("later actions, dividends and filings are not there", async () => {
    expect(await rows("SELECT ex_date::VARCHAR AS d, kind FROM corporate_actions ORDER BY 1", THEN)).toEqual([
      { d: "2026-03-10", kind: "dividend" },
      { d: "2026-03-11", kind: "split" },
    ]);
    expect(await rows("SELECT accession_number AS a FROM filings", THEN)).toEqual([{ a: "a-1" }]);
    expect(await rows("SELECT accession_number AS a FROM filings_as_of(NULL)", THEN)).toEqual([{ a: "a-1" }]);
    expect(await rows("SELECT count(*) AS n FROM filings")).toEqual([{ n: 2 }]);
  });

  test("neither errors nor conditions run over later rows", async () => {
    const fails =
      "SELECT count(*) AS n FROM filings WHERE CASE WHEN accession_number = 'a-2' THEN error('later') ELSE true END";
    expect(await rows(fails, THEN)).toEqual([{ n: 1 }]);
    const cast = "SELECT count(*) AS n FROM filings WHERE replace(accession_number, 'a-1', '1')::INTEGER > 0";
    expect(await rows(cast, THEN)).toEqual([{ n: 1 }]);
    await expect(rows(cast)).rejects.toThrow("a-2");
  });

  test("no table has a row that became known later", async () => {
    // Says what this installation has read by now, and no query of a moment reads it.
    const ofNow = ["action_coverage", "complete_actions()"];
    for (const from of ofNow)
      await expect(rows(`SELECT * FROM ${from}`, THEN)).rejects.toThrow(/may (?:read|not be used)/);
    const datasets = DATASETS.filter(({ name }) => !ofNow.includes(name));
    const newest = datasets.map(
      ({ name }) => `SELECT '${name}' AS name, max(known_at) AS newest FROM ${name}`,
    );
    const found = await rows(newest.join(" UNION ALL "), THEN);
    expect(found.map(({ name }) => name)).toEqual(datasets.map(({ name }) => name));
    for (const { name, newest: last } of found)
      expect([name, last === null || String(last) <= THEN]).toEqual([name, true]);
  });
});

test("a version has the rows of its commit and those before", async () => {
  expect(await rows("SELECT count(*) AS n FROM filings", undefined, before)).toEqual([{ n: 0 }]);
  expect(await rows("SELECT count(*) AS n FROM filings", undefined, before + 1)).toEqual([{ n: 2 }]);
  expect(await rows("SELECT count(*) AS n FROM bars_daily", undefined, before)).toEqual([{ n: 8 }]);
});

describe("limits", () => {
  const whole = { asOf: null, version: null, rowsMax: 3 };
  const failure = async (promise: Promise<unknown>) =>
    promise.then(
      () => ["answered"],
      (error: { code?: string; message: string }) => [error.code, error.message],
    );

  test("rows are cut and reported", async () => {
    expect(await run({ ...whole, sql: "SELECT i FROM range(5) t(i)" })).toMatchObject({ rows: 3, cut: true });
    const all = { data_dir: dir, as_of: null, version: null, now: null, memory_mb: 1_000, closures: [] };
    const sql = "SELECT i FROM range(3) t(i)";
    expect(await answerTo({ ...all, rows_max: 3, sql })).toMatchObject({ rows: 3, cut: false });
  });

  test("an endless query is ended", async () => {
    const short = queryRunner({ dataDir: dir, extraClosures: [], timeMaxMs: 1_000 });
    const endless = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT max(n) FROM t";
    expect(await failure(short({ ...whole, sql: endless }))).toEqual([
      "query_limit",
      "The query took longer than 1 s.",
    ]);
  });

  test("an answer that is too large, and a query that is too long", async () => {
    const large = "SELECT repeat('x', 30_000_000) AS a, repeat('y', 30_000_000) AS b";
    expect(await failure(run({ ...whole, sql: large }))).toEqual([
      "query_limit",
      "The answer is larger than 50 MB.",
    ]);
    expect((await failure(run({ ...whole, sql: `SELECT ${" ".repeat(100_000)}1` })))[0]).toBe("query_limit");
  });

  test("what memory it takes is limited", async () => {
    const wide = "SELECT list(repeat(i::VARCHAR, 1000)) AS a FROM range(3_000_000) t(i)";
    const [code] = await failure(run({ ...whole, sql: wide }));
    expect(["query_limit", "query_refused"]).toContain(code ?? "");
  });

  test("a mistake is reported in the words of the engine", async () => {
    expect(await failure(run({ ...whole, sql: "SELECT nothing FROM filings" }))).toEqual([
      "query_refused",
      expect.stringContaining('Referenced column "nothing" not found'),
    ]);
    expect(await failure(run({ ...whole, sql: "SELECT * FROM read_text('/etc/passwd')" }))).toEqual([
      "query_refused",
      'The table function "read_text" may not be used in a query.',
    ]);
  });

  test("a client that goes away ends it", async () => {
    const controller = new AbortController();
    const running = run({ ...whole, sql: "SELECT count(*) FROM range(10_000_000_000)" }, controller.signal);
    controller.abort(new Error("gone"));
    expect(await failure(running)).toEqual([undefined, "gone"]);
  });
});
