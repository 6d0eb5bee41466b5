// The bulk company route, and what the company routes leave behind: vintages in the lake, documentation.
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type CompanyApp, openCompanyApp, type World } from "../support/company-app.ts";
import { type Bulk, CIK, type Info, profile, smallWorld } from "../support/company-world.ts";
import { type FakeClock, fakeClock } from "../support/fake-clock.ts";

setDefaultTimeout(1_200_000);

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

describe("POST /company/bulk", () => {
  test("a result per ticker in order, duplicates once, failures included", async () => {
    const { status, body } = await app.post<Bulk>("/company/bulk", {
      tickers: ["zqx", "NOSUCH", "ZQX", "ZQD"],
    });
    expect(status).toBe(200);
    expect([body.total_requested, body.successful, body.failed]).toEqual([3, 2, 1]);
    expect(body.results.map((r) => [r.ticker, r.success, r.error_code])).toEqual([
      ["zqx", true, null],
      ["NOSUCH", false, "unknown_ticker"],
      ["ZQD", true, null],
    ]);
    expect(body.results[0]?.data).toMatchObject({ ticker: "zqx", cik: CIK, source: "upstream" });
    expect(body.results[1]?.data).toBeNull();
    const again = await app.post<Bulk>("/company/bulk", { tickers: ["ZQX"] });
    expect(again.body.results[0]?.data?.source).toBe("cache");
    world.profiles.ZQX = profile({ market_cap: 9 });
    const forced = await app.post<Bulk>("/company/bulk", { tickers: ["ZQX"], force_refresh: true });
    expect(forced.body.results[0]?.data).toMatchObject({ source: "upstream", market_cap: 9 });
  });

  const many = Array.from({ length: 101 }, (_, i) => `Z${i}`);
  test.each([
    [{}, "missing", ["body", "tickers"]],
    [{ tickers: [] }, "too_short", ["body", "tickers"]],
    [{ tickers: "ZQX" }, "list_type", ["body", "tickers"]],
    [{ tickers: many }, "too_long", ["body", "tickers"]],
    [{ tickers: ["Z Q"] }, "value_error", ["body", "tickers"]],
    [{ tickers: ["ZQX"], force_refresh: "maybe" }, "bool_parsing", ["body", "force_refresh"]],
  ])("bad input %#", async (body, type, loc) => {
    const answer = await app.post<{ detail: { type: string; loc: string[] }[] }>("/company/bulk", body);
    expect([answer.status, answer.body.detail[0]?.type, answer.body.detail[0]?.loc]).toEqual([
      422,
      type,
      loc,
    ]);
    expect(world.asked).toEqual([]);
  });

  test("a hundred is allowed, and a ticker of sixteen characters is not", async () => {
    expect((await app.post<Bulk>("/company/bulk", { tickers: many.slice(0, 100) })).body.failed).toBe(100);
    const long = await get<{ detail: { type: string; loc: string[] }[] }>("/company/ABCDEFGHIJKLMNOP");
    expect([long.status, long.body.detail[0]?.loc]).toEqual([422, ["path", "ticker"]]);
  });
});

test("the lake has one vintage per change", async () => {
  await get("/company/ZQX");
  hours(25);
  await get("/company/ZQX");
  hours(25);
  world.profiles.ZQX = profile({ sector: "Healthcare", market_cap_as_of: "2026-09-06T20:00:00Z" });
  await get("/company/ZQX");
  const rows = await app.lake.query(
    "SELECT symbol, cik, sector, market_cap, former_names, share_classes, known_at FROM companies ORDER BY known_at",
  );
  expect(rows).toEqual([
    {
      symbol: "ZQX",
      cik: CIK,
      sector: "Technology",
      market_cap: 512_000_000_000,
      former_names: '[{"name":"Zed Quux Inc","from":"2001-02-03","to":"2011-04-05"}]',
      share_classes: '["ZQX.B"]',
      known_at: "2026-09-04T21:00:00Z",
    },
    {
      symbol: "ZQX",
      cik: CIK,
      sector: "Healthcare",
      market_cap: 512_000_000_000,
      former_names: '[{"name":"Zed Quux Inc","from":"2001-02-03","to":"2011-04-05"}]',
      share_classes: '["ZQX.B"]',
      known_at: "2026-09-06T23:00:00Z",
    },
  ]);
  const then = await app.lake.query<{ sector: string }>(
    "SELECT sector FROM companies_at(as_of := '2026-09-05')",
  );
  expect(then).toEqual([{ sector: "Technology" }]);
  expect(await app.lake.query("SELECT sector FROM companies_at()")).toEqual([{ sector: "Healthcare" }]);
});

test("the routes document themselves", () => {
  const { paths } = app.openapi();
  const one = paths?.["/api/v1/company/{ticker}"]?.get;
  const bulk = paths?.["/api/v1/company/bulk"]?.post;
  expect(Object.keys(one?.responses ?? {})).toEqual(
    expect.arrayContaining(["200", "404", "422", "429", "500", "502", "503", "504"]),
  );
  expect(Object.keys(bulk?.responses ?? {})).toEqual(
    expect.arrayContaining(["200", "400", "422", "500", "503", "504"]),
  );
  expect(Object.keys(bulk?.responses ?? {})).not.toContain("404");
  expect(JSON.stringify(one)).toContain("market_cap_as_of");
});
