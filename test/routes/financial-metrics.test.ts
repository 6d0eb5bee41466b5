// Metrics of the financial routes, over hand-made companies and prices.
import { afterAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { FinancialDataResponse } from "../../src/capabilities/financial/schema.ts";
import { barsDaily, corporateActions } from "../../src/datasets/index.ts";
import { actions_checked } from "../../src/datasets/tables.ts";
import { UpstreamFailed } from "../../src/platform/errors.ts";
import { batchOf } from "../../src/platform/lake/lake.ts";
import { type FinancialApp, openFinancialApp } from "../support/financial-app.ts";
import { financialWorld } from "../support/financial-companies.ts";

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

describe("metrics", () => {
  test("are computed from the rows, as fractions, and left out on request", async () => {
    const body = await data("/data/ACME");
    const year = body.metrics?.find((m) => m.period_end_date === "2024-12-31");
    expect(year).toMatchObject({
      gross_margin: 0.5,
      net_margin: 0.1,
      free_cash_flow: 550_000,
      fcf_margin: 0.11,
    });
    expect(year?.revenue_growth_yoy).toBeCloseTo(5 / 3.9 - 1, 12);
    expect(year?.debt_to_equity).toBeNull();
    expect(year?.pe_ratio).toBeNull();
    expect((await data("/data/ACME?include_metrics=false")).metrics).toBeNull();
  });

  const REASON = "No close of ACME from the day on which the period became known, or the 7 days before,";
  const yearOf = (body: Data) => body.metrics?.find((m) => m.period_end_date === "2024-12-31");

  const bars = async (symbol: string, rows: readonly (readonly [string, number])[], currency = "USD") => {
    await app.lake.append([
      batchOf(
        barsDaily,
        rows.map(([date, close]) => ({
          symbol,
          date,
          open: null,
          high: null,
          low: null,
          close,
          volume: null,
          adj_close: null,
          currency,
          basis_date: "2025-06-30",
          known_at: "2025-06-30T22:00:00Z",
          source: "made",
        })),
      ),
    ]);
    app.sqlite.write((db) =>
      db
        .insert(actions_checked)
        .values({ symbol, through_date: "2025-06-30", checked_at: "2025-06-30T22:00:00.000Z" })
        .run(),
    );
  };
  const pe = async (path: string) => {
    const body = await data(path);
    return body.metrics?.find((m) => m.period_end_date === "2024-12-31")?.pe_ratio;
  };

  test("with a price use the stored close of the day the year became known", async () => {
    await bars("ACME", [
      ["2024-12-31", 70],
      ["2025-02-12", 90],
      ["2025-02-13", 100],
      ["2025-02-14", 120],
    ]);
    expect(await pe("/data/ACME")).toBe(20);
    // Those bars were fetched in June, so the service did not know them in March.
    expect(await pe("/data/ACME?as_of=2025-03-01")).toBeNull();
    expect(await pe("/data/ACME?as_of=2025-07-01")).toBe(20);
  });

  test("with a price have their closes asked for where they are not stored, and not again", async () => {
    app.world.onFill = async () => {
      await bars("ACME", [
        ["2024-02-15", 80],
        ["2025-02-13", 100],
      ]);
      return null;
    };
    const first = await data("/data/ACME?period_type=annual&start_date=2024-12-31&end_date=2024-12-31");
    expect([yearOf(first)?.pe_ratio, first.errors, first.warnings]).toEqual([20, {}, []]);
    // Only the day of the requested period: the span leaves the other ones out.
    expect(app.world.closesAsked).toEqual([["ACME", ["2025-02-13"]]]);
    expect(await pe("/data/ACME?period_type=annual")).toBe(20);
    expect(await pe("/data/ACME?include_metrics=false")).toBeUndefined();
    expect(app.world.closesAsked).toHaveLength(1);
    // Under as_of the closes that were fetched later do not count; the price history has nothing to add.
    app.world.onFill = async () => null;
    const past = await data("/data/ACME?as_of=2025-03-01");
    expect(yearOf(past)).toMatchObject({
      pe_ratio: null,
      null_reasons: { pe_ratio: `${REASON} was known at as_of.` },
    });
    expect(past.warnings).toContain(`Ratios with a price are null: ${REASON} was known at as_of.`);
  });

  test("with a price say why they are null, and the statements are served", async () => {
    app.world.onFill = async () => new UpstreamFailed("yahoo", "The price provider is down.");
    const down = await data("/data/ACME");
    expect(down.errors).toEqual({ price: "The price provider is down." });
    expect(revenues(down)).toHaveLength(6);
    expect(yearOf(down)).toMatchObject({
      net_margin: 0.1,
      null_reasons: { pe_ratio: `${REASON} is stored.` },
    });
    // The warning stands once among the sentences, and once for each period among the objects.
    const detail = `Ratios with a price are null: ${REASON} is stored.`;
    const years = down.metrics?.filter(
      ({ null_reasons }) => null_reasons.pe_ratio === `${REASON} is stored.`,
    );
    expect(down.warnings.filter((warning) => warning === detail)).toHaveLength(1);
    const said = down.warning_details.filter((one) => one.detail === detail);
    expect(said.map(({ code, period_end }) => [code, period_end])).toEqual(
      expect.arrayContaining((years ?? []).map((year) => ["price_ratios_null", year.period_end_date])),
    );
    expect(new Set(said.map(({ period_end }) => period_end)).size).toBe(said.length);
    expect(said.every(({ period_end }) => period_end !== null)).toBe(true);
  });

  test("with a price have a time of their own: a provider that does not answer ends it, not the request", async () => {
    const slow = await openFinancialApp({ world: financialWorld(), priceMsMax: 5 });
    const ended: unknown[] = [];
    slow.world.onFill = (_symbol, _dates, signal) =>
      new Promise(() => signal.addEventListener("abort", () => ended.push(signal.reason)));
    const { status, body } = await slow.post<{ results: { data: Data }[] }>("/data/bulk", {
      tickers: ["ACME", "ACME.X", "ACME"],
      period: "max",
    });
    expect(status).toBe(200);
    const answer = body.results[0]?.data;
    expect(answer?.errors.price).toMatch(/prices did not arrive in the time/);
    expect([answer?.income_statement.length, ended.length]).toEqual([6, 1]);
    await slow.close();
  });

  test("with a price undo splits after the report", async () => {
    await bars("ACME", [["2025-02-13", 25]]);
    await app.lake.append([
      batchOf(corporateActions, [
        {
          symbol: "ACME",
          ex_date: "2025-06-02",
          kind: "split",
          amount: null,
          currency: null,
          numerator: 4,
          denominator: 1,
          price_factor: 0.25,
          missing_through: null,
          basis_date: "2025-06-30",
          known_at: "2025-06-30T22:00:00Z",
          source: "made",
        },
      ]),
    ]);
    expect(await pe("/data/ACME")).toBe(20);
  });

  test("with a price use the share classes and splits of then", async () => {
    await bars("ACME", [["2025-02-13", 100]]);
    const reason = async (as_of: string) =>
      yearOf(await data(`/data/ACME?as_of=${as_of}`))?.null_reasons.pe_ratio;
    expect(await pe("/data/ACME?as_of=2025-07-01")).toBe(20);
    app.world.past = (record) => ({ ...record, share_classes: [{ ticker: "ACME.B" }] });
    expect(await reason("2025-07-01")).toMatch(/several classes of shares \(also ACME\.B\)/);
    app.world.past = (record) => ({ ...record, share_classes: null });
    expect(await reason("2025-07-01")).toMatch(/^No stored list or record says which classes/);
    // Today's classes do not decide about the past, nor those of the past about today.
    expect(await pe("/data/ACME")).toBe(20);
  });

  test.each([
    ["a close too long ago", "ACME", [["2025-02-03", 100]] as const, "USD", null],
    ["another currency", "ACME", [["2025-02-13", 100]] as const, "CAD", /price is in CAD/],
    ["several classes", "TWIN.A", [["2025-02-13", 100]] as const, "USD", /several classes.*TWIN\.B/],
  ])("with a price are null for %s", async (_name, symbol, rows, currency, description) => {
    await bars(symbol, rows, currency);
    expect(await pe(`/data/${symbol}`)).toBeNull();
    const { warnings } = await data(`/data/${symbol}`);
    if (description) expect(warnings.join("\n")).toMatch(description);
  });

  test("with a price are null when splits are not known up to the report's basis", async () => {
    await bars("ACME", [["2025-02-13", 100]]);
    app.sqlite.write((db) => db.update(actions_checked).set({ through_date: "2024-06-30" }).run());
    expect(await pe("/data/ACME")).toBeNull();
    expect((await data("/data/ACME")).warnings.join()).toMatch(/Splits of ACME are not known/);
  });
});
