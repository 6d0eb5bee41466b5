import { describe, expect, test } from "bun:test";
import { type MadeFigure, madeCompany } from "../../../../../test/support/company-facts.ts";
import { normaliseFacts } from "./facts.ts";

const YEAR = ["2023-01-01", "2023-12-31"] as const;
const END = "2023-12-31";
const read = (...figures: MadeFigure[]) =>
  normaliseFacts(
    madeCompany([{ accn: "0000001234-24-000001", form: "10-K", filed: "2024-02-15", figures }]),
  ).facts.map(({ line, tag, value }) => [line, tag, value]);

describe("lines that are parts or other totals", () => {
  test("costs and expenses, selling and administration are lines of their own and no total", () => {
    expect(
      read(
        ["CostsAndExpenses", 80, ...YEAR],
        ["SellingAndMarketingExpense", 10, ...YEAR],
        ["GeneralAndAdministrativeExpense", 5, ...YEAR],
      ),
    ).toEqual([
      ["costs_and_expenses", "CostsAndExpenses", 80],
      ["selling_and_marketing", "SellingAndMarketingExpense", 10],
      ["general_and_administrative", "GeneralAndAdministrativeExpense", 5],
    ]);
  });

  test("costs and expenses below the cost of revenue are only the others", () => {
    const lines = read(["CostsAndExpenses", 80, ...YEAR], ["CostOfRevenue", 90, ...YEAR]);
    expect(lines).toEqual([["cost_of_revenue", "CostOfRevenue", 90]]);
  });

  test("operating costs are all costs where revenue less them is operating income", () => {
    const costs: MadeFigure = ["OperatingCostsAndExpenses", 80, ...YEAR];
    const income = (value: number): MadeFigure => ["OperatingIncomeLoss", value, ...YEAR];
    const of = (...figures: MadeFigure[]) =>
      read(...figures, ["Revenues", 100, ...YEAR]).filter(([line]) => line === "costs_and_expenses");
    expect(of(costs, income(20))).toEqual([["costs_and_expenses", "OperatingCostsAndExpenses", 80]]);
    expect(of(costs, income(5))).toEqual([]);
    expect(of(costs)).toEqual([]);
  });

  test("depreciation and amortization apart, only where no figure for both is given", () => {
    const parts: MadeFigure[] = [
      ["Depreciation", 9, ...YEAR],
      ["AmortizationOfIntangibleAssets", 2, ...YEAR],
    ];
    expect(read(...parts)).toEqual([
      ["depreciation", "Depreciation", 9],
      ["amortization_of_intangible_assets", "AmortizationOfIntangibleAssets", 2],
    ]);
    const both: MadeFigure = ["DepreciationDepletionAndAmortization", 11, ...YEAR];
    expect(read(...parts, both).map(([line]) => line)).toEqual(["depreciation_amortization"]);
  });

  test("payables without a term are this line where they fit into current liabilities", () => {
    const payables: MadeFigure = ["AccountsPayableCurrentAndNoncurrent", 30, null, END];
    const current = (value: number): MadeFigure => ["LiabilitiesCurrent", value, null, END];
    const of = (...figures: MadeFigure[]) => read(...figures).filter(([line]) => line === "accounts_payable");
    expect(of(payables)).toEqual([["accounts_payable", payables[0], 30]]);
    expect(of(payables, current(40))).toHaveLength(1);
    expect(of(payables, current(20))).toEqual([]);
  });

  test("debt is given by its kind and term, and no kind is added to another", () => {
    const debt: MadeFigure[] = [
      ["NotesPayableCurrent", 1, null, END],
      ["LoansPayableCurrent", 2, null, END],
      ["ConvertibleNotesPayableCurrent", 3, null, END],
      ["LinesOfCreditCurrent", 4, null, END],
      ["NotesPayable", 5, null, END],
      ["LongTermNotesPayable", 6, null, END],
      ["LongTermLoansPayable", 7, null, END],
      ["ConvertibleDebtNoncurrent", 8, null, END],
      ["LongTermLineOfCredit", 9, null, END],
    ];
    expect(read(...debt).map(([line, , value]) => [line, value])).toEqual([
      ["notes_payable_current", 1],
      ["loans_payable_current", 2],
      ["convertible_debt_current", 3],
      ["line_of_credit_current", 4],
      ["line_of_credit_noncurrent", 9],
      ["notes_payable", 5],
      ["long_term_notes_payable", 6],
      ["long_term_loans_payable", 7],
      ["convertible_debt_noncurrent", 8],
    ]);
  });

  test("long-term debt with its current part is a line of its own beside that part", () => {
    const debt: MadeFigure[] = [
      ["LongTermDebt", 100, null, END],
      ["LongTermDebtCurrent", 10, null, END],
    ];
    expect(read(...debt).map(([line, , value]) => [line, value])).toEqual([
      ["long_term_debt_current", 10],
      ["long_term_debt_with_current", 100],
    ]);
    const rest: MadeFigure = ["LongTermDebtNoncurrent", 90, null, END];
    expect(read(...debt, rest).map(([line]) => line)).toEqual(["long_term_debt", "long_term_debt_current"]);
  });

  test("short-term borrowings are no total beside other debt due within a year, which says nothing about long-term debt", () => {
    const served = (...debt: readonly (readonly [string, number])[]) =>
      read(...debt.map(([tag, value]): MadeFigure => [tag, value, null, END]))
        .filter(([line]) => line === "short_term_debt" || line === "long_term_debt")
        .map(([line, , value]) => [line, value]);
    const [short, long] = [
      ["ShortTermBorrowings", 10],
      ["LongTermDebt", 100],
    ] as const;
    expect(served(short, long)).toEqual([
      ["short_term_debt", 10],
      ["long_term_debt", 100],
    ]);
    for (const tag of ["NotesPayableCurrent", "ConvertibleNotesPayableCurrent", "OtherLongTermDebtCurrent"])
      expect(served(short, long, [tag, 5])).toEqual([["long_term_debt", 100]]);
    expect(served(short, ["CommercialPaper", 8])).toEqual([["short_term_debt", 10]]);
    expect(served(short, ["CommercialPaper", 30])).toEqual([]);
  });

  test("cash and due from banks is a line of its own beside all cash", () => {
    const cash: MadeFigure[] = [
      ["CashAndDueFromBanks", 30, null, END],
      ["CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents", 400, null, END],
    ];
    expect(read(...cash).map(([line, , value]) => [line, value])).toEqual([
      ["cash_and_equivalents", 400],
      ["cash_and_due_from_banks", 30],
    ]);
  });

  test("receivables without a term are this line where no other term is given and they fit", () => {
    const receivables: MadeFigure = ["AccountsReceivableNet", 30, null, END];
    const of = (...figures: MadeFigure[]) =>
      read(receivables, ...figures).filter(([line]) => line === "accounts_receivable");
    expect(of()).toEqual([["accounts_receivable", "AccountsReceivableNet", 30]]);
    expect(of(["AssetsCurrent", 20, null, END])).toEqual([]);
    expect(of(["AccountsReceivableNetNoncurrent", 5, null, END])).toEqual([]);
  });
});

