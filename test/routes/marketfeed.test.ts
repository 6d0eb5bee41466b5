// The brokerage-feed routes over the whole service, on the sample market.
import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type ApiDocument, apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import { faultsOf, problemOf } from "../support/price-requests.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const P = "/api/v1/marketfeed";
const KEYS = { MARKETFEED_API_KEY: "PKTESTKEY", MARKETFEED_SECRET_KEY: "SecretOfTests" };
const HOST = "data.alpaca.markets";

interface Bar {
  timestamp: string;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  vwap: number | null;
  trade_count: number | null;
  session: string;
}
interface Bars {
  source: string;
  feed: string;
  adjustment: string;
  interval: string;
  count: number;
  bars: Record<string, Bar[]>;
  symbols_requested: number;
  symbols_returned: number;
  missing: string[];
  errors: Record<string, string>;
  start_date: string;
  end_date: string;
  delayed_minutes: number;
  cached: boolean;
}
interface Snapshots {
  source: string;
  count: number;
  as_of: string;
  snapshots: Record<string, Record<string, number | string | null | Record<string, unknown>>>;
  missing: string[];
  errors: Record<string, string>;
}

/** Bars put together as one day. */
const dayOf = (bars: readonly Bar[]) => ({
  open: bars[0]?.open ?? 0,
  high: Math.max(...bars.map((bar) => bar.high)),
  low: Math.min(...bars.map((bar) => bar.low)),
  close: bars.at(-1)?.close ?? 0,
  volume: bars.reduce((sum, bar) => sum + bar.volume, 0),
});

