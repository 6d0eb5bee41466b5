// The company routes behind the real edge, on sources that are made up.
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  NotConfigured,
  UpstreamFailed,
  UpstreamRateLimited,
  UpstreamTimeout,
} from "../../src/platform/errors.ts";
import { type CompanyApp, openCompanyApp, type World } from "../support/company-app.ts";
import { CIK, entity, type Info, type Problem, profile, smallWorld } from "../support/company-world.ts";
import { type FakeClock, fakeClock } from "../support/fake-clock.ts";

setDefaultTimeout(1_200_000);

const outage = new UpstreamFailed("edgar", "EDGAR is not available (503)");

let clock: FakeClock;
let world: World;
let app: CompanyApp;
beforeEach(async () => {
  clock = fakeClock("2026-09-04T21:00:00Z");
  world = smallWorld();
  app = await openCompanyApp({ clock, world });
});
afterEach(() => app.close());
const hours = (n: number) => clock.advance(n * 3_600_000);
const get = <T = Info>(path: string) => app.get<T>(path);

describe("GET /company/{ticker}", () => {
  test("every field, each from the source that reports it", async () => {
    const { status, headers, body } = await get("/company/zqx");
    expect(status).toBe(200);
    expect(headers.get("x-cache")).toBe("MISS");
    expect<unknown>(body).toEqual({
      ticker: "zqx",
      name: "ZQX CORP",
      cik: CIK,
      sector: "Technology",
      industry: "Software - Application",
      exchange: "Nasdaq",
      country: "Ireland",
      market_cap: 512_000_000_000,
      market_cap_as_of: "2026-09-04T20:00:00Z",
      market_cap_currency: "USD",
      currency: "USD",
      description: "Writes software.",
      website: "https://zqx.example",
      employees: 41_200,
      sic: "7372",
      sic_description: "Services-Prepackaged Software",
      fiscal_year_end: "09-30",
      state_of_incorporation: "DE",
      shares_outstanding: 2_780_000_000,
      ipo_date: null,
      first_trade_date: "1999-01-22",
      is_etf: false,
      series_id: null,
      former_names: [{ name: "Zed Quux Inc", from: "2001-02-03", to: "2011-04-05" }],
      share_classes: [{ ticker: "ZQX.B", exchange: "NYSE" }],
      predecessor_ciks: ["0009000007"],
      source: "upstream",
      last_updated: "2026-09-04T21:00:00.000Z",
      regulator_updated_at: "2026-09-04T21:00:00.000Z",
      profile_updated_at: "2026-09-04T21:00:00.000Z",
      warnings: [],
    });
    expect(world.asked.sort()).toEqual(["companies", `entity ${CIK}`, "profile ZQX"]);
  });

  test("cache for 24 hours, then registry, then upstream; force_refresh asks again", async () => {
    await get("/company/ZQX");
    world.asked.length = 0;
    hours(23.9);
    const cached = await get("/company/ZQX");
    expect([cached.body.source, cached.headers.get("x-cache")]).toEqual(["cache", "HIT"]);
    expect(cached.headers.get("cache-control")).toBe("private, max-age=360");
    expect(world.asked).toEqual([]);
    // The cache is gone, the registry is not.
    app.sqlite.use((db) => db.run("DELETE FROM cache_entries"));
    await app.close(true);
    app = await openCompanyApp({ clock, world, dataDir: app.dataDir });
    const kept = await get("/company/ZQX");
    expect([kept.body.source, kept.headers.get("x-cache")]).toEqual(["registry", "MISS"]);
    expect(kept.body.last_updated).toBe("2026-09-04T21:00:00.000Z");
    expect(world.asked).toEqual([]);
    // An answer from the registry is good only as long as its parts.
    expect(kept.headers.get("cache-control")).toBe("private, max-age=360");
    hours(0.2);
    world.profiles.ZQX = profile({ market_cap: 5 });
    const fresh = await get("/company/ZQX");
    expect([fresh.body.source, fresh.body.market_cap]).toEqual(["upstream", 5]);
    expect(world.asked.sort()).toEqual(["companies", `entity ${CIK}`, "profile ZQX"]);
    world.profiles.ZQX = profile({ market_cap: 6 });
    expect((await get("/company/ZQX")).body.market_cap).toBe(5);
    const forced = await get("/company/ZQX?force_refresh=yes");
    expect([forced.body.source, forced.body.market_cap, forced.headers.get("x-cache")]).toEqual([
      "upstream",
      6,
      "MISS",
    ]);
  });

  test("share classes have the same entity, requested once", async () => {
    world.profiles["ZQX.B"] = profile({ exchange: "NYQ" });
    await get("/company/ZQX");
    const { body } = await get("/company/zqx-b");
    expect([body.ticker, body.cik, body.exchange, body.source]).toEqual(["zqx-b", CIK, "NYSE", "upstream"]);
    expect(body.share_classes).toEqual([{ ticker: "ZQX", exchange: "Nasdaq" }]);
    expect(world.asked.filter((a) => a.startsWith("entity")).length).toBe(1);
  });

  test("a fund: CIK of the trust, name of the fund, other classes of its series", async () => {
    world.profiles.ZFND = profile({
      name: "Zed Fund",
      quote_type: "ETF",
      exchange: "PCX",
      exchange_name: "NYSEArca",
      sector: null,
      industry: null,
    });
    world.entities["0009000900"] = entity({ cik: "0009000900", name: "ZED SERIES TRUST", tickers: [] });
    const { body } = await get("/company/ZFND");
    expect(body).toMatchObject({
      name: "Zed Fund",
      cik: "0009000900",
      series_id: "S000000001",
      is_etf: true,
      exchange: "NYSE Arca",
      sector: null,
      share_classes: [{ ticker: "ZFNI", exchange: null }],
    });
  });
});

