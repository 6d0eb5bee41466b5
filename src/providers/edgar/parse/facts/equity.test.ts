import { describe, expect, test } from "bun:test";
import { type MadeFigure, madeCompany } from "../../../../../test/support/company-facts.ts";
import { normaliseFacts } from "./facts.ts";
import type { StatementLine } from "./records.ts";

const END = "2023-12-31";

/** Tag and value of a line in a filing with these amounts on a day, in either order. */
function lineOf(line: StatementLine, amounts: Readonly<Record<string, number>>, isReversed = false) {
  const figures = Object.entries(amounts).map(([tag, value]): MadeFigure => [tag, value, null, END]);
  const filing = {
    accn: "0000001234-24-000001",
    form: "10-K",
    filed: "2024-02-15",
    figures: isReversed ? figures.toReversed() : figures,
  };
  const found = normaliseFacts(madeCompany([filing])).facts.filter((fact) => fact.line === line);
  return found.map(({ tag, value }) => [tag, value]);
}
const sheet = { Assets: 10_000, Liabilities: 7_000, LiabilitiesAndStockholdersEquity: 10_000 };

describe("redeemable equity outside equity", () => {
  test.each([
    "TemporaryEquityCarryingAmount",
    "TemporaryEquityCarryingAmountAttributableToParent",
    "RedeemableNoncontrollingInterestEquityCarryingAmount",
  ])("is the carrying amount: %s", (tag) => {
    expect(lineOf("temporary_equity", { ...sheet, StockholdersEquity: 2_500, [tag]: 500 })).toEqual([
      [tag, 500],
    ]);
    expect(lineOf("temporary_equity", { [tag]: 500 })).toEqual([[tag, 500]]);
  });

  test.each([
    "TemporaryEquityRedemptionValue",
    "RedeemableNoncontrollingInterestEquityRedemptionValue",
    "RedeemableNoncontrollingInterestEquityFairValue",
    "OtherMinorityInterests",
  ])("is another measure only where the balance sheet closes with it: %s", (tag) => {
    const closing = { ...sheet, StockholdersEquity: 2_500, [tag]: 500 };
    expect(lineOf("temporary_equity", closing)).toEqual([[tag, 500]]);
    expect(lineOf("temporary_equity", { ...closing, [tag]: 560 })).toEqual([]);
    expect(lineOf("temporary_equity", { StockholdersEquity: 2_500, [tag]: 500 })).toEqual([]);
  });

  test("is the one of two measures with which the balance sheet closes, whatever their order", () => {
    const two = {
      ...sheet,
      StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest: 2_500,
      TemporaryEquityCarryingAmount: 440,
      TemporaryEquityRedemptionValue: 500,
    };
    for (const isReversed of [false, true])
      expect(lineOf("temporary_equity", two, isReversed)).toEqual([["TemporaryEquityRedemptionValue", 500]]);
  });

  test("decides which equity is the total: with it, or with the noncontrolling part, assets are complete", () => {
    const amounts = {
      ...sheet,
      StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest: 2_900,
      StockholdersEquity: 2_500,
      TemporaryEquityCarryingAmount: 500,
    };
    expect(lineOf("total_equity", amounts)).toEqual([["StockholdersEquity", 2_500]]);
    const parent = {
      ...sheet,
      PartnersCapital: 2_300,
      MinorityInterest: 200,
      TemporaryEquityRedemptionValue: 500,
    };
    expect(lineOf("temporary_equity", parent)).toEqual([["TemporaryEquityRedemptionValue", 500]]);
  });
});

