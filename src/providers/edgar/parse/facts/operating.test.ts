import { describe, expect, test } from "bun:test";
import { type MadeFigure, madeCompany } from "../../../../../test/support/company-facts.ts";
import { normaliseFacts } from "./facts.ts";
import type { StatementLine } from "./records.ts";

const lineOf = (line: StatementLine, amounts: Readonly<Record<string, number>>) => {
  const figures = Object.entries(amounts).map(
    ([tag, value]): MadeFigure => [tag, value * 1e6, "2023-01-01", "2023-12-31"],
  );
  const filing = { accn: "0000001234-24-000001", form: "10-K", filed: "2024-02-15", figures };
  const { facts, warnings } = normaliseFacts(madeCompany([filing]));
  const found = facts.find((fact) => fact.line === line);
  return { value: found === undefined ? null : found.value / 1e6, codes: warnings.map(({ code }) => code) };
};

describe("operating expenses beside all costs and expenses", () => {
  const served = (amounts: Readonly<Record<string, number>>) =>
    lineOf("operating_expenses", { OperatingExpenses: 300, ...amounts }).value;

  test("are one of the costs when all costs are more than they and the cost of revenue", () => {
    const part = { CostsAndExpenses: 960, OperatingIncomeLoss: 40, Revenues: 1000 };
    expect(served(part)).toBeNull();
    expect(served({ ...part, CostOfRevenue: 500 })).toBeNull();
    expect(lineOf("operating_expenses", { OperatingExpenses: 300, ...part }).codes).toEqual([
      "operating_expenses_in_doubt",
    ]);
  });

  test("are the total when cost of revenue is the rest, or gross profit less them is operating income", () => {
    expect(served({ CostsAndExpenses: 960, CostOfRevenue: 660 })).toBe(300);
    expect(served({ CostsAndExpenses: 960, GrossProfit: 340, OperatingIncomeLoss: 40 })).toBe(300);
    expect(served({ CostsAndExpenses: 300 })).toBe(300);
    expect(served({})).toBe(300);
  });
});

describe("capital expenditure of two payments that both are lines of the statement", () => {
  const investing = (productive: number, other: number) =>
    lineOf("capital_expenditure", {
      NetCashProvidedByUsedInInvestingActivities: -(productive + other),
      PaymentsToAcquireProductiveAssets: productive,
      PaymentsToAcquireOtherPropertyPlantAndEquipment: other,
    }).value;

  test("is not the payment for productive assets where another one exceeds it", () => {
    expect(investing(20, 100)).toBe(100);
    expect(investing(100, 20)).toBe(100);
  });
});

describe("revenue beside a part of it under the tag of all revenues", () => {
  const CONTRACT = "RevenueFromContractWithCustomerExcludingAssessedTax";
  const costs = {
    CostOfRevenue: 6_000,
    SellingGeneralAndAdministrativeExpense: 1_500,
    OperatingIncomeLoss: 1_900,
  };
  const served = (amounts: Readonly<Record<string, number>>) =>
    lineOf("revenue", { ...costs, [CONTRACT]: 9_600, ...amounts }).value;

  test("is what the costs of the statement and operating income sum to", () => {
    expect(served({ Revenues: 8_100, RestructuringCharges: 200 })).toBe(9_600);
    expect(served({ Revenues: 8_100, RestructuringCharges: 150, AssetImpairmentCharges: 50 })).toBe(9_600);
    expect(served({ Revenues: 8_100 })).toBeNull();
  });

  test("is not the one that is less than the cost of revenue and the profit", () => {
    expect(served({ Revenues: 1_000 })).toBe(9_600);
    expect(served({ Revenues: 7_800 })).toBe(9_600);
    expect(served({ Revenues: 7_800, OperatingIncomeLoss: -1_900 })).toBeNull();
  });
});
