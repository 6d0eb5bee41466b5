import { describe, expect, test } from "bun:test";
import { calendar, chartBody, chartOf, epoch } from "../../../../test/support/fake-chart.ts";
import { fakeClock } from "../../../../test/support/fake-clock.ts";
import { fakeUpstream } from "../../../../test/support/fake-yahoo.ts";
import { NotFound } from "../../../platform/errors.ts";
import { askChart, type ChartRequest, sessionWindow } from "./chart.ts";

const at = (text: string) => Temporal.Instant.from(text);

async function asked(
  request: Partial<ChartRequest>,
  symbolAtYahoo = "ZQX",
  granularity = "1d",
): Promise<URL> {
  const upstream = fakeUpstream(fakeClock("2026-03-20T15:00:00Z"), () => ({
    body: chartBody({ meta: { symbol: symbolAtYahoo, dataGranularity: granularity } }),
  }));
  const [start, end] = [at("2026-03-02T05:00:00Z"), at("2026-03-20T04:00:00Z")];
  await askChart(upstream, calendar, {
    symbol: "ZQX",
    interval: "1d",
    start,
    end,
    prePost: false,
    ...request,
  });
  return new URL(upstream.requests[0]?.url ?? "");
}

const error = (envelope: string, code: string, description: string) => ({
  [envelope]: { result: null, error: { code, description } },
});

describe("request", () => {
  test("states the span in seconds and the types of events, without a crumb", async () => {
    const url = await asked({});
    expect(url.origin + url.pathname).toBe("https://query2.finance.yahoo.com/v8/finance/chart/ZQX");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      period1: "1772427600",
      period2: "1773979200",
      interval: "1d",
      includePrePost: "false",
      events: "div|split|capitalGains",
    });
  });

  test("spells classes with a hyphen and encodes other characters", async () => {
    expect((await asked({ symbol: "ZQX.B" }, "ZQX-B")).pathname).toEndWith("/ZQX-B");
    expect((await asked({ symbol: "^ZQX" }, "^ZQX")).pathname).toEndWith("/%5EZQX");
    expect((await asked({ symbol: "ZQXUSD=X" }, "ZQXUSD=X")).pathname).toEndWith("/ZQXUSD%3DX");
  });

  test("uses Yahoo's name for weeks, 1900 as the beginning, and extended hours only for intraday bars", async () => {
    expect((await asked({ interval: "1w" }, "ZQX", "1wk")).searchParams.get("interval")).toBe("1wk");
    expect((await asked({ start: null })).searchParams.get("period1")).toBe("-2208988800");
    expect((await asked({ prePost: true })).searchParams.get("includePrePost")).toBe("false");
    const intraday = await asked({ prePost: true, interval: "5m" }, "ZQX", "5m");
    expect(intraday.searchParams.get("includePrePost")).toBe("true");
  });

  test("refuses an empty or reversed span before sending anything", async () => {
    const moment = at("2026-03-02T05:00:00Z");
    await expect(asked({ start: moment, end: moment })).rejects.toBeInstanceOf(RangeError);
    await expect(asked({ start: moment, end: at("2026-03-01T05:00:00Z") })).rejects.toBeInstanceOf(
      RangeError,
    );
  });
});

describe("span of days", () => {
  test("runs from local midnight to local midnight, across a clock change", () => {
    const { start, end } = sessionWindow("2026-03-06", "2026-03-09");
    expect([start.toString(), end.toString()]).toEqual(["2026-03-06T05:00:00Z", "2026-03-10T04:00:00Z"]);
    const autumn = sessionWindow("2026-10-30", "2026-11-02");
    expect([autumn.start.toString(), autumn.end.toString()]).toEqual([
      "2026-10-30T04:00:00Z",
      "2026-11-03T05:00:00Z",
    ]);
    const leap = sessionWindow("2028-02-29", "2028-02-29", "Australia/Sydney");
    expect([leap.start.toString(), leap.end.toString()]).toEqual([
      "2028-02-28T13:00:00Z",
      "2028-02-29T13:00:00Z",
    ]);
  });

  test("throws a RangeError for invalid days", () => {
    expect(() => sessionWindow("2026-02-30", "2026-03-02")).toThrow(RangeError);
  });
});

