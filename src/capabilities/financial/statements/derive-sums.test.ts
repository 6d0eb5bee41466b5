import { describe, expect, test } from "bun:test";
import {
  type MadeFigure,
  type MadeFiling,
  madeBalance,
  madeCashFlow,
  madeCompany,
  madeIncome,
} from "../../../../test/support/company-facts.ts";
import { normaliseFacts } from "../../../providers/edgar/index.ts";
import { addSums } from "./derive-sums.ts";
import { selectStatements } from "./select.ts";

const YEAR = ["2020-01-01", "2020-12-31"] as const;
const END = "2020-12-31";
const report = (figures: readonly MadeFigure[], rest: Partial<MadeFiling> = {}): MadeFiling => ({
  accn: "0000001234-21-000001",
  form: "10-K",
  filed: "2021-02-15",
  figures: [
    ...madeIncome(100e6, ...YEAR),
    ...madeBalance(500e6, END),
    ...madeCashFlow(100e6, ...YEAR),
    ...figures,
  ],
  ...rest,
});
const read = (...filings: MadeFiling[]) =>
  addSums(selectStatements(normaliseFacts(madeCompany(filings)).facts));
/** The derived rows' figures by line. */
const sumsOf = (...filings: MadeFiling[]) => {
  const { income_statement, balance_sheet, cash_flow } = read(...filings);
  const rows = [...income_statement, ...balance_sheet, ...cash_flow].filter(
    ({ basis }) => basis === "derived",
  );
  return rows.flatMap(({ items }) => Object.entries(items).filter(([, value]) => value !== null));
};

const selling: MadeFigure = ["SellingAndMarketingExpense", 7e6, ...YEAR];
const administration: MadeFigure = ["GeneralAndAdministrativeExpense", 3e6, ...YEAR];

describe("a sum that no report gives", () => {
  test("stands in a derived row of its own beside the reported row, with the parts it adds", () => {
    const [reported, derived, ...rest] = read(report([selling, administration])).income_statement;
    expect(rest).toEqual([]);
    expect(reported?.items).toMatchObject({
      selling_general_administrative: null,
      selling_and_marketing: 7e6,
      general_and_administrative: 3e6,
    });
    expect(derived).toMatchObject({
      basis: "derived",
      period_end_date: END,
      accession_number: "0000001234-21-000001",
      items: { selling_general_administrative: 10e6, selling_and_marketing: null, revenue: null },
    });
    expect(derived?.sources.selling_general_administrative).toMatchObject({
      operation: "sum",
      operands: [
        { tag: "SellingAndMarketingExpense", value: 7e6, period_start: "2020-01-01" },
        { tag: "GeneralAndAdministrativeExpense", value: 3e6 },
      ],
    });
    expect(derived?.known_at).toBe(reported?.known_at ?? "");
  });

  test("needs every part, from the row's own report, and no reported total", () => {
    expect(sumsOf(report([selling]))).toEqual([]);
    const total: MadeFigure = ["SellingGeneralAndAdministrativeExpense", 11e6, ...YEAR];
    expect(sumsOf(report([selling, administration, total]))).toEqual([]);
    const later = report([selling], { accn: "0000001234-22-000001", filed: "2022-02-15" });
    expect(sumsOf(report([administration]), later)).toEqual([]);
  });

  test("adds borrowings and the current part of long-term debt, depreciation and amortization", () => {
    expect(
      sumsOf(
        report([
          ["CommercialPaper", 20e6, null, END],
          ["LongTermDebtCurrent", 5e6, null, END],
          ["Depreciation", 9e6, ...YEAR],
          ["AmortizationOfIntangibleAssets", 2e6, ...YEAR],
        ]),
      ),
    ).toEqual([
      ["short_term_debt", 25e6],
      ["depreciation_amortization", 11e6],
    ]);
  });

  test("is not made where a second figure may be another part or the same", () => {
    const parts: MadeFigure[] = [
      ["Depreciation", 9e6, ...YEAR],
      ["AmortizationOfIntangibleAssets", 2e6, ...YEAR],
      ["AdjustmentForAmortization", 3e6, ...YEAR],
    ];
    expect(sumsOf(report(parts))).toEqual([["depreciation_amortization", 12e6]]);
    const debt: MadeFigure[] = [
      ["ShortTermBorrowings", 20e6, null, END],
      ["LongTermDebtCurrent", 5e6, null, END],
    ];
    expect(sumsOf(report(debt))).toEqual([["short_term_debt", 25e6]]);
    expect(sumsOf(report([...debt, ["NotesPayableCurrent", 4e6, null, END]]))).toEqual([]);
    expect(sumsOf(report([...debt, ["CommercialPaper", 4e6, null, END]]))).toEqual([]);
  });

  test("adds deferred revenue of both terms", () => {
    const figures: MadeFigure[] = [
      ["ContractWithCustomerLiabilityCurrent", 6e6, null, END],
      ["ContractWithCustomerLiabilityNoncurrent", 2e6, null, END],
    ];
    expect(sumsOf(report(figures))).toEqual([["deferred_revenue_total", 8e6]]);
    const total: MadeFigure = ["ContractWithCustomerLiability", 8e6, null, END];
    expect(sumsOf(report([...figures, total]))).toEqual([]);
  });
});

