// The price routes over the whole service, on the sample market.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { expectPrice } from "../support/price-digits.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

interface Point {
  date: string;
  timestamp: string;
  open: number | null;
  high: number | null;
  low: number | null;
  close: number;
  volume: number | null;
  adjusted_close: number | null;
  dividend?: number;
  split_ratio?: number;
  provisional?: true;
  partial?: true;
}
interface Series {
  ticker: string;
  interval: string;
  currency: string | null;
  exchange_timezone: string;
  count: number;
  data: Point[];
  source: string;
  cached: boolean;
  adjusted_through: string;
  warnings: string[];
}
interface Bars {
  source: string;
  count: number;
  bars: Record<string, (Omit<Point, "date"> & { timestamp: string })[]>;
  missing: string[];
  errors: Record<string, string>;
  symbols_requested: number;
  symbols_returned: number;
  adjusted_through: Record<string, string | null>;
  cached: boolean;
}
interface Problem {
  ticker?: string;
  status: number;
  code: string;
  detail: string;
  hint?: string;
}

describe("price routes on the sample market, an hour after a Wednesday's close", () => {
  let service: SampleService;
  beforeAll(async () => {
    service = await openSampleService();
  });
  afterAll(() => service.stop());
  const charts = () => service.sample.traffic().total;

  test("a range gives each of its sessions once, and a second request asks no provider", async () => {
    const path = "/api/v1/price/data/WUZZL?start_date=2026-08-03&end_date=2026-08-14";
    const first = await service.get<Series>(path);
    expect(first.status).toBe(200);
    expect(first.body.data.map((b) => b.date)).toEqual([
      "2026-08-03",
      "2026-08-04",
      "2026-08-05",
      "2026-08-06",
      "2026-08-07",
      "2026-08-10",
      "2026-08-11",
      "2026-08-12",
      "2026-08-13",
      "2026-08-14",
    ]);
    expect(first.body.data[0]?.timestamp).toBe("2026-08-03T13:30:00Z");
    expect(first.body.count).toBe(10);
    expect(first.body.cached).toBe(false);
    expect(first.body.currency).toBe("USD");
    expect(first.body.exchange_timezone).toBe("America/New_York");
    expect(first.body.source).toBe("yahoo");
    expect(first.body.data.every((b) => b.provisional === undefined)).toBe(true);
    const asked = charts();
    const second = await service.get<Series>(path);
    expect(charts()).toBe(asked);
    expect(second.body.cached).toBe(true);
    expect(second.body.data).toEqual(first.body.data);
    const inner = await service.get<Series>("/api/v1/price/data/wuzzl?start=2026-08-05&end=2026-08-05");
    expect(charts()).toBe(asked);
    expect(inner.body.ticker).toBe("wuzzl");
    expect(inner.body.data).toEqual(first.body.data.slice(2, 3));
  });

  test("only missing days are asked for, with a few days of context", async () => {
    await service.get("/api/v1/price/data/JUMBL?start_date=2026-06-01&end_date=2026-06-12");
    const seen: string[] = [];
    service.sample.resetTraffic();
    await service.get("/api/v1/price/data/JUMBL?start_date=2026-06-01&end_date=2026-06-19");
    for (const request of service.sample.traffic().requests) seen.push(request.url);
    expect(seen.length).toBe(1);
    const query = new URL(`http://x${seen[0]}`).searchParams;
    const from = Temporal.Instant.fromEpochMilliseconds(Number(query.get("period1")) * 1000).toString();
    expect(from.slice(0, 10)).toBe("2026-06-05");
  });

  test("the running day is served as provisional and never stored", async () => {
    const { body } = await service.get<Series>(
      "/api/v1/price/data/ZUBB?start_date=2026-09-03&end_date=2026-09-09",
    );
    expect(body.data.map((b) => [b.date, b.provisional ?? false])).toEqual([
      ["2026-09-03", false],
      ["2026-09-04", false],
      ["2026-09-08", false],
      ["2026-09-09", true],
    ]);
    const stored = await service
      .app()
      .lake.query("SELECT max(date) AS last FROM bars_daily WHERE symbol = 'ZUBB'");
    expect(stored).toEqual([{ last: "2026-09-08" }]);
    const asked = charts();
    const again = await service.get<Series>(
      "/api/v1/price/data/ZUBB?start_date=2026-09-03&end_date=2026-09-09",
    );
    expect(charts()).toBe(asked);
    expect(again.body.data).toEqual(body.data);
  });

  test("weekly and monthly bars are made of the daily ones", async () => {
    const daily = (
      await service.get<Series>("/api/v1/price/data/FIZZQ?start_date=2026-06-29&end_date=2026-07-31")
    ).body.data;
    const weekly = (
      await service.get<Series>(
        "/api/v1/price/data/FIZZQ?start_date=2026-06-29&end_date=2026-07-31&interval=1w",
      )
    ).body;
    expect(weekly.interval).toBe("1w");
    expect(weekly.data.map((b) => b.date)).toEqual([
      "2026-06-29",
      "2026-07-06",
      "2026-07-13",
      "2026-07-20",
      "2026-07-27",
    ]);
    const week = daily.filter((b) => b.date >= "2026-06-29" && b.date <= "2026-07-02");
    expect(week.length).toBe(4);
    const [first] = weekly.data;
    expect(first?.open).toBe(week[0]?.open ?? -1);
    expect(first?.close).toBe(week[3]?.close ?? -1);
    expect(first?.high).toBe(Math.max(...week.map((b) => b.high ?? 0)));
    expect(first?.low).toBe(Math.min(...week.map((b) => b.low ?? 1e9)));
    expect(first?.volume).toBe(week.reduce((sum, b) => sum + (b.volume ?? 0), 0));
    const monthly = (
      await service.get<Series>(
        "/api/v1/price/data/FIZZQ?start_date=2026-06-29&end_date=2026-07-31&interval=1m",
      )
    ).body;
    expect(monthly.interval).toBe("1mo");
    expect(monthly.data.map((b) => [b.date, b.partial ?? false])).toEqual([
      ["2026-06-01", true],
      ["2026-07-01", false],
    ]);
  });

  test("POST takes exactly one way to give the time, quarters too", async () => {
    const quarters = await service.post<Series>("/api/v1/price/data", {
      ticker: "HOOZ",
      quarters: ["2026Q1", "2025Q1"],
    });
    expect(quarters.status).toBe(200);
    const dates = quarters.body.data.map((b) => b.date);
    expect(dates[0]).toBe("2025-01-02");
    expect(dates.at(-1)).toBe("2026-03-31");
    expect(dates.some((d) => d > "2025-03-31" && d < "2026-01-01")).toBe(false);
    expect(dates).not.toContain("2025-01-09");
    for (const [body, code] of [
      [{ ticker: "HOOZ" }, "conflicting_time_selection"],
      [{ ticker: "HOOZ", period: "1m", quarters: ["2026Q1"] }, "conflicting_time_selection"],
      [{ ticker: "HOOZ", end_date: "2026-02-01" }, "invalid_date_range"],
      [{ ticker: "HOOZ", start_date: "2026-02-02", end_date: "2026-02-01" }, "invalid_date_range"],
    ] as const) {
      const { status, body: problem } = await service.post<Problem>("/api/v1/price/data", body);
      expect([status, problem.code]).toEqual([400, code]);
    }
  });

  test("many tickers side by side: keys as sent, unknown ones named, others whole", async () => {
    const { status, body } = await service.get<Bars>(
      "/api/v1/price/data?tickers=quib-b,QUIB.B,SMPLF,NOSUCH,ZORP&start_date=2026-08-03&end_date=2026-08-07",
    );
    expect(status).toBe(200);
    expect(Object.keys(body.bars)).toEqual(["quib-b", "SMPLF", "NOSUCH", "ZORP"]);
    expect(body.bars["quib-b"]?.length).toBe(5);
    expect(body.bars["quib-b"]?.[0]?.timestamp).toBe("2026-08-03");
    expect(body.bars.NOSUCH).toEqual([]);
    expect(body.missing).toEqual(["NOSUCH"]);
    expect(Object.keys(body.errors)).toEqual(["NOSUCH"]);
    expect([body.symbols_requested, body.symbols_returned, body.count]).toEqual([4, 3, 15]);
    const alias = await service.get<Bars>(
      "/api/v1/price/data?ticker=ZORP&start_date=2026-08-03&end_date=2026-08-07",
    );
    expect(alias.body.bars.ZORP).toEqual(body.bars.ZORP ?? []);
    expect(alias.body.cached).toBe(true);
  });

  test("names like constructor are tickers like any other", async () => {
    const { status, body } = await service.get<Bars>(
      "/api/v1/price/data?tickers=constructor,toString,ZORP&start_date=2026-08-03&end_date=2026-08-03",
    );
    expect(status).toBe(200);
    expect(body.bars.constructor as unknown).toEqual([]);
    expect(body.missing).toEqual(["constructor", "toString"]);
  });

  test("bulk gives each ticker its own result in order", async () => {
    const { status, body } = await service.post<{
      total_requested: number;
      successful: number;
      failed: number;
      results: {
        ticker: string;
        success: boolean;
        data: Series | null;
        error: string | null;
        error_code: string | null;
      }[];
    }>("/api/v1/price/data/bulk", { tickers: ["GIBBL", "NOSUCH", "gibbl", "YAKQ"], period: "7d" });
    expect(status).toBe(200);
    expect([body.total_requested, body.successful, body.failed]).toEqual([3, 2, 1]);
    expect(body.results.map((r) => [r.ticker, r.success, r.error_code])).toEqual([
      ["GIBBL", true, null],
      ["NOSUCH", false, "unknown_ticker"],
      ["YAKQ", true, null],
    ]);
    expect(body.results[0]?.data?.data.at(-1)?.date).toBe("2026-09-09");
  });

  test("an unknown ticker is 404 with a hint that names three that exist, and is not asked twice", async () => {
    const { status, body } = await service.get<Problem>("/api/v1/price/data/NOSUCHX?period=1m");
    expect([status, body.code, body.ticker]).toEqual([404, "unknown_ticker", "NOSUCHX"]);
    expect(body.hint).toMatch(/ZORP.*QUIB-B.*SMPLF/);
    const asked = charts();
    expect((await service.get("/api/v1/price/latest/NOSUCHX")).status).toBe(404);
    expect(charts()).toBe(asked);
  });

  test("a delisted symbol is served from its own life: a period ends at its last trade", async () => {
    const gone = await service.get<Problem>("/api/v1/price/data/GLUMP?period=1m");
    expect([gone.status, gone.body.code]).toEqual([404, "unknown_ticker"]);
  });

  test("a range before the first trade is no data, and says when it began", async () => {
    await service.get("/api/v1/price/data/PIPZ?start_date=2024-01-02&end_date=2024-01-05");
    const { status, body } = await service.get<Problem>(
      "/api/v1/price/data/PIPZ?start_date=2023-01-03&end_date=2023-01-06",
    );
    expect([status, body.code]).toEqual([404, "no_data"]);
    expect(body.hint).toContain("2023-10-18");
  });

  test("latest, today and quote tell the running day", async () => {
    const latest = await service.get<Point & { ticker: string }>("/api/v1/price/latest/VEXOQ");
    expect([latest.status, latest.body.ticker, latest.body.date, latest.body.provisional]).toEqual([
      200,
      "VEXOQ",
      "2026-09-09",
      true,
    ]);
    const today =
      await service.get<Record<string, number | string | boolean | null>>("/api/v1/price/today/VEXOQ");
    expect(today.status).toBe(200);
    expect(today.body).toMatchObject({ date: "2026-09-09", is_final: false, source: "aggregated_1m" });
    expect(today.body.bar_count as number).toBeGreaterThan(300);
    expect(today.body.high as number).toBeGreaterThanOrEqual(today.body.low as number);
    const before = await service.get<Series>(
      "/api/v1/price/data/VEXOQ?start_date=2026-09-08&end_date=2026-09-08",
    );
    expect(today.body.previous_close).toBe(before.body.data[0]?.close ?? -1);
    expect(today.body.change as number).toBeCloseTo(
      (today.body.close as number) - (today.body.previous_close as number),
      9,
    );
    const quote = await service.get<Record<string, number | string | null>>("/api/v1/price/quote/VEXOQ");
    expect(quote.status).toBe(200);
    expect(quote.headers.get("x-cache")).toBe("MISS");
    expect(quote.body).toMatchObject({ ticker: "VEXOQ", market_state: "POST", price_source: "post" });
    expect(quote.body.regular_market_price as number).toBeGreaterThan(0);
    const plain = await service.get<Record<string, number | string | null>>(
      "/api/v1/price/quote/VEXOQ?use_prepost=no",
    );
    expect(plain.headers.get("x-cache")).toBe("HIT");
    expect(plain.body.price).toBe(plain.body.regular_market_price ?? -1);
    expect(plain.body.post_market_price).toBeNull();
    expect(plain.body.price_source).toBe("regular");
  });

  test("intraday: one ticker with extended hours, many in regular hours and cached", async () => {
    const one = await service.get<{
      count: number;
      previous_close: number;
      data: { timestamp: string; volume: number | null; session: string }[];
    }>("/api/v1/price/intraday/NIXOQ?interval=30m");
    expect(one.status).toBe(200);
    expect(new Set(one.body.data.map((b) => b.session))).toEqual(new Set(["pre", "regular", "post"]));
    expect(one.body.data.filter((b) => b.session !== "regular").every((b) => b.volume === null)).toBe(true);
    expect(one.body.data.filter((b) => b.session === "regular").length).toBe(13);
    const path =
      "/api/v1/price/intraday?tickers=NIXOQ,NOSUCH&interval=60min&start_date=2026-09-08&end_date=2026-09-08";
    const many = await service.get<Bars>(path);
    expect(many.status).toBe(200);
    expect(many.headers.get("x-cache")).toBe("MISS");
    expect(many.body.bars.NIXOQ?.map((b) => b.timestamp)).toEqual([
      "2026-09-08T13:30:00Z",
      "2026-09-08T14:30:00Z",
      "2026-09-08T15:30:00Z",
      "2026-09-08T16:30:00Z",
      "2026-09-08T17:30:00Z",
      "2026-09-08T18:30:00Z",
      "2026-09-08T19:30:00Z",
    ]);
    expect(many.body.missing).toEqual(["NOSUCH"]);
    const good = "/api/v1/price/intraday?tickers=NIXOQ&interval=1h&start_date=2026-09-08&end_date=2026-09-08";
    const asked = charts();
    const hit = await service.get<Bars>(good);
    expect(hit.headers.get("x-cache")).toBe("HIT");
    expect(hit.headers.get("cache-control")).toMatch(/^private, max-age=\d+$/);
    expect(charts()).toBe(asked);
  });

  test.each([
    ["/api/v1/price/intraday?tickers=NIXOQ&interval=1m&start_date=2026-09-01&end_date=2026-09-02", "7 days"],
    ["/api/v1/price/intraday?tickers=NIXOQ&interval=5m&start_date=2026-07-01&end_date=2026-09-02", "60 days"],
    [
      "/api/v1/price/intraday?tickers=NIXOQ&interval=1h&start_date=2024-09-01&end_date=2026-09-02",
      "730 days",
    ],
    ["/api/v1/price/intraday/NIXOQ?interval=90m&period=3m", "60 days"],
    ["/api/v1/price/intraday/NIXOQ?interval=1m&period=max", "7 days"],
    ["/api/v1/price/data/NIXOQ?interval=1h&period=5y", "730 days"],
  ])("%s is refused with the limit in the message", async (path, limit) => {
    const { status, body } = await service.get<Problem>(path);
    expect([status, body.code]).toEqual([400, "lookback_exceeded"]);
    expect(body.detail).toContain(limit);
  });

  test("hourly history is served where available", async () => {
    const { status, body } = await service.get<Series>(
      "/api/v1/price/data/NIXOQ?interval=1h&start_date=2026-09-03&end_date=2026-09-04",
    );
    expect(status).toBe(200);
    expect(body.data.map((b) => b.date)).toEqual([
      ...Array(7).fill("2026-09-03"),
      ...Array(7).fill("2026-09-04"),
    ]);
    expect(body.data[0]?.adjusted_close).toBeNull();
  });

  test("what failed is in a header of the rows, as it is in the JSON answer", async () => {
    const path = "/api/v1/price/data?tickers=OBBLQ,NOSUCHQ&start_date=2026-08-03&end_date=2026-08-05";
    const { errors } = (await service.get<{ errors: Record<string, string> }>(path)).body;
    expect(Object.keys(errors)).toEqual(["NOSUCHQ"]);
    for (const format of ["csv", "ndjson", "parquet"]) {
      const response = await service.fetch(`${path}&format=${format}`);
      expect(JSON.parse(response.headers.get("x-errors") ?? "{}")).toEqual(errors);
      await response.body?.cancel();
    }
  });

  test("csv, ndjson and parquet have the rows of the JSON answer", async () => {
    const path = "/api/v1/price/data?tickers=OBBLQ,PUDGQ&start_date=2026-08-03&end_date=2026-08-05";
    const json = (await service.get<Bars>(path)).body;
    const csv = await service.fetch(`${path}&format=csv`);
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const lines = (await csv.text()).trimEnd().split("\r\n");
    expect(lines[0]).toBe(
      "symbol,date,open,high,low,close,volume,adjusted_close,dividend,split_ratio,provisional,backfilled,adjusted_through,capital_gain,outlier",
    );
    expect(lines.length).toBe(7);
    const bar = json.bars.OBBLQ?.[0];
    expect(lines[1]).toBe(
      [
        "OBBLQ",
        "2026-08-03",
        bar?.open,
        bar?.high,
        bar?.low,
        bar?.close,
        bar?.volume,
        bar?.adjusted_close,
        "",
        "",
        "false",
        "false",
        "2026-09-09,,false",
      ].join(","),
    );
    expect(json.adjusted_through).toEqual({ OBBLQ: "2026-09-09", PUDGQ: "2026-09-09" });
    const ndjson = await service.fetch(path, { headers: { accept: "application/x-ndjson" } });
    const objects = (await ndjson.text())
      .trimEnd()
      .split("\n")
      .map((l) => JSON.parse(l));
    expect(objects.length).toBe(6);
    expect(objects[0]).toMatchObject({ symbol: "OBBLQ", date: "2026-08-03", close: bar?.close ?? -1 });
    const parquet = await service.fetch(`${path}&format=parquet`);
    const bytes = await parquet.bytes();
    expect(new TextDecoder().decode(bytes.slice(0, 4))).toBe("PAR1");
    expect(new TextDecoder().decode(bytes.slice(-4))).toBe("PAR1");
  });
});

