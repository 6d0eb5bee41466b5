import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeClock } from "../../../../test/support/fake-clock.ts";
import { type FakeReply, fakeUpstream } from "../../../../test/support/fake-yahoo.ts";
import { exchangeCalendar } from "../../../market/calendar.ts";
import { NotFound, UpstreamFailed, UpstreamRefused } from "../../../platform/errors.ts";
import { yahoo } from "../index.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "asof-summary-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
/** The provider in front of a Yahoo that opens sessions and answers summaries by `reply`. */
function provider(reply: (url: URL) => FakeReply) {
  const clock = fakeClock("2026-03-10T20:15:00.250Z");
  let crumbs = 0;
  const upstream = fakeUpstream(clock, (url) => {
    if (url.hostname === "fc.yahoo.com" || url.hostname === "finance.yahoo.com")
      return { status: 404, headers: [["set-cookie", "A3=x; Domain=.yahoo.com"]] };
    if (url.pathname === "/v1/test/getcrumb") return { body: `crumb/000.${++crumbs}` };
    return reply(url);
  });
  const log = { info() {}, warn() {} };
  const credentialsPath = join(folder, `${++files}.json`);
  const provided = yahoo({ upstream, clock, calendar: exchangeCalendar(), log, credentialsPath });
  const asked = () =>
    upstream.requests.map((r) => new URL(r.url)).filter((u) => u.pathname.includes("/v10/"));
  return { provided, asked, upstream };
}

const summary = (modules: object): FakeReply => ({
  body: { quoteSummary: { result: [modules], error: null } },
});
const refusal = (description: string, status = 404): FakeReply => ({
  status,
  body: { quoteSummary: { result: null, error: { code: "Not Found", description } } },
});
const profileOf = (modules: object, symbol = "ZQX") =>
  provider(() => summary(modules)).provided.profile(symbol);

const WHOLE = {
  assetProfile: {
    sector: "Technology",
    industry: "Semiconductors",
    longBusinessSummary: "Makes chips.",
    website: "https://zqx.example",
    country: "Ireland",
    fullTimeEmployees: 1200,
  },
  price: {
    longName: "Zqx plc",
    shortName: "ZQX",
    exchange: "NMS",
    exchangeName: "NasdaqGS",
    quoteType: "EQUITY",
    currency: "USD",
    marketCap: 5_000_000_000,
    regularMarketTime: 1773172802,
  },
  summaryDetail: { marketCap: 4, currency: "EUR" },
  defaultKeyStatistics: { sharesOutstanding: 77_000_000 },
  quoteType: { firstTradeDateEpochUtc: -252322200, timeZoneFullName: "America/New_York" },
};

describe("request", () => {
  test("one request for all modules, with session, class by hyphen, plain numbers", async () => {
    const { provided, asked, upstream } = provider(() => summary(WHOLE));
    await provided.profile("ZQX.B");
    expect(asked().map((u) => u.origin + u.pathname)).toEqual([
      "https://query2.finance.yahoo.com/v10/finance/quoteSummary/ZQX-B",
    ]);
    expect(Object.fromEntries(asked()[0]?.searchParams ?? [])).toEqual({
      modules: "assetProfile,price,summaryDetail,defaultKeyStatistics,quoteType",
      formatted: "false",
      corsDomain: "finance.yahoo.com",
      lang: "en-US",
      region: "US",
      crumb: "crumb/000.1",
    });
    expect(upstream.requests.at(-1)?.headers).toEqual({ cookie: "A3=x" });
  });

  test("a symbol cannot change the path", async () => {
    const { provided, asked } = provider(() => summary(WHOLE));
    await provided.profile("../../V1");
    await provided.profile("^ZQX=");
    expect(asked().map((u) => u.pathname)).toEqual([
      "/v10/finance/quoteSummary/..%2F..%2FV1",
      "/v10/finance/quoteSummary/%5EZQX%3D",
    ]);
  });

  test("renews an expired crumb once", async () => {
    const denied = {
      finance: { result: null, error: { code: "Unauthorized", description: "Invalid Crumb" } },
    };
    const { provided, asked } = provider((url) =>
      url.searchParams.get("crumb") === "crumb/000.1" ? { status: 401, body: denied } : summary(WHOLE),
    );
    expect((await provided.profile("ZQX"))?.name).toBe("Zqx plc");
    expect(asked().length).toBe(2);
  });
});

