import { describe, expect, test } from "bun:test";
import {
  type MadeFigure,
  type MadeFiling,
  madeBalance,
  madeCompany,
  madeIncome,
  madeYear,
  textsOf,
} from "../../../../../test/support/company-facts.ts";
import { normaliseFacts } from "./facts.ts";
import type { FinancialFact, StatementLine } from "./records.ts";

const normalised = (filings: readonly MadeFiling[]) => normaliseFacts(madeCompany(filings));
const factsOf = (filings: readonly MadeFiling[]) => normalised(filings).facts;
const filing = (figures: readonly MadeFigure[], rest: Partial<MadeFiling> = {}): MadeFiling => ({
  accn: "0000001234-24-000001",
  form: "10-K",
  filed: "2024-02-15",
  figures,
  ...rest,
});
const only = (facts: readonly FinancialFact[], line: StatementLine) => {
  const found = facts.filter((fact) => fact.line === line);
  expect(found).toHaveLength(1);
  return found[0];
};
const YEAR = ["2023-01-01", "2023-12-31"] as const;

describe("the tag that stands for a line", () => {
  test("is chosen for each period: an abandoned tag does not hide its successor", () => {
    const facts = factsOf([
      filing([["SalesRevenueNet", 10, "2016-01-01", "2016-12-31"]], { filed: "2017-02-15", accn: "a" }),
      filing([["RevenueFromContractWithCustomerExcludingAssessedTax", 30, "2018-01-01", "2018-12-31"]], {
        filed: "2019-02-15",
        accn: "b",
      }),
    ]);
    expect(facts.map(({ line, value, tag }) => [line, value, tag])).toEqual([
      ["revenue", 10, "SalesRevenueNet"],
      ["revenue", 30, "RevenueFromContractWithCustomerExcludingAssessedTax"],
    ]);
  });

  test("Revenues is the total when contract revenue is a part of it", () => {
    const facts = factsOf([
      filing([
        ["RevenueFromContractWithCustomerExcludingAssessedTax", 706, ...YEAR],
        ["Revenues", 713, ...YEAR],
      ]),
    ]);
    expect(only(facts, "revenue")).toMatchObject({ value: 713, tag: "Revenues" });
  });

  test("Revenues of a segment gives way to the contract revenue the statement adds up to", () => {
    const facts = factsOf([
      filing([
        ["RevenueFromContractWithCustomerExcludingAssessedTax", 1000, ...YEAR],
        ["Revenues", 1200, ...YEAR],
        ["CostsAndExpenses", 800, ...YEAR],
        ["OperatingIncomeLoss", 200, ...YEAR],
      ]),
    ]);
    expect(only(facts, "revenue")).toMatchObject({ value: 1000 });
  });

  test("Revenues below contract revenue stands when the statement adds up to it (losses on hedges)", () => {
    const facts = factsOf([
      filing([
        ["RevenueFromContractWithCustomerExcludingAssessedTax", 1000, ...YEAR],
        ["Revenues", 950, ...YEAR],
        ["CostsAndExpenses", 800, ...YEAR],
        ["OperatingIncomeLoss", 150, ...YEAR],
      ]),
    ]);
    expect(only(facts, "revenue")).toMatchObject({ value: 950, tag: "Revenues" });
  });

  test("two revenues without a sum that decides: none, and a warning", () => {
    const { facts, warnings } = normalised([
      filing([
        ["RevenueFromContractWithCustomerExcludingAssessedTax", 1000, ...YEAR],
        ["Revenues", 40, ...YEAR],
      ]),
    ]);
    expect(facts).toEqual([]);
    expect(textsOf(warnings)).toEqual([
      expect.stringContaining("revenue to 2023-12-31 in 0000001234-24-000001"),
    ]);
  });

  test("a bank's revenue is net of interest expense", () => {
    const facts = factsOf([
      filing([
        ["Revenues", 280, ...YEAR],
        ["RevenuesNetOfInterestExpense", 182, ...YEAR],
        ["InterestIncomeExpenseNet", 95, ...YEAR],
        ["NoninterestIncome", 87, ...YEAR],
        ["ProvisionForLoanAndLeaseLosses", 14, ...YEAR],
        ["InterestExpenseOperating", 98, ...YEAR],
        ["CashAndDueFromBanks", 21, null, "2023-12-31"],
      ]),
    ]);
    const values = Object.fromEntries(facts.map(({ line, value }) => [line, value]));
    expect(values).toEqual({
      revenue: 182,
      net_interest_income: 95,
      noninterest_income: 87,
      provision_for_credit_losses: 14,
      interest_expense: 98,
      cash_and_equivalents: 21,
      cash_and_due_from_banks: 21,
    });
  });

  test("an insurer and a landlord have lines of their own, and no zeros for the others", () => {
    const insurer = factsOf([
      filing([
        ["Revenues", 500, ...YEAR],
        ["PremiumsEarnedNet", 400, ...YEAR],
        ["NetInvestmentIncome", 90, ...YEAR],
        ["PolicyholderBenefitsAndClaimsIncurredNet", 300, ...YEAR],
      ]),
    ]);
    expect(insurer.map(({ line }) => line).sort()).toEqual([
      "net_investment_income",
      "policyholder_benefits",
      "premiums_earned",
      "revenue",
    ]);
    const landlord = factsOf([filing([["RealEstateRevenueNet", 70, ...YEAR]])]);
    expect(only(landlord, "revenue")).toMatchObject({ value: 70, tag: "RealEstateRevenueNet" });
  });

  test("profit that other owners share in is not the parent's", () => {
    const shared = factsOf([
      filing([
        ["ProfitLoss", 100, ...YEAR],
        ["MinorityInterest", 9, null, "2023-12-31"],
      ]),
    ]);
    expect(shared.map(({ line }) => line)).not.toContain("net_income");
    expect(only(shared, "net_income_with_noncontrolling")?.value).toBe(100);
    const whole = factsOf([filing([["ProfitLoss", 100, ...YEAR]])]);
    expect(only(whole, "net_income")?.value).toBe(100);
  });

  test("a part is not taken for the whole: borrowings beside maturing debt, cash with what is restricted", () => {
    const facts = factsOf([
      filing([
        ["ShortTermBorrowings", 5, null, "2023-12-31"],
        ["LongTermDebtCurrent", 3, null, "2023-12-31"],
        ["LongTermDebt", 20, null, "2023-12-31"],
        ["StockholdersEquity", 50, null, "2023-12-31"],
        ["MinorityInterest", 4, null, "2023-12-31"],
        ["CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents", 9, null, "2023-12-31"],
        ["RestrictedCashNoncurrent", 2, null, "2023-12-31"],
      ]),
    ]);
    expect(facts.map(({ line }) => line).sort()).toEqual([
      "long_term_debt_current",
      "long_term_debt_with_current",
      "noncontrolling_interest",
      "parent_equity",
      "short_term_borrowings",
    ]);
  });
});

