// First periods of companies, which are shorter than a quarter or a year, and companies without revenue.
import { describe, expect, test } from "bun:test";
import {
  type MadeFigure,
  type MadeFiling,
  madeBalance,
  madeCashFlow,
  madeCompany,
} from "../../../../test/support/company-facts.ts";
import { normaliseFacts } from "../../../providers/edgar/index.ts";
import type { Row, SelectOptions } from "./records.ts";
import { selectStatements } from "./select.ts";

/** A result without revenue: a loss, its costs and its shares. */
const loss = (amount: number, start: string, end: string): MadeFigure[] => [
  ["NetIncomeLoss", -amount, start, end],
  ["OperatingExpenses", amount, start, end],
  ["WeightedAverageNumberOfSharesOutstandingBasic", 5e6, start, end],
];
const report = (
  form: string,
  filed: string,
  end: string,
  ...figures: readonly (readonly MadeFigure[])[]
): MadeFiling => ({
  accn: `0000001234-${filed.slice(2, 4)}-${filed.slice(5).replace("-", "00")}`,
  form,
  filed,
  figures: [...madeBalance(90e6, end), ...figures.flat()],
});
const read = (filings: readonly MadeFiling[], options: SelectOptions = {}) =>
  selectStatements(normaliseFacts(madeCompany(filings)).facts, options);
const periods = (rows: readonly Omit<Row, "items" | "sources">[]) =>
  rows.map((row) => [
    `${row.period_start_date} ${row.period_end_date}`,
    row.fiscal_year,
    row.fiscal_period,
    row.period_type,
    row.period_months,
  ]);

describe("a first fiscal year that begins with the company", () => {
  test.each([
    ["190 days", "2021-06-25", 6],
    ["230 days", "2021-05-16", null],
    ["320 days", "2021-02-15", null],
    ["90 days", "2021-10-03", 3],
    ["twelve days", "2021-12-20", null],
  ])("is a year: %s", (_length, start, months) => {
    const [from, to] = [start, "2021-12-31"];
    const { income_statement, cash_flow, balance_sheet } = read([
      report("10-K", "2022-03-20", to, loss(2e6, from, to), madeCashFlow(-1e6, from, to)),
    ]);
    const year = [[`${from} ${to}`, 2021, "FY", "annual", months]];
    expect(periods(cash_flow)).toEqual(year);
    expect(
      income_statement.map(({ items, fiscal_period }) => [items.net_income, items.revenue, fiscal_period]),
    ).toEqual([[-2e6, null, "FY"]]);
    expect(balance_sheet[0]).toMatchObject({ fiscal_year: 2021, fiscal_period: "FY" });
  });

  test("keeps its label in the report of the next year, beside that year", () => {
    const [from, to] = ["2021-05-16", "2021-12-31"] as const;
    const [next, end] = ["2022-01-01", "2022-12-31"] as const;
    const first = report("10-K", "2022-03-20", to, loss(2e6, from, to), madeCashFlow(-1e6, from, to));
    const second = report(
      "10-K",
      "2023-03-20",
      end,
      loss(2e6, from, to),
      madeCashFlow(-1e6, from, to),
      loss(7e6, next, end),
      madeCashFlow(-3e6, next, end),
    );
    expect(periods(read([first, second]).cash_flow)).toEqual([
      [`${next} ${end}`, 2022, "FY", "annual", 12],
      [`${from} ${to}`, 2021, "FY", "annual", null],
    ]);
  });

  test("follows a predecessor's months in the same annual report", () => {
    const { cash_flow } = read([
      report(
        "10-K",
        "2022-03-20",
        "2021-12-31",
        madeCashFlow(4e6, "2020-01-01", "2020-12-31"),
        madeCashFlow(2e6, "2021-01-01", "2021-06-14"),
        madeCashFlow(3e6, "2021-06-15", "2021-12-31"),
      ),
    ]);
    expect(periods(cash_flow).slice(0, 2)).toEqual([
      ["2021-06-15 2021-12-31", 2021, "FY", "annual", 6],
      ["2021-01-01 2021-06-14", 2021, "Q2", "quarterly", 6],
    ]);
  });

  test("is not a quarter whose figures alone an annual report tags", () => {
    const earlier = report(
      "10-Q",
      "2021-11-05",
      "2021-09-30",
      loss(5e6, "2021-01-01", "2021-09-30"),
      madeCashFlow(-3e6, "2021-01-01", "2021-09-30"),
    );
    const year = report("10-K", "2022-03-20", "2021-12-31", loss(2e6, "2021-10-01", "2021-12-31"));
    expect(
      read([earlier, year]).income_statement.map((row) => [row.period_months, row.fiscal_period]),
    ).toEqual([
      [3, "Q4"],
      [9, "Q3"],
    ]);
  });
});

test("a quarterly report on the months since inception is served, its longer sum only where no quarter stands beside it", () => {
  const [from, to] = ["2021-02-01", "2021-06-30"] as const;
  const filing = (...others: readonly (readonly MadeFigure[])[]) =>
    report("10-Q", "2021-08-10", to, loss(2e6, from, to), madeCashFlow(-1e6, from, to), ...others);
  const alone = read([filing()]);
  expect(periods(alone.cash_flow)).toEqual([[`${from} ${to}`, 2021, "Q2", "quarterly", null]]);
  expect(alone.income_statement.map(({ items }) => items.net_income)).toEqual([-2e6]);
  const beside = read([filing(loss(1e6, "2021-04-01", to))]);
  expect(beside.income_statement.map(({ items }) => items.net_income)).toEqual([-1e6]);
  expect(beside.cash_flow).toHaveLength(1);
});

test("an investment company's statements are read: investment income, net assets and the result of operations", () => {
  const [from, to] = ["2021-01-01", "2021-12-31"] as const;
  const made: readonly MadeFigure[] = [
    ["GrossInvestmentIncomeOperating", 90e6, from, to],
    ["OperatingExpenses", 40e6, from, to],
    ["InvestmentIncomeOperatingAfterExpenseAndTax", 50e6, from, to],
    ["NetIncomeLoss", 20e6, from, to],
    ["Assets", 900e6, null, to],
    ["Liabilities", 500e6, null, to],
    ["AssetsNet", 400e6, null, to],
    ["NetCashProvidedByUsedInOperatingActivities", -30e6, from, to],
    ["NetCashProvidedByUsedInFinancingActivities", 35e6, from, to],
  ];
  const served = (figures: readonly MadeFigure[]) =>
    read([{ accn: "0000001234-22-000001", form: "10-K", filed: "2022-03-01", figures }]);
  const { income_statement, balance_sheet, cash_flow } = served(made);
  expect(income_statement[0]?.items).toMatchObject({
    revenue: 90e6,
    net_investment_income: 50e6,
    operating_expenses: 40e6,
    net_income: 20e6,
  });
  expect(balance_sheet[0]?.items.total_equity).toBe(400e6);
  expect(cash_flow[0]?.items).toMatchObject({ operating_cash_flow: -30e6, investing_cash_flow: null });
  const insurer = served([...made, ["PremiumsEarnedNet", 500e6, from, to]]);
  expect(insurer.income_statement[0]?.items.revenue).toBeNull();
  const elsewhere = made.map(
    (figure): MadeFigure => (figure[0] === "Liabilities" ? ["Liabilities", 100e6, null, to] : figure),
  );
  expect(served(elsewhere).balance_sheet[0]?.items.total_equity).toBeNull();
});
