import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeClock } from "../../../../test/support/fake-clock.ts";
import { type FakeReply, type FakeUpstream, fakeUpstream } from "../../../../test/support/fake-yahoo.ts";
import { exchangeCalendar } from "../../../market/calendar.ts";
import { yahoo } from "../index.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "asof-quote-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const REGULAR_S = 1773172802;
const row = (symbol: string, fields: object = {}) => ({
  symbol,
  quoteType: "EQUITY",
  exchange: "NYQ",
  marketState: "REGULAR",
  regularMarketPrice: 41.5,
  regularMarketTime: REGULAR_S,
  ...fields,
});
const answer = (rows: readonly object[]): FakeReply => ({
  body: { quoteResponse: { result: rows, error: null } },
});
const denied: FakeReply = {
  status: 401,
  body: { finance: { result: null, error: { code: "Unauthorized", description: "Invalid Crumb" } } },
};

let files = 0;
/** The provider in front of a Yahoo that opens sessions and answers quotes by `reply`. */
function provider(reply: (symbols: string[], url: URL) => FakeReply) {
  const clock = fakeClock("2026-03-10T20:15:00Z");
  let crumbs = 0;
  const upstream: FakeUpstream = fakeUpstream(clock, (url) => {
    if (url.hostname === "fc.yahoo.com" || url.hostname === "finance.yahoo.com") {
      return { status: 404, headers: [["set-cookie", "A3=x; Domain=.yahoo.com"]] };
    }
    if (url.pathname === "/v1/test/getcrumb") return { body: `crumb/000.${++crumbs}` };
    return reply((url.searchParams.get("symbols") ?? "").split(","), url);
  });
  const log = { info() {}, warn() {} };
  const credentialsPath = join(folder, `${++files}.json`);
  const provided = yahoo({ upstream, clock, calendar: exchangeCalendar(), log, credentialsPath });
  const asked = () =>
    upstream.requests
      .filter((r) => r.url.includes("/v7/"))
      .map((r) => new URL(r.url).searchParams.get("symbols") ?? "");
  return { upstream, provided, asked, clock };
}

const one = async (fields: object, symbol = "ZQX") => {
  const { quotes, absent } = await provider(() => answer([row(symbol, fields)])).provided.quotes([symbol]);
  return quotes.get(symbol) ?? absent.get(symbol);
};

describe("request", () => {
  test("has cookie and crumb, plain numbers, and hyphens for classes; the answer has canonical symbols", async () => {
    const { provided, upstream } = provider(() => answer([row("ZQX-B"), row("ZQX")]));
    const { quotes } = await provided.quotes(["ZQX", "ZQX.B"]);
    expect([...quotes.keys()]).toEqual(["ZQX", "ZQX.B"]);
    expect(quotes.get("ZQX.B")?.symbol).toBe("ZQX.B");
    const asked = upstream.requests.at(-1);
    const url = new URL(asked?.url ?? "");
    expect(url.origin + url.pathname).toBe("https://query2.finance.yahoo.com/v7/finance/quote");
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      symbols: "ZQX,ZQX-B",
      formatted: "false",
      crumb: "crumb/000.1",
    });
    expect(asked?.headers).toEqual({ cookie: "A3=x" });
  });

  test("asks for fifty symbols at a time, each symbol once", async () => {
    const symbols = Array.from({ length: 120 }, (_, i) => `ZQ${i}`);
    const { provided, asked } = provider((wanted) => answer(wanted.map((s) => row(s)).reverse()));
    const { quotes, absent } = await provided.quotes([...symbols, "ZQ0"]);
    expect(asked().map((list) => list.split(",").length)).toEqual([50, 50, 20]);
    expect([quotes.size, absent.size]).toEqual([120, 0]);
    expect((await provided.quotes([])).quotes.size).toBe(0);
    expect(asked().length).toBe(3);
  });

  test("requests missing symbols once more in halves, then reports them missing", async () => {
    const symbols = ["ZQA", "ZQB", "ZQC", "ZQD", "ZQE"];
    // Of a batch only the last symbol comes back; ZQC is unknown.
    const { provided, asked } = provider((wanted) =>
      answer(
        wanted
          .slice(-1)
          .filter((s) => s !== "ZQC")
          .map((s) => row(s)),
      ),
    );
    const { quotes, absent } = await provided.quotes(symbols);
    expect(asked()).toEqual(["ZQA,ZQB,ZQC,ZQD,ZQE", "ZQA,ZQB", "ZQC,ZQD"]);
    expect([...quotes.keys()].sort()).toEqual(["ZQB", "ZQD", "ZQE"]);
    expect([...absent.keys()].sort()).toEqual(["ZQA", "ZQC"]);
    expect(absent.get("ZQC")).toEqual({ code: "unknown_ticker", reason: "Yahoo knows no ticker ZQC" });
  });

  test("requests a single symbol only once", async () => {
    const { provided, asked } = provider(() => answer([]));
    expect((await provided.quotes(["ZQX"])).absent.get("ZQX")?.code).toBe("unknown_ticker");
    expect(asked()).toEqual(["ZQX"]);
  });

  test("ignores rows of symbols that were not requested", async () => {
    const { provided } = provider(() => answer([row("OTHER")]));
    expect((await provided.quotes(["ZQX"])).quotes.size).toBe(0);
  });
});

