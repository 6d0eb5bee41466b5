// The financial routes of the whole service, on the sample market and its regulator.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { FinancialDataResponse } from "../../src/capabilities/financial/schema.ts";
import { newYorkDate } from "../../src/market/calendar.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

let service: SampleService;
beforeAll(async () => {
  service = await openSampleService({ env: { SEC_USER_AGENT: "Asof tests tests@asof.example" } });
});
afterAll(() => service.stop());

const P = "/api/v1/financial/data";
const data = async (path: string) => {
  const { status, body } = await service.get<FinancialDataResponse>(`${P}/${path}`);
  expect([status, path]).toEqual([200, path]);
  return body;
};
const yearTo = (body: FinancialDataResponse, end: string) =>
  body.income_statement.find((r) => r.period_end_date === end && r.period_months === 12);
const M = 1_000_000;

test("a company with a split: figures on the basis of each report", async () => {
  const body = await data("ZORP?include_sources=1");
  expect(body.company).toMatchObject({ name: "Zorp Dynamics Inc.", cik: "0009079327" });
  expect(body.errors).toEqual({});
  expect(yearTo(body, "2025-12-31")).toMatchObject({
    revenue: 271_206 * M,
    net_income: 69_221 * M,
    fiscal_period: "FY",
  });
  const second = body.income_statement.find(
    (r) => r.period_end_date === "2025-06-30" && r.period_months === 3,
  );
  expect(second).toMatchObject({ eps_diluted: 1.13, weighted_average_shares_diluted: 14_490_952_000 });
  // Rows of one series lie on both sides of the split of June 2026, and each says so.
  expect(second?.split_basis).toBe(second?.filed_date ?? "");
  expect((second?.split_basis ?? "") > "2026-06-09").toBe(true);
  const then = await data("ZORP?as_of=2026-01-15");
  expect(body.company.market_cap).toBeGreaterThan(0);
  expect([then.company.market_cap, then.company.employees]).toEqual([null, null]);
  expect(
    then.income_statement.find((r) => r.period_end_date === "2025-06-30" && r.period_months === 3),
  ).toMatchObject({
    eps_diluted: 4.52,
    net_income: 16_363 * M,
    split_basis: expect.stringMatching(/^2025-/),
  });
  expect(new Set(body.cash_flow.map((r) => r.split_basis))).toEqual(new Set([null]));
  expect(
    body.cash_flow.filter((r) => r.fiscal_year === 2025).map((r) => (r.operating_cash_flow ?? 0) / M),
  ).toEqual([76_048, 53_696, 36_155, 19_067]);
  expect(body.balance_sheet.find((r) => r.period_end_date === "2025-12-31")).toMatchObject({
    total_assets: 170_195 * M,
    total_liabilities: 31_627 * M,
    total_equity: 138_568 * M,
  });
});

test("adjusted=true scales to today's basis, to that of as_of under as_of, and never by default", async () => {
  const quarter = (body: FinancialDataResponse) =>
    body.income_statement.find((r) => r.period_end_date === "2025-06-30" && r.period_months === 3);
  const span = "start_date=2020-01-01&end_date=2026-09-01";
  const first = await data(`ZORP?vintage=first&include_sources=1&${span}`);
  expect(quarter(first)).toMatchObject({
    eps_diluted: 4.52,
    weighted_average_shares_diluted: 14_490_952_000 / 4,
    split_basis: expect.stringMatching(/^2025-/),
  });
  const adjusted = await data(`ZORP?vintage=first&adjusted=true&include_sources=1&${span}`);
  const today = newYorkDate(service.clock.now());
  expect(quarter(adjusted)).toMatchObject({
    eps_diluted: 1.13,
    weighted_average_shares_diluted: 14_490_952_000,
    net_income: 16_363 * M,
    split_basis: today,
    sources: { eps_diluted: { split_factor: 4, split_basis: quarter(first)?.split_basis } },
  });
  expect(adjusted.warnings.filter((text) => text.includes("cannot be adjusted"))).toEqual([]);
  expect(adjusted.metrics).toEqual(first.metrics);
  expect(new Set(adjusted.income_statement.map((row) => row.split_basis))).toEqual(new Set([today]));
  // Before the split nothing is scaled: it was not known.
  const then = await data("ZORP?vintage=first&adjusted=true&as_of=2026-01-15");
  expect(quarter(then)).toMatchObject({ eps_diluted: 4.52, split_basis: "2026-01-15" });
  const options = { vintage: "first", adjusted: true, quarters: ["2025Q2"] };
  const { body } = await service.post<FinancialDataResponse>(P, { ticker: "ZORP", ...options });
  expect(quarter(body)?.eps_diluted).toBe(1.13);
  const bulk = await service.post<{ data: Record<string, FinancialDataResponse> }>(`${P}/bulk`, {
    tickers: ["ZORP"],
    ...options,
  });
  expect(JSON.stringify(bulk.body)).toContain('"eps_diluted":1.13');
  const rows = await service.fetch(`${P}/ZORP?vintage=first&adjusted=true&format=ndjson`);
  const eps = (await rows.text())
    .trimEnd()
    .split("\n")
    .map((text) => JSON.parse(text) as Record<string, unknown>)
    .find(
      (row) =>
        row.line === "eps_diluted" &&
        row.accession_number === quarter(first)?.accession_number &&
        row.period_months === 3,
    );
  expect(eps).toMatchObject({ value: 1.13, split_basis: today, split_factor: 4 });
});

