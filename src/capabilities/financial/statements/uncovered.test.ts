// Reports under IFRS: which of their tags stand for a line, and which lines are said not to be covered.
import { describe, expect, test } from "bun:test";
import { type MadeFigure, madeCompany } from "../../../../test/support/company-facts.ts";
import { linesNotInIfrs, normaliseFacts } from "../../../providers/edgar/index.ts";
import type { SelectOptions } from "./records.ts";
import { selectStatements } from "./select.ts";

const [START, END] = ["2023-01-01", "2023-12-31"] as const;
const read = (
  amounts: Readonly<Record<string, number>>,
  options: SelectOptions = {},
  prefix = "ifrs-full:",
) => {
  const figures = Object.entries(amounts).map(([tag, value]): MadeFigure => {
    const isDay = /^(?:Assets|Liabilities|Equity|Current|Shortterm)/.test(tag);
    return [`${prefix}${tag}`, value, isDay ? null : START, END, "EUR"];
  });
  const filing = { accn: "0000001234-24-000001", form: "20-F", filed: "2024-03-15", figures };
  return selectStatements(normaliseFacts(madeCompany([filing])).facts, options);
};
const BALANCE = { Assets: 900e6, Liabilities: 500e6, Equity: 400e6 };
const INCOME = { ProfitLossBeforeTax: 40e6, ProfitLoss: 30e6 };
const uncovered = ({ warnings }: ReturnType<typeof read>) =>
  warnings.filter(({ code }) => code === "lines_not_covered");

describe("lines that are not read under IFRS", () => {
  test("are named once for each statement, about its newest report", () => {
    const named = uncovered(read({ ...BALANCE, ...INCOME }));
    expect(named.map(({ accession_number, line }) => [accession_number, line])).toEqual([
      ["0000001234-24-000001", null],
      ["0000001234-24-000001", null],
    ]);
    expect(named[1]?.detail).toBe(
      "Of balance sheets under IFRS these lines are not read and are null: short term investments, temporary equity, commercial paper, notes payable current, loans payable current, convertible debt current, line of credit, line of credit current, line of credit noncurrent, notes payable, loans payable, long term notes payable, long term loans payable, convertible debt noncurrent, long term debt with current, utility property, cash and due from banks, preferred stock.",
    );
  });

  test("are not named before the report was public, nor for a report under us-gaap", () => {
    const before = Temporal.Instant.from("2024-03-15T12:00:00Z");
    expect(uncovered(read({ ...BALANCE, ...INCOME }, { as_of: before }))).toEqual([]);
    const american = { Assets: 900e6, Liabilities: 500e6, LiabilitiesAndStockholdersEquity: 900e6 };
    expect(uncovered(read(american, {}, ""))).toEqual([]);
  });

  test("are none of the totals that every statement has", () => {
    const missing = (["income_statement", "balance_sheet", "cash_flow"] as const).flatMap(linesNotInIfrs);
    for (const line of [
      "revenue",
      "net_income",
      "total_assets",
      "total_equity",
      "operating_cash_flow",
    ] as const)
      expect(missing).not.toContain(line);
    expect(missing).toContain("premiums_earned");
  });
});

describe("the tags of a report under IFRS", () => {
  const revenueOf = (amounts: Readonly<Record<string, number>>) =>
    read({ ...INCOME, ...amounts }).income_statement[0]?.items.revenue;
  test("contract revenue is the total where no other revenue is more than a tenth of it", () => {
    const contract = { RevenueFromContractsWithCustomers: 100e6 };
    expect(revenueOf(contract)).toBe(100e6);
    expect(revenueOf({ ...contract, InterestRevenueExpense: -30e6 })).toBe(100e6);
    expect(revenueOf({ ...contract, RevenueFromInterest: 60e6 })).toBeNull();
    expect(revenueOf({ ...contract, Revenue: 160e6 })).toBe(160e6);
  });

  test("borrowings have a total of their own, and a part", () => {
    const { items } = read({
      ...BALANCE,
      CurrentBorrowingsAndCurrentPortionOfNoncurrentBorrowings: 9e6,
      ShorttermBorrowings: 4e6,
      CurrentPortionOfLongtermBorrowings: 5e6,
    }).balance_sheet[0] ?? { items: null };
    expect(items).toMatchObject({
      short_term_debt: 9e6,
      short_term_borrowings: 4e6,
      long_term_debt_current: 5e6,
    });
  });

  test("each activity's continuing part is its total where nothing of it is discontinued", () => {
    const flow = (name: string, part = "Continuing") =>
      `CashFlowsFromUsedIn${name}Activities${part}Operations`;
    const parts = { [flow("Operating")]: 50e6, [flow("Investing")]: -20e6, [flow("Financing")]: -10e6 };
    const totals = (amounts: Readonly<Record<string, number>>) => {
      const items = read({ ...parts, ...amounts }).cash_flow[0]?.items;
      return [items?.operating_cash_flow, items?.investing_cash_flow, items?.financing_cash_flow];
    };
    const change = "IncreaseDecreaseInCashAndCashEquivalents";
    expect(totals({ [change]: 20e6 })).toEqual([50e6, -20e6, -10e6]);
    const effect = { EffectOfExchangeRateChangesOnCashAndCashEquivalents: -3e6 };
    expect(totals({ [change]: 17e6, ...effect })).toEqual([50e6, -20e6, -10e6]);
    expect(totals({ [`${change}BeforeEffectOfExchangeRateChanges`]: 20e6, ...effect })).toEqual([
      50e6, -20e6, -10e6,
    ]);
    // The discontinued part of one activity makes that total unknown.
    const ended = { [flow("Investing", "Discontinued")]: -4e6 };
    expect(totals({ [change]: 16e6, ...ended })).toEqual([50e6, null, -10e6]);
    expect(totals({ [change]: 20e6, ...ended })).toEqual([50e6, null, -10e6]);
    expect(totals({ [change]: 31e6 })).toEqual([50e6, -20e6, -10e6]);
    expect(totals({})).toEqual([50e6, -20e6, -10e6]);
  });

  test("a change in cash before exchange rates is the change only where there is no effect of them", () => {
    const flows = { ...INCOME, CashFlowsFromUsedInOperatingActivities: 50e6 };
    const before = { IncreaseDecreaseInCashAndCashEquivalentsBeforeEffectOfExchangeRateChanges: 20e6 };
    const change = (amounts: Readonly<Record<string, number>>) =>
      read({ ...flows, ...before, ...amounts }).cash_flow[0]?.items.net_change_in_cash;
    expect(change({})).toBe(20e6);
    expect(change({ EffectOfExchangeRateChangesOnCashAndCashEquivalents: -3e6 })).toBeNull();
  });
});