describe("a series filled in many visits", () => {
  test("equals the series fetched at once, across a 4:1 split and a dividend", async () => {
    // ZORP splits 4:1 on 2026-06-09 and pays quarterly dividends.
    const service = await openSampleService({ at: "2026-03-12T15:00:00Z" });
    const whole = await openSampleService({ at: "2026-09-09T21:00:00Z" });
    const range = "start_date=2026-01-02&end_date=2026-09-04";
    await service.get("/api/v1/price/data/ZORP?start_date=2026-01-02&end_date=2026-02-13");
    service.clock.set("2026-04-20T15:00:00Z");
    await service.get("/api/v1/price/data/ZORP?start_date=2026-03-02&end_date=2026-04-10");
    service.clock.set("2026-06-10T15:00:00Z");
    await service.get("/api/v1/price/data/ZORP?start_date=2026-05-01&end_date=2026-06-09");
    service.clock.set("2026-08-03T21:00:00Z");
    await service.get("/api/v1/price/data/ZORP?start_date=2026-02-17&end_date=2026-02-27");
    service.clock.set("2026-09-09T21:00:00Z");
    const filled = (await service.get<Series>(`/api/v1/price/data/ZORP?${range}`)).body.data;
    const atOnce = (await whole.get<Series>(`/api/v1/price/data/ZORP?${range}`)).body.data;
    expect(filled.map((b) => b.date)).toEqual(atOnce.map((b) => b.date));
    expect(filled.some((b) => b.split_ratio === 4)).toBe(true);
    expect(filled.filter((b) => b.dividend !== undefined).length).toBeGreaterThanOrEqual(2);
    for (const [i, bar] of filled.entries()) {
      const other = atOnce[i];
      for (const name of ["open", "high", "low", "close", "volume", "adjusted_close", "dividend"] as const) {
        const [a, b] = [bar[name] ?? 0, other?.[name] ?? 0];
        expectPrice(a, b, `${name} of ${bar.date}`);
      }
    }
    await service.stop();
    await whole.stop();
  });

  test("as_of gives the world as it was known, on the basis of then", async () => {
    const service = await openSampleService({ at: "2026-05-20T15:00:00Z" });
    const range = "start_date=2026-05-01&end_date=2026-05-08";
    const then = (await service.get<Series>(`/api/v1/price/data/ZORP?${range}`)).body.data;
    service.clock.set("2026-07-15T15:00:00Z");
    await service.get("/api/v1/price/data/ZORP?start_date=2026-05-01&end_date=2026-07-10");
    const now = (await service.get<Series>(`/api/v1/price/data/ZORP?${range}`)).body.data;
    expect(now[0]?.close).toBeCloseTo((then[0]?.close ?? 0) / 4, 9);
    const asOf = await service.get<Series & { as_of: string }>(
      `/api/v1/price/data/ZORP?${range}&as_of=2026-05-20`,
    );
    expect(asOf.body.data).toEqual(then);
    expect(asOf.body.as_of).toBe("2026-05-21T03:59:59.999999999Z");
    // A day earlier nothing was stored, but the market knew these bars.
    const before = await service.get<Series>(`/api/v1/price/data/ZORP?${range}&as_of=2026-05-19`);
    expect(before.body.data).toEqual(then.map((bar) => ({ ...bar, backfilled: true })));
    const unsettled = await service.get<Problem>(`/api/v1/price/data/ZORP?${range}&as_of=2026-05-01`);
    expect([unsettled.status, unsettled.body.code]).toEqual([404, "no_data"]);
    const later = await service.get<Problem>(
      "/api/v1/price/data/ZORP?start_date=2026-06-15&end_date=2026-06-19&as_of=2026-05-20",
    );
    expect(later.status).toBe(400);
    await service.stop();
  });
});

