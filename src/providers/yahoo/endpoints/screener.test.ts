// Yahoo's lists: with and without a session, wrong pages, and how a row is read.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeClock } from "../../../../test/support/fake-clock.ts";
import { type FakeReply, fakeUpstream } from "../../../../test/support/fake-yahoo.ts";
import { exchangeCalendar } from "../../../market/calendar.ts";
import { AsofError } from "../../../platform/errors.ts";
import { yahoo } from "../index.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "asof-screener-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const row = (symbol: string, fields: object = {}) => ({
  symbol,
  quoteType: "EQUITY",
  exchange: "NMS",
  ...fields,
});
const list = (quotes: readonly object[], more: object = {}): FakeReply => ({
  body: {
    finance: {
      result: [{ start: 0, count: quotes.length, total: quotes.length, quotes, useRecords: false, ...more }],
      error: null,
    },
  },
});
const refusal = (status: number, code: string, description: string): FakeReply => ({
  status,
  body: { finance: { result: null, error: { code, description } } },
});

let files = 0;
function provider(reply: (url: URL, body: string | undefined) => FakeReply) {
  const clock = fakeClock("2026-03-10T20:15:00.500Z");
  let crumbs = 0;
  const upstream = fakeUpstream(clock, (url, request) => {
    if (url.hostname === "fc.yahoo.com" || url.hostname === "finance.yahoo.com")
      return { status: 404, headers: [["set-cookie", "A3=x; Domain=.yahoo.com"]] };
    if (url.pathname === "/v1/test/getcrumb") return { body: `crumb/000.${++crumbs}` };
    return reply(url, request.body);
  });
  const log = { info() {}, warn() {} };
  const credentialsPath = join(folder, `${++files}.json`);
  const calendar = exchangeCalendar();
  return { upstream, provided: yahoo({ upstream, clock, calendar, log, credentialsPath }) };
}

const failure = async (work: Promise<unknown>) => {
  const error = await work.catch((e: unknown) => e);
  if (!(error instanceof AsofError)) throw new Error("no failure");
  return error;
};
const SPAN = { start: 0, count: 100 };
const SCREEN = { filters: {}, sort_by: "market_cap", sort_order: "desc", offset: 0, size: 250 } as const;
const one = async (fields: object, symbol = "ZQX") => {
  const { rows } = await provider(() => list([row(symbol, fields)])).provided.predefined("day_gainers", SPAN);
  if (!rows[0]) throw new Error("no row");
  return rows[0];
};

test("a predefined list needs no session and is paged by start and count", async () => {
  const { upstream, provided } = provider(() =>
    list([row("A"), row("B")], { start: 200, total: 300, canonicalName: "MOST_ACTIVES" }),
  );
  const page = await provided.predefined("most_actives", { start: 200, count: 100 });
  expect(page).toMatchObject({ total: 300, start: 200, received_at: "2026-03-10T20:15:00.500Z" });
  expect(page.rows.map(({ symbol }) => symbol)).toEqual(["A", "B"]);
  expect(upstream.asked()).toEqual(["query2.finance.yahoo.com/v1/finance/screener/predefined/saved"]);
  const { searchParams } = new URL(upstream.requests[0]?.url ?? "");
  expect(Object.fromEntries(searchParams)).toMatchObject({
    scrIds: "most_actives",
    start: "200",
    count: "100",
    formatted: "false",
    region: "US",
  });
});

test("uses a session where Yahoo requires one for a list", async () => {
  const { upstream, provided } = provider((url) =>
    url.searchParams.has("crumb") ? list([row("A")]) : refusal(401, "Unauthorized", "Invalid Crumb"),
  );
  expect((await provided.predefined("day_gainers", SPAN)).rows).toHaveLength(1);
  expect(upstream.asked().at(-1)).toContain("/v1/finance/screener/predefined/saved");
});

test("sends a query by POST with a crumb, and renews an expired crumb once", async () => {
  let asked = 0;
  const { upstream, provided } = provider((_url, body) => {
    asked++;
    if (asked === 1) return refusal(401, "Unauthorized", "Invalid Crumb");
    return list([row("A")], { start: 250, total: 251, received: body });
  });
  const page = await provided.screen({ ...SCREEN, filters: { price_min: 5 }, offset: 250 });
  expect(page).toMatchObject({ total: 251, start: 250 });
  const [first, second] = upstream.requests.filter(({ method }) => method === "POST");
  expect(first?.headers).toMatchObject({ "content-type": "application/json", cookie: "A3=x" });
  expect(JSON.parse(second?.body ?? "")).toMatchObject({ offset: 250, size: 250 });
  expect(second?.idempotent).toBe(true);
  expect(new URL(second?.url ?? "").searchParams.get("crumb")).toBe("crumb/000.2");
});

test("rejects another page than requested", async () => {
  const ignored = provider(() => list([row("A")], { start: 0, total: 300 }));
  expect((await failure(ignored.provided.screen({ ...SCREEN, offset: 250 }))).message).toContain(
    "start should be 250, as asked",
  );
  const other = provider(() => list([row("A")], { canonicalName: "DAY_LOSERS" }));
  expect((await failure(other.provided.predefined("day_gainers", SPAN))).message).toContain("canonicalName");
});