describe("earnings per share for basic and diluted shares together", () => {
  const YEAR = ["2023-01-01", "2023-12-31"] as const;
  const diluted = (...figures: MadeFigure[]) =>
    normaliseFacts(
      madeCompany([{ accn: "0000001234-24-000001", form: "10-K", filed: "2024-02-15", figures }]),
    )
      .facts.filter(({ line }) => line === "eps_diluted")
      .map(({ value, tag }) => [value, tag]);
  const basic: MadeFigure = ["EarningsPerShareBasic", -1.5, ...YEAR];
  const count = (tag: string, value: number): MadeFigure => [
    `WeightedAverageNumberOf${tag}`,
    value,
    ...YEAR,
    "shares",
  ];

  test("are the diluted ones, of continuing operations where nothing is discontinued", () => {
    const both: MadeFigure = ["EarningsPerShareBasicAndDiluted", -1.5, ...YEAR];
    expect(diluted(both)).toEqual([[-1.5, both[0]]]);
    const tag = "IncomeLossFromContinuingOperationsPerBasicAndDilutedShare";
    const continuing: MadeFigure = [tag, -1.4, ...YEAR, "USD/shares"];
    expect(diluted(continuing)).toEqual([[-1.4, tag]]);
    expect(diluted(continuing, ["IncomeLossFromDiscontinuedOperationsNetOfTax", 5, ...YEAR])).toEqual([]);
  });

  test("are the basic ones where one count of shares stands for both", () => {
    const shares = count("SharesOutstandingBasic", 900);
    expect(diluted(basic, shares)).toEqual([]);
    expect(diluted(basic, count("ShareOutstandingBasicAndDiluted", 900))).toEqual([[-1.5, basic[0]]]);
    expect(diluted(basic, shares, count("DilutedSharesOutstanding", 900))).toEqual([[-1.5, basic[0]]]);
    expect(diluted(basic, shares, count("DilutedSharesOutstanding", 950))).toEqual([]);
  });
});