describe("missing, null and revised days", () => {
  test("a close of null is collected again; a good close stays; a differing later value is a revision", async () => {
    const service = await openSampleService();
    const path = "/api/v1/price/data/LOOFQ?start_date=2026-08-10&end_date=2026-08-14";
    const { dials } = service.sample;
    dials.set([{ fault: "null_row", symbol: "LOOFQ", date: "2026-08-12" }]);
    const holey = (await service.get<Series>(path)).body;
    expect(holey.data.map((b) => b.date)).toEqual(["2026-08-10", "2026-08-11", "2026-08-13", "2026-08-14"]);
    expect(holey.warnings.join(" ")).toContain("2026-08-12");
    dials.clear();
    const healed = (await service.get<Series>(path)).body;
    expect(healed.data.map((b) => b.date)).toContain("2026-08-12");
    expect(healed.warnings).toEqual([]);
    const good = healed.data.find((b) => b.date === "2026-08-11");
    dials.set([{ fault: "revised", symbol: "LOOFQ", date: "2026-08-11", close: (good?.close ?? 0) * 1.02 }]);
    const forced = (
      await service.get<Series & { revisions: unknown[] }>(`${path}&force_refresh=true&revisions=true`)
    ).body;
    expect(forced.data.find((b) => b.date === "2026-08-11")?.close).toBeCloseTo((good?.close ?? 0) * 1.02, 9);
    expect(forced.revisions).toEqual([
      expect.objectContaining({ date: "2026-08-11", source: "yahoo", close: (good?.close ?? 0) * 1.02 }),
    ]);
    const again = (
      await service.get<Series & { revisions: unknown[] }>(`${path}&force_refresh=true&revisions=true`)
    ).body;
    expect(again.revisions.length).toBe(1);
    const plain = (await service.get<Series>(path)).body;
    expect(plain.data.find((b) => b.date === "2026-08-11")).toEqual(good as Point);
    await service.stop();
  });
});