describe("currencies and IFRS", () => {
  const euros: MadeFigure[] = [
    ["ifrs-full:Assets", 900, null, "2023-12-31", "EUR"],
    ["ifrs-full:Assets", 800, null, "2022-12-31", "EUR"],
    ["ifrs-full:Assets", 990, null, "2023-12-31", "USD"],
    ["ifrs-full:Revenue", 300, ...YEAR, "EUR"],
    ["ifrs-full:Revenue", 330, ...YEAR, "USD"],
    ["ifrs-full:BasicEarningsLossPerShare", 1.5, ...YEAR, "EUR/shares"],
    ["ifrs-full:BasicEarningsLossPerShare", 1.65, ...YEAR, "USD/shares"],
  ];

  test("a convenience translation into dollars is not the filing's currency", () => {
    const facts = factsOf([filing(euros, { form: "20-F" })]);
    expect(new Set(facts.map(({ currency }) => currency))).toEqual(new Set(["EUR"]));
    expect(only(facts, "revenue")).toMatchObject({
      value: 300,
      unit: "EUR",
      taxonomy: "ifrs-full",
      fiscal_period: "FY",
    });
    expect(only(facts, "eps_basic")).toMatchObject({ value: 1.5, unit: "EUR/shares" });
  });

  test("two currencies of equal weight: nothing is read, and it is said", () => {
    const { facts, warnings } = normalised([
      filing([
        ["ifrs-full:Assets", 1, null, "2023-12-31", "EUR"],
        ["ifrs-full:Assets", 2, null, "2023-12-31", "USD"],
      ]),
    ]);
    expect(facts).toEqual([]);
    expect(warnings[0]?.detail).toContain("currency");
  });

  test("cash generated from operations counts only when it adds up to the change in cash", () => {
    const flows = (change: number): MadeFigure[] => [
      ["ifrs-full:CashFlowsFromUsedInOperations", 100, ...YEAR],
      ["ifrs-full:CashFlowsFromUsedInInvestingActivities", -30, ...YEAR],
      ["ifrs-full:CashFlowsFromUsedInFinancingActivities", -20, ...YEAR],
      ["ifrs-full:IncreaseDecreaseInCashAndCashEquivalents", change, ...YEAR],
    ];
    const lines = (change: number) =>
      factsOf([filing(flows(change), { form: "20-F" })]).map(({ line }) => line);
    expect(lines(50)).toContain("operating_cash_flow");
    expect(lines(10)).not.toContain("operating_cash_flow");
  });
});