test("a fresh service has the closes of its ratios fetched, stores them, and asks for them once", async () => {
  const years = (query: string) => data(`KLUNQ?period_type=annual&${query}`);
  const charts = () =>
    service.sample.traffic().requests.filter(({ url }) => url.includes("/chart/KLUNQ")).length;
  const first = await years("period=2y");
  // One request for the bars and the actions since then.
  expect([first.errors, charts()]).toEqual([{}, 1]);
  const [year] = first.income_statement;
  const [metric] = first.metrics ?? [];
  const reported = (await years("vintage=first&include_metrics=false")).income_statement;
  const known = reported.find((row) => row.period_end_date === year?.period_end_date)?.known_at ?? "";
  const day = newYorkDate(Temporal.Instant.from(known));
  const { body } = await service.get<{ data: { close: number }[] }>(
    `/api/v1/price/data/KLUNQ?start_date=${day}&end_date=${day}`,
  );
  expect(metric?.pe_ratio).toBe((body.data[0]?.close ?? 0) / (year?.eps_diluted ?? 0));
  expect(metric?.null_reasons).toEqual({ ev_to_ebitda: "debt is null." });
  service.sample.resetTraffic();
  expect((await years("period=2y")).metrics).toEqual(first.metrics);
  expect(charts()).toBe(0);
});

test("a retailer's years have the names it gives them, and are asked for by those", async () => {
  const years = (await data("HOOZ?period_type=annual&start_date=2023-01-01&end_date=2026-03-01"))
    .income_statement;
  expect(years.map((row) => [row.period_end_date, row.fiscal_year, row.label_source])).toEqual([
    ["2026-01-31", 2025, "filings"],
    ["2025-02-01", 2024, "filings"],
    ["2024-02-03", 2023, "filings"],
    ["2023-01-28", 2022, "filings"],
  ]);
  const { body } = await service.post<FinancialDataResponse>(P, {
    ticker: "HOOZ",
    quarters: ["2025Q4", "2026Q1"],
  });
  expect(body.income_statement.map((row) => [row.period_end_date, row.fiscal_period])).toEqual([
    ["2026-05-02", "Q1"],
    ["2026-01-31", "FY"],
  ]);
});

test("a restatement is visible from the second it became known", async () => {
  service.clock.set("2026-09-10T21:00:00Z");
  const year = async (query: string) => yearTo(await data(`NURBL?${query}`), "2024-12-31")?.revenue;
  expect(await year("")).toBe(49_693 * M);
  expect(await year("vintage=first")).toBe(50_481 * M);
  expect(await year("as_of=2025-12-04T21:30:59Z")).toBe(50_481 * M);
  expect(await year("as_of=2025-12-04T21:31:00Z")).toBe(49_693 * M);
});

test("serves a foreign filer in its own currency, a bank, a late filer and a typing error", async () => {
  const foreign = await data("RUMBQ");
  expect([foreign.currency, yearTo(foreign, "2025-12-31")?.revenue]).toEqual(["EUR", 66_580 * M]);
  const bank = await data("GIBBL");
  expect(yearTo(bank, "2025-12-31")).toMatchObject({ revenue: 72_835 * M, cost_of_revenue: null });
  const late = async (at: string) => yearTo(await data(`VROOQ?as_of=${at}`), "2024-12-31")?.net_income;
  // The list allows two moments for this report; until the filing's own page is read, the end of the day
  // counts.
  expect(await late("2025-05-15")).toBe(-1_523_585_000);
  expect(await late("2025-05-15T21:24:59Z")).toBeUndefined();
  await service.get("/api/v1/filings/search?ticker=VROOQ&form_type=10-K&force_refresh=true");
  expect(await late("2025-05-15T21:24:59Z")).toBeUndefined();
  expect(await late("2025-05-15T21:25:00Z")).toBe(-1_523_585_000);
  const typo = await data("JUMBL");
  expect(typo.balance_sheet.find((r) => r.period_end_date === "2023-12-31")?.total_assets).toBe(54_857 * M);
});

test("schedules of the 1990s, and nothing between them and XBRL", async () => {
  const body = await data("ZIGZQ");
  expect(body.coverage.income_statement).toMatchObject({ from: "1996-12-31", sources: ["ex27", "xbrl"] });
  expect(body.coverage.income_statement.gaps[0]?.after).toBe("2000-09-30");
  const nine = body.income_statement.find((r) => r.period_end_date === "1997-09-30");
  expect(nine).toMatchObject({
    revenue: 32_069 * M,
    net_income: 3_285 * M,
    source: "ex27",
    period_months: 9,
  });
});

