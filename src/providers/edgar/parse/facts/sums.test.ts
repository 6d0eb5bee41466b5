import { describe, expect, test } from "bun:test";
import {
  type MadeFigure,
  madeBalance,
  madeCashFlow,
  madeCompany,
  madeIncome,
} from "../../../../../test/support/company-facts.ts";
import { normaliseFacts } from "./facts.ts";

const YEAR = ["2023-01-01", "2023-12-31"] as const;
const END = "2023-12-31";
const factsOf = (figures: readonly MadeFigure[]) =>
  normaliseFacts(madeCompany([{ accn: "0000001234-24-000001", form: "10-K", filed: "2024-02-15", figures }]))
    .facts;
const flagged = (figures: readonly MadeFigure[]) =>
  factsOf(figures)
    .filter(({ flags }) => flags.length > 0)
    .map(({ line, value, flags }) => `${line} ${value} ${flags}`);
const replace = (figures: readonly MadeFigure[], tag: string, value: number): MadeFigure[] =>
  figures.map((figure) => (figure[0] === tag ? [tag, value, figure[2], figure[3]] : figure));
const tagOf = (figures: readonly MadeFigure[], line: string) => {
  const found = factsOf(figures).filter((fact) => fact.line === line);
  return found.map(({ tag, value }) => [tag, value]);
};

describe("a sign that the sums contradict", () => {
  const income = madeIncome(1000e6, ...YEAR);

  test("cost of revenue, where revenue + cost is gross profit", () => {
    expect(flagged(replace(income, "CostOfRevenue", -600e6))).toEqual([
      "cost_of_revenue 600000000 reversed_sign",
    ]);
    expect(flagged(income)).toEqual([]);
  });

  test("cost of revenue, where revenue + cost is operating expenses and income", () => {
    const expenses: MadeFigure = ["OperatingExpenses", 200e6, ...YEAR];
    const apart = [...income.filter(([tag]) => tag !== "GrossProfit"), expenses];
    expect(flagged(replace(apart, "CostOfRevenue", -600e6))).toEqual([
      "cost_of_revenue 600000000 reversed_sign",
    ]);
    expect(flagged(apart)).toEqual([]);
  });

  test("tax, where income before tax + tax is net income; a real tax benefit keeps its sign", () => {
    const taxed = (before: number, tax: number): MadeFigure[] => [
      ...income,
      [
        "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest",
        before,
        ...YEAR,
      ],
      ["IncomeTaxExpenseBenefit", tax, ...YEAR],
    ];
    expect(flagged(taxed(130e6, -30e6))).toEqual(["income_tax_expense 30000000 reversed_sign"]);
    expect(flagged(taxed(70e6, -30e6))).toEqual([]);
  });

  test("the change in cash, where the flows sum to its opposite", () => {
    const flows = madeCashFlow(100e6, ...YEAR);
    const change = (value: number): MadeFigure[] => [
      ...flows,
      ["CashAndCashEquivalentsPeriodIncreaseDecrease", value, ...YEAR],
    ];
    expect(flagged(change(-25e6))).toEqual(["net_change_in_cash -25000000 suspect_sign"]);
    expect(flagged(change(25e6))).toEqual([]);
  });
});

describe("the tag that closes the sum", () => {
  test("of total equity, whatever the order of the table", () => {
    const both = (total: number): MadeFigure[] => [
      ...madeBalance(500e6, END),
      ["StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest", total, null, END],
      ["MinorityInterest", 15e6, null, END],
    ];
    expect(tagOf(both(190e6), "total_equity")).toEqual([["StockholdersEquity", 200e6]]);
    expect(tagOf(replace(both(200e6), "StockholdersEquity", 185e6), "total_equity")).toEqual([
      ["StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest", 200e6],
    ]);
  });

  test("of total equity: partners' and members' capital", () => {
    for (const tag of [
      "PartnersCapital",
      "PartnersCapitalIncludingPortionAttributableToNoncontrollingInterest",
      "MembersEquity",
      "LimitedLiabilityCompanyLLCMembersEquity",
    ]) {
      const figures = madeBalance(500e6, END).map(
        (figure): MadeFigure => (figure[0] === "StockholdersEquity" ? [tag, 200e6, null, END] : figure),
      );
      expect(tagOf(figures, "total_equity")).toEqual([[tag, 200e6]]);
    }
  });

  test("of the change in cash", () => {
    const change =
      "CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalentsPeriodIncreaseDecreaseIncludingExchangeRateEffect";
    const figures: MadeFigure[] = [
      ...madeCashFlow(100e6, ...YEAR),
      [change, 19e6, ...YEAR],
      ["CashAndCashEquivalentsPeriodIncreaseDecrease", 25e6, ...YEAR],
    ];
    expect(tagOf(figures, "net_change_in_cash")).toEqual([
      ["CashAndCashEquivalentsPeriodIncreaseDecrease", 25e6],
    ]);
    expect(tagOf(replace(figures, change, 25e6), "net_change_in_cash")).toEqual([[change, 25e6]]);
  });
});

describe("total assets of another scale than the rest of the balance sheet", () => {
  test("are doubted beside an equity that cannot be a part of them", () => {
    expect(
      flagged([
        ["Assets", 4999.1, null, END],
        ["StockholdersEquity", 1.9e9, null, END],
      ]),
    ).toEqual(["total_assets 4999.1 suspect_scale"]);
  });

  test("are doubted with the other side when that repeats them", () => {
    const balance = madeBalance(500e6, END);
    const both = replace(replace(balance, "Assets", 500e3), "LiabilitiesAndStockholdersEquity", 500e3);
    expect(flagged(both)).toEqual([
      "total_assets 500000 suspect_scale",
      "liabilities_and_equity 500000 suspect_scale",
    ]);
    expect(flagged(replace(balance, "Assets", 500e3))).toEqual(["total_assets 500000 suspect_scale"]);
  });

  test("are doubted alone where liabilities and equity add up to the other side", () => {
    expect(flagged(replace(madeBalance(500e6, END), "Assets", 500e9))).toEqual([
      "total_assets 500000000000 suspect_scale",
    ]);
  });

  test("a single part that is larger than a whole which the others fit is the wrong one", () => {
    expect(flagged(replace(madeBalance(500e6, END), "AssetsCurrent", 250e9))).toEqual([
      "current_assets 250000000000 suspect_scale",
    ]);
  });

  test("a shell that owes far more than it has is sound", () => {
    expect(
      flagged([
        ["Assets", 1000, null, END],
        ["Liabilities", 5e6, null, END],
        ["LiabilitiesCurrent", 5e6, null, END],
        ["StockholdersEquity", -4_999_000, null, END],
        ["LiabilitiesAndStockholdersEquity", 1000, null, END],
      ]),
    ).toEqual([]);
  });
});
