// Depreciation that may be a line of the income statement alone: what the report's own statement shows
// decides.
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { FinancialDataResponse } from "../../src/capabilities/financial/schema.ts";
import { NotFound, UpstreamFailed, UpstreamMisread } from "../../src/platform/errors.ts";
import { type FinancialApp, openFinancialApp } from "../support/financial-app.ts";
import { UTILITY, utilityWorld } from "../support/financial-utility.ts";
import type { FinancialWorld } from "../support/financial-world.ts";

setDefaultTimeout(1_200_000);

type Data = FinancialDataResponse;
const { cik: CIK, line: LINE, total: TOTAL, first: FIRST, last: LAST, accessionOf } = UTILITY;

let world: FinancialWorld;
let app: FinancialApp;
beforeEach(async () => {
  world = utilityWorld();
  app = await openFinancialApp({ world });
});
afterEach(() => app.close());

const get = async (query = "") => (await app.get<Data>(`/data/UTIL?include_metrics=false${query}`)).body;
const SPAN = "&start_date=2023-01-01&end_date=2025-06-30";
const given = ({ cash_flow }: Data) => cash_flow.map((row) => row.depreciation_amortization);
const codes = ({ warning_details }: Data) =>
  warning_details.filter(({ line }) => line === "depreciation_amortization").map(({ code }) => code);

describe("what the report's statement shows", () => {
  test("a line of the cash flow statement is served without a word, and read once", async () => {
    const body = await get(`${SPAN}&include_sources=true`);
    expect(given(body)).toEqual([2024, 2023]);
    expect(body.cash_flow[0]?.sources?.depreciation_amortization).toMatchObject({
      tag: "DepreciationAndAmortization",
      accession_number: accessionOf(2024),
    });
    expect(codes(body)).toEqual([]);
    expect(world.presentationsAsked).toEqual([accessionOf(2024), accessionOf(2023)]);
    expect(given(await get(SPAN))).toEqual([2024, 2023]);
    expect(world.presentationsAsked).toHaveLength(2);
  });

  test("under another tag it is null, and a warning says which figure is withheld", async () => {
    world.cashFlowElements = async (accession) =>
      accession === accessionOf(2023) ? ["util_DepreciationOfPlant", TOTAL] : [LINE, TOTAL];
    const body = await get(SPAN);
    expect(given(body)).toEqual([2024, null]);
    expect(codes(body)).toEqual(["line_has_other_tag"]);
    expect(body.warnings).toContain(
      `depreciation amortization to 2023-12-31 is 2023 USD in 10-K ${accessionOf(2023)}, which is no line of its cash flow statement: that has another tag, such as one of the filer's own: null is given.`,
    );
    // The income statement and what is computed from other lines stay as they are.
    expect(body.income_statement.map((row) => row.operating_income)).toEqual([300, 300]);
  });

  test("null where the regulator shows no statement; force_refresh asks again", async () => {
    world.cashFlowElements = async () => null;
    const body = await get(SPAN);
    expect(given(body)).toEqual([null, null]);
    expect(codes(body)).toEqual(["presentation_none", "presentation_none"]);
    await get(SPAN);
    expect(world.presentationsAsked).toHaveLength(2);
    world.cashFlowElements = async () => [LINE, TOTAL];
    expect(given(await get(`${SPAN}&force_refresh=true`))).toEqual([2024, 2023]);
    const readings = "SELECT reading, tags IS NULL AS is_none FROM presented_statements ORDER BY ALL";
    expect(await app.lake.query(readings)).toEqual([
      { reading: 1, is_none: true },
      { reading: 1, is_none: true },
      { reading: 2, is_none: false },
      { reading: 2, is_none: false },
    ]);
  });

  test("a report of today without a rendered statement is asked for again after ten minutes", async () => {
    app.clock.set("2025-02-20T22:00:00Z");
    const today = "&start_date=2024-01-01&end_date=2025-02-20";
    world.cashFlowElements = async () => null;
    expect(codes(await get(today))).toEqual(["presentation_none"]);
    app.clock.set("2025-02-20T22:09:00Z");
    await get(today);
    expect(world.presentationsAsked).toHaveLength(1);
    world.cashFlowElements = async () => [LINE, TOTAL];
    app.clock.set("2025-02-20T22:11:00Z");
    expect(given(await get(today))).toEqual([2024]);
  });

  test("an outage is no absence: statements are answered, and asked for again", async () => {
    world.cashFlowElements = async (accession) => {
      if (accession === accessionOf(2024)) return [LINE, TOTAL];
      throw new UpstreamFailed("edgar", "EDGAR is not available (503)");
    };
    const body = await get("&start_date=2018-01-01&end_date=2026-12-31");
    expect(given(body)).toEqual([2024, null, null, null, null, null, null]);
    expect(new Set(codes(body))).toEqual(new Set(["presentation_unavailable"]));
    expect(body.warnings.join()).toContain("EDGAR is not available (503)");
    // The other reports would have met the same outage.
    expect(world.presentationsAsked.length).toBeLessThanOrEqual(5);
    world.cashFlowElements = async () => [LINE, TOTAL];
    expect(given(await get("&start_date=2018-01-01&end_date=2026-12-31"))).toEqual([
      2024, 2023, 2022, 2021, 2020, 2019, 2018,
    ]);
    expect(world.presentationsAsked.filter((one) => one === accessionOf(2024))).toHaveLength(1);
  });

  test("one page that cannot be read keeps no other from being read", async () => {
    world.cashFlowElements = async (accession) => {
      if (accession !== accessionOf(2024)) return [LINE, TOTAL];
      throw new UpstreamMisread("edgar", "EDGAR's rendered statement: the page is cut off");
    };
    const body = await get(SPAN);
    expect(given(body)).toEqual([null, 2023]);
    expect(codes(body)).toEqual(["presentation_unavailable"]);
  });

  test("an error of ours is no outage", async () => {
    world.cashFlowElements = async () => {
      throw new NotFound("no_data", "not thrown by the provider");
    };
    expect((await app.get(`/data/UTIL?include_metrics=false${SPAN}`)).status).toBe(404);
  });
});

