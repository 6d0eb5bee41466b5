import { describe, expect, test } from "bun:test";
import {
  type MadeFigure,
  type MadeFiling,
  madeBalance,
  madeCashFlow,
  madeCompany,
  madeIncome,
  madeYear,
  textsOf,
} from "../../../../test/support/company-facts.ts";
import { normaliseFacts } from "../../../providers/edgar/index.ts";
import { checkIdentities, type Identity } from "./identities.ts";
import { selectStatements } from "./select.ts";

const YEAR = ["2020-01-01", "2020-12-31"] as const;
const END = "2020-12-31";
const read = (filings: readonly MadeFiling[]) => selectStatements(normaliseFacts(madeCompany(filings)).facts);
const report = (figures: readonly MadeFigure[]): MadeFiling => ({
  accn: "0000001234-21-000001",
  form: "10-K",
  filed: "2021-02-15",
  figures,
});
/** The identities that a report breaks, with the amount. */
const broken = (figures: readonly MadeFigure[]) =>
  checkIdentities(read([report(figures)]))
    .filter(({ holds }) => !holds)
    .map(({ identity, off }): [Identity, number] => [identity, off]);
const replace = (figures: readonly MadeFigure[], tag: string, value: number): MadeFigure[] =>
  figures.map((figure) => (figure[0] === tag ? [tag, value, figure[2], figure[3]] : figure));

describe("the sums of a statement", () => {
  const income = madeIncome(1000e6, ...YEAR);
  const balance = madeBalance(500e6, END);

  test("are checked, hold in a made company, and then give no warning", () => {
    const statements = read(madeYear(2020, 100e6));
    const counts = Map.groupBy(checkIdentities(statements), ({ identity }) => identity);
    expect(Object.fromEntries([...counts].map(([name, checks]) => [name, checks.length]))).toEqual({
      "EPS x weighted shares = income": 4,
      "assets = liabilities + temporary equity + equity": 4,
      "gross profit = revenue - cost": 4,
      "no part above its whole": 8,
    });
    expect(statements.warnings).toEqual([]);
  });

  test("assets = liabilities + temporary equity + equity", () => {
    expect(broken(replace(balance, "StockholdersEquity", 190e6))).toEqual([
      ["assets = liabilities + temporary equity + equity", 10e6],
    ]);
    const apart: MadeFigure[] = [["RedeemableNoncontrollingInterestEquityCarryingAmount", 10e6, null, END]];
    expect(broken([...replace(balance, "StockholdersEquity", 190e6), ...apart])).toEqual([]);
  });

  test("a total of equity is held to the balance sheet itself: parts that close do not excuse it", () => {
    const parts: MadeFigure[] = [
      ...replace(balance, "StockholdersEquity", 185e6),
      ["MinorityInterest", 15e6, null, END],
    ];
    expect(broken(parts)).toEqual([]);
    const total = "StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest";
    expect(broken([...parts, [total, 200e6, null, END]])).toEqual([]);
    const off: MadeFigure = [total, 190e6, null, END];
    expect(broken([...parts, off])).toEqual([]);
    expect(read([report([...parts, off])]).balance_sheet[0]?.items.total_equity).toBeNull();
    const open = parts.filter(([tag]) => tag !== "Liabilities");
    expect(broken([...open, off])).toEqual([["total equity = parent + noncontrolling (+ preferred)", -10e6]]);
    expect(broken([...open, [total, 207e6, null, END], ["PreferredStockValue", 7e6, null, END]])).toEqual([]);
  });

  test("sum of flows + exchange rates = change in cash", () => {
    const flows = madeCashFlow(100e6, ...YEAR);
    const change = (value: number): MadeFigure => [
      "CashAndCashEquivalentsPeriodIncreaseDecrease",
      value,
      ...YEAR,
    ];
    const rates: MadeFigure = ["EffectOfExchangeRateOnCashAndCashEquivalents", -5e6, ...YEAR];
    expect(broken([...flows, change(25e6)])).toEqual([]);
    expect(broken([...flows, change(20e6), rates])).toEqual([]);
    expect(broken([...flows, change(10e6)])).toEqual([
      ["sum of flows + exchange rates = change in cash", -15e6],
    ]);
  });

  test("gross profit = revenue - cost, within the rounding of the report", () => {
    expect(broken(replace(income, "GrossProfit", 401e6))).toEqual([]);
    expect(broken(replace(income, "GrossProfit", 430e6))).toEqual([["gross profit = revenue - cost", 30e6]]);
  });

  test("EPS x weighted shares = income", () => {
    expect(broken(replace(income, "EarningsPerShareDiluted", 1.2))).toEqual([
      ["EPS x weighted shares = income", -20e6],
    ]);
  });

  test("pre-tax income - tax = income, less discontinued operations and equity-method results", () => {
    const before =
      "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest";
    const taxed = (tax: number): MadeFigure[] => [
      ...income,
      [before, 130e6, ...YEAR],
      ["IncomeTaxExpenseBenefit", tax, ...YEAR],
    ];
    expect(broken(taxed(30e6))).toEqual([]);
    expect(broken(taxed(50e6))).toEqual([["pre-tax income - tax = income", 20e6]]);
    const ended: MadeFigure = ["IncomeLossFromDiscontinuedOperationsNetOfTax", 20e6, ...YEAR];
    expect(broken([...taxed(50e6), ended])).toEqual([]);
    const others: MadeFigure = ["IncomeLossFromEquityMethodInvestments", 15e6, ...YEAR];
    expect(broken([...taxed(65e6), ended, others])).toEqual([]);
  });

  test("quarters sum to the year, and a row that breaks an identity says so with its name", () => {
    const filings = madeYear(2020, 100e6);
    const fourth = madeIncome(120e6, "2020-10-01", "2020-12-31");
    const annual = filings.at(-1);
    if (!annual) throw new Error("no annual report");
    const { warnings } = read([
      ...filings.slice(0, 3),
      { ...annual, figures: [...annual.figures, ...fourth] },
    ]);
    expect(textsOf(warnings)).toEqual([
      expect.stringContaining(
        `Income statement to 2020-12-31 in 10-K ${annual.accn} does not keep the identity "quarters sum to the year": off revenue by -20000000, cost of revenue by -12000000`,
      ),
    ]);
  });
});

