// Reports of foreign issuers under IFRS: two or three years in a 20-F or 40-F, half years and quarters in a
// 6-K.
import { describe, expect, test } from "bun:test";
import { type MadeFigure, type MadeFiling, madeCompany } from "../../../../test/support/company-facts.ts";
import { normaliseFacts } from "../../../providers/edgar/index.ts";
import type { Row, SelectOptions } from "./records.ts";
import { selectStatements } from "./select.ts";

type Period = readonly [start: string, end: string];
const YEAR_2020: Period = ["2020-01-01", "2020-12-31"];
const YEAR_2021: Period = ["2021-01-01", "2021-12-31"];
const YEAR_2022: Period = ["2022-01-01", "2022-12-31"];
const HALF: Period = ["2022-01-01", "2022-06-30"];

const flow = (tag: string, value: number, [start, end]: Period, unit = "EUR"): MadeFigure => [
  `ifrs-full:${tag}`,
  value,
  start,
  end,
  unit,
];
const stock = (tag: string, value: number, end: string): MadeFigure => [
  `ifrs-full:${tag}`,
  value,
  null,
  end,
  "EUR",
];
/** An income statement with other owners, who have a tenth of the profit. */
const income = (revenue: number, period: Period): MadeFigure[] => [
  flow("Revenue", revenue, period),
  flow("ProfitLossBeforeTax", revenue * 0.15, period),
  flow("IncomeTaxExpenseContinuingOperations", revenue * 0.05, period),
  flow("ProfitLoss", revenue * 0.1, period),
  flow("ProfitLossAttributableToOwnersOfParent", revenue * 0.09, period),
  flow("BasicEarningsLossPerShare", (revenue * 0.09) / 50e6, period, "EUR/shares"),
  flow("WeightedAverageShares", 50e6, period, "shares"),
];
const balance = (assets: number, end: string): MadeFigure[] => [
  stock("Assets", assets, end),
  stock("Liabilities", assets * 0.6, end),
  stock("Equity", assets * 0.4, end),
  stock("EquityAttributableToOwnersOfParent", assets * 0.35, end),
  stock("NoncontrollingInterests", assets * 0.05, end),
  stock("EquityAndLiabilities", assets, end),
];
const flows = (operating: number, period: Period): MadeFigure[] => [
  flow("CashFlowsFromUsedInOperatingActivities", operating, period),
  flow("CashFlowsFromUsedInInvestingActivities", -operating / 2, period),
  flow("CashFlowsFromUsedInFinancingActivities", -operating / 4, period),
  flow("IncreaseDecreaseInCashAndCashEquivalents", operating / 4, period),
];
const filing = (form: string, filed: string, ...figures: readonly (readonly MadeFigure[])[]): MadeFiling => ({
  accn: `0000001234-${filed.slice(2, 4)}-${filed.slice(5).replace("-", "00")}`,
  form,
  filed,
  figures: figures.flat(),
});

/** The annual report of 2021, with the years before it for comparison. */
const annual = (form: string): MadeFiling =>
  filing(
    form,
    "2022-03-15",
    income(900e6, YEAR_2021),
    income(800e6, YEAR_2020),
    flows(100e6, YEAR_2021),
    flows(90e6, YEAR_2020),
    balance(1000e6, YEAR_2021[1]),
    balance(950e6, YEAR_2020[1]),
    // The statement of changes in equity and the cash flows begin with these.
    [stock("Equity", 360e6, "2019-12-31"), stock("CashAndCashEquivalents", 80e6, "2019-12-31")],
  );
const half = filing(
  "6-K",
  "2022-08-15",
  income(450e6, HALF),
  flows(50e6, HALF),
  balance(990e6, HALF[1]),
  // States the year before with other numbers than its annual report did.
  income(910e6, YEAR_2021),
);
const read = (filings: readonly MadeFiling[], options: SelectOptions = {}) =>
  selectStatements(normaliseFacts(madeCompany(filings)).facts, options);
const places = (rows: readonly Omit<Row, "items" | "sources">[]) =>
  rows.map(
    (row) => `${row.period_end_date} ${row.fiscal_year}${row.fiscal_period} ${row.period_type} ${row.form}`,
  );