describe("a total whose parts only the statement's own sum can prove whole", () => {
  const flow = (activity: string, part: "Continuing" | "Discontinued", amount: number): MadeFigure => [
    `${part === "Continuing" ? "NetCash" : "Cash"}ProvidedByUsedIn${activity}Activities${part}Operations`,
    amount,
    ...YEAR,
  ];
  const change = (amount: number): MadeFigure => [
    "CashAndCashEquivalentsPeriodIncreaseDecrease",
    amount,
    ...YEAR,
  ];
  /** A 10-K of this statement alone. */
  const only = (figures: readonly MadeFigure[]): MadeFiling => ({ ...report([]), figures });
  const income = madeIncome(100e6, ...YEAR);
  const parted = [
    flow("Operating", "Continuing", 50e6),
    flow("Operating", "Discontinued", 7e6),
    flow("Investing", "Continuing", -20e6),
    flow("Investing", "Discontinued", -2e6),
  ];
  const financed: MadeFigure = ["NetCashProvidedByUsedInFinancingActivities", -10e6, ...YEAR];

  test("cash flows of continuing and discontinued operations, where all activities sum to the change in cash", () => {
    const filing = only([...income, ...parted, financed, change(25e6)]);
    expect(sumsOf(filing)).toEqual([
      ["operating_cash_flow", 57e6],
      ["investing_cash_flow", -22e6],
    ]);
    const [reported, derived] = read(filing).cash_flow;
    expect(reported?.items).toMatchObject({
      operating_cash_flow: null,
      operating_cash_flow_continuing: 50e6,
      operating_cash_flow_discontinued: 7e6,
      investing_cash_flow: null,
      financing_cash_flow: -10e6,
    });
    expect(derived?.sources.operating_cash_flow).toMatchObject({
      operation: "sum",
      operands: [
        { tag: "NetCashProvidedByUsedInOperatingActivitiesContinuingOperations", value: 50e6 },
        { tag: "CashProvidedByUsedInOperatingActivitiesDiscontinuedOperations", value: 7e6 },
      ],
    });
    const effect: MadeFigure = ["EffectOfExchangeRateOnCashAndCashEquivalents", -1e6, ...YEAR];
    expect(sumsOf(only([...income, ...parted, financed, effect, change(24e6)]))).toHaveLength(2);
  });

  test("are not served where they do not sum to the change, or a figure of the sum is missing", () => {
    expect(sumsOf(only([...income, ...parted, financed, change(29e6)]))).toEqual([]);
    expect(sumsOf(only([...income, ...parted, financed]))).toEqual([]);
    expect(sumsOf(only([...income, ...parted, change(25e6)]))).toEqual([]);
    const half = parted.slice(0, 3);
    // Nothing of investing is discontinued here, so that its continuing part is the reported total.
    expect(sumsOf(only([...income, ...half, financed, change(27e6)]))).toEqual([
      ["operating_cash_flow", 57e6],
    ]);
    expect(sumsOf(only([...income, ...half, financed, change(33e6)]))).toEqual([]);
  });

  test("equity of the parent and of others, where assets are liabilities and equity", () => {
    const sheet = (others: number, more: readonly MadeFigure[] = []): MadeFiling =>
      only([
        ...income,
        ["Assets", 500e6, null, END],
        ["Liabilities", 300e6, null, END],
        ["StockholdersEquity", 180e6, null, END],
        ["MinorityInterest", others, null, END],
        ["LiabilitiesAndStockholdersEquity", 500e6, null, END],
        ...more,
      ]);
    expect(sumsOf(sheet(20e6))).toEqual([["total_equity", 200e6]]);
    const [reported, derived] = read(sheet(20e6)).balance_sheet;
    expect(reported?.items).toMatchObject({ total_equity: null, parent_equity: 180e6 });
    expect(derived?.sources.total_equity?.operands?.map(({ tag, value }) => [tag, value])).toEqual([
      ["StockholdersEquity", 180e6],
      ["MinorityInterest", 20e6],
    ]);
    expect(sumsOf(sheet(25e6))).toEqual([]);
    const redeemable: MadeFigure = ["TemporaryEquityCarryingAmountAttributableToParent", 15e6, null, END];
    expect(sumsOf(sheet(5e6, [redeemable]))).toEqual([["total_equity", 185e6]]);
    const noLiabilities = sheet(20e6).figures.filter(([tag]) => tag !== "Liabilities");
    expect(sumsOf(only(noLiabilities))).toEqual([]);
  });

  test("is not proved by a figure that another report supplies: the sum would be known before that figure", () => {
    const balance: readonly MadeFigure[] = [
      ["Assets", 500e6, null, END],
      ["StockholdersEquity", 180e6, null, END],
      ["MinorityInterest", 20e6, null, END],
      ["LiabilitiesAndStockholdersEquity", 500e6, null, END],
    ];
    const liabilities: MadeFigure = ["Liabilities", 300e6, null, END];
    const first = only([...income, ...balance, liabilities]);
    const again: MadeFiling = {
      ...only([...income, ...balance]),
      accn: "0000001234-24-000009",
      form: "10-K/A",
      filed: "2024-06-03",
    };
    const facts = normaliseFacts(madeCompany([first, again])).facts;
    const rowsOf = (vintage: "first" | "latest") =>
      addSums(selectStatements(facts, { include_derived: true, vintage })).balance_sheet;
    const [latest, ...others] = rowsOf("latest");
    expect(latest).toMatchObject({ form: "10-K/A", items: { total_liabilities: 300e6, total_equity: null } });
    expect(latest?.sources.total_liabilities?.accession_number).toBe(first.accn);
    expect(others).toEqual([]);
    expect(rowsOf("first")[1]).toMatchObject({ basis: "derived", items: { total_equity: 200e6 } });
  });
});
