// The financial routes behind the edge, over hand-made companies whose every figure is known.
import { afterAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { FinancialDataResponse } from "../../src/capabilities/financial/schema.ts";
import { endOfDay } from "../../src/market/calendar.ts";
import { NotConfigured, NotFound, UpstreamFailed, UpstreamTimeout } from "../../src/platform/errors.ts";
import { type FinancialApp, openFinancialApp } from "../support/financial-app.ts";
import { financialWorld, REPORTS } from "../support/financial-companies.ts";

setDefaultTimeout(1_200_000);

type Data = FinancialDataResponse;
interface Problem {
  code: string;
  detail: string;
  ticker?: string;
}
let app: FinancialApp;
beforeEach(async () => {
  await app?.close();
  app = await openFinancialApp({ world: financialWorld() });
});
afterAll(() => app.close());

const data = async (path: string): Promise<Data> => {
  const { status, body } = await app.get<Data>(path);
  expect([status, (body as unknown as Problem).detail]).toEqual([200, undefined as unknown as string]);
  return body;
};
const revenues = (body: Data) =>
  body.income_statement.map((r) => [r.period_end_date, r.fiscal_period, r.revenue, r.accession_number]);

describe("statements", () => {
  test("are as the newest periodic report states them, newest first, with their sources", async () => {
    const body = await data("/data/acme?include_sources=true");
    expect(body).toMatchObject({
      ticker: "acme",
      company: {
        name: "Acme Imaginary Corp",
        cik: "0009100001",
        sector: "Technology",
        market_cap: 1_000_000,
      },
      period_type: "all",
      start_date: "2023-12-31",
      end_date: "2026-09-09",
      currency: "USD",
      vintage: "latest",
      as_of: null,
      data_source: "sec",
      cached: false,
      errors: {},
    });
    expect(revenues(body)).toEqual([
      ["2025-03-31", "Q1", 1_300_000, REPORTS.q1next],
      ["2024-12-31", "FY", 5_000_000, REPORTS.fy2024],
      ["2024-09-30", "Q3", 1_200_000, REPORTS.q3],
      ["2024-06-30", "Q2", 1_100_000, REPORTS.q2],
      ["2024-03-31", "Q1", 1_000_000, REPORTS.q1next],
      ["2023-12-31", "FY", 3_900_000, REPORTS.fy2024],
    ]);
    const year = body.income_statement.find((r) => r.period_end_date === "2024-12-31");
    expect(year).toMatchObject({
      net_income: 500_000,
      eps_diluted: 5,
      research_and_development: null,
      period_months: 12,
      period_type: "annual",
      basis: "reported",
      form: "10-K",
      filed_date: "2025-02-13",
      known_at: "2025-02-13T21:06:00Z",
      fiscal_year: 2024,
    });
    expect(year?.sources?.net_income).toMatchObject({
      tag: "NetIncomeLoss",
      accession_number: REPORTS.fy2024,
      unit: "USD",
    });
    expect(Object.keys(year?.sources ?? {}).sort()).toEqual([
      "cost_of_revenue",
      "eps_diluted",
      "gross_profit",
      "net_income",
      "revenue",
    ]);
    expect(body.cash_flow.map((r) => [r.period_end_date, r.period_months, r.operating_cash_flow])).toEqual([
      ["2025-03-31", 3, 170_000],
      ["2024-12-31", 12, 800_000],
      ["2024-09-30", 9, 520_000],
      ["2024-06-30", 6, 330_000],
      ["2024-03-31", 3, 150_000],
      ["2023-12-31", 12, 700_000],
    ]);
    expect(body.balance_sheet[0]).toMatchObject({
      period_end_date: "2025-03-31",
      total_assets: 9_600_000,
      total_equity: 4_500_000,
      period_months: null,
      inventory: null,
    });
    expect(body.coverage.income_statement).toEqual({
      from: "2023-12-31",
      to: "2025-03-31",
      gaps: [],
      sources: ["xbrl"],
    });
    expect(body.income_statement[0]).not.toHaveProperty("sources.revenue.operands");
  });

  test("without a known acceptance count from the end of their filing day", async () => {
    const seen = async (as_of: string) => revenues(await data(`/data/ACME?as_of=${as_of}`))[0]?.[0];
    expect(await seen("2025-05-01T23:00:00-04:00")).toBe("2024-12-31");
    expect(await seen("2025-05-01")).toBe("2025-03-31");
  });

  test("with as_of show what was on file then, to the second", async () => {
    const before = await data("/data/ACME?as_of=2025-02-13T21:05:59Z");
    expect(revenues(before).map((r) => r[2])).toEqual([1_200_000, 1_100_000, 1_000_000, 4_000_000]);
    expect(before).toMatchObject({ as_of: "2025-02-13T21:05:59Z", end_date: "2025-02-13" });
    expect(before.coverage.income_statement.to).toBe("2024-09-30");
    const after = await data("/data/ACME?as_of=2025-02-13T21:06:00Z");
    expect(revenues(after).map((r) => r[2])).toEqual([5_000_000, 1_200_000, 1_100_000, 1_000_000, 3_900_000]);
    const none = await data("/data/ACME?as_of=2024-02-15T21:05:09Z");
    expect([none.income_statement, none.balance_sheet, none.metrics, none.currency]).toEqual([
      [],
      [],
      [],
      null,
    ]);
  });

  test("never contain a figure that became known after as_of", async () => {
    const moments = Array.from({ length: 60 }, (_, i) =>
      Temporal.Instant.from("2024-01-01T00:00:00Z").add({ hours: i * 223 }),
    );
    for (const at of moments) {
      const body = await data(`/data/ACME?include_sources=1&include_derived=1&as_of=${at}`);
      for (const row of [...body.income_statement, ...body.balance_sheet, ...body.cash_flow]) {
        const known = [row.known_at, ...Object.values(row.sources ?? {}).map((source) => source.known_at)];
        for (const one of known)
          expect(
            Temporal.Instant.compare(Temporal.Instant.from(one ?? "9999-01-01T00:00:00Z"), at),
          ).toBeLessThan(1);
      }
    }
  });

  test("never warn about a report that was filed later", async () => {
    const figures = app.world.filers.get("ACME")?.figures;
    figures?.push(["PaymentsOfDividends", "USD", "2025-01-01", "2025-03-31", -5, REPORTS.q1next]);
    const said = async (query: string) =>
      (await data(`/data/ACME${query}`)).warnings.filter((text) => text.includes("no sum of its statement"));
    expect(await said("")).toEqual([
      `dividends paid to 2025-03-31 is -5 USD in 10-Q ${REPORTS.q1next}, and no sum of its statement proves the sign: it is given as filed, and no ratio is made of it.`,
    ]);
    expect(await said("?as_of=2025-05-01")).toHaveLength(1);
    const { warning_details, warnings } = await data("/data/ACME");
    // A sentence that holds for several periods stands once among the warnings.
    expect([...new Set(warning_details.map(({ detail }) => detail))]).toEqual([...warnings]);
    expect(warning_details.filter(({ code }) => code === "sign_unproven")).toMatchObject([
      { line: "dividends_paid", period_end: "2025-03-31", accession_number: REPORTS.q1next },
    ]);
    expect(await said("?as_of=2025-04-30")).toEqual([]);
  });

  test("first vintage shows figures before their restatement", async () => {
    const body = await data("/data/ACME?vintage=first");
    expect(revenues(body).at(-1)).toEqual(["2023-12-31", "FY", 4_000_000, REPORTS.fy2023]);
    expect(body.vintage).toBe("first");
  });

  test("derived quarters are exact differences marked as such, and served only on request", async () => {
    const plain = await data("/data/ACME?period_type=quarterly");
    expect(plain.cash_flow.some((r) => r.basis === "derived")).toBe(false);
    expect(plain.income_statement.every((r) => r.period_type === "quarterly")).toBe(true);
    const body = await data("/data/ACME?period_type=quarterly&include_derived=true&include_sources=true");
    const derived = body.cash_flow.filter((r) => r.basis === "derived");
    expect(derived.map((r) => [r.period_end_date, r.period_months, r.operating_cash_flow])).toEqual([
      ["2024-12-31", 3, 280_000],
      ["2024-09-30", 3, 190_000],
      ["2024-06-30", 3, 180_000],
    ]);
    const fourth = body.income_statement.find((r) => r.period_end_date === "2024-12-31");
    expect(fourth).toMatchObject({ basis: "derived", revenue: 1_700_000, eps_diluted: null });
    expect(fourth?.sources?.revenue?.operands?.map((o) => o.value)).toEqual([5_000_000, 3_300_000]);
  });

  test("by dates, period and fiscal quarters", async () => {
    const ends = async (body: unknown) => {
      const answer = await app.post<Data>("/data", body);
      expect(answer.status).toBe(200);
      return answer.body.income_statement.map((r) => r.period_end_date);
    };
    expect(await ends({ ticker: "ACME", period: "2y" })).toEqual(["2025-03-31", "2024-12-31", "2024-09-30"]);
    expect(await ends({ ticker: "ACME", start_date: "2024-06-30", end_date: "2024-06-30" })).toEqual([
      "2024-06-30",
    ]);
    expect(await ends({ ticker: "ACME", quarters: ["2024Q2", "2024Q4"] })).toEqual([
      "2024-12-31",
      "2024-06-30",
    ]);
    expect(await ends({ ticker: "ACME", period: "max", period_type: "annual" })).toEqual([
      "2024-12-31",
      "2023-12-31",
    ]);
  });
});

describe("stored figures", () => {
  test("answer without a new request, share one fetch among concurrent requests, and are refreshed by force", async () => {
    const answers = await Promise.all([data("/data/ACME"), data("/data/ACME"), data("/data/acme")]);
    expect(app.world.asked).toEqual(["0009100001"]);
    const again = await data("/data/ACME");
    expect(app.world.asked.length).toBe(1);
    expect(again).toEqual({ ...(answers[0] as Data), cached: true });
    expect((await data("/data/ACME?force_refresh=true")).cached).toBe(false);
    expect(app.world.asked.length).toBe(2);
    const [stored] = await app.lake.query<{ n: number }>("SELECT count(*) AS n FROM financial_facts");
    const [distinct] = await app.lake.query<{ n: number }>(
      "SELECT count(*) AS n FROM (SELECT DISTINCT cik, line, period, accession_number FROM financial_facts)",
    );
    expect(stored?.n).toBe(distinct?.n ?? -1);
  });

  test("are read again once a newer report is indexed, and again while the file lacks it", async () => {
    app.world.unindexed.add(REPORTS.q1next).add(REPORTS.proxy);
    app.world.unread.add(REPORTS.q1next).add(REPORTS.proxy);
    app.clock.set("2025-05-01T20:00:00Z");
    expect(revenues(await data("/data/ACME"))[0]?.[0]).toBe("2024-12-31");
    app.world.unindexed.clear();
    app.clock.set("2025-05-02T04:00:00Z");
    const lagging = await data("/data/ACME");
    expect([lagging.cached, revenues(lagging)[0]?.[0]]).toEqual([false, "2024-12-31"]);
    app.clock.set("2025-05-02T04:05:00Z");
    expect((await data("/data/ACME")).cached).toBe(true);
    app.world.unread.clear();
    app.clock.set("2025-05-02T04:11:00Z");
    expect(revenues(await data("/data/ACME"))[0]?.[0]).toBe("2025-03-31");
    app.clock.set("2025-06-02T04:11:00Z");
    expect((await data("/data/ACME")).cached).toBe(true);
    expect(app.world.asked.length).toBe(3);
  });

  test("are served with a note when the regulator fails", async () => {
    await data("/data/ACME");
    app.world.failIndex = new UpstreamFailed("edgar", "EDGAR is down.");
    const body = await data("/data/ACME");
    expect([body.errors, body.cached, body.income_statement.length]).toEqual([
      { financials: "EDGAR is down." },
      true,
      6,
    ]);
    app.world.failIndex = new NotConfigured("not_configured", "SEC_USER_AGENT is not set.");
    expect((await data("/data/ACME")).income_statement.length).toBe(6);
  });

  test("are served with a warning when the regulator no longer has the file", async () => {
    await data("/data/ACME");
    app.world.filers.get("ACME")?.figures.splice(0);
    const body = await data("/data/ACME?force_refresh=true");
    expect([body.errors, body.income_statement.length]).toEqual([{}, 6]);
    expect(body.warnings).toContain(
      "The SEC no longer has a file of these figures; they are from its last one.",
    );
  });

  test("are in the catalogue: financials(as_of) has each figure of the rows", async () => {
    await data("/data/ACME");
    const rows = await app.lake.query<{ period: string; value: number }>(
      "SELECT period, value FROM financials('2025-02-12') WHERE line = 'revenue' AND period_months IN (3, 12) ORDER BY period",
    );
    expect(rows).toEqual([
      { period: "2023-01-01/2023-12-31", value: 4_000_000 },
      { period: "2024-01-01/2024-03-31", value: 1_000_000 },
      { period: "2024-04-01/2024-06-30", value: 1_100_000 },
      { period: "2024-07-01/2024-09-30", value: 1_200_000 },
    ]);
    const [profit] = await app.lake.query<{ value: number }>(
      "SELECT value FROM financials() WHERE line = 'net_income' AND period = '2024-01-01/2024-12-31'",
    );
    expect(profit?.value).toBe(500_000);
  });
});

describe("failures", () => {
  const down = new UpstreamFailed("edgar", "EDGAR is down.");

  test("the company block is served with nothing stored", async () => {
    app.world.failFacts = down;
    const body = await data("/data/ACME");
    expect(body.company.name).toBe("Acme Imaginary Corp");
    expect([body.income_statement, body.errors]).toEqual([[], { financials: "EDGAR is down." }]);
  });
  test("the statements are served without the company", async () => {
    app.world.failCompany = new UpstreamFailed("yahoo", "The price provider is down.");
    const body = await data("/data/ACME");
    expect(body.company).toMatchObject({ name: null, cik: "0009100001" });
    expect(body.income_statement.length).toBe(6);
    expect(body.warnings.join()).toContain("The price provider is down.");
  });
  test("a company without figures gets an empty answer, and no second request is made", async () => {
    const body = await data("/data/NONE");
    expect([body.income_statement, body.metrics, body.errors]).toEqual([[], [], {}]);
    expect(body.warnings.join()).toMatch(/no machine-readable figures of NONE/);
    expect((await data("/data/NONE")).cached).toBe(true);
  });
  test("an unknown ticker is 404 and named as the client wrote it", async () => {
    const { status, body } = await app.get<Problem>("/data/nosuch");
    expect([status, body.code, body.ticker]).toEqual([404, "unknown_ticker", "nosuch"]);
    expect((await app.post("/data", { ticker: "NOSUCH", period: "1y" })).status).toBe(404);
  });
  test("an outage is never an unknown ticker", async () => {
    app.world.failCompany = new UpstreamFailed("yahoo", "The price provider is down.");
    expect((await app.get<Problem>("/data/NOSUCH")).body.code).toBe("upstream_error");
    app.world.failCompany = null;
    app.world.failResolve = down;
    expect((await app.get<Problem>("/data/NOSUCH")).body.code).toBe("upstream_error");
  });
  test("a missing setting is 503 and names it", async () => {
    app.world.failIndex = new NotConfigured("not_configured", "SEC_USER_AGENT is not set.");
    app.world.failFacts = app.world.failIndex;
    const { status, body } = await app.get<Problem>("/data/ACME");
    expect([status, body.code]).toEqual([503, "not_configured"]);
    expect(body.detail).toContain("SEC_USER_AGENT");
  });
  test("a missing setting is named, also while the other source is down", async () => {
    app.world.failCompany = down;
    app.world.failResolve = new NotConfigured("not_configured", "SEC_USER_AGENT is not set.");
    const { status, body } = await app.get<Problem>("/data/ACME");
    expect([status, body.code, body.detail]).toEqual([503, "not_configured", "SEC_USER_AGENT is not set."]);
  });
  test("with both sources down and nothing stored the request fails", async () => {
    app.world.failCompany = down;
    app.world.failIndex = down;
    app.world.failFacts = down;
    expect((await app.get<Problem>("/data/ACME")).status).toBe(502);
  });
  test("without the list of reports, statements are served as known from the end of their filing days", async () => {
    app.world.failIndex = new NotFound("no_data", "The SEC knows no such filer.");
    const body = await data("/data/ACME");
    expect([body.income_statement.length, body.errors]).toEqual([6, {}]);
    expect(body.warnings.join()).toContain(
      "list of reports could not be read (The SEC knows no such filer.)",
    );
    const [row] = body.income_statement;
    expect(row?.known_at).toBe(
      endOfDay(row?.filed_date ?? "")
        .toString()
        .replace(/(\.\d{3})\d+/, "$1"),
    );
    const again = await data("/data/ACME");
    expect([again.income_statement.length, again.errors, app.world.asked.length]).toEqual([6, {}, 1]);
  });
  test("when the list times out the file of figures is not requested", async () => {
    app.world.failIndex = new UpstreamTimeout("edgar", "EDGAR did not answer in time.");
    const body = await data("/data/ACME");
    expect([body.errors, app.world.asked]).toEqual([{ financials: "EDGAR did not answer in time." }, []]);
  });
  test("a file of another shape stores nothing", async () => {
    app.world.filers
      .get("ACME")
      ?.figures.push([
        "Revenues",
        "USD",
        "2025-04-01",
        "2025-06-30",
        "x" as unknown as number,
        REPORTS.proxy,
      ]);
    const body = await data("/data/ACME");
    const [stored] = await app.lake.query<{ n: number }>("SELECT count(*) AS n FROM financial_facts");
    expect(body.errors.financials === undefined || stored?.n === 0).toBe(true);
  });
});