describe("vintages", () => {
  const net = (value: number): MadeFigure => ["NetIncomeLoss", value, "2008-01-01", "2008-12-31"];
  const reported = (...values: readonly (readonly [number, string, string])[]) =>
    factsOf(values.map(([value, form, filed], i) => filing([net(value)], { accn: `a${i}`, form, filed })));

  test("are all kept, numbered, and distinguished from roundings", () => {
    const facts = reported(
      [421_034_000, "10-K", "2009-02-01"],
      [421_000_000, "10-K", "2010-02-01"],
      [530_000_000, "10-K/A", "2010-03-01"],
      [530_000_000, "10-K", "2011-02-01"],
    );
    expect(facts.map(({ vintage, revision }) => [vintage, revision])).toEqual([
      [1, "first"],
      [2, "rounding"],
      [3, "restated"],
      [4, "same"],
    ]);
  });

  test("a split is named as one, and each figure carries the share basis of its filing", () => {
    const facts = factsOf([
      filing([["EarningsPerShareDiluted", 39.75, ...YEAR]], { accn: "a", filed: "2024-02-01" }),
      filing([["EarningsPerShareDiluted", 5.68, ...YEAR]], { accn: "b", filed: "2025-02-01" }),
    ]);
    expect(facts.map(({ revision, split_basis }) => [revision, split_basis])).toEqual([
      ["first", "2024-02-01"],
      ["split", "2025-02-01"],
    ]);
    expect(only(factsOf([filing([net(1)])]), "net_income")?.split_basis).toBeNull();
  });

  test("a proxy statement's figure is marked, and nothing is measured by it", () => {
    const facts = reported(
      [5e6, "10-K", "2009-02-01"],
      [5e9, "DEF 14A", "2009-04-01"],
      [5e6, "10-K", "2010-02-01"],
    );
    expect(facts.map(({ flags }) => flags)).toEqual([[], ["suspect_scale", "proxy_form"], []]);
    expect(facts.at(-1)?.revision).toBe("same");
  });

  test("the moment of acceptance comes from the caller, and orders filings of one day", () => {
    const company = madeCompany([
      filing([net(1)], { accn: "0000001234-09-000001", filed: "2009-02-01" }),
      filing([net(2)], { accn: "0000001234-09-000002", filed: "2009-02-01" }),
    ]);
    const at: Record<string, string> = {
      "0000001234-09-000001": "2009-02-01T20:00:00Z",
      "0000001234-09-000002": "2009-02-01T15:00:00Z",
    };
    const { facts } = normaliseFacts(company, { acceptedAt: (accession) => at[accession] });
    expect(facts.map(({ value, accepted_at }) => [value, accepted_at])).toEqual([
      [2, "2009-02-01T15:00:00Z"],
      [1, "2009-02-01T20:00:00Z"],
    ]);
  });
});

describe("nothing rests on what came later", () => {
  test("a shorter file gives the beginning of what a longer one gives", () => {
    const filings = [2018, 2019, 2020, 2021].flatMap((year) => madeYear(year, year * 1000));
    const whole = factsOf(filings);
    for (const day of ["2018-05-01", "2018-11-01", "2019-02-15", "2020-08-02", "2022-01-01"]) {
      const before = filings.filter(({ filed }) => filed <= day);
      expect(factsOf(before)).toEqual(whole.filter(({ filed_date }) => filed_date <= day));
    }
  });
});