describe("answers that are not a chart", () => {
  test("only Yahoo's own 404 of a chart means an unknown symbol", async () => {
    const body = error("chart", "Not Found", "No data found, symbol may be delisted");
    const gone = chartOf({ status: 404, body });
    await expect(gone).rejects.toMatchObject({
      name: "NotFound",
      code: "unknown_ticker",
      facts: { ticker: "ZQX" },
    });
    await expect(chartOf({ body })).rejects.toMatchObject({ code: "unknown_ticker" });
  });

  test.each([
    [
      "a front that knows no such path",
      { status: 404, body: error("finance", "Not Found", "HTTP 404") },
      "UpstreamRefused",
    ],
    ["a page", { status: 404, body: "<!DOCTYPE html><title>No data found</title>" }, "UpstreamFailed"],
    ["an empty 404", { status: 404, body: "" }, "UpstreamFailed"],
    ["a JSON of another shape", { status: 404, body: { message: "not found" } }, "UpstreamMisread"],
    [
      "a session wanted",
      { status: 401, body: error("finance", "Unauthorized", "Invalid Crumb") },
      "UpstreamRefused",
    ],
    [
      "a session wanted, by a chart",
      { status: 404, body: error("chart", "Unauthorized", "x") },
      "UpstreamRefused",
    ],
    ["a session wanted, with status 200", { body: error("chart", "Unauthorized", "x") }, "UpstreamRefused"],
    ["a block", { status: 429, body: "Too Many Requests\r\n" }, "UpstreamRateLimited"],
    ["a block with status 200", { body: "Edge: Too Many Requests" }, "UpstreamRateLimited"],
    ["the old block", { status: 999, body: "<html>error 999</html>" }, "UpstreamRateLimited"],
    ["an outage", { status: 502, body: error("chart", "Not Found", "x") }, "UpstreamFailed"],
    ["an outage with status 200", { body: "<html>Will be right back...</html>" }, "UpstreamFailed"],
    ["nothing", { body: "" }, "UpstreamFailed"],
    ["half a JSON", { body: '{"chart":{"result":[{"meta":{"sym' }, "UpstreamMisread"],
    ["a list", { body: "[]" }, "UpstreamMisread"],
    ["no result and no error", { body: { chart: { result: null, error: null } } }, "UpstreamMisread"],
    ["an empty result", { body: { chart: { result: [], error: null } } }, "UpstreamMisread"],
  ])("%s does not mean an unknown symbol", async (_what, reply, name) => {
    const failure = await chartOf(reply).catch((e: unknown) => e);
    expect(failure).toMatchObject({ name });
    expect(failure).not.toBeInstanceOf(NotFound);
  });

  test("passes on Yahoo's message for a span it does not serve, whatever digits it contains", async () => {
    const description =
      "1m data not available for startTime=1791264000 and endTime=1791264293. Only 8 days worth of 1m";
    await expect(
      chartOf({ status: 422, body: error("chart", "Unprocessable Entity", description) }),
    ).rejects.toMatchObject({
      name: "UpstreamRefused",
      message: `Yahoo refused the chart of ZQX: ${description}`,
      facts: { upstreamStatus: 422, hint: description },
    });
    await expect(
      chartOf({ status: 400, body: { chart: { result: null, error: "Invalid input" } } }),
    ).rejects.toMatchObject({
      name: "UpstreamRefused",
      facts: { hint: "Invalid input" },
    });
  });

  test("before the first trade there are no bars and no facts about the symbol", async () => {
    const body = error("chart", "Bad Request", "Data doesn't exist for startDate = 1, endDate = 2");
    const result = await chartOf({ status: 400, body }, {}, "2026-03-20T03:00:00Z");
    expect(result).toMatchObject({ bars: [], actions: [], basis_date: "2026-03-19" });
    expect(new Set(Object.values(result.meta))).toEqual(new Set([null]));
  });

  test("a delisted name has no data; a symbol without trades in the span gives an empty answer", async () => {
    const priceless = { regularMarketPrice: undefined, firstTradeDate: null };
    const delistedStub = chartOf({ body: chartBody({ meta: { ...priceless, exchangeName: "YHD" } }) });
    await expect(delistedStub).rejects.toMatchObject({ name: "NotFound", code: "no_data" });
    const fund = chartOf({ body: chartBody({ meta: { ...priceless, instrumentType: "MUTUALFUND" } }) });
    await expect(fund).rejects.toMatchObject({ name: "NotFound", code: "no_data" });
    const quiet = await chartOf({ body: chartBody({ meta: priceless }) });
    expect(quiet.bars).toEqual([]);
    expect(quiet.meta).toMatchObject({
      first_trade_date: null,
      regular_market_price: null,
      timezone: "America/New_York",
    });
    // With old prices a delisted stub is a history like any other.
    const rows = [["2019-06-03T13:30:00Z", 5, 6, 4, 5.5, 100, 5.5]] as const;
    const old = await chartOf({ body: chartBody({ rows, meta: { ...priceless, exchangeName: "YHD" } }) });
    expect(old.bars.map((bar) => [bar.date, bar.close, bar.settled])).toEqual([["2019-06-03", 5.5, true]]);
  });

  test("rejects bars of another width or symbol than requested", async () => {
    const hourly = chartOf({ body: chartBody({ meta: { dataGranularity: "1h" } }) }, { interval: "30m" });
    await expect(hourly).rejects.toMatchObject({
      name: "UpstreamMisread",
      message: "yahoo sent 1h bars of ZQX for 30m",
    });
    await expect(
      chartOf({ body: chartBody({ meta: { dataGranularity: undefined } }) }),
    ).rejects.toMatchObject({
      name: "UpstreamMisread",
    });
    await expect(chartOf({ body: chartBody({ meta: { symbol: "ZQY" } }) })).rejects.toMatchObject({
      name: "UpstreamMisread",
    });
    const sixty = await chartOf(
      { body: chartBody({ meta: { dataGranularity: "60m" } }) },
      { interval: "1h" },
    );
    expect(sixty.bars).toEqual([]);
  });
});