describe("the brokerage feed, an hour after a Wednesday's close", () => {
  let service: SampleService;
  let document: ApiDocument;
  beforeAll(async () => {
    service = await openSampleService({ env: KEYS });
    document = await apiDocument(service);
  });
  afterAll(() => service.stop());
  beforeEach(() => service.sample.resetTraffic());

  /** A GET held against the document. */
  const get = async <T>(path: string): Promise<{ status: number; headers: Headers; body: T }> => {
    const response = await service.fetch(path);
    const operation = document.operation("GET", path.split("?")[0] ?? "");
    expect(await faultsOfAnswer(document, operation, response.clone())).toEqual([]);
    return { status: response.status, headers: response.headers, body: (await response.json()) as T };
  };
  const asked = () => service.sample.traffic().requests.map(({ url }) => url);

  test("status gives the hours, the rate limit as the feed counts it, and what is stored", async () => {
    const { status, body } = await get<Record<string, unknown>>(`${P}/status`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      configured: true,
      reachable: true,
      feed_historical: "sip",
      feed_realtime: "iex",
      market_open: false,
      market_session: "post",
      max_concurrent: 4,
      active_requests: 0,
      last_error: null,
      next_open: "2026-09-10T13:30:00Z",
      next_close: "2026-09-10T20:00:00Z",
    });
    expect(body.rate_limit).toMatchObject({ limit: 200 });
    const again = asked().length;
    await get(`${P}/status`);
    expect(asked().length).toBe(again);
  });

  test("bars of finished sessions make up the day's bar, are stored, and the feed is asked once", async () => {
    const path = `${P}/intraday?tickers=zubb&interval=5min&start_date=2026-09-03&end_date=2026-09-04`;
    const { body, headers } = await get<Bars>(path);
    expect(body).toMatchObject({
      source: "alpaca_sip",
      feed: "sip",
      adjustment: "raw",
      interval: "5m",
      count: 156,
      cached: false,
      symbols_requested: 1,
      symbols_returned: 1,
      missing: [],
      errors: {},
      delayed_minutes: 0,
      start_date: "2026-09-03",
      end_date: "2026-09-04",
    });
    expect(headers.get("x-cache")).toBe("MISS");
    const bars = body.bars.zubb ?? [];
    expect([bars[0]?.timestamp, bars.at(-1)?.timestamp]).toEqual([
      "2026-09-03T13:30:00Z",
      "2026-09-04T19:55:00Z",
    ]);
    expect(new Set(bars.map((bar) => bar.session))).toEqual(new Set(["regular"]));
    const daily = await service.get<{ data: (Bar & { date: string })[] }>(
      "/api/v1/price/data/ZUBB?start_date=2026-09-03&end_date=2026-09-04",
    );
    for (const { date, open, high, low, close, volume } of daily.body.data)
      expect(dayOf(bars.filter((bar) => bar.timestamp.startsWith(date)))).toEqual({
        open,
        high,
        low,
        close,
        volume,
      });
    service.sample.resetTraffic();
    const second = await get<Bars>(path.replace("5min", "5m"));
    expect(asked()).toEqual([]);
    expect(second.headers.get("x-cache")).toBe("HIT");
    expect(second.body.cached).toBe(true);
    expect(second.body.bars).toEqual(body.bars);
    const stored = await service.app().lake.query(
      `SELECT count(*) AS bars, min(session_date) AS first, max(session_date) AS last, any_value(source) AS source,
         count(*) FILTER (session = 'regular') AS regular, bool_and(basis_date = session_date) AS printed
       FROM bars_intraday WHERE symbol = 'ZUBB' AND "interval" = '5m'`,
    );
    expect(stored).toEqual([
      {
        bars: expect.any(Number),
        first: "2026-09-03",
        last: "2026-09-04",
        source: "alpaca_sip",
        regular: 156,
        printed: true,
      },
    ]);
  });

  test("one question goes to the consolidated feed, ends in time and asks for printed prices", async () => {
    await get(`${P}/intraday?tickers=VEXOQ,QUIB-B&interval=15m&start_date=2026-09-01&end_date=2026-09-03`);
    expect(asked().length).toBe(1);
    const query = new URL(`http://${asked()[0]}`).searchParams;
    expect(Object.fromEntries(query)).toMatchObject({
      symbols: "VEXOQ,QUIB.B",
      timeframe: "15Min",
      feed: "sip",
      adjustment: "raw",
      limit: "10000",
      start: "2026-09-01T04:00:00Z",
      end: "2026-09-04T03:59:59Z",
    });
  });

  test("only days that were not asked for are asked for; force_refresh asks for all", async () => {
    await get(`${P}/intraday?tickers=FIZZQ&interval=30m&start_date=2026-08-24&end_date=2026-08-26`);
    service.sample.resetTraffic();
    const { body } = await get<Bars>(
      `${P}/intraday?tickers=FIZZQ&interval=30m&start_date=2026-08-24&end_date=2026-08-28`,
    );
    expect(asked().map((url) => new URL(`http://${url}`).searchParams.get("start"))).toEqual([
      "2026-08-27T04:00:00Z",
    ]);
    expect(body.count).toBe(5 * 13);
    service.sample.resetTraffic();
    const forced = await get<Bars>(
      `${P}/intraday?tickers=FIZZQ&interval=30m&start_date=2026-08-24&end_date=2026-08-28&force_refresh=true`,
    );
    expect(asked().length).toBe(1);
    expect(forced.headers.get("x-cache")).toBe("MISS");
    expect(forced.body.bars).toEqual(body.bars);
  });

  test("keys are as sent, duplicates are merged, symbols without data are listed", async () => {
    const { status, body } = await get<Bars>(
      `${P}/intraday?tickers=quib/b,QUIB-B,^SMPL,ZZZZ,GLUMP,HUSQ1,ZORP-PA&interval=1h&start_date=2026-02-26&end_date=2026-02-27`,
    );
    expect(status).toBe(200);
    expect(
      Object.fromEntries(Object.entries(body.bars).map(([symbol, bars]) => [symbol, bars.length])),
    ).toMatchObject({
      "quib/b": 14,
      "^SMPL": 0,
      ZZZZ: 0,
      GLUMP: 14,
      HUSQ1: 0,
    });
    expect(Object.keys(body.bars)).not.toContain("QUIB-B");
    expect(body.bars["ZORP-PA"]?.length).toBeGreaterThan(0);
    expect(body.symbols_requested).toBe(6);
    expect(body.missing).toEqual(["^SMPL", "ZZZZ", "HUSQ1"]);
    expect(Object.keys(body.errors)).toEqual(["^SMPL", "HUSQ1"]);
  });

  test("hours of the session begin at the open and hold its first half hour; with extended hours at the full hour", async () => {
    const span = "start_date=2026-09-08&end_date=2026-09-08";
    const hours = (await get<Bars>(`${P}/intraday?tickers=ZUBB&interval=60min&${span}`)).body;
    const halves = (await get<Bars>(`${P}/intraday?tickers=ZUBB&interval=30m&${span}`)).body.bars.ZUBB ?? [];
    expect(hours.interval).toBe("1h");
    const bars = hours.bars.ZUBB ?? [];
    expect(bars.map((bar) => bar.timestamp.slice(11, 16))).toEqual([
      ...["13:30", "14:30", "15:30", "16:30", "17:30", "18:30", "19:30"],
    ]);
    const [first, second] = halves;
    expect(bars[0]).toMatchObject({
      open: first?.open,
      close: second?.close,
      volume: (first?.volume ?? 0) + (second?.volume ?? 0),
      trade_count: (first?.trade_count ?? 0) + (second?.trade_count ?? 0),
      high: Math.max(first?.high ?? 0, second?.high ?? 0),
    });
    expect(dayOf(bars)).toEqual(dayOf(halves));
    const all = (await get<Bars>(`${P}/intraday?tickers=ZUBB&interval=1h&include_extended=true&${span}`)).body
      .bars.ZUBB;
    expect(all?.map((bar) => bar.timestamp.slice(11, 16)).slice(0, 3)).toEqual(["08:00", "09:00", "10:00"]);
    expect(new Set(all?.map((bar) => bar.session))).toEqual(new Set(["pre", "regular", "post"]));
  });

  test("the finished day of today is served late and not stored while its evening runs", async () => {
    const path = `${P}/intraday?tickers=WOMBQ&interval=1m&start_date=2026-09-09&end_date=2026-09-09`;
    const { body } = await get<Bars>(path);
    expect(body.delayed_minutes).toBe(15);
    expect(body.bars.WOMBQ?.at(-1)?.timestamp).toBe("2026-09-09T19:59:00Z");
    const stored = await service
      .app()
      .lake.query("SELECT count(*) AS bars FROM bars_intraday WHERE symbol = 'WOMBQ'");
    expect(stored).toEqual([{ bars: 0 }]);
  });

  test("without dates the last five sessions are meant", async () => {
    const { body } = await get<Bars>(`${P}/intraday?tickers=ZUBB&interval=30m`);
    expect([body.start_date, body.end_date, body.count]).toEqual(["2026-09-02", "2026-09-09", 5 * 13]);
  });

  test("rows come as csv and ndjson too", async () => {
    const path = `${P}/intraday?tickers=ZUBB&interval=30m&start_date=2026-09-08&end_date=2026-09-08`;
    const csv = await (await service.fetch(`${path}&format=csv`)).text();
    const lines = csv.trim().split("\r\n");
    expect(lines[0]).toBe("symbol,timestamp,open,high,low,close,volume,vwap,trade_count,session");
    expect(lines.length).toBe(14);
    const rows = (await (await service.fetch(`${path}&format=ndjson`)).text()).trim().split("\n");
    expect(JSON.parse(rows[0] ?? "")).toMatchObject({
      symbol: "ZUBB",
      timestamp: "2026-09-08T13:30:00Z",
      session: "regular",
    });
  });

  test("the running day comes live from the single exchange, each time", async () => {
    const path = `${P}/intraday/today?tickers=ZUBB,QUIB-B&interval=15m`;
    const { body } = await get<Bars>(path);
    expect(body).toMatchObject({
      source: "alpaca_iex",
      feed: "iex",
      interval: "15m",
      cached: false,
      delayed_minutes: 0,
      start_date: "2026-09-09",
      end_date: "2026-09-09",
      count: 52,
    });
    await get(path);
    expect(asked().length).toBe(2);
    expect(asked().every((url) => url.includes("feed=iex"))).toBe(true);
    const whole = (
      await get<Bars>(`${P}/intraday?tickers=ZUBB&interval=15m&start_date=2026-09-09&end_date=2026-09-09`)
    ).body;
    const [iex, sip] = [dayOf(body.bars.ZUBB ?? []), dayOf(whole.bars.ZUBB ?? [])];
    expect(iex.close).toBe(sip.close);
    expect(iex.volume / sip.volume).toBeCloseTo(0.03, 3);
  });

  test("ticker and tickers that differ are refused, not one of them dropped", async () => {
    const both = await service.get<{ code: string }>(`${P}/snapshot?ticker=ZUBB&tickers=ZORP`);
    expect([both.status, both.body.code]).toEqual([400, "bad_request"]);
    const bars = "/api/v1/price/data?start_date=2026-08-03&end_date=2026-08-04";
    expect((await service.get(`${bars}&ticker=ZUBB&tickers=ZORP`)).status).toBe(400);
    expect((await service.get(`${bars}&ticker=ZUBB&tickers=ZUBB`)).status).toBe(200);
  });

  test("a snapshot has price, quote, day and change against the close of the session before", async () => {
    const { body } = await get<Snapshots>(`${P}/snapshot?tickers=ZUBB,quib-b,ZZZZ,GLUMP,^SMPL`);
    expect(body).toMatchObject({ source: "alpaca_iex", count: 2, missing: ["ZZZZ", "GLUMP", "^SMPL"] });
    expect(Object.keys(body.snapshots)).toEqual(["ZUBB", "quib-b", "ZZZZ", "GLUMP", "^SMPL"]);
    const zubb = body.snapshots.ZUBB ?? {};
    expect(zubb).toMatchObject({
      symbol: "ZUBB",
      status: "ok",
      date: "2026-09-09",
      prev_close_date: "2026-09-08",
    });
    const daily = await service.get<{ data: Bar[] }>(
      "/api/v1/price/data/ZUBB?start_date=2026-09-08&end_date=2026-09-08",
    );
    expect(zubb.prev_close).toBe(daily.body.data[0]?.close ?? null);
    expect(zubb.change).toBeCloseTo(Number(zubb.price) - Number(zubb.prev_close), 9);
    expect(zubb.change_percent).toBeCloseTo((Number(zubb.change) / Number(zubb.prev_close)) * 100, 9);
    expect(Number(zubb.bid)).toBeLessThan(Number(zubb.ask));
    expect(body.snapshots.ZZZZ).toMatchObject({
      symbol: "ZZZZ",
      status: "no_data",
      price: null,
      minute_bar: null,
    });
    expect(asked().filter((url) => url.startsWith(HOST))).toEqual([
      `${HOST}/v2/stocks/snapshots?symbols=ZUBB%2CQUIB.B%2CZZZZ%2CGLUMP&feed=iex`,
    ]);
  });

  test("at every hour its change is against the close before the session of the trade, around holidays and half days too", async () => {
    const own = await openSampleService({ at: "2026-09-09T12:30:00Z", env: KEYS });
    try {
      for (const [at, traded, before] of [
        // A Wednesday before the open, when the last trade is Tuesday's and Monday was a holiday; and in its
        // session.
        ["2026-09-09T12:30:00Z", "2026-09-08", "2026-09-04"],
        ["2026-09-09T15:00:00Z", "2026-09-09", "2026-09-08"],
        // A Monday before the open.
        ["2026-09-14T12:30:00Z", "2026-09-11", "2026-09-10"],
        // Thanksgiving.
        ["2026-11-26T15:00:00Z", "2026-11-25", "2026-11-24"],
        // The half day after it: before the open, in the session, after its close at 13:00; then a Sunday and
        // a Monday.
        ["2026-11-27T13:00:00Z", "2026-11-25", "2026-11-24"],
        ["2026-11-27T16:00:00Z", "2026-11-27", "2026-11-25"],
        ["2026-11-27T19:30:00Z", "2026-11-27", "2026-11-25"],
        ["2026-11-29T15:00:00Z", "2026-11-27", "2026-11-25"],
        ["2026-11-30T13:00:00Z", "2026-11-27", "2026-11-25"],
      ] as const) {
        own.clock.set(at);
        const { body } = await own.get<Snapshots>(`${P}/snapshot?tickers=ZUBB`);
        const zubb = body.snapshots.ZUBB ?? {};
        const day = Temporal.Instant.from(String(zubb.price_time)).toZonedDateTimeISO("America/New_York");
        expect([at, day.toPlainDate().toString(), zubb.prev_close_date]).toEqual([at, traded, before]);
        const daily = await own.get<{ data: Bar[] }>(
          `/api/v1/price/data/ZUBB?start_date=${before}&end_date=${before}`,
        );
        const wanted = daily.body.data[0]?.close ?? Number.NaN;
        expect([at, zubb.prev_close]).toEqual([at, wanted]);
        expect(zubb.change).toBeCloseTo(Number(zubb.price) - wanted, 9);
        expect(zubb.change_percent).toBeCloseTo((Number(zubb.price) / wanted - 1) * 100, 9);
      }
    } finally {
      await own.stop();
    }
  });

  test("one symbol is answered in the same shape, by either name of the field; 250 are asked in three requests", async () => {
    const one = await get<Snapshots>(`${P}/snapshot?ticker=ZUBB`);
    expect(Object.keys(one.body.snapshots)).toEqual(["ZUBB"]);
    service.sample.resetTraffic();
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const many = Array.from({ length: 250 }, (_, i) => `ZQ${letters[Math.floor(i / 26)]}${letters[i % 26]}`);
    const { body } = await get<Snapshots>(`${P}/snapshot?tickers=${many.join(",")}`);
    expect(Object.keys(body.snapshots).length).toBe(250);
    expect(
      asked()
        .map((url) => new URL(`http://${url}`).searchParams.get("symbols")?.split(",").length)
        .sort(),
    ).toEqual([...[100, 100, 50]]);
  });

  test("malformed fields are 422 with every fault, too many tickers too", async () => {
    const long = Array.from({ length: 1001 }, (_, i) => `T${i}`).join(",");
    for (const [path, loc, type] of [
      ["intraday", ["query", "tickers"], "missing"],
      ["intraday?tickers=A&interval=2m", ["query", "interval"], "literal_error"],
      ["intraday?tickers=A&start_date=2026-02-30", ["query", "start_date"], "date_from_datetime_parsing"],
      ["intraday?tickers=A%20B", ["query", "tickers"], "value_error"],
      ["intraday?tickers=A&include_extended=maybe", ["query", "include_extended"], "bool_parsing"],
      ["intraday/today?tickers=A&interval=1d", ["query", "interval"], "literal_error"],
      ["snapshot", ["query", "tickers"], "missing"],
      [`snapshot?tickers=${long}`, ["query", "tickers"], "too_long"],
      [`intraday?tickers=${long.slice(0, long.indexOf(",T501"))}`, ["query", "tickers"], "too_long"],
    ] as const) {
      const [error] = await faultsOf(await service.fetch(`${P}/${path}`));
      expect([path.slice(0, 40), error]).toEqual([path.slice(0, 40), expect.objectContaining({ loc, type })]);
    }
    for (const route of ["intraday", "intraday/today", "snapshot"])
      expect(await problemOf(await service.fetch(`${P}/${route}?tickers=,%20,`), 400)).toMatchObject({
        code: "no_tickers",
      });
    expect(asked()).toEqual([]);
  });

  test("more bars than one answer holds are refused before the feed is asked", async () => {
    const many = Array.from(
      { length: 500 },
      (_, i) => `A${String.fromCharCode(65 + (i % 26))}${String.fromCharCode(65 + Math.floor(i / 26))}`,
    );
    const path = `${P}/intraday?tickers=${many.join(",")}&interval=1m&start_date=2026-01-02&end_date=2026-09-01`;
    expect(await problemOf(await service.fetch(path), 400)).toMatchObject({ code: "bad_request" });
    expect(asked()).toEqual([]);
  });
});
