// The database routes: tables, columns, coverage of a ticker and by month, the cache.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { SUGGESTED } from "../../sample/market.ts";
import { DATASETS } from "../../src/datasets/index.ts";
import { type ApiDocument, apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const D = "/api/v1/database";
const [KNOWN] = SUGGESTED;
let service: SampleService;
let document: ApiDocument;
beforeAll(async () => {
  service = await openSampleService();
  document = await apiDocument(service);
  await service.get(`/api/v1/price/data/${KNOWN}?start_date=2026-06-01&end_date=2026-07-31`);
});
afterAll(() => service.stop());

const get = async <T>(path: string, template: string) => {
  const response = await service.fetch(path);
  expect(response.status).toBe(200);
  const faults = await faultsOfAnswer(document, document.operation("GET", template), response.clone());
  expect(faults).toEqual([]);
  return (await response.json()) as T;
};

test("info names every dataset and table, with rows, days and the newest migration", async () => {
  interface Info {
    version: string;
    size_bytes: number;
    tables: {
      name: string;
      kind: string;
      rows: number;
      first_date: string | null;
      last_date: string | null;
    }[];
    migrations: { current: string | null; pending: string[] };
  }
  await service.app().jobs.runNow("request-log-purge").done;
  const info = await get<Info>(`${D}/info`, `${D}/info`);
  const datasets = info.tables.filter((t) => t.kind === "dataset").map((t) => t.name);
  expect(datasets.sort()).toEqual(DATASETS.map((d) => d.name).sort());
  const bars = info.tables.find((t) => t.name === "bars_daily");
  // June and July 2026 without Juneteenth and the third of July, and three sessions before, since a fetch
  // reaches back.
  expect([bars?.rows, bars?.first_date, bars?.last_date]).toEqual([48, "2026-05-22", "2026-07-31"]);
  expect(info.tables.find((t) => t.name === "job_runs")).toMatchObject({ kind: "table", rows: 1 });
  expect(info.tables.some((t) => /sqlite_|drizzle/.test(t.name))).toBe(false);
  expect(info.migrations.pending).toEqual([]);
  expect(info.migrations.current).toMatch(/^\d{4}_/);
  expect(info.version).toMatch(/^SQLite 3\.\d+\.\d+, DuckDB v\d/);
  expect(info.size_bytes).toBeGreaterThan(10_000);
});

test("the size is what lies in the data folder, replaced files, vault and database included", async () => {
  interface Sizes {
    size_bytes: number;
    storage: Record<string, number>;
  }
  service.clock.set("2026-09-09T21:10:00Z");
  // A catalogue that is published in between would count as well.
  await service.app().lake.publish();
  const before = await get<Sizes>(`${D}/info`, `${D}/info`);
  const add = async (path: string, bytes: number) =>
    void (await Bun.write(join(service.dataDir, path), new Uint8Array(bytes)));
  await add("vault/aa/made-up", 12_345);
  await add("lake/prices/year=2020/stray", 2_000);
  await add("notes.txt", 300);
  const [served] = (await service.app().lake.compact({ force: true, dataset: "bars_daily" })).map(
    (c) => c.inputs,
  );
  const replaced = service.app().lake.retired();
  expect(replaced.length).toBe(served ?? 0);
  // The folder is counted at most every ten seconds.
  service.clock.set("2026-09-09T21:20:00Z");
  const { size_bytes, storage } = await get<Sizes>(`${D}/info`, `${D}/info`);
  const more = (name: string) => (storage[name] ?? 0) - (before.storage[name] ?? 0);
  expect([more("vault_bytes"), more("replaced_bytes")]).toEqual([
    12_345,
    replaced.reduce((sum, { bytes = 0 }) => sum + bytes, 0),
  ]);
  expect(more("replaced_bytes")).toBeGreaterThan(0);
  // The catalogue and the manifest change too, by less than both files together.
  expect(more("other_bytes")).toBeGreaterThan(0);
  expect(storage.lake_bytes).toBeGreaterThan(0);
  expect(storage.database_bytes).toBeGreaterThan(100_000);
  expect(Object.values(storage).reduce((sum, bytes) => sum + bytes, 0)).toBe(size_bytes);
});

test("columns of a dataset with units, and of a table; any other name is not found", async () => {
  interface Schema {
    kind: string;
    key: string[];
    columns: { name: string; type: string; nullable: boolean; unit: string | null }[];
  }
  const bars = await get<Schema>(`${D}/tables/bars_daily/schema`, `${D}/tables/{table}/schema`);
  expect([bars.kind, bars.key]).toEqual(["dataset", ["symbol", "date"]]);
  expect(bars.columns.find((c) => c.name === "volume")).toMatchObject({
    type: "BIGINT",
    nullable: true,
    unit: "shares",
  });
  const log = await get<Schema>(`${D}/tables/request_log/schema`, `${D}/tables/{table}/schema`);
  expect([log.kind, log.key]).toEqual(["table", ["id"]]);
  expect(log.columns.find((c) => c.name === "status_code")).toMatchObject({ nullable: false, unit: null });
  for (const name of ["sqlite_schema", "__drizzle_migrations", "nothing", "bars_daily;DROP", "%2e%2e", "a'b"])
    expect((await service.get(`${D}/tables/${name}/schema`)).status).toBe(404);
});

test("coverage of a ticker in the client's spelling; unknown tickers are not found", async () => {
  interface Covered {
    ticker: string;
    symbol: string;
    data: {
      dataset: string;
      rows: number;
      first_date: string | null;
      last_date: string | null;
      last_updated: string | null;
    }[];
  }
  const body = await get<Covered>(`${D}/coverage/${KNOWN?.toLowerCase()}`, `${D}/coverage/{ticker}`);
  expect([body.ticker, body.symbol]).toEqual([KNOWN?.toLowerCase() ?? "", KNOWN ?? ""]);
  const bars = body.data.find((d) => d.dataset === "bars_daily");
  expect([bars?.rows, bars?.first_date, bars?.last_date]).toEqual([48, "2026-05-22", "2026-07-31"]);
  expect(bars?.last_updated).toMatch(/^2026-09-09T/);
  expect(body.data.find((d) => d.dataset === "bars_intraday")).toMatchObject({ rows: 0, first_date: null });
  const unknown = await service.get<{ code: string }>(`${D}/coverage/NOSUCHX`);
  expect([unknown.status, unknown.body.code]).toEqual([404, "unknown_ticker"]);
  expect((await service.get(`${D}/coverage/%3Cx%3E`)).status).toBe(422);
});

test("coverage by month is cached", async () => {
  interface Months {
    data: { dataset: string; month: string; rows: number }[];
  }
  const body = await get<Months>(`${D}/coverage`, `${D}/coverage`);
  expect(body.data.filter((d) => d.dataset === "bars_daily")).toEqual([
    { dataset: "bars_daily", month: "2026-05", rows: 5 },
    { dataset: "bars_daily", month: "2026-06", rows: 21 },
    { dataset: "bars_daily", month: "2026-07", rows: 22 },
  ]);
  expect((await service.get(`${D}/coverage`)).headers.get("x-cache")).toBe("HIT");
});

test("the cache: hits and misses add up", async () => {
  await service.get(`/api/v1/price/quote/${KNOWN}`);
  await service.get(`/api/v1/price/quote/${KNOWN}`);
  interface Cache {
    hits: number;
    misses: number;
    hit_rate: number;
    memories: { name: string; hits: number; misses: number }[];
  }
  const body = await get<Cache>(`${D}/cache`, `${D}/cache`);
  expect(body.hits).toBe(body.memories.reduce((sum, m) => sum + m.hits, 0));
  expect(body.hit_rate).toBeCloseTo(body.hits / (body.hits + body.misses), 12);
  expect(body.memories.map((m) => m.name)).toContain("price_quote");
});