describe("placeholders", () => {
  test("count as no value; sector and industry are requested again at once", async () => {
    world.profiles.ZQX = [profile({ sector: "N/A", industry: "Unknown" }), profile()];
    const { body } = await get("/company/ZQX");
    expect(body.sector).toBe("Technology");
    expect(world.asked.filter((a) => a === "profile ZQX").length).toBe(2);
  });

  test("that stay: null, cached for minutes instead of a day, until the value arrives", async () => {
    world.profiles.ZQX = profile({
      sector: "--",
      industry: "None",
      website: "-",
      country: "null",
      description: "",
      employees: 0,
      shares_outstanding: 0,
      market_cap: 0,
    });
    const first = await get("/company/ZQX");
    expect(first.body).toMatchObject({
      sector: null,
      industry: null,
      website: null,
      description: null,
      employees: null,
      shares_outstanding: null,
      market_cap: null,
      market_cap_as_of: null,
      // The SEC knows where the company sits.
      country: "United States",
    });
    expect(first.headers.get("cache-control")).toBe("private, max-age=300");
    world.profiles.ZQX = profile();
    expect((await get("/company/ZQX")).body.sector).toBeNull();
    clock.advance(301_000);
    const filled = await get("/company/ZQX");
    expect([filled.body.sector, filled.body.employees]).toEqual(["Technology", 41_200]);
    expect(filled.headers.get("cache-control")).toBe("private, max-age=86099");
  });

  test("in place of a former value: the former text is served with its date, figures are not", async () => {
    await get("/company/ZQX");
    hours(48);
    world.profiles.ZQX = profile({ sector: "N/A", industry: "N/A", employees: 0 });
    const { body } = await get("/company/ZQX");
    expect([body.sector, body.industry, body.employees]).toEqual([
      "Technology",
      "Software - Application",
      null,
    ]);
    expect(body.warnings).toEqual([
      "The provider has no sector now; it is served as it was on 2026-09-04.",
      "The provider has no industry now; it is served as it was on 2026-09-04.",
    ]);
    // Another name under the ticker: another company.
    hours(48);
    world.profiles.ZQX = profile({ name: "Other Company", sector: "N/A", industry: "N/A" });
    expect((await get("/company/ZQX")).body.sector).toBeNull();
  });
});