describe("a total beside both of its parts", () => {
  const income = madeIncome(1000e6, ...YEAR);
  const balance = madeBalance(500e6, END);

  test("a part is not above its whole, whatever the rest of it is", () => {
    const stocked = (inventory: number): MadeFigure[] => [...balance, ["InventoryNet", inventory, null, END]];
    expect(broken(stocked(250e6))).toEqual([]);
    expect(broken(stocked(1_980e6))).toEqual([["no part above its whole", -1_730e6]]);
  });

  test("selling and administration", () => {
    const parts = (total: number): MadeFigure[] => [
      ...income,
      ["SellingAndMarketingExpense", 70e6, ...YEAR],
      ["GeneralAndAdministrativeExpense", 30e6, ...YEAR],
      ["SellingGeneralAndAdministrativeExpense", total, ...YEAR],
    ];
    expect(broken(parts(100e6))).toEqual([]);
    expect(broken(parts(120e6))).toEqual([
      ["selling, general and administrative = selling + administrative", 20e6],
    ]);
  });

  test("deferred revenue of both terms", () => {
    const parts = (total: number): MadeFigure[] => [
      ...balance,
      ["ContractWithCustomerLiabilityCurrent", 53e6, null, END],
      ["ContractWithCustomerLiabilityNoncurrent", 15e6, null, END],
      ["ContractWithCustomerLiability", total, null, END],
    ];
    expect(broken(parts(68e6))).toEqual([]);
    expect(broken(parts(63e6))).toEqual([["deferred revenue = current + noncurrent", -5e6]]);
  });
});
