import { describe, expect, test } from "bun:test";
import { type MadeFigure, madeBalance, madeCompany } from "../../../../../test/support/company-facts.ts";
import { normaliseFacts } from "./facts.ts";
import { LINES } from "./lines.ts";
import { SUMS } from "./signs.ts";

const YEAR = ["2023-01-01", "2023-12-31"] as const;
const END = "2023-12-31";
type Amounts = Readonly<Record<string, number>>;
const flows = (amounts: Amounts): MadeFigure[] =>
  Object.entries(amounts).map(([tag, value]) => [tag, value, ...YEAR]);
const states = (amounts: Amounts): MadeFigure[] =>
  Object.entries(amounts).map(([tag, value]) => [tag, value, null, END]);
/** The figures that have a flag of their sign. */
const marked = (figures: readonly MadeFigure[]) =>
  Object.fromEntries(
    normaliseFacts(
      madeCompany([{ accn: "0000001234-24-000001", form: "10-K", filed: "2024-02-15", figures }]),
    )
      .facts.filter(({ flags }) => flags.length > 0)
      .map(({ line, value, flags }) => [line, `${value} ${flags}`]),
  );

const PRETAX = "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest";
const INCOME: Amounts = {
  Revenues: 9000,
  CostOfRevenue: 5000,
  GrossProfit: 4000,
  ResearchAndDevelopmentExpense: 700,
  SellingGeneralAndAdministrativeExpense: 1300,
  OperatingExpenses: 2000,
  CostsAndExpenses: 7000,
  OperatingIncomeLoss: 2000,
  InterestExpense: 150,
  InvestmentIncomeInterest: 30,
  [PRETAX]: 1880,
  IncomeTaxExpenseBenefit: 400,
  NetIncomeLoss: 1480,
};
const negated = (amounts: Amounts, ...tags: readonly string[]): Amounts => ({
  ...amounts,
  ...Object.fromEntries(tags.map((tag) => [tag, -(amounts[tag] ?? 0)])),
});

test("every sum names lines, and tags that are read", () => {
  const lines = new Set<string>(LINES.map(({ line }) => line));
  const names = SUMS.flatMap((sum) => sum.match(/[A-Za-z_]+/g) ?? []);
  expect(names.filter((name) => /^[a-z]/.test(name) && !lines.has(name))).toEqual([]);
});

describe("a cost filed as a negative number", () => {
  test("is reversed where only that closes a sum, and a line with its expected sign is never marked", () => {
    expect(marked(flows(INCOME))).toEqual({});
    for (const [tag, line] of [
      ["CostOfRevenue", "cost_of_revenue"],
      ["CostsAndExpenses", "costs_and_expenses"],
      ["ResearchAndDevelopmentExpense", "research_and_development"],
      ["SellingGeneralAndAdministrativeExpense", "selling_general_administrative"],
      ["InterestExpense", "interest_expense"],
      ["IncomeTaxExpenseBenefit", "income_tax_expense"],
    ] as const)
      expect(marked(flows(negated(INCOME, tag)))).toEqual({ [line]: `${INCOME[tag]} reversed_sign` });
  });

  test("all costs of a report: sums of costs alone are closed by the sums around them", () => {
    const costs = ["CostOfRevenue", "ResearchAndDevelopmentExpense", "OperatingExpenses", "InterestExpense"];
    const more = ["CostsAndExpenses", "SellingGeneralAndAdministrativeExpense", "IncomeTaxExpenseBenefit"];
    expect(marked(flows(negated(INCOME, ...costs, ...more)))).toEqual({
      cost_of_revenue: "5000 reversed_sign",
      research_and_development: "700 reversed_sign",
      selling_general_administrative: "1300 reversed_sign",
      operating_expenses: "2000 reversed_sign",
      costs_and_expenses: "7000 reversed_sign",
      interest_expense: "150 reversed_sign",
      income_tax_expense: "400 reversed_sign",
    });
  });

  test("is unproven where no sum has it, or none closes: an unread line proves nothing", () => {
    const { InvestmentIncomeInterest: _, ...open } = negated(INCOME, "InterestExpense");
    expect(marked(flows(open))).toEqual({ interest_expense: "-150 sign_unproven" });
    expect(marked(flows({ Revenues: 9000, ResearchAndDevelopmentExpense: -700 }))).toEqual({
      research_and_development: "-700 sign_unproven",
    });
  });

  test("is right where the sum closes as it stands", () => {
    expect(
      marked(flows({ ...negated(INCOME, "InterestExpense"), [PRETAX]: 2180, NetIncomeLoss: 1780 })),
    ).toEqual({});
  });

  test("is not reversed where one sum closes with either sign", () => {
    const both = { ...negated(INCOME, "CostOfRevenue"), OperatingExpenses: 9000, OperatingIncomeLoss: 5000 };
    // Gross profit shows a cost of 5000, and operating income one of -5000.
    expect(marked(flows(both))).toMatchObject({ cost_of_revenue: "-5000 sign_unproven" });
  });
});