describe("profile", () => {
  test("reads each field from its module, and the market cap at its price's time", async () => {
    expect(await profileOf(WHOLE)).toEqual({
      symbol: "ZQX",
      name: "Zqx plc",
      quote_type: "EQUITY",
      exchange: "NMS",
      exchange_name: "NasdaqGS",
      currency: "USD",
      market_cap: 5_000_000_000,
      market_cap_as_of: "2026-03-10T20:00:02Z",
      sector: "Technology",
      industry: "Semiconductors",
      description: "Makes chips.",
      website: "https://zqx.example",
      country: "Ireland",
      employees: 1200,
      shares_outstanding: 77_000_000,
      // A day of 1962 in New York, before the epoch.
      first_trade_date: "1962-01-02",
      received_at: "2026-03-10T20:15:00.250Z",
    });
  });

  test("missing modules are null fields; placeholders stay as sent", async () => {
    const bare = await profileOf({
      price: { quoteType: "ETF", exchange: "PCX", shortName: "Z Fund", marketCap: null },
    });
    expect(bare).toMatchObject({
      name: "Z Fund",
      quote_type: "ETF",
      sector: null,
      market_cap: null,
      market_cap_as_of: null,
    });
    const late = await profileOf({ assetProfile: { sector: "N/A", industry: "", fullTimeEmployees: 0 } });
    expect(late).toMatchObject({ sector: "N/A", industry: null, employees: 0, name: null, exchange: null });
  });

  test("reads formatted numbers too", async () => {
    const formatted = await profileOf({
      price: { marketCap: { raw: 12, fmt: "12" }, regularMarketTime: { raw: 1773172802, fmt: "4:00PM" } },
      defaultKeyStatistics: { sharesOutstanding: {} },
    });
    expect(formatted).toMatchObject({
      market_cap: 12,
      market_cap_as_of: "2026-03-10T20:00:02Z",
      shares_outstanding: null,
    });
  });

  test("a delisted stub keeps its name and no field of a listing", async () => {
    const delistedStub = {
      price: {
        exchange: "YHD",
        exchangeName: "YHD",
        quoteType: "MUTUALFUND",
        shortName: "54688",
        longName: null,
      },
    };
    expect(await profileOf(delistedStub)).toMatchObject({
      name: null,
      quote_type: null,
      exchange: null,
      exchange_name: null,
    });
  });

  test("null without any of the modules, NotFound for an unknown symbol, otherwise a refusal or a failure", async () => {
    const none = provider(() =>
      refusal("No fundamentals data found for any of the summaryTypes=assetProfile"),
    );
    expect(await none.provided.profile("ZQX")).toBeNull();
    expect(await profileOf({})).toBeNull();
    const unknown = provider(() => refusal("Quote not found for symbol: NOSUCH")).provided.profile("NOSUCH");
    await expect(unknown).rejects.toBeInstanceOf(NotFound);
    await expect(unknown).rejects.toMatchObject({ code: "unknown_ticker" });
    await expect(
      provider(() => refusal("Too many modules", 400)).provided.profile("ZQX"),
    ).rejects.toBeInstanceOf(UpstreamRefused);
    await expect(
      provider(() => ({ status: 404, body: "<html>" })).provided.profile("ZQX"),
    ).rejects.toBeInstanceOf(UpstreamFailed);
    await expect(profileOf({ price: "moved" })).rejects.toThrow("yahoo changed the shape of quoteSummary");
    await expect(profileOf({ assetProfile: { sector: 5 } })).rejects.toThrow(
      "result[0].assetProfile.sector should be text",
    );
    await expect(
      provider(() => ({ body: { quoteSummary: { result: {}, error: null } } })).provided.profile("ZQX"),
    ).rejects.toThrow("should be a list");
  });
});
