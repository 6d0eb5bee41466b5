// Daily history of many symbols with the brokerage feed first: who is asked for what, and that two providers
// make one series.
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SampleServer, serveSample } from "../../sample/serve.ts";
import { apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import { type MovableClock, movableClock } from "../support/clock.ts";
import {
  EVENING,
  openSampleService,
  openService,
  type SampleService,
  type TestService,
} from "../support/service.ts";

setDefaultTimeout(1_200_000);

const KEYS = { MARKETFEED_API_KEY: "PKTESTKEY", MARKETFEED_SECRET_KEY: "SecretOfTests" };
const FEED = "data.alpaca.markets";
const CHART = "query2.finance.yahoo.com/v8/finance/chart";

interface Bar {
  timestamp: string;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  adjusted_close: number | null;
  dividend?: number;
  split_ratio?: number;
  provisional?: true;
}
interface Bars {
  source: string;
  sources?: Record<string, string>;
  count: number;
  bars: Record<string, Bar[]>;
  missing: string[];
  errors: Record<string, string>;
  cached: boolean;
}
interface Series {
  source: string;
  cached: boolean;
  data: (Bar & { date: string })[];
}

/** Prices of both are computed from those as traded: only the rounding of their seventh digit differs. */
function expectSame(found: readonly Bar[], wanted: readonly Bar[]) {
  expect(found.map((bar) => bar.timestamp)).toEqual(wanted.map((bar) => bar.timestamp));
  for (const [i, bar] of found.entries()) {
    const other = wanted[i];
    for (const figure of ["open", "high", "low", "close", "adjusted_close"] as const) {
      const [a, b] = [bar[figure] ?? Number.NaN, other?.[figure] ?? Number.NaN];
      expect({ at: bar.timestamp, figure, near: Math.abs(a - b) <= 2e-6 * b, a, b }).toMatchObject({
        near: true,
      });
    }
    expect({ at: bar.timestamp, near: Math.abs(bar.volume - (other?.volume ?? 0)) <= 4 }).toMatchObject({
      near: true,
    });
    expect([bar.timestamp, bar.split_ratio]).toEqual([bar.timestamp, other?.split_ratio]);
    expect((bar.dividend ?? 0) - (other?.dividend ?? 0)).toBeCloseTo(0, 6);
  }
}

describe("many symbols, the feed configured", () => {
  let service: SampleService;
  beforeAll(async () => {
    service = await openSampleService({ env: KEYS, symbols: 170 });
  });
  afterAll(() => service.stop());
  beforeEach(() => service.sample.resetTraffic());
  afterEach(() => service.sample.dials.clear());
  const asked = (part: string) =>
    service.sample.traffic().requests.filter(({ url }) => url.startsWith(part)).length;
  const many = (tickers: string, span: string) =>
    service.get<Bars>(`/api/v1/price/data?tickers=${tickers}&${span}`);

  test("a hundred and more are asked for in batches, page by page, and the price provider not at all", async () => {
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const tickers = Array.from(
      { length: 105 },
      (_, i) => `ZQA${letters[Math.floor(i / 26)]}${letters[i % 26]}`,
    );
    const { status, body } = await many(tickers.join(","), "start_date=2025-09-02&end_date=2026-09-08");
    expect(status).toBe(200);
    expect(body.source).toBe("alpaca_sip");
    expect(body.sources).toBeUndefined();
    expect(body.missing).toEqual([]);
    const sessions = new Set(Object.values(body.bars).map((bars) => bars.length));
    expect(sessions).toEqual(new Set([256]));
    expect(body.count).toBe(105 * 256);
    expect(asked(CHART)).toBe(0);
    const requests = service.sample.traffic().requests.map(({ url }) => new URL(`http://${url}`));
    const pages = requests.filter(({ pathname }) => pathname.endsWith("/bars"));
    expect(pages.some(({ searchParams }) => searchParams.has("page_token"))).toBe(true);
    expect(
      Math.max(...pages.map(({ searchParams }) => searchParams.get("symbols")?.split(",").length ?? 0)),
    ).toBe(100);
    expect(new Set(pages.map(({ searchParams }) => searchParams.get("adjustment")))).toEqual(
      new Set(["split", "all", "raw"]),
    );
    service.sample.resetTraffic();
    const again = await many(tickers.join(","), "start_date=2025-09-02&end_date=2026-09-08");
    expect(service.sample.traffic().total).toBe(0);
    expect(again.body).toEqual({ ...body, cached: true });
  });

  test("what it lacks the price provider fills, and each symbol names its source", async () => {
    const { body } = await many(
      "WUZZL,NEWZQ,^SMPL,MURQ,ZZZZ,quib-b",
      "start_date=2024-06-03&end_date=2025-06-30",
    );
    expect(body.sources).toEqual({
      WUZZL: "alpaca_sip",
      "quib-b": "alpaca_sip",
      MURQ: "alpaca_sip,yahoo",
      "^SMPL": "yahoo",
      // Its dividends before the renaming are listed under the old name, so that the feed's closes are not
      // explained.
      NEWZQ: "yahoo",
    });
    expect(body.source).toBe("alpaca_sip,yahoo");
    expect(body.missing).toEqual(["ZZZZ"]);
    expect(Object.keys(body.errors)).toEqual(["ZZZZ"]);
    expect(body.bars.MURQ?.length).toBeGreaterThan(200);
    expect(service.sample.traffic().requests.some(({ url }) => url.includes("chart/WUZZL"))).toBe(false);
  });

  test("days before its history come from the price provider, the others from the feed", async () => {
    const old = await openSampleService({ env: KEYS, years: 12 });
    const { body } = await old.get<Bars>(
      "/api/v1/price/data?tickers=VEXOQ&start_date=2015-12-28&end_date=2016-01-08",
    );
    expect(body.source).toBe("alpaca_sip,yahoo");
    const rows = await old
      .app()
      .lake.query(
        "SELECT source, min(date) AS first, max(date) AS last FROM bars_daily WHERE symbol = 'VEXOQ' AND date >= '2015-12-28' GROUP BY source ORDER BY source",
      );
    expect(rows).toEqual([
      { source: "alpaca_sip", first: "2016-01-04", last: "2016-01-08" },
      { source: "yahoo", first: "2015-12-28", last: "2015-12-31" },
    ]);
    expect(body.bars.VEXOQ?.map((bar) => bar.timestamp)).toEqual([
      ...["2015-12-28", "2015-12-29", "2015-12-30", "2015-12-31", "2016-01-04"],
      ...["2016-01-05", "2016-01-06", "2016-01-07", "2016-01-08"],
    ]);
    await old.stop();
  });

  test("the running day comes from the feed, provisional and not stored", async () => {
    const { body } = await many("ZUBB,VEXOQ", "start_date=2026-09-04&end_date=2026-09-09");
    expect(body.source).toBe("alpaca_sip");
    expect(body.bars.ZUBB?.map((bar) => [bar.timestamp, bar.provisional ?? false])).toEqual([
      ["2026-09-04", false],
      ["2026-09-08", false],
      ["2026-09-09", true],
    ]);
    const stored = await service
      .app()
      .lake.query("SELECT max(date) AS last FROM bars_daily WHERE symbol = 'ZUBB'");
    expect(stored).toEqual([{ last: "2026-09-08" }]);
    expect(asked(CHART)).toBe(0);
  });

  test("a bulk request asks it once for all; a single symbol is the price provider's", async () => {
    const bulk = await service.post<{ results: { ticker: string; success: boolean; data: Series | null }[] }>(
      "/api/v1/price/data/bulk",
      { tickers: ["CRUMQ", "DWEEQ", "YYYY"], start_date: "2026-08-03", end_date: "2026-08-14" },
    );
    expect(
      bulk.body.results.map(({ ticker, success, data }) => [ticker, success, data?.source, data?.cached]),
    ).toEqual([
      ["CRUMQ", true, "alpaca_sip", false],
      ["DWEEQ", true, "alpaca_sip", false],
      ["YYYY", false, undefined, undefined],
    ]);
    // In two adjustments: the days asked for, and in the same request those since then for their splits and
    // dividends.
    expect(asked(`${FEED}/v2/stocks/bars`)).toBe(2);
    expect(
      service.sample
        .traffic()
        .requests.filter(({ url }) => url.startsWith(CHART))
        .map(({ url }) => url.split("?")[0]),
    ).toEqual([`${CHART}/YYYY`]);
    const one = await service.get<Series>(
      "/api/v1/price/data/GRONQ?start_date=2026-08-03&end_date=2026-08-14",
    );
    expect(one.body.source).toBe("yahoo");
  });

  test("force_refresh asks it again, and the price provider only for what it lacks", async () => {
    await many("HUBBQ,JABBQ", "start_date=2026-08-03&end_date=2026-08-14");
    service.sample.resetTraffic();
    const { body } = await many(
      "HUBBQ,JABBQ",
      "start_date=2026-08-03&end_date=2026-08-14&force_refresh=true",
    );
    expect(body.cached).toBe(false);
    expect(asked(`${FEED}/v2/stocks/bars`)).toBe(2);
    expect(asked(CHART)).toBe(0);
    expect(
      await service.app().lake.query("SELECT * FROM bars_daily_revisions WHERE symbol = 'HUBBQ'"),
    ).toEqual([]);
  });

  test("force_refresh answers the feed's present values, for many and in bulk; the stored ones stay", async () => {
    const span = { start_date: "2026-08-03", end_date: "2026-08-14" };
    const query = String(new URLSearchParams(span));
    service.sample.dials.set([{ fault: "revised", symbol: "SQUEQ", date: "2026-08-06", close: 77.5 }]);
    const stored = (await service.get<Series>(`/api/v1/price/data/SQUEQ?${query}`)).body;
    expect([stored.source, stored.data[3]?.close]).toEqual(["yahoo", 77.5]);
    service.sample.resetTraffic();
    const { body } = await many("SQUEQ,JABBQ", `${query}&force_refresh=true`);
    expect(body).toMatchObject({ refreshed: true, source: "alpaca_sip" });
    const close = body.bars.SQUEQ?.[3]?.close ?? 0;
    expect(Math.abs(close - 77.5)).toBeGreaterThan(1);
    const bulk = await service.post<{ results: { data: Series & { refreshed: boolean } }[] }>(
      "/api/v1/price/data/bulk",
      { tickers: ["SQUEQ", "JABBQ"], ...span, force_refresh: true },
    );
    expect(bulk.body.results.map(({ data }) => [data.refreshed, data.source])).toEqual([
      [true, "alpaca_sip"],
      [true, "alpaca_sip"],
    ]);
    expect(bulk.body.results[0]?.data.data[3]?.close).toBe(close);
    expect(asked(CHART)).toBe(0);
    expect((await many("SQUEQ,JABBQ", query)).body.bars.SQUEQ?.[3]?.close).toBe(77.5);
    expect(
      await service
        .app()
        .lake.query("SELECT date, close, source FROM bars_daily_revisions WHERE date = '2026-08-06'"),
    ).toEqual([{ date: "2026-08-06", close, source: "alpaca_sip" }]);
  });

  test("a refresh that the feed cannot give as a whole is the price provider's", async () => {
    const query = "start_date=2024-06-03&end_date=2025-06-30";
    await many("MURQ,JABBQ", query);
    service.sample.resetTraffic();
    const { body } = await many("MURQ,JABBQ", `${query}&force_refresh=true`);
    expect(body.sources).toEqual({ MURQ: "yahoo", JABBQ: "alpaca_sip" });
    expect(asked(`${CHART}/JABBQ`)).toBe(0);
  });

  test("when it is down the price provider answers for all, when that is down too what the feed gave is served", async () => {
    service.sample.dials.set([{ fault: "status", status: 503, match: FEED }]);
    const first = await many("KLUNQ,LOOFQ", "start_date=2026-08-03&end_date=2026-08-14");
    expect([first.status, first.body.source, first.body.count]).toEqual([200, "yahoo", 20]);
    expect(first.body.errors).toEqual({});
    service.sample.dials.clear();
    await service.reopen();
    service.sample.dials.set([{ fault: "status", status: 503, match: "yahoo.com" }]);
    const second = await many("MUMBQ,NIXOQ", "start_date=2026-08-03&end_date=2026-08-14");
    expect([second.status, second.body.source, second.body.count]).toEqual([200, "alpaca_sip", 20]);
    expect(second.body.errors).toEqual({});
  });

  test("prices that its list of actions does not explain are not taken", async () => {
    service.sample.dials.set([
      {
        fault: "wrong_shape",
        match: "corporate-actions",
        body: '{"corporate_actions":{},"next_page_token":null}',
      },
    ]);
    const { body } = await many("ZIGZQ", "start_date=2025-09-02&end_date=2026-09-08");
    expect(body.source).toBe("yahoo");
    expect(body.bars.ZIGZQ?.filter((bar) => bar.dividend !== undefined).length).toBe(4);
  });

  test("the answer is as the document says", async () => {
    const document = await apiDocument(service);
    const response = await service.fetch(
      "/api/v1/price/data?tickers=WUZZL,^SMPL&start_date=2026-08-03&end_date=2026-08-14",
    );
    expect(await faultsOfAnswer(document, document.operation("GET", "/api/v1/price/data"), response)).toEqual(
      [],
    );
  });
});

describe("a series filled by both providers in several visits", () => {
  let dir: string;
  let sample: SampleServer;
  let clock: MovableClock;
  let open: TestService | undefined;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "asof-feed-"));
    clock = movableClock(EVENING);
    sample = await serveSample({ clock });
  });
  afterEach(async () => {
    await open?.stop();
    open = undefined;
    await sample.stop();
    await rm(dir, { recursive: true, force: true });
  });
  /** Opens the service over the same folder at a moment, with or without the feed. */
  const visit = async (at: string, withFeed: boolean, dataDir = dir) => {
    await open?.stop();
    clock.set(at);
    open = await openService({ upstream: sample.url, clock, dataDir, ...(withFeed ? { env: KEYS } : {}) });
    return open;
  };
  const ask = async (service: TestService, symbol: string, start: string, end: string) =>
    (await service.get<Bars>(`/api/v1/price/data?tickers=${symbol}&start_date=${start}&end_date=${end}`))
      .body;

  // ZORP splits 4:1 on 2026-06-09 and pays dividends; BLIMQ's reverse split 1:4 is of 2025-09-04.
  for (const [symbol, visits, start, end] of [
    [
      "ZORP",
      [
        ["2026-05-13T21:00:00Z", false, "2026-04-01", "2026-05-12"],
        ["2026-06-05T21:00:00Z", true, "2026-04-01", "2026-06-04"],
        ["2026-06-12T21:00:00Z", true, "2026-06-01", "2026-06-11"],
        ["2026-09-09T21:00:00Z", false, "2026-06-08", "2026-09-08"],
      ],
      "2026-04-01",
      "2026-09-08",
    ],
    [
      "OOZEL",
      [
        ["2026-03-04T21:00:00Z", true, "2025-11-03", "2026-03-03"],
        ["2026-05-13T21:00:00Z", true, "2026-05-04", "2026-05-12"],
        ["2026-09-09T21:00:00Z", true, "2026-03-02", "2026-09-08"],
      ],
      "2025-11-03",
      "2026-09-08",
    ],
    [
      "BLIMQ",
      [
        ["2025-08-27T21:00:00Z", true, "2025-07-01", "2025-08-26"],
        ["2026-09-09T21:00:00Z", true, "2025-07-01", "2025-12-31"],
      ],
      "2025-07-01",
      "2025-12-31",
    ],
  ] as const)
    test(`of ${symbol} equals the series fetched at once by the price provider`, async () => {
      for (const [at, withFeed, from, to] of visits) await ask(await visit(at, withFeed), symbol, from, to);
      const filled = await ask(await visit("2026-09-09T21:30:00Z", true), symbol, start, end);
      const fresh = await mkdtemp(join(tmpdir(), "asof-fresh-"));
      const whole = await ask(await visit("2026-09-09T21:30:00Z", false, fresh), symbol, start, end);
      expectSame(filled.bars[symbol] ?? [], whole.bars[symbol] ?? []);
      expect(whole.source).toBe("yahoo");
      expect(filled.source).toContain("alpaca_sip");
      await open?.stop();
      open = undefined;
      await rm(fresh, { recursive: true, force: true });
    });
});