test("compensation and depreciation are reversed where the operating section closes only so", () => {
  const section = {
    NetIncomeLoss: 1480,
    DepreciationDepletionAndAmortization: -310,
    ShareBasedCompensation: -90,
    IncreaseDecreaseInInventories: 55,
    IncreaseDecreaseInAccountsPayable: 40,
  };
  const total = (value: number) => flows({ ...section, NetCashProvidedByUsedInOperatingActivities: value });
  expect(marked(total(1865))).toEqual({
    stock_based_compensation: "90 reversed_sign",
    depreciation_amortization: "310 reversed_sign",
  });
  expect(marked(total(1700))).toEqual({
    stock_based_compensation: "-90 sign_unproven",
    depreciation_amortization: "-310 sign_unproven",
  });
});

describe("a result with the other sign", () => {
  test("is withheld where every sum that closes does so only with its reversal", () => {
    expect(marked(flows(negated(INCOME, "OperatingIncomeLoss")))).toEqual({
      operating_income: "-2000 suspect_sign",
    });
    expect(marked(flows(negated(INCOME, "NetIncomeLoss")))).toEqual({ net_income: "-1480 suspect_sign" });
    const cash = {
      NetCashProvidedByUsedInOperatingActivities: 900,
      NetCashProvidedByUsedInInvestingActivities: -500,
      NetCashProvidedByUsedInFinancingActivities: -250,
      CashAndCashEquivalentsPeriodIncreaseDecrease: 150,
    };
    expect(marked(flows(cash))).toEqual({});
    for (const [tag, line] of [
      ["NetCashProvidedByUsedInOperatingActivities", "operating_cash_flow"],
      ["CashAndCashEquivalentsPeriodIncreaseDecrease", "net_change_in_cash"],
    ] as const)
      expect(marked(flows(negated(cash, tag)))).toEqual({ [line]: `${-(cash[tag] ?? 0)} suspect_sign` });
  });

  test("is served where another sum or earnings per share show the sign that is filed", () => {
    const loss: Amounts = { ...INCOME, OperatingIncomeLoss: -2000, InterestExpense: 150, [PRETAX]: -2150 };
    const { InvestmentIncomeInterest: _, IncomeTaxExpenseBenefit: __, NetIncomeLoss: ___, ...rest } = loss;
    expect(marked(flows(rest))).toEqual({});
    const shares = {
      EarningsPerShareBasic: -14.8,
      WeightedAverageNumberOfSharesOutstandingBasic: 100,
    };
    expect(marked(flows({ ...negated(INCOME, "NetIncomeLoss"), ...shares }))).toEqual({});
  });

  test("says nothing about the tax where earnings per share show another income", () => {
    const swapped = { ...INCOME, [PRETAX]: 1480, NetIncomeLoss: 1880 };
    const shares = { EarningsPerShareBasic: 14.8, WeightedAverageNumberOfSharesOutstandingBasic: 100 };
    expect(marked(flows({ ...swapped, ...shares }))).toEqual({});
  });
});

describe("a side of the balance sheet filed as credits", () => {
  const sheet = { Assets: 900, AssetsCurrent: 400, Liabilities: 600, StockholdersEquity: 300 };
  const side: Amounts = {
    ...sheet,
    LiabilitiesCurrent: 250,
    AccountsPayableCurrent: 50,
    LongTermDebtNoncurrent: 280,
    RetainedEarningsAccumulatedDeficit: -75,
    LiabilitiesAndStockholdersEquity: 900,
  };
  const credits = Object.keys(side).filter((tag) => !tag.startsWith("Assets"));

  test("is reversed as a whole, a deficit in it too", () => {
    expect(marked(states(side))).toEqual({});
    expect(marked(states(negated(side, ...credits)))).toEqual({
      total_liabilities: "600 reversed_sign",
      current_liabilities: "250 reversed_sign",
      accounts_payable: "50 reversed_sign",
      long_term_debt: "280 reversed_sign",
      total_equity: "300 reversed_sign",
      parent_equity: "300 reversed_sign",
      retained_earnings: "-75 reversed_sign",
      liabilities_and_equity: "900 reversed_sign",
    });
  });

  test("is reversed without its parts where those have their sign", () => {
    expect(marked(states(negated(side, "LiabilitiesAndStockholdersEquity")))).toEqual({
      liabilities_and_equity: "900 reversed_sign",
    });
    expect(marked(states(negated(side, "Liabilities")))).toEqual({ total_liabilities: "600 reversed_sign" });
    expect(marked(states(negated(side, "AccountsPayableCurrent")))).toEqual({
      accounts_payable: "-50 sign_unproven",
    });
  });

  test("a true deficit keeps its sign", () => {
    expect(
      marked(states({ ...side, Liabilities: 1100, StockholdersEquity: -200, LiabilitiesCurrent: 900 })),
    ).toEqual({});
    expect(marked(madeBalance(500e6, END))).toEqual({});
  });
});