describe("facts about the symbol", () => {
  test("are read as sent: unknown currency, no name, first trade before 1970, no change from chartPreviousClose", async () => {
    const body = chartBody({
      meta: {
        currency: null,
        shortName: "Zebra Quartz",
        firstTradeDate: -252322200,
        regularMarketDayHigh: 42.125,
        regularMarketVolume: 0,
        regularMarketPrice: 0,
      },
    });
    const { meta } = await chartOf({ body });
    expect(meta).toMatchObject({
      currency: null,
      exchange: "NYQ",
      exchange_name: null,
      name: "Zebra Quartz",
      first_trade_date: "1962-01-02",
      regular_market_time: at("2026-03-10T20:00:02Z"),
      regular_market_day_high: 42.125,
      regular_market_day_low: null,
      regular_market_volume: 0,
      regular_market_price: null,
      previous_close: null,
      price_hint: 2,
    });
    const intraday = chartBody({ meta: { dataGranularity: "5m", previousClose: 40.25 } });
    expect((await chartOf({ body: intraday }, { interval: "5m" })).meta.previous_close).toBe(40.25);
  });

  test.each([
    ["exchangeTimezoneName", "Mars/Olympus", "chart.chart.result[0].meta.exchangeTimezoneName"],
    ["exchangeTimezoneName", undefined, "chart.chart.result[0].meta.exchangeTimezoneName"],
    ["regularMarketTime", "yesterday", "chart.chart.result[0].meta.regularMarketTime"],
    ["regularMarketTime", 1773172802000, "chart.chart.result[0].meta.regularMarketTime"],
    ["currency", 7, "chart.chart.result[0].meta.currency"],
    [
      "currentTradingPeriod",
      { regular: { start: "9:30" } },
      "chart.chart.result[0].meta.currentTradingPeriod.regular.start",
    ],
  ])("%s = %p is rejected, naming its path", async (field, value, path) => {
    const failure = await chartOf({ body: chartBody({ meta: { [field]: value } }) }).catch((e: unknown) => e);
    expect(failure).toMatchObject({ name: "UpstreamMisread", code: "upstream_error" });
    expect(String(failure)).toContain(`yahoo changed the shape of chart: ${path} `);
  });

  test("the basis is the newest session that has opened for the symbol", async () => {
    const basis = async (meta: Record<string, unknown>, now: string) =>
      (await chartOf({ body: chartBody({ meta }) }, {}, now)).basis_date;
    // The morning of 11 March before the open: nothing of that day's ex dates is in the prices yet.
    expect(await basis({}, "2026-03-11T12:00:00Z")).toBe("2026-03-10");
    const traded = { regularMarketTime: epoch("2026-03-11T13:31:00Z") };
    const untraded = { regularMarketTime: epoch("2026-03-02T20:00:00Z") };
    expect(await basis(traded, "2026-03-11T13:35:00Z")).toBe("2026-03-11");
    // Just after the open without a trade of the day it may not be rescaled yet; an hour later it is, trade
    // or none.
    expect(await basis(untraded, "2026-03-11T13:35:00Z")).toBe("2026-03-10");
    expect(await basis(untraded, "2026-03-11T14:31:00Z")).toBe("2026-03-11");
    expect(await basis({ regularMarketTime: undefined }, "2026-03-21T02:00:00Z")).toBe("2026-03-20");
    const sydney = {
      exchangeTimezoneName: "Australia/Sydney",
      regularMarketTime: epoch("2026-03-10T23:30:00Z"),
    };
    expect(await basis(sydney, "2026-03-10T23:31:00Z")).toBe("2026-03-11");
    const quiet = { ...sydney, regularMarketTime: epoch("2026-03-03T23:30:00Z") };
    expect(await basis(quiet, "2026-03-10T22:00:00Z")).toBe("2026-03-10");
    expect(await basis(quiet, "2026-03-11T02:00:00Z")).toBe("2026-03-11");
  });
});