describe("a company with many such reports", () => {
  test("the newest for some seconds, the others in the background, and a warning counts them", async () => {
    world.cashFlowElements = async () => {
      app.clock.set(app.clock.now().add({ seconds: 1 }).toString());
      return [LINE, TOTAL];
    };
    const first = await get();
    const count = LAST - FIRST + 1;
    const shown = given(first).filter((value) => value !== null);
    expect(shown.length).toBeGreaterThanOrEqual(5);
    expect(shown.length).toBeLessThan(count);
    expect(shown).toEqual(shown.map((_, nth) => LAST - nth));
    const left = count - shown.length;
    expect(codes(first)).toEqual(Array(left).fill("presentation_not_read"));
    expect(first.warnings).toContain(
      `The cash flow statements that ${left} reports present are not read yet, and figures that need them are null. They are read in the background: ask again later.`,
    );
    await app.capability.idle();
    const whole = await get();
    expect(given(whole)).toEqual(Array.from({ length: count }, (_, nth) => LAST - nth));
    expect(codes(whole)).toEqual([]);
    expect(new Set(world.presentationsAsked).size).toBe(world.presentationsAsked.length);
  });

  test("an outage in the background leaves the rest to the next request", async () => {
    let isDown = false;
    world.cashFlowElements = async () => {
      if (isDown) throw new UpstreamFailed("edgar", "EDGAR is not available (503)");
      app.clock.set(app.clock.now().add({ seconds: 2 }).toString());
      return [LINE, TOTAL];
    };
    const asked = get();
    await asked;
    isDown = true;
    await app.capability.idle();
    isDown = false;
    const before = world.presentationsAsked.length;
    for (let tries = 0; tries < 10 && given(await get()).includes(null); tries++) await app.capability.idle();
    expect(given(await get())).toEqual(Array.from({ length: LAST - FIRST + 1 }, (_, nth) => LAST - nth));
    expect(before).toBeLessThanOrEqual(LAST - FIRST + 3);
  });

  test("stopping half-way keeps what was read", async () => {
    world.cashFlowElements = async () => {
      app.clock.set(app.clock.now().add({ seconds: 1 }).toString());
      return [LINE, TOTAL];
    };
    await get();
    await app.capability.stop();
    const stored = await app.lake.query<{ n: number }>(
      "SELECT count(*)::INTEGER AS n FROM presented_statements",
    );
    expect(stored[0]?.n).toBe(world.presentationsAsked.length);
  });

  test("nothing is asked for periods outside the span, and under as_of for later reports", async () => {
    await get("&end_date=2012-06-30&start_date=2011-06-30");
    expect(world.presentationsAsked).toEqual([accessionOf(2011)]);
    const body = await get("&as_of=2012-06-30");
    expect(given(body)).toEqual([2011, 2010]);
    expect(world.presentationsAsked).toEqual([accessionOf(2011), accessionOf(2010)]);
  });
});

test("SQL gives the figure once its statement shows it", async () => {
  const lines = `SELECT year(period_end) AS year, value FROM financials() WHERE cik = '${CIK}' AND line = 'depreciation_amortization' ORDER BY 1`;
  world.cashFlowElements = async () => null;
  await get();
  expect(await app.lake.query(lines)).toEqual([]);
  world.cashFlowElements = async (accession) =>
    accession === accessionOf(2024) ? [TOTAL, LINE] : [`${LINE}Other`, TOTAL];
  await get("&force_refresh=true");
  expect(await app.lake.query<{ value: number }>(lines)).toMatchObject([{ value: 2024 }]);
  const flags = "SELECT DISTINCT flags FROM financial_facts WHERE line = 'depreciation_amortization'";
  expect(await app.lake.query<{ flags: string }>(flags)).toEqual([{ flags: "unproven_statement" }]);
});
