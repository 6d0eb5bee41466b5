// The company routes with the real providers, on the sample market and its regulator.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SampleServer, serveSample } from "../../sample/serve.ts";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { openSqlite } from "../../src/platform/sqlite/sqlite.ts";
import type { Classify, UpstreamPolicy } from "../../src/platform/upstream/policy.ts";
import { createUpstream } from "../../src/platform/upstream/upstream.ts";
import { openVault } from "../../src/platform/vault.ts";
import { classifyEdgar, edgar, edgarPolicy } from "../../src/providers/edgar/index.ts";
import { classifyYahoo, yahoo, yahooPolicy } from "../../src/providers/yahoo/index.ts";
import { captureLog } from "../support/capture-log.ts";
import { type MovableClock, movableClock } from "../support/clock.ts";
import { type CompanyApp, openCompanyApp } from "../support/company-app.ts";
import type { Bulk, Info, Problem } from "../support/company-world.ts";

setDefaultTimeout(1_200_000);

let clock: MovableClock;
let sample: SampleServer;
let app: CompanyApp;
let folder: string;
const store = openSqlite(":memory:");

beforeAll(async () => {
  clock = movableClock("2026-09-09T21:00:00Z");
  sample = await serveSample({ clock });
  folder = await mkdtemp(join(tmpdir(), "asof-company-sample-"));
  const log = captureLog();
  const upstream = (policy: UpstreamPolicy, classify: Classify) =>
    createUpstream(policy, { clock, log, gateway: sample.url, classify });
  const regulator = edgar({
    upstream: upstream(edgarPolicy, classifyEdgar),
    vault: await openVault(join(folder, "vault"), { store, clock }),
    clock,
    userAgent: "Asof tests tests@asof.example",
  });
  const provider = yahoo({
    upstream: upstream(yahooPolicy, classifyYahoo),
    clock,
    calendar: exchangeCalendar(),
    log,
    credentialsPath: join(folder, "session.json"),
  });
  app = await openCompanyApp({ clock, sources: { regulator, profiles: { name: "yahoo", ...provider } } });
});
afterAll(async () => {
  await app.close();
  await sample.stop();
  store.close();
  await rm(folder, { recursive: true, force: true });
});

const info = async (path: string) => {
  const { status, body } = await app.get<Info>(`/company/${path}`);
  expect(status).toBe(200);
  return body;
};

test("a company with a preferred share", async () => {
  const body = await info("ZORP");
  expect(body).toMatchObject({
    name: "Zorp Dynamics Inc.",
    exchange: "Nasdaq",
    currency: "USD",
    market_cap_currency: "USD",
    fiscal_year_end: "12-31",
    is_etf: false,
    ipo_date: null,
    share_classes: [{ ticker: "ZORP.PRA", exchange: "NYSE" }],
    source: "upstream",
    warnings: [],
    website: "https://www.zorp.example",
  });
  expect(body.cik).toMatch(/^00090\d{5}$/);
  expect(body.sic).toMatch(/^\d{3,4}$/);
  expect(body.market_cap).toBeGreaterThan(1e9);
  expect(body.market_cap_as_of).toStartWith("2026-09-09T20:00:0");
  expect(body.sector).toBeString();
  expect((await info("ZORP-PA")).cik).toBe(body.cik);
});

test("share classes in any spelling, a former name, a fund of a trust, a predecessor", async () => {
  const b = await info("quib-b");
  expect([b.ticker, b.name]).toEqual(["quib-b", "QUIBBLE HOLDINGS INC"]);
  expect(b.share_classes).toEqual([{ ticker: "QUIB", exchange: "NYSE" }]);
  expect((await info("QUIB%2FB")).source).toBe("cache");
  expect((await info("NEWZQ")).former_names).toEqual([
    expect.objectContaining({ name: "Oldzq Holdings", to: "2025-05-02" }),
  ]);
  const fund = await info("ZTEKF");
  expect(fund).toMatchObject({
    name: "Sample Technology ETF",
    is_etf: true,
    sector: null,
    exchange: "NYSE Arca",
  });
  expect(fund.series_id).toMatch(/^S\d{9}$/);
  expect(await app.companies.resolve("ZTEKF", null)).toMatchObject({
    cik: fund.cik,
    series_id: fund.series_id,
  });
});

test("placeholders: one filled at the second request, one at the third", async () => {
  expect((await info("CRUMQ")).sector).toBe("Consumer Defensive");
  const late = await info("PLONQ");
  expect([late.sector, late.industry, late.source]).toEqual([null, null, "upstream"]);
  const filled = await info("PLONQ?force_refresh=true");
  expect([filled.sector, filled.industry]).toEqual(["Consumer Defensive", "Beverages - Non-Alcoholic"]);
  expect(await info("VROOQ")).toMatchObject({ employees: null, website: null });
});

test("tickers that upstream no longer knows or never knew are unknown", async () => {
  for (const ticker of ["NOSUCH", "GLUMP", "HUSQ"]) {
    const { status, body } = await app.get<Problem>(`/company/${ticker}`);
    expect([ticker, status, body.code]).toEqual([ticker, 404, "unknown_ticker"]);
  }
});

test("a blocked regulator leaves the price provider's fields, a broken provider the regulator's", async () => {
  sample.dials.set([{ fault: "status", status: 503, match: "data.sec.gov/submissions" }]);
  const half = await info("SNARV");
  expect([half.sic, half.fiscal_year_end, half.exchange]).toEqual([null, null, "Nasdaq"]);
  expect(half.cik).toMatch(/^\d{10}$/);
  expect(half.sector).toBe("Industrials");
  expect(half.warnings.length).toBe(1);
  sample.dials.clear();
  sample.dials.set([{ fault: "wrong_shape", match: "quoteSummary" }]);
  const other = await info("KRONK");
  expect([other.fiscal_year_end, other.sector, other.market_cap]).toEqual(["09-30", null, null]);
  expect(other.warnings[0]).toContain("yahoo changed the shape");
  sample.dials.clear();
});

test("bulk", async () => {
  const { body } = await app.post<Bulk>("/company/bulk", { tickers: ["ZORP", "FIZZQ", "NOSUCH", "SMPLF"] });
  expect(body.results.map((r) => [r.ticker, r.data?.source ?? r.error_code])).toEqual([
    ["ZORP", "cache"],
    ["FIZZQ", "upstream"],
    ["NOSUCH", "unknown_ticker"],
    ["SMPLF", "upstream"],
  ]);
  const rows = await app.lake.query<{ symbol: string }>("SELECT symbol FROM companies_at() ORDER BY symbol");
  expect(rows.map((r) => r.symbol)).toContain("FIZZQ");
});
