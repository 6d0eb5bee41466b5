// The close of the newest session in the panel: provisional from its evening on, settled after the next open.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { openCatalogue } from "../../src/platform/lake/lake.ts";
import { storeFiles } from "../support/panel-files.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const KEYS = { MARKETFEED_API_KEY: "PKTESTKEY", MARKETFEED_SECRET_KEY: "SecretOfTests" };
const JOB = "marketfeed-provisional";
const PANEL = "/api/v1/shortvolume/pit-panel";
/** Wednesday, 18:25 in New York. */
const EVENING = "2026-09-09T22:25:00Z";
const DAYS = "start_date=2026-09-08&end_date=2026-09-09";

interface Row {
  date: string;
  symbol: string;
  adj_close: number | null;
  adj_close_source: string | null;
  backfilled: boolean | null;
  price_status: string | null;
}

let service: SampleService;
const rows = async (query: string, of = service) =>
  (await of.get<{ data: Row[] }>(`${PANEL}?${query}`)).body.data.map(
    ({ date, symbol, adj_close_source, price_status }) => [date, symbol, adj_close_source, price_status],
  );
const run = async (job = JOB) =>
  (await service.app().jobs.runNow(job).done) ?? { outcome: "none", rows: null };

const OPEN = [
  ["2026-09-08", "NOBODY1", null, null],
  ["2026-09-08", "ZORP", "alpaca_sip", "settled"],
  ["2026-09-09", "NOBODY1", null, null],
];

beforeAll(async () => {
  service = await openSampleService({ env: KEYS, at: "2026-09-09T20:05:00Z" });
  await storeFiles(
    service.app().lake,
    [
      ["ZORP", "2026-09-01", "2026-09-09"],
      ["NOBODY1", "2026-09-01", "2026-09-09"],
    ],
    "2026-09-01",
    "2026-09-09",
  );
});
afterAll(() => service.stop());

test("minutes after the close the delayed feed has not the whole session, and nothing is fetched", async () => {
  expect(await run()).toMatchObject({ outcome: "succeeded", rows: 0 });
  expect(service.sample.traffic().total).toBe(0);
});

test("while the feed is down the run fails with the reason; the panel has no close", async () => {
  service.clock.set(EVENING);
  await run("marketfeed-backfill-pit");
  service.sample.dials.set([{ fault: "status", status: 500, match: "alpaca" }]);
  const failed = await run();
  service.sample.dials.clear();
  expect(failed).toMatchObject({ outcome: "failed", error: expect.stringContaining("500") });
  expect(await rows(DAYS)).toEqual([...OPEN, ["2026-09-09", "ZORP", null, null]]);
});

test("in the evening the close is there, marked provisional as the last column of every format", async () => {
  service.clock.set("2026-09-10T00:25:00Z");
  expect(await run()).toMatchObject({ outcome: "succeeded", rows: 1 });
  expect(await rows(DAYS)).toEqual([...OPEN, ["2026-09-09", "ZORP", "alpaca_sip", "provisional"]]);
  const csv = await (await service.fetch(`${PANEL}?${DAYS}&symbols=ZORP&format=csv`)).text();
  const [head, , last] = csv.trim().split("\r\n");
  expect([head?.split(",").at(-1), last?.split(",").at(-1)]).toEqual(["price_status", "provisional"]);
  const lines = (await (await service.fetch(`${PANEL}?${DAYS}&format=ndjson`)).text()).trim().split("\n");
  expect(Object.keys(JSON.parse(lines.at(-1) ?? "{}")).at(-1)).toBe("price_status");
  // The price provider's own bar of the evening has the same close.
  const { body } = await service.get<{ data: { close: number; provisional?: boolean }[] }>(
    "/api/v1/price/data/ZORP?start_date=2026-09-09&end_date=2026-09-09",
  );
  const [row] = (
    await service.get<{ data: Row[] }>(`${PANEL}?start_date=2026-09-09&end_date=2026-09-09&symbols=ZORP`)
  ).body.data;
  expect(body.data[0]?.provisional).toBe(true);
  expect(row?.adj_close).toBeCloseTo(body.data[0]?.close ?? 0, 1);
});

test("it is never stored as settled, nor served under an as_of", async () => {
  const { lake } = service.app();
  expect(await lake.query("SELECT * FROM bars_daily WHERE date = DATE '2026-09-09'")).toEqual([]);
  expect(await lake.query("SELECT * FROM bars(NULL) WHERE date = DATE '2026-09-09'")).toEqual([]);
  for (const as_of of ["2026-09-09", "2026-09-10T00:24:59Z"])
    expect(
      (await rows(`${DAYS}&as_of=${as_of}`)).filter(([, , , status]) => status === "provisional"),
    ).toEqual([]);
});

