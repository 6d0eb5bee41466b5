// Totals that a report gives only in parts: null by themselves, sums with both receipts under
// include_derived.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { FinancialDataResponse } from "../../src/capabilities/financial/schema.ts";
import { type FinancialApp, openFinancialApp } from "../support/financial-app.ts";
import { type Figure, type Filer, FinancialWorld, recordOf } from "../support/financial-world.ts";

setDefaultTimeout(1_200_000);

const [START, END] = ["2024-01-01", "2024-12-31"] as const;
const REPORT = "0009100009-25-000001";
const flow = (tag: string, value: number): Figure => [tag, "USD", START, END, value, REPORT];
const stock = (tag: string, value: number): Figure => [tag, "USD", null, END, value, REPORT];

/**
 * A company with other owners and an operation it gives up. `change` in cash decides whether its flows close.
 */
const filer = (cik: string, change: number, liabilities: number): Filer => ({
  cik,
  record: recordOf(cik, "Parts Only Corp"),
  reports: [{ accession: REPORT, form: "10-K", filed: "2025-02-13", accepted: "2025-02-13T21:06:00Z" }],
  figures: [
    flow("Revenues", 900_000),
    flow("OperatingIncomeLoss", 120_000),
    flow("NetIncomeLoss", 90_000),
    stock("Assets", 5_000_000),
    stock("Liabilities", liabilities),
    stock("StockholdersEquity", 1_800_000),
    stock("MinorityInterest", 150_000),
    stock("TemporaryEquityCarryingAmountAttributableToParent", 50_000),
    stock("LiabilitiesAndStockholdersEquity", 5_000_000),
    stock("DebtCurrent", 95_000),
    stock("LongTermDebtNoncurrent", 100_000),
    flow("NetCashProvidedByUsedInOperatingActivitiesContinuingOperations", 500_000),
    flow("CashProvidedByUsedInOperatingActivitiesDiscontinuedOperations", -70_000),
    flow("NetCashProvidedByUsedInInvestingActivities", -200_000),
    flow("PaymentsToAcquirePropertyPlantAndEquipment", 30_000),
    flow("NetCashProvidedByUsedInFinancingActivities", -100_000),
    flow("EffectOfExchangeRateOnCashAndCashEquivalents", -5_000),
    flow("CashAndCashEquivalentsPeriodIncreaseDecrease", change),
  ],
});

let app: FinancialApp;
beforeAll(async () => {
  const world = new FinancialWorld();
  world.add("PART", filer("0009100009", 125_000, 3_000_000));
  world.add("OPEN", filer("0009100010", 135_000, 3_010_000));
  app = await openFinancialApp({ world });
});
afterAll(() => app.close());

type Row = FinancialDataResponse["cash_flow"][number] | FinancialDataResponse["balance_sheet"][number];
const data = async (path: string) => (await app.get<FinancialDataResponse>(path)).body;
const bases = (rows: readonly Row[]) => rows.map(({ basis }) => basis);

describe("totals of which a report gives only the parts", () => {
  test("are null without include_derived, in rows, in figures and in what is computed from them", async () => {
    for (const path of ["/data/PART", "/data/PART?include_sources=true", "/data/PART?vintage=first"]) {
      const { balance_sheet, cash_flow, metrics, warning_details } = await data(path);
      expect([bases(balance_sheet), bases(cash_flow)]).toEqual([["reported"], ["reported"]]);
      expect(balance_sheet[0]).toMatchObject({
        total_equity: null,
        parent_equity: 1_800_000,
        noncontrolling_interest: 150_000,
      });
      expect(cash_flow[0]).toMatchObject({
        operating_cash_flow: null,
        operating_cash_flow_continuing: 500_000,
        operating_cash_flow_discontinued: -70_000,
      });
      // Metrics are computed from what follows exactly too, and say so.
      expect(metrics?.[0]).toMatchObject({
        roe: 0.05,
        debt_to_equity: 0.1,
        free_cash_flow: 400_000,
        derived_operands: ["total_equity", "operating_cash_flow"],
      });
      expect(warning_details.map(({ code, line, period_end }) => [code, line, period_end])).toEqual([
        ["derivable", "total_equity", END],
        ["derivable", "operating_cash_flow", END],
      ]);
    }
    const figures = await (await app.fetch("/data/PART?format=ndjson")).text();
    expect(figures).toContain('"operating_cash_flow_continuing"');
    expect(figures).not.toMatch(/"(?:operating_cash_flow|total_equity)"/);
  });

  test("are sums of their parts with include_derived, where the statement then closes", async () => {
    const { balance_sheet, cash_flow, metrics, warning_details } = await data(
      "/data/PART?include_derived=true",
    );
    expect([bases(balance_sheet), bases(cash_flow)]).toEqual([["reported"], ["reported"]]);
    expect(balance_sheet[0]).toMatchObject({
      total_equity: 1_950_000,
      parent_equity: 1_800_000,
      derived_lines: ["total_equity"],
    });
    expect(balance_sheet[0]?.sources).toBeUndefined();
    expect(cash_flow[0]).toMatchObject({
      operating_cash_flow: 430_000,
      investing_cash_flow: -200_000,
      derived_lines: ["operating_cash_flow"],
    });
    expect(metrics?.[0]).toMatchObject({ debt_to_equity: 0.1, free_cash_flow: 400_000 });
    expect(warning_details).toEqual([]);
    const open = await data("/data/OPEN?include_derived=true");
    expect([bases(open.balance_sheet), bases(open.cash_flow)]).toEqual([["reported"], ["reported"]]);
  });

  test("have the receipts of both parts with include_sources, in rows and in figures", async () => {
    const both = "include_derived=true&include_sources=true";
    const { balance_sheet, cash_flow } = await data(`/data/PART?${both}`);
    const receipt = (tag: string, value: number, period_start: string | null) => ({
      value,
      period_start,
      period_end: END,
      tag,
      accession_number: REPORT,
      filed_date: "2025-02-13",
    });
    const equity = [
      receipt("StockholdersEquity", 1_800_000, null),
      receipt("MinorityInterest", 150_000, null),
    ];
    const operating = [
      receipt("NetCashProvidedByUsedInOperatingActivitiesContinuingOperations", 500_000, START),
      receipt("CashProvidedByUsedInOperatingActivitiesDiscontinuedOperations", -70_000, START),
    ];
    expect(balance_sheet[0]?.sources?.total_equity).toMatchObject({ operation: "sum", operands: equity });
    expect(cash_flow[0]?.sources?.operating_cash_flow).toMatchObject({
      operation: "sum",
      operands: operating,
      known_at: "2025-02-13T21:06:00Z",
    });
    const text = await (await app.fetch("/data/PART?include_derived=true&format=ndjson")).text();
    const rows = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    const sums = rows.filter(({ basis }) => basis === "derived");
    expect(sums.map(({ line, value, operands }) => [line, value, JSON.parse(String(operands))])).toEqual([
      ["total_equity", 1_950_000, equity],
      ["operating_cash_flow", 430_000, operating],
    ]);
  });

  test("are not known before their report", async () => {
    const at = (moment: string) => data(`/data/PART?include_derived=true&as_of=${moment}`);
    expect((await at("2025-02-13T21:05:59Z")).cash_flow).toEqual([]);
    expect((await at("2025-02-13T21:06:00Z")).cash_flow[0]?.operating_cash_flow).toBe(430_000);
  });
});