describe("a report under IFRS", () => {
  test.each(["20-F", "40-F", "20-F/A"])(
    "%s: each of its years is a row, and none of its openings",
    (form) => {
      const { income_statement, balance_sheet, cash_flow } = read([annual(form)]);
      const years = [`2021-12-31 2021FY annual ${form}`, `2020-12-31 2020FY annual ${form}`];
      for (const rows of [income_statement, balance_sheet, cash_flow]) expect(places(rows)).toEqual(years);
      expect(income_statement[0]).toMatchObject({
        currency: "EUR",
        period_months: 12,
        items: { revenue: 900e6, net_income: 81e6, net_income_with_noncontrolling: 90e6, eps_basic: 1.62 },
      });
      expect(balance_sheet[0]?.items).toMatchObject({
        total_equity: 400e6,
        parent_equity: 350e6,
        noncontrolling_interest: 50e6,
      });
      expect(read([annual(form)], { period_type: "quarterly" }).income_statement).toEqual([]);
    },
  );

  test("6-K: a half year is a row of its own kind, and no annual report's figure gives way to it", () => {
    const { income_statement, cash_flow } = read([annual("20-F"), half]);
    expect(places(income_statement)).toEqual([
      "2022-06-30 2022Q2 quarterly 6-K",
      "2021-12-31 2021FY annual 20-F",
      "2020-12-31 2020FY annual 20-F",
    ]);
    expect(income_statement.map(({ items }) => items.revenue)).toEqual([450e6, 900e6, 800e6]);
    expect([income_statement[0]?.period_months, cash_flow[0]?.period_months]).toEqual([6, 6]);
    const before = Temporal.Instant.from("2022-08-15T00:00:00Z");
    expect(places(read([annual("20-F"), half], { as_of: before }).income_statement)).toEqual(
      places(income_statement.slice(1)),
    );
  });

  test("its first fiscal year has the length of the company's life", () => {
    const first: Period = ["2022-05-16", "2022-12-31"];
    for (const form of ["20-F", "40-F"]) {
      const { income_statement, cash_flow } = read([
        filing(form, "2023-03-15", income(90e6, first), flows(9e6, first), balance(100e6, first[1])),
      ]);
      for (const [row] of [income_statement, cash_flow])
        expect(row).toMatchObject({ fiscal_year: 2022, fiscal_period: "FY", period_start_date: first[0] });
    }
  });

  test("lines that are not read are named for the statements that the answer has, by the newest report", () => {
    const later = filing("40-F", "2023-03-15", income(990e6, YEAR_2022), balance(1100e6, YEAR_2022[1]));
    const named = (options: SelectOptions) =>
      read([annual("40-F"), later], options)
        .warnings.filter(({ code }) => code === "lines_not_covered")
        .map(({ accession_number, detail }) => [accession_number, detail.split(" under IFRS ")[0]]);
    const [old, newer] = [annual("40-F").accn, later.accn];
    expect(named({})).toEqual([
      [newer, "Of income statements"],
      [newer, "Of balance sheets"],
      [old, "Of cash flow statements"],
    ]);
    expect(named({ as_of: Temporal.Instant.from("2022-12-31T00:00:00Z") }).map(([accn]) => accn)).toEqual([
      old,
      old,
      old,
    ]);
    expect(named({ period_type: "quarterly" })).toEqual([]);
  });
});

describe("a year that is tagged in a current report, and not in the annual one", () => {
  const current = (filed: string, ...years: (readonly [string, string])[]) =>
    filing("6-K", filed, ...years.flatMap((year) => [income(900e6, year), balance(1000e6, year[1])]));

  test("is a year, with the one before it, and gives the quarters after it their place", () => {
    const year = current("2022-01-30", YEAR_2021, YEAR_2020);
    const quarter = filing("6-K", "2022-04-30", income(240e6, ["2022-01-01", "2022-03-31"]));
    expect(places(read([year, quarter]).income_statement)).toEqual([
      "2022-03-31 2022Q1 quarterly 6-K",
      "2021-12-31 2021FY annual 6-K",
      "2020-12-31 2020FY annual 6-K",
    ]);
    expect(places(read([year]).balance_sheet)).toEqual([
      "2021-12-31 2021FY annual 6-K",
      "2020-12-31 2020FY annual 6-K",
    ]);
  });

  test("is none where a report of months shows twelve beside them", () => {
    const months = filing(
      "6-K",
      "2022-08-15",
      income(900e6, YEAR_2021),
      income(450e6, HALF),
      balance(990e6, HALF[1]),
    );
    expect(read([months]).income_statement.every(({ fiscal_period }) => fiscal_period !== "FY")).toBe(true);
  });

  test("has its cash flow though it is one figure", () => {
    const year = filing(
      "6-K",
      "2022-01-30",
      income(900e6, YEAR_2021),
      income(800e6, YEAR_2020),
      balance(1000e6, YEAR_2021[1]),
      flows(100e6, YEAR_2021).slice(0, 1),
    );
    expect(places(read([year]).cash_flow)).toEqual(["2021-12-31 2021FY annual 6-K"]);
  });
});