describe("a refused session", () => {
  test.each([
    ["401", denied],
    ["403", { ...denied, status: 403 }],
    ["an error with status 200", { ...denied, status: 200 }],
  ])("%s is renewed once and the request repeated once", async (_what, refusal) => {
    const { provided, upstream } = provider((_s, url) =>
      url.searchParams.get("crumb") === "crumb/000.1" ? refusal : answer([row("ZQX")]),
    );
    expect((await provided.quotes(["ZQX"])).quotes.get("ZQX")?.price).toBe(41.5);
    expect(upstream.requests.filter((r) => r.url.includes("getcrumb")).length).toBe(2);
  });

  test("fails and pauses when refused again; charts are not affected", async () => {
    const { provided, upstream, clock } = provider((_s, url) =>
      url.pathname.includes("chart")
        ? { status: 404, body: { chart: { error: { code: "Not Found" } } } }
        : denied,
    );
    await expect(provided.quotes(["ZQX"])).rejects.toMatchObject({
      name: "UpstreamRefused",
      facts: { upstreamStatus: 401, hint: "Invalid Crumb" },
    });
    const count = upstream.requests.length;
    await expect(provided.quotes(["ZQX"])).rejects.toMatchObject({ name: "UpstreamRefused" });
    expect(upstream.requests.length).toBe(count);
    const end = clock.now();
    const chart = provided.chart({ symbol: "ZQX", interval: "1d", start: null, end, prePost: false });
    await expect(chart).rejects.toMatchObject({ name: "NotFound" });
  });

  test("the handshake has its own upstream, whose breaker is not that of the data", async () => {
    const clock = fakeClock("2026-03-10T20:15:00Z");
    const data = fakeUpstream(clock, () => answer([row("ZQX")]));
    const session = fakeUpstream(clock, ({ pathname }) =>
      pathname === "/" ? { status: 404, headers: [["set-cookie", "A3=x"]] } : { body: "crumb/000.1" },
    );
    const needs = { upstream: data, sessionUpstream: session, clock, calendar: exchangeCalendar() };
    const credentialsPath = join(folder, "own.json");
    const provided = yahoo({ ...needs, log: { info() {}, warn() {} }, credentialsPath });
    expect((await provided.quotes(["ZQX"])).quotes.size).toBe(1);
    expect(data.asked()).toEqual(["query2.finance.yahoo.com/v7/finance/quote"]);
    expect(session.asked()).toEqual(["fc.yahoo.com/", "query1.finance.yahoo.com/v1/test/getcrumb"]);
    expect(provided.health().requestsTotal).toBe(1);
    // A cookie for the handshake's host only is not sent to the data hosts.
    expect(data.requests[0]?.headers).toEqual({});
  });

  test("reports blocks, outages and other shapes as such", async () => {
    const failure = (reply: FakeReply) =>
      provider(() => reply)
        .provided.quotes(["ZQX"])
        .catch((e: unknown) => e);
    expect(await failure({ status: 429 })).toMatchObject({ name: "UpstreamRateLimited" });
    expect(await failure({ status: 503 })).toMatchObject({ name: "UpstreamFailed" });
    expect(await failure({ body: '{"quoteResponse":{"result":[{' })).toMatchObject({
      name: "UpstreamMisread",
    });
    expect(await failure({ body: { quoteResponse: { result: null, error: null } } })).toMatchObject({
      message: "yahoo changed the shape of quote: quote.quoteResponse.result should be a list",
    });
    expect(await failure(answer([row("ZQX", { regularMarketPrice: "41.5 USD" })]))).toMatchObject({
      message:
        "yahoo changed the shape of quote: quote.quoteResponse.result[0].regularMarketPrice should be a number",
    });
    const refused = { quoteResponse: { result: null, error: { code: "Bad Request", description: "no" } } };
    expect(await failure({ status: 400, body: refused })).toMatchObject({
      name: "UpstreamRefused",
      facts: { hint: "no" },
    });
  });
});

test("a number written as text is that number, an empty text none", async () => {
  const written = row("ZQX", { regularMarketPrice: "41.5", regularMarketVolume: "1e3", marketCap: "" });
  const { quotes } = await provider(() => answer([written])).provided.quotes(["ZQX"]);
  expect(quotes.get("ZQX")).toMatchObject({ price: 41.5, regular_market_volume: 1000, market_cap: null });
});