describe("when a source cannot be asked", () => {
  test("SEC_USER_AGENT is missing: the price provider's fields, the SEC's null, a warning", async () => {
    const missing = new NotConfigured("not_configured", "SEC_USER_AGENT is not set");
    world.listFault = missing;
    world.fundFault = missing;
    const { status, body } = await get("/company/ZQX");
    expect([status, body.name, body.cik, body.sic, body.exchange]).toEqual([
      200,
      "Zqx Corporation",
      null,
      null,
      "Nasdaq",
    ]);
    expect(body.warnings.length).toBe(1);
    expect(body.warnings[0]).toContain("SEC_USER_AGENT is not set");
    const unknown = await get<Problem>("/company/NOSUCH");
    expect([unknown.status, unknown.body.code]).toEqual([404, "unknown_ticker"]);
    expect(unknown.body.hint).toContain("SEC_USER_AGENT");
  });

  test("the SEC is down: stored fields are served with their date, and requested again in a minute", async () => {
    await get("/company/ZQX");
    hours(25);
    world.listFault = outage;
    world.entityFault = outage;
    const { status, headers, body } = await get("/company/ZQX");
    expect([status, body.cik, body.sic]).toEqual([200, CIK, "7372"]);
    expect(body.regulator_updated_at).toBe("2026-09-04T21:00:00.000Z");
    expect(body.last_updated).toBe("2026-09-05T22:00:00.000Z");
    expect(body.warnings[0]).toContain("as they were on 2026-09-04");
    expect(headers.get("cache-control")).toBe("private, max-age=60");
  });

  test("the price provider is down: the SEC's fields, and stored figures with their time", async () => {
    world.profileFault = new UpstreamFailed("yahoo", "Yahoo answered with status 502");
    const cold = await get("/company/ZQX");
    expect([cold.status, cold.body.cik, cold.body.sector, cold.body.market_cap]).toEqual([
      200,
      CIK,
      null,
      null,
    ]);
    expect(cold.body.warnings[0]).toContain("are not known");
    world.profileFault = null;
    await get("/company/ZQX?force_refresh=true");
    hours(25);
    world.profileFault = new UpstreamFailed("yahoo", "Yahoo answered with status 502");
    const { body } = await get("/company/ZQX");
    expect([body.market_cap, body.market_cap_as_of]).toEqual([512_000_000_000, "2026-09-04T20:00:00Z"]);
    expect(body.warnings[0]).toContain("as they were on 2026-09-04");
  });

  test("both are down: the registry, else the status of the outage, never 404", async () => {
    const blocked = new UpstreamRateLimited("yahoo", "Yahoo refuses further requests");
    for (const [error, status, code] of [
      [new UpstreamFailed("yahoo", "Yahoo answered with status 500"), 502, "upstream_error"],
      [blocked, 429, "upstream_rate_limited"],
      [new UpstreamTimeout("yahoo", "Yahoo took too long"), 504, "upstream_timeout"],
    ] as const) {
      Object.assign(world, {
        listFault: outage,
        fundFault: outage,
        entityFault: outage,
        profileFault: error,
      });
      const { status: got, body } = await get<Problem>("/company/ZQX");
      expect([got, body.code]).toEqual([status, code]);
    }
    Object.assign(world, { listFault: null, fundFault: null, entityFault: null, profileFault: null });
    clock.advance(61_000);
    await get("/company/ZQX");
    hours(30);
    Object.assign(world, { listFault: outage, entityFault: outage, profileFault: blocked });
    const { status, body } = await get("/company/ZQX");
    expect([status, body.source, body.sector, body.cik, body.warnings.length]).toEqual([
      200,
      "registry",
      "Technology",
      CIK,
      2,
    ]);
  });

  test("an unknown ticker is 404 only when the lists were read and the provider does not know it", async () => {
    world.fundFault = outage;
    const half = await get<Problem>("/company/NOSUCH");
    expect([half.status, half.body.code]).toEqual([502, "upstream_error"]);
    world.fundFault = null;
    world.profileFault = new UpstreamFailed("yahoo", "down");
    clock.advance(61_000);
    expect((await get<Problem>("/company/NOSUCH")).status).toBe(502);
    world.profileFault = null;
    const { status, body } = await get<Problem>("/company/nosuch");
    expect([status, body.code, body.ticker]).toEqual([404, "unknown_ticker", "nosuch"]);
    expect(body.detail).toBe("No company is known by the ticker nosuch.");
    // Believed for a minute.
    const asked = world.asked.length;
    expect((await get("/company/NOSUCH")).status).toBe(404);
    expect(world.asked.length).toBe(asked);
    clock.advance(61_000);
    world.profiles.NOSUCH = profile({ name: "Born Today Inc." });
    expect((await get("/company/NOSUCH")).body.name).toBe("Born Today Inc.");
  });

  test("without a profile: name, exchange and market value of the quote", async () => {
    world.quotes.ZQD = {
      name: "Zq Delta Inc",
      quote_type: "EQUITY",
      exchange: "ASE",
      exchange_name: "NYSE American",
      currency: "USD",
      market_cap: 7,
      regular_market_time: "2026-09-04T19:59:00Z",
    };
    world.entities["0009000002"] = entity({ cik: "0009000002", name: "Zq Delta", tickers: [] });
    const { body } = await get("/company/ZQD");
    expect(body).toMatchObject({
      name: "Zq Delta",
      exchange: "NYSE American",
      market_cap: 7,
      market_cap_as_of: "2026-09-04T19:59:00Z",
      sector: null,
      share_classes: [],
    });
  });
});