test("a second run does not ask again for the bars that are there", async () => {
  service.sample.resetTraffic();
  expect(await run()).toMatchObject({ outcome: "succeeded", rows: 0 });
  const symbols = service.sample
    .traffic()
    .requests.map(({ url }) => new URL(`http://${url}`).searchParams.get("symbols"));
  // NOBODY1 has no bar either, but the feed has said that it does not know the symbol.
  expect(symbols).toEqual([]);
});

test("the macro gives the rows of the route", async () => {
  await service.app().lake.publish();
  const catalogue = await openCatalogue(service.dataDir);
  const macro = async (asOf: string) => {
    const sql = `SELECT price_status FROM pit_panel('2026-09-08', '2026-09-09', ${asOf}) ORDER BY date, symbol`;
    return (await catalogue.query(sql)).columns[0];
  };
  try {
    expect(await macro("NULL")).toEqual([null, "settled", null, "provisional"]);
    expect(await macro("'2026-09-10T00:25:01Z'")).toEqual([null, "settled", null, null]);
  } finally {
    await catalogue.close();
  }
});

test("after the next open the settled bar takes its place", async () => {
  service.clock.set("2026-09-10T13:31:00Z");
  expect(await run()).toMatchObject({ outcome: "succeeded", rows: 0 });
  // Until the settled bar is fetched the row says what it is.
  expect((await rows(DAYS)).at(-1)).toEqual(["2026-09-09", "ZORP", "alpaca_sip", "provisional"]);
  service.clock.set("2026-09-10T14:30:00Z");
  await run("marketfeed-backfill-pit");
  expect((await rows(DAYS)).at(-1)).toEqual(["2026-09-09", "ZORP", "alpaca_sip", "settled"]);
  expect((await rows(`${DAYS}&as_of=2026-09-10T13:30:00Z`)).at(-1)).toEqual([
    "2026-09-09",
    "ZORP",
    "alpaca_sip",
    "settled",
  ]);
});

test("without keys the run is skipped and says so; a half day counts from its close, a holiday not at all", async () => {
  const bare = await openSampleService({ at: EVENING });
  try {
    const skipped = await bare.app().jobs.runNow(JOB).done;
    expect(skipped).toMatchObject({ outcome: "skipped", error: expect.stringContaining("not configured") });
    expect(bare.sample.traffic().total).toBe(0);
  } finally {
    await bare.stop();
  }
  const half = await openSampleService({ env: KEYS, at: "2025-11-28T18:30:00Z" });
  try {
    // The Friday after Thanksgiving closes at 13:00: half past one is late enough.
    await storeFiles(half.app().lake, [["ZORP", "2025-11-24", "2025-11-28"]], "2025-11-24", "2025-11-28");
    expect(await half.app().jobs.runNow(JOB).done).toMatchObject({ outcome: "succeeded", rows: 1 });
    expect(await rows("start_date=2025-11-26&end_date=2025-11-28", half)).toEqual([
      ["2025-11-26", "ZORP", null, null],
      ["2025-11-28", "ZORP", "alpaca_sip", "provisional"],
    ]);
    // On Thanksgiving there is no slot.
    half.clock.set("2025-11-27T23:25:00Z");
    expect(await half.app().jobs.due(JOB)).toBeNull();
  } finally {
    await half.stop();
  }
});

test("a symbol whose line of the file comes later has its close at the next run", async () => {
  const late = await openSampleService({ env: KEYS, at: EVENING });
  try {
    const { lake, jobs } = late.app();
    await storeFiles(lake, [["ZORP", "2026-09-01", "2026-09-09"]], "2026-09-01", "2026-09-09");
    expect((await jobs.runNow(JOB).done)?.rows).toBe(1);
    await storeFiles(lake, [["QUIB", "2026-09-01", "2026-09-09"]], "2026-09-01", "2026-09-09");
    late.clock.set("2026-09-10T00:25:00Z");
    late.sample.resetTraffic();
    expect(await jobs.runNow(JOB).done).toMatchObject({ outcome: "succeeded", rows: 1 });
    expect(
      (await rows("start_date=2026-09-09&end_date=2026-09-09", late)).map(([, symbol, , status]) => [
        symbol,
        status,
      ]),
    ).toEqual([
      ["QUIB", "provisional"],
      ["ZORP", "provisional"],
    ]);
    // Only the new symbol is asked for.
    const asked = late.sample
      .traffic()
      .requests.map(({ url }) => new URL(url, "http://sample").searchParams.get("symbols"));
    expect([...new Set(asked)]).toEqual(["QUIB"]);
  } finally {
    await late.stop();
  }
});