test("a predecessor's figures belong to the company's history, each once", async () => {
  const body = await data("TRELB");
  const ends = body.income_statement.map((r) => `${r.period_end_date} ${r.period_months}`);
  expect(new Set(ends).size).toBe(ends.length);
  expect(yearTo(body, "2020-12-31")?.net_income).toBe(6_960 * M);
});

test("no figure was accepted after as_of, and the newest period known then is included", async () => {
  // GRID=whole takes every company and moment, as `endure` does.
  const whole = process.env.GRID === "whole";
  for (const ticker of [
    "ZORP",
    "LOOFQ",
    ...(whole ? ["NURBL", "VROOQ", "HOOZ", "KLUNQ", "TRELB", "MUMBQ"] : []),
  ]) {
    const all = await data(`${ticker}?vintage=first`);
    for (let i = 0; i < 12; i += whole ? 1 : 3) {
      const at = Temporal.Instant.from("2012-01-01T00:00:00Z").add({ hours: 10_007 * i });
      const newest = all.income_statement.find(
        (r) => r.known_at !== null && Temporal.Instant.compare(Temporal.Instant.from(r.known_at), at) <= 0,
      );
      const asked = `${ticker}?include_sources=1&include_derived=1&as_of=${at}`;
      // A company that had filed nothing by then had no ticker either.
      if (!newest && (await service.get(`${P}/${asked}`)).status === 404) continue;
      const body = await data(asked);
      for (const row of [...body.income_statement, ...body.balance_sheet, ...body.cash_flow])
        for (const known of [row.known_at, ...Object.values(row.sources ?? {}).map((s) => s.known_at)])
          if (known === null || Temporal.Instant.compare(Temporal.Instant.from(known), at) > 0)
            throw new Error(
              `${ticker} at ${at}: ${row.period_end_date} of ${row.accession_number} is of ${known}`,
            );
      expect([ticker, `${at}`, body.income_statement[0]?.period_end_date]).toEqual([
        ticker,
        `${at}`,
        newest?.period_end_date,
      ]);
    }
  }
});

test("many at once; stored companies cause no request", async () => {
  const tickers = ["ZORP", "HOOZ", "PUDGQ", "NOSUCH", "ZUBB"];
  const { body } = await service.post<{
    results: { success: boolean; data: FinancialDataResponse | null }[];
  }>(`${P}/bulk`, { tickers, quarters: ["2025Q4"], period_type: "annual" });
  expect(body.results.map((r) => r.success)).toEqual([true, true, true, false, true]);
  expect(body.results[0]?.data?.income_statement.map((r) => r.period_end_date)).toEqual(["2025-12-31"]);
  service.sample.resetTraffic();
  expect((await data("PUDGQ")).cached).toBe(true);
  expect(service.sample.traffic().requests.filter((r) => r.url.includes("companyfacts"))).toEqual([]);
});

test("trailing twelve months: every shape of the route, with receipts that add up", async () => {
  const body = await data("ZORP?period_type=ttm&include_sources=1&start_date=2025-12-01&end_date=2026-06-30");
  expect(body.period_type).toBe("ttm");
  const rows = body.income_statement.map((row) => [row.period_end_date, row.basis, row.period_months]);
  expect(rows).toEqual([
    ["2026-06-30", "derived", 12],
    ["2026-03-31", "derived", 12],
    ["2025-12-31", "reported", 12],
  ]);
  expect(body.balance_sheet.map((row) => row.period_end_date)).toEqual(rows.map(([end]) => end as string));
  const [newest] = body.income_statement;
  const { operation, operands = [] } = newest?.sources?.revenue ?? {};
  expect(operation).toBe("signed_sum");
  expect(operands.map(({ sign }) => sign)).toEqual([1, -1, 1]);
  expect(operands.reduce((sum, { value, sign }) => sum + value * (sign ?? 0), 0)).toBe(newest?.revenue ?? 0);
  expect(newest).toMatchObject({ eps_diluted: null, weighted_average_shares_diluted: null });
  expect(body.warning_details.map(({ code, period_end }) => [code, period_end])).toContainEqual([
    "trailing_per_share",
    "2026-06-30",
  ]);
  const [metric] = body.metrics ?? [];
  expect(metric).toMatchObject({ period_end_date: "2026-06-30", period_months: 12, pe_ratio: null });
  expect(metric?.ps_ratio).toBeGreaterThan(0);
  expect(metric?.free_cash_flow).toBe(
    (body.cash_flow[0]?.operating_cash_flow ?? 0) - (body.cash_flow[0]?.capital_expenditure ?? 0),
  );
  const posted = { ticker: "ZORP", period_type: "ttm", quarters: ["2026Q1"], include_metrics: false };
  const quarter = await service.post<FinancialDataResponse>(P, posted);
  expect(quarter.body.income_statement.map((row) => [row.fiscal_period, row.period_start_date])).toEqual([
    ["Q1", "2025-04-01"],
  ]);
  const csv = await service.fetch(
    `${P}/ZORP?period_type=ttm&start_date=2026-06-30&end_date=2026-06-30&format=csv`,
  );
  expect(await csv.text()).toMatch(
    /,income_statement,revenue,.*,ttm,2025-07-01,2026-06-30,12,derived,.*"\[\{""value/,
  );
});