test("refusals and other shapes", async () => {
  const refused = provider(() => refusal(400, "Bad Request", "size is too large"));
  const error = await failure(refused.provided.predefined("day_gainers", SPAN));
  expect([error.code, error.message]).toEqual([
    "upstream_error",
    "Yahoo refused the screen: size is too large",
  ]);
  for (const body of [
    { finance: { result: [], error: null } },
    { finance: { result: [{ quotes: [], total: "many" }] } },
    { finance: { result: [{ quotes: [], total: -1 }] } },
    { finance: { result: [{ total: 1 }] } },
    { quoteResponse: {} },
    { finance: { result: [{ total: 1, quotes: [{ price: 1 }] }] } },
  ]) {
    const { provided } = provider(() => ({ body }));
    expect((await failure(provided.predefined("day_gainers", SPAN))).message).toContain("changed the shape");
  }
  const page = provider(() => ({ body: "<html>Will be right back" }));
  expect((await failure(page.provided.predefined("day_gainers", SPAN))).code).toBe("upstream_error");
  const limited = provider(() => ({ status: 429, body: "Too Many Requests\r\n" }));
  expect((await failure(limited.provided.screen(SCREEN))).code).toBe("upstream_rate_limited");
});

test("keeps the first of repeated symbols", async () => {
  const { provided } = provider(() =>
    list([row("A", { marketCap: 1 }), row("B"), row("A", { marketCap: 2 })]),
  );
  const { rows } = await provided.predefined("day_gainers", SPAN);
  expect(rows.map(({ symbol, market_cap }) => [symbol, market_cap])).toEqual([
    ["A", 1],
    ["B", null],
  ]);
});

test("reads a complete row; percentages are percent points as sent", async () => {
  const fields = {
    longName: "Zqx Inc.",
    currency: "USD",
    regularMarketPrice: 28,
    regularMarketTime: 1740085202,
    regularMarketChange: 6.53,
    regularMarketChangePercent: 30.4145,
    regularMarketVolume: 61661819,
    averageDailyVolume3Month: 9879577,
    marketCap: 11279519744,
    trailingPE: 12.5,
    fiftyTwoWeekHigh: 33.43,
    fiftyTwoWeekLow: 13.895,
    fiftyTwoWeekChangePercent: -31.31798,
    dividendYield: 2.32,
    trailingAnnualDividendYield: 0.023460409,
  };
  expect(await one(fields)).toEqual({
    symbol: "ZQX",
    name: "Zqx Inc.",
    exchange: "NMS",
    quote_type: "EQUITY",
    currency: "USD",
    price: 28,
    price_time: "2025-02-20T21:00:02Z",
    change: 6.53,
    change_percent: 30.4145,
    volume: 61661819,
    avg_volume_3m: 9879577,
    market_cap: 11279519744,
    pe_ratio: 12.5,
    fifty_two_week_high: 33.43,
    fifty_two_week_low: 13.895,
    fifty_two_week_change_percent: -31.31798,
    dividend_yield: 2.32,
    beta: null,
    sector: null,
    industry: null,
    kinds: [],
  });
});

test("missing fields are null, a reported volume of zero stays, a price of zero is unknown", async () => {
  expect(await one({})).toMatchObject({
    name: null,
    price: null,
    price_time: null,
    volume: null,
    market_cap: null,
  });
  expect(await one({ regularMarketVolume: 0, regularMarketPrice: 0, trailingPE: "Infinity" })).toMatchObject({
    volume: 0,
    price: null,
    pe_ratio: null,
  });
  // Trailing yields mix two currencies and fractions, so they are not served.
  expect(await one({ trailingAnnualDividendYield: 0.82810456 })).toMatchObject({ dividend_yield: null });
});

test("symbols are canonical; the type follows from symbol, type, exchange and name", async () => {
  const kinds = async (symbol: string, fields: object = {}) => {
    const found = await one(fields, symbol);
    return [found.symbol, ...found.kinds];
  };
  expect(await kinds("BRK-B")).toEqual(["BRK.B"]);
  expect(await kinds("ABR-PD")).toEqual(["ABR.PRD", "preferred"]);
  expect(await kinds("AAC-WT")).toEqual(["AAC.WS", "warrant"]);
  expect(await kinds("AAC-UN")).toEqual(["AAC.U", "unit"]);
  expect(await kinds("SMPL", { quoteType: "ETF" })).toEqual(["SMPL", "etf"]);
  expect(await kinds("VFINX", { quoteType: "MUTUALFUND" })).toEqual(["VFINX", "fund"]);
  expect(await kinds("CTRYF", { exchange: "PNK" })).toEqual(["CTRYF", "otc"]);
  expect(await kinds("CTRYY", { exchange: "OQX" })).toEqual(["CTRYY", "adr", "otc"]);
  expect(await kinds("ZUMY", { exchange: "NYQ", longName: "Zum PLC American Depositary Shares" })).toEqual([
    "ZUMY",
    "adr",
  ]);
  expect(await kinds("ZUMX", { shortName: "Zum PLC ADR" })).toEqual(["ZUMX", "adr"]);
  expect(await kinds("ADRX", { longName: "Quadra Therapeutics" })).toEqual(["ADRX"]);
});

test("trending: symbols of every type, each once, and the time of the list", async () => {
  const { upstream, provided } = provider(() => ({
    body: {
      finance: {
        result: [
          {
            count: 4,
            quotes: [{ symbol: "BRK-B" }, { symbol: "^DJI" }, { symbol: "BTC-USD" }, { symbol: "BRK-B" }],
            jobTimestamp: 1617826741994,
          },
        ],
        error: null,
      },
    },
  }));
  expect(await provided.trending(10)).toEqual({
    symbols: ["BRK.B", "^DJI", "BTC-USD"],
    made_at: "2021-04-07T20:19:01.994Z",
  });
  expect(upstream.asked()).toEqual(["query2.finance.yahoo.com/v1/finance/trending/US"]);
  const moved = provider(() => ({ body: { finance: { result: [{ symbols: [] }] } } }));
  expect((await failure(moved.provided.trending(5))).message).toContain("changed the shape of trending");
  const refused = provider(() => refusal(404, "Not Found", "no such region"));
  expect((await failure(refused.provided.trending(5))).message).toContain("no such region");
});