describe("the latest price", () => {
  const pre = {
    preMarketPrice: 42,
    preMarketTime: REGULAR_S + 60_000,
    preMarketChange: 0.5,
    preMarketChangePercent: 1.2048,
  };
  const post = {
    postMarketPrice: 40,
    postMarketTime: REGULAR_S + 3_600,
    postMarketChange: -1.5,
    postMarketChangePercent: -3.6145,
  };

  test.each([
    ["PRE", { ...pre, ...post }, 42, "pre", "PRE"],
    ["PRE", post, 41.5, "regular", "PRE"],
    ["PRE", { ...pre, preMarketTime: REGULAR_S }, 41.5, "regular", "PRE"],
    ["PRE", { ...pre, preMarketTime: undefined }, 41.5, "regular", "PRE"],
    ["REGULAR", { ...pre, ...post }, 41.5, "regular", "REGULAR"],
    ["POST", { ...pre, ...post }, 40, "post", "POST"],
    ["POST", { ...post, postMarketTime: REGULAR_S - 1 }, 41.5, "regular", "POST"],
    ["POST", { ...post, postMarketPrice: 0 }, 41.5, "regular", "POST"],
    ["POSTPOST", post, 40, "post", "CLOSED"],
    ["PREPRE", post, 40, "post", "CLOSED"],
    ["CLOSED", post, 40, "post", "CLOSED"],
    ["HALTED", { ...pre, ...post }, 41.5, "regular", "CLOSED"],
    [undefined, { ...pre, ...post }, 41.5, "regular", "CLOSED"],
  ])(
    "in state %p is of the state and newer than the regular one",
    async (marketState, fields, price, source, state) => {
      const quote = await one({ marketState, ...fields });
      expect(quote).toMatchObject({
        price,
        price_source: source,
        market_state: state,
        regular_market_price: 41.5,
      });
      expect(quote).toMatchObject({
        pre_market_price: source === "pre" ? 42 : null,
        pre_market_change_percent: source === "pre" ? 1.2048 : null,
        post_market_price: source === "post" ? 40 : null,
        post_market_change: source === "post" ? -1.5 : null,
      });
    },
  );

  test("has the time of its trade, never that of the request", async () => {
    expect(await one({})).toMatchObject({
      price_time: "2026-03-10T20:00:02Z",
      regular_market_time: "2026-03-10T20:00:02Z",
    });
    expect(await one({ regularMarketTime: undefined })).toMatchObject({ price_time: null, price: 41.5 });
    expect(await one({ marketState: "POST", regularMarketTime: undefined, ...post })).toMatchObject({
      price_source: "regular",
    });
  });

  test("reads numbers in objects; a bid of 0 and text for infinity are unknown, a volume of 0 is none", async () => {
    const quote = await one({
      regularMarketPrice: { raw: 41.5, fmt: "41.50" },
      regularMarketTime: { raw: REGULAR_S, fmt: "4:00PM" },
      marketCap: { raw: 1_250_000_000_000, fmt: "1.25T", longFmt: "1,250,000,000,000" },
      regularMarketDayHigh: {},
      bid: 0,
      ask: 41.75,
      regularMarketVolume: 0,
      fiftyTwoWeekHigh: "Infinity",
      exchangeDataDelayedBy: 20,
      sourceInterval: 15,
    });
    expect(quote).toMatchObject({
      price: 41.5,
      price_time: "2026-03-10T20:00:02Z",
      market_cap: 1_250_000_000_000,
      regular_market_day_high: null,
      bid: null,
      ask: 41.75,
      regular_market_volume: 0,
      fifty_two_week_high: null,
      delay_minutes: 20,
      regular_market_open: null,
      bid_size: null,
    });
  });

  test.each([
    ["a delisted name", { quoteType: "NONE", exchange: undefined }, "no longer quotes it"],
    ["a delisted stub", { quoteType: "MUTUALFUND", exchange: "YHD" }, "no longer listed"],
    ["a stub", { exchange: undefined }, "only a stub"],
    ["a row without a price", {}, "gives no price"],
  ])("%s has no price", async (_what, fields, reason) => {
    const knownGap = await one({ ...fields, regularMarketPrice: undefined });
    expect(knownGap).toMatchObject({ code: "no_data", reason: expect.stringContaining(reason) });
  });

  test("an error status without Yahoo's envelope is an outage, not an unknown ticker", async () => {
    const { provided } = provider(() => ({ status: 404, body: { title: "Not Found" } }));
    await expect(provided.quotes(["ZQX"])).rejects.toThrow("yahoo answered quote with status 404");
  });
});
