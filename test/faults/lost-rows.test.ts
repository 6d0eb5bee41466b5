// After damage: the rows of a file that was set aside are read again, and what is computed from the rest is
// not stored.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readdir, truncate } from "node:fs/promises";
import { join } from "node:path";
import { forgetReads } from "../../src/composition/noted-reads.ts";
import { companyTickers, shortVolume } from "../../src/datasets/index.ts";
import { batchOf } from "../../src/platform/lake/lake.ts";
import { openSqlite } from "../../src/platform/sqlite/sqlite.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const LINE = {
  date: "2026-09-04",
  symbol: "ZORP",
  short_volume: 1,
  short_exempt_volume: null,
  total_volume: 2,
  market: "Q",
  facility: "CNMS",
  known_at: "2026-09-08T04:00:00Z",
  fetched_at: "2026-09-04T23:00:00Z",
  source: "test",
};
const ENV = { SEC_USER_AGENT: "Asof tests tests@asof.example" };
const PRICES = "/api/v1/price/data?tickers=ZORP,DREK&start_date=2026-03-02&end_date=2026-09-04&format=csv";
let service: SampleService;
beforeAll(async () => {
  service = await openSampleService({ env: ENV });
});
afterAll(() => service.stop());

/** Cuts off the files of datasets. */
async function cutOff(...datasets: string[]): Promise<void> {
  for (const dataset of datasets) {
    const folder = join(service.dataDir, "lake", dataset);
    for (const name of await readdir(folder, { recursive: true }))
      if (name.endsWith(".parquet")) await truncate(join(folder, name), 100);
  }
}

/** Cuts off the files of datasets, and repairs the lake as doctor does. */
async function lose(...datasets: string[]): Promise<void> {
  await cutOff(...datasets);
  const { lost } = await service.app().lake.check({ repair: true });
  const sqlite = openSqlite(join(service.dataDir, "ops.sqlite"));
  forgetReads(sqlite, [...new Set(lost.map(({ dataset }) => dataset))]);
  sqlite.close();
}

const ask = async (path: string) => {
  const response = await service.fetch(path);
  expect([path, response.status]).toEqual([path, 200]);
  return [await response.text(), response.headers.get("x-warnings") ?? ""] as const;
};

test("a damaged file of one symbol is named in answers about it, and in no other", async () => {
  const of = (symbol: string, format: string) =>
    `/api/v1/price/data/${symbol}?start_date=2026-03-02&end_date=2026-09-04&format=${format}`;
  await ask(of("WUZZL", "csv"));
  await cutOff("bars_daily", "corporate_actions", "action_coverage");
  for (const format of ["csv", "json"]) {
    expect([format, (await ask(of("ZORP", format))).join(" ")]).toEqual([
      format,
      expect.not.stringContaining("damaged: "),
    ]);
    expect((await ask(of("WUZZL", format))).join(" ")).toContain("damaged: rows of corporate_actions");
  }
  const { lake } = service.app();
  const { lost } = await lake.check({ repair: true });
  expect((await lake.check({ waived: lost.map(({ path }) => path) })).ok).toBe(true);
});

test("after a repair prices and actions are read again, and all is sound with the same answers", async () => {
  await ask(PRICES);
  const before = await ask(PRICES);
  expect(before[1]).not.toContain("damaged");
  await lose("bars_daily", "corporate_actions");
  const { lake, jobs } = service.app();
  expect([...new Set(lake.problems().map(({ dataset }) => dataset))]).toEqual([
    "corporate_actions",
    "bars_daily",
  ]);
  const run = await jobs.runNow("store-check").done;
  expect([run?.outcome, run?.error, lake.problems()]).toEqual(["succeeded", null, []]);
  expect((await lake.check()).ok).toBe(true);
  expect(await ask(PRICES)).toEqual(before);
});

test("files of FINRA are read again, and known from when they were", async () => {
  const { lake, jobs } = service.app();
  await service.post("/api/v1/shortvolume/admin/ingest", { date: "2026-09-04" });
  await jobs.runNow("short-interest").done;
  const rows = () =>
    Promise.all([
      lake.query("SELECT * EXCLUDE (recorded, fetched_at) FROM short_volume ORDER BY ALL"),
      lake.query("SELECT * EXCLUDE (recorded) FROM short_interest ORDER BY ALL"),
    ]);
  const before = await rows();
  expect(before.map(({ length }) => length > 50)).toEqual([true, true]);
  await lose("short_volume", "short_interest");
  expect((await rows()).map(({ length }) => length)).toEqual([0, 0]);
  const run = await jobs.runNow("store-check").done;
  expect([run?.outcome, run?.error, lake.problems()]).toEqual(["succeeded", null, []]);
  expect(await rows()).toEqual(before);
});

test("no score is computed from a store that lacks rows", async () => {
  const { lake, jobs } = service.app();
  await lake.append([batchOf(shortVolume, [LINE])]);
  await lose("short_volume");
  const run = await jobs.runNow("overlay-scores").done;
  expect([run?.outcome, run?.error]).toEqual([
    "failed",
    expect.stringContaining("damaged: rows of short_volume"),
  ]);
  expect((await jobs.runNow("store-check").done)?.outcome).toBe("succeeded");
  // A loss that nothing reads again is named until it is waived.
  const ticker = {
    symbol: "ZORP",
    cik: "0000000007",
    kind: "company",
    ticker: "ZORP",
    name: null,
    exchange: null,
    series_id: null,
    class_id: null,
    position: 0,
    predecessor_ciks: null,
    first_seen_at: "2026-09-04T23:00:00Z",
    gone_at: null,
    known_at: "2026-09-04T23:00:00Z",
  };
  await lake.append([batchOf(companyTickers, [ticker])]);
  await lose("company_tickers");
  expect((await jobs.runNow("store-check").done)?.error).toContain("company_tickers/");
  const waived = lake.problems().map(({ path }) => path);
  expect((await lake.check({ waived })).ok).toBe(true);
  expect((await jobs.runNow("store-check").done)?.outcome).toBe("succeeded");
});