describe("what is no companyfacts", () => {
  test("is refused as another shape", () => {
    for (const wrong of [null, 1, "x", [], {}, { cik: 1 }, { cik: "x", facts: {} }, { cik: 1, facts: [] }])
      expect(() => normaliseFacts(wrong)).toThrow(/changed the shape of companyfacts/);
    const broken = { cik: 1, facts: { "us-gaap": { Assets: { units: { USD: {} } } } } };
    expect(() => normaliseFacts(broken)).toThrow(/Assets.USD should be a list/);
  });

  test("another entity's file is refused", () => {
    expect(() => normaliseFacts(madeCompany([]), { cik: "0000000001" })).toThrow(/cik/);
    expect(normaliseFacts(madeCompany([]), { cik: "0000001234" }).facts).toEqual([]);
  });

  test("rows that lack a field are left out and counted; no rows at all are no facts", () => {
    const company = madeCompany([filing(madeBalance(10, "2023-12-31"))]);
    const rows = company.facts["us-gaap"]?.Assets?.units.USD as unknown[];
    rows.push(null, {}, { end: "2023-13-01", val: 1 }, { ...(rows[0] as object), val: "7" });
    const { facts, warnings } = normaliseFacts(company);
    expect(facts.filter(({ line }) => line === "total_assets").map(({ value }) => value)).toEqual([10]);
    expect(textsOf(warnings)).toEqual([
      "1 row of companyfacts in 0000001234-24-000001 could not be read: left out",
      "3 rows of companyfacts could not be read: left out",
    ]);
    expect(normaliseFacts({ cik: 1, facts: {} })).toMatchObject({ facts: [], warnings: [] });
  });

  test("two numbers for one thing: the exacter of a rounding, neither of a contradiction", () => {
    const rounded = factsOf([
      filing([
        ["Assets", 1_100_000_000, null, "2023-12-31"],
        ["Assets", 1_091_000_000, null, "2023-12-31"],
      ]),
    ]);
    expect(only(rounded, "total_assets")).toMatchObject({ value: 1_091_000_000, flags: [] });
    const contradicting = factsOf([
      filing([
        ["Assets", 11, null, "2023-12-31"],
        ["Assets", 12, null, "2023-12-31"],
      ]),
    ]);
    expect(only(contradicting, "total_assets")?.flags).toEqual(["conflicting"]);
  });

  test("where a tag's own number cannot be read, no part stands in for it", () => {
    const company = madeCompany([
      filing([
        ["Revenues", 713, ...YEAR],
        ["RevenueFromContractWithCustomerExcludingAssessedTax", 706, ...YEAR],
        ["LongTermDebtCurrent", 3, null, "2023-12-31"],
        ["ShortTermBorrowings", 5, null, "2023-12-31"],
      ]),
    ]);
    for (const tag of ["Revenues", "LongTermDebtCurrent"])
      Object.assign(company.facts["us-gaap"]?.[tag]?.units.USD?.[0] ?? {}, {
        val: tag === "Revenues" ? null : "3",
      });
    const { facts, warnings } = normaliseFacts(company);
    expect(facts.map(({ line, value }) => [line, value])).toEqual([["short_term_borrowings", 5]]);
    expect(textsOf(warnings)).toEqual([
      "2 rows of companyfacts in 0000001234-24-000001 could not be read: left out",
    ]);
    company.facts["us-gaap"]?.Revenues?.units.USD?.push({
      ...company.facts["us-gaap"].Revenues.units.USD[0],
      val: 713,
    } as never);
    expect(only(normaliseFacts(company).facts, "revenue")?.value).toBe(713);
  });

  test("a filing is dated by the latest of its rows, and one of days to come is none", () => {
    const net = (end: string): MadeFigure => ["NetIncomeLoss", 5, `${end.slice(0, 4)}-01-01`, end];
    const company = madeCompany([
      filing([net("2022-12-31")], { filed: "2023-02-15" }),
      filing([net("2023-12-31")], { filed: "2024-02-15" }),
      filing([net("2024-12-31")], { accn: "0000001234-25-000001", filed: "2030-02-15" }),
    ]);
    const { facts, warnings } = normaliseFacts(company, { until: "2026-01-01" });
    expect(facts.map(({ period_end, filed_date }) => [period_end, filed_date])).toEqual([
      ["2022-12-31", "2024-02-15"],
      ["2023-12-31", "2024-02-15"],
    ]);
    expect(textsOf(warnings)).toEqual(["1 row of companyfacts could not be read: left out"]);
    expect(normaliseFacts(company).facts).toHaveLength(3);
  });

  test("figures of days to come, of stubs and of sums since inception are no periods", () => {
    const facts = factsOf([
      filing([
        ["NetIncomeLoss", 1, "2024-01-01", "2024-12-31"],
        ["NetIncomeLoss", 2, "2023-12-20", "2023-12-31"],
        ["NetIncomeLoss", 3, "2015-01-01", "2023-12-31"],
        ["NetIncomeLoss", 4, "2023-12-31", "2023-01-01"],
        ["Assets", 5, null, "2024-06-30"],
        ["NetIncomeLoss", 6, ...YEAR],
      ]),
    ]);
    // Twelve days of an annual report may be the company's first ones; beside a year they are no part of it.
    expect(facts.map(({ value, fiscal_period }) => [value, fiscal_period])).toEqual([
      [2, null],
      [6, "FY"],
    ]);
  });

  test("periods come from the dates, never from fy and fp", () => {
    const facts = factsOf([filing(madeIncome(10, ...YEAR), { fy: 2031, fp: "Q2" })]);
    expect(facts[0]).toMatchObject({ fiscal_year: 2023, fiscal_period: "FY", period_months: 12 });
    const unlabelled = factsOf([filing(madeIncome(10, ...YEAR), { fy: null, fp: null })]);
    expect(facts[0]?.filing_fiscal_year).toBe(2031);
    // The filing's own year stands beside them as it is.
    expect(unlabelled).toEqual(facts.map((fact) => ({ ...fact, filing_fiscal_year: null })));
  });
});