describe("equity of partnerships and companies of members that have other owners", () => {
  const MEMBERS_TOTAL =
    "LimitedLiabilityCompanyLlcMembersEquityIncludingPortionAttributableToNoncontrollingInterest";
  const PARTNERS_TOTAL = "PartnersCapitalIncludingPortionAttributableToNoncontrollingInterest";
  test.each([
    ["PartnersCapital", "PartnersCapitalAttributableToNoncontrollingInterest", PARTNERS_TOTAL],
    ["MembersEquity", "MembersEquityAttributableToNoncontrollingInterest", MEMBERS_TOTAL],
    ["MembersEquity", "MinorityInterest", MEMBERS_TOTAL],
  ])("%s beside %s is the parent's, and the total has a tag of its own", (parent, others, total) => {
    const parts = { ...sheet, [parent]: 2_500, [others]: 500 };
    expect(lineOf("parent_equity", parts)).toEqual([[parent, 2_500]]);
    expect(lineOf("noncontrolling_interest", parts)).toEqual([[others, 500]]);
    expect(lineOf("total_equity", parts)).toEqual([]);
    expect(lineOf("total_equity", { ...parts, [total]: 3_000 })).toEqual([[total, 3_000]]);
  });

  test("profit of all owners is not the parent's beside them", () => {
    const others = { ...sheet, PartnersCapitalAttributableToNoncontrollingInterest: 500 };
    const profit = (amounts: Readonly<Record<string, number>>) => {
      const figures = Object.entries(amounts).map(([tag, value]): MadeFigure => [tag, value, null, END]);
      const filing = {
        accn: "0000001234-24-000001",
        form: "10-K",
        filed: "2024-02-15",
        figures: [...figures, ["ProfitLoss", 70, "2023-01-01", END] as const],
      };
      const facts = normaliseFacts(madeCompany([filing])).facts;
      return facts.filter(({ tag }) => tag === "ProfitLoss").map(({ line }) => line);
    };
    expect(profit(sheet)).toContain("net_income");
    expect(profit(others)).toEqual(["net_income_with_noncontrolling"]);
  });
});

test("the equity of common shares is the parent's where nothing else is in it", () => {
  const common = { CommonStockholdersEquity: 2_600 };
  const all = "StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest";
  const served = [["CommonStockholdersEquity", 2_600]];
  expect(lineOf("parent_equity", { ...sheet, ...common })).toEqual(served);
  expect(lineOf("parent_equity", { ...sheet, ...common, PreferredStockValue: 200 })).toEqual([]);
  const owned = { ...sheet, ...common, [all]: 3_000 };
  expect(lineOf("parent_equity", { ...owned, MinorityInterest: 400 })).toEqual(served);
  expect(lineOf("parent_equity", { ...owned, MinorityInterest: 200, PreferredStockValue: 200 })).toEqual([]);
});

describe("total equity, that of the parent and that of others", () => {
  const ALL = "StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest";
  /** The served total and parent with these figures and others of 400; assets less liabilities are 3,000. */
  const served = (
    amounts: Readonly<Record<string, number>>,
    base: Readonly<Record<string, number>> = sheet,
  ) => {
    const all = { ...base, MinorityInterest: 400, ...amounts };
    return (["total_equity", "parent_equity"] as const).map((line) => lineOf(line, all)[0]?.[1] ?? null);
  };
  const noLiabilities = { Assets: 10_000, LiabilitiesAndStockholdersEquity: 10_000 };

  test("stand as filed where they sum", () => {
    expect(served({ [ALL]: 3_000, StockholdersEquity: 2_600 })).toEqual([3_000, 2_600]);
    expect(served({ [ALL]: 3_000, StockholdersEquity: 2_600 }, noLiabilities)).toEqual([3_000, 2_600]);
  });

  test("a total that is the whole capitalisation is none", () => {
    const debt = { LongTermDebtNoncurrent: 4_000 };
    expect(served({ [ALL]: 7_000, StockholdersEquity: 2_600 })).toEqual([null, 2_600]);
    expect(served({ ...debt, [ALL]: 7_000, StockholdersEquity: 2_600 }, noLiabilities)).toEqual([
      null,
      2_600,
    ]);
    expect(served({ [ALL]: 7_000, StockholdersEquity: 2_600 }, noLiabilities)).toEqual([7_000, 2_600]);
  });

  test("exchanged with each other they are exchanged back", () => {
    for (const base of [sheet, noLiabilities])
      expect(served({ [ALL]: 2_600, StockholdersEquity: 3_000 }, base)).toEqual([3_000, 2_600]);
  });

  test("a parent's equity that closes the balance sheet alone is the total", () => {
    expect(served({ StockholdersEquity: 3_000 })).toEqual([3_000, null]);
    expect(served({ PartnersCapital: 3_000 })).toEqual([3_000, null]);
    expect(served({ StockholdersEquity: 2_600 })).toEqual([null, 2_600]);
  });

  test("a part of others within the rounding of the report is not lost", () => {
    const whole = {
      Assets: 10_000e6,
      Liabilities: 7_000e6,
      MinorityInterest: 1e6,
      StockholdersEquity: 2_999e6,
    };
    expect(served(whole)).toEqual([null, 2_999e6]);
  });
});