describe("tickers no longer in use", () => {
  test("resolve to the company that had them; without a price they are still served", async () => {
    expect(await app.companies.resolve("ZQX", null)).toMatchObject({
      cik: CIK,
      is_listed: true,
    });
    world.listed = [
      { cik: CIK, ticker: "ZQN", name: "Zqx Corp", exchange: "Nasdaq" },
      world.listed[2] ?? { cik: "", ticker: "", name: "", exchange: null },
    ];
    expect(
      await app.companies.jobs[0]?.run({
        signal: new AbortController().signal,
        scheduledFor: "",
        missed: [],
      }),
    ).toEqual({ rows: 5 });
    expect(await app.companies.resolve("zqx", null)).toEqual({
      cik: CIK,
      name: "Zqx Corp",
      series_id: null,
      is_listed: false,
      is_replaced: false,
      warnings: [],
      predecessor_ciks: [],
    });
    world.profiles = {};
    const { status, body } = await get("/company/ZQX");
    expect([status, body.cik, body.sector]).toEqual([200, CIK, null]);
    // Another company trades under it now: not mixed with the one before.
    world.profiles.ZQX = profile({ name: "Newcomer ETF", quote_type: "ETF" });
    const mixed = await get("/company/ZQX?force_refresh=1");
    expect([mixed.body.name, mixed.body.cik, mixed.body.sic]).toEqual(["Newcomer ETF", null, null]);
    expect(mixed.body.warnings[0]).toContain(CIK);
  });

  test("resolve to unknown only when the lists were read", async () => {
    world.listFault = outage;
    await expect(app.companies.resolve("NOSUCH", null)).rejects.toThrow("not available");
    world.listFault = null;
    clock.advance(61_000);
    await expect(app.companies.resolve("NOSUCH", null)).rejects.toMatchObject({ code: "unknown_ticker" });
    await expect(app.companies.resolve("^GSPC", null)).rejects.toMatchObject({ code: "unknown_ticker" });
    expect(await app.companies.resolve("ZFND", null)).toMatchObject({
      cik: "0009000900",
      series_id: "S000000001",
    });
  });

  test("a list that has shrunk to less than half is not used", async () => {
    await app.companies.resolve("ZQD", null);
    world.listed = world.listed.slice(0, 1);
    const run = app.companies.jobs[0]?.run({
      signal: new AbortController().signal,
      scheduledFor: "",
      missed: [],
    });
    await expect(run).rejects.toThrow("shrunk from 3 lines to 1");
    expect((await app.companies.resolve("ZQD", null)).is_listed).toBe(true);
  });
});
