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
import { addSums, derivableWarnings } from "./derived-lines.ts";
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
/** The derived figures by line. */
const sumsOf = (...filings: MadeFiling[]) => {
  const { income_statement, balance_sheet, cash_flow } = read(...filings);
  return [...income_statement, ...balance_sheet, ...cash_flow].flatMap(({ items, derived_lines }) =>
    derived_lines.map((line) => [line, Reflect.get(items, line)]),
  );
};

const selling: MadeFigure = ["SellingAndMarketingExpense", 7e6, ...YEAR];
const administration: MadeFigure = ["GeneralAndAdministrativeExpense", 3e6, ...YEAR];

describe("a sum that no report gives", () => {
  test("stands in the reported row, which names it, with the parts it adds", () => {
    const rows = read(report([selling, administration]));
    const [row, ...rest] = rows.income_statement;
    expect(rest).toEqual([]);
    expect(row).toMatchObject({
      basis: "reported",
      period_end_date: END,
      derived_lines: ["selling_general_administrative"],
      items: {
        selling_general_administrative: 10e6,
        selling_and_marketing: 7e6,
        general_and_administrative: 3e6,
      },
    });
    expect(derivableWarnings(rows)).toEqual([
      {
        code: "derivable",
        line: "selling_general_administrative",
        period_end: END,
        accession_number: "0000001234-21-000001",
        detail:
          "selling general administrative is null where its report does not give it. It follows exactly from figures of the report: ask for include_derived=true.",
      },
    ]);
    expect(row?.sources.selling_general_administrative).toMatchObject({
      operation: "sum",
      operands: [
        { tag: "SellingAndMarketingExpense", value: 7e6, period_start: "2020-01-01" },
        { tag: "GeneralAndAdministrativeExpense", value: 3e6 },
      ],
    });
    expect(row?.known_at).toBe(row?.sources.revenue?.known_at ?? "");
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
    const [row] = read(filing).cash_flow;
    expect(row?.items).toMatchObject({
      operating_cash_flow: 57e6,
      operating_cash_flow_continuing: 50e6,
      operating_cash_flow_discontinued: 7e6,
      investing_cash_flow: -22e6,
      financing_cash_flow: -10e6,
    });
    expect(row?.sources.operating_cash_flow).toMatchObject({
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
    const [row] = read(sheet(20e6)).balance_sheet;
    expect(row?.items).toMatchObject({ total_equity: 200e6, parent_equity: 180e6 });
    expect(row?.sources.total_equity?.operands?.map(({ tag, value }) => [tag, value])).toEqual([
      ["StockholdersEquity", 180e6],
      ["MinorityInterest", 20e6],
    ]);
    expect(sumsOf(sheet(25e6))).toEqual([]);
    const redeemable: MadeFigure = ["TemporaryEquityCarryingAmountAttributableToParent", 15e6, null, END];
    expect(sumsOf(sheet(5e6, [redeemable]))).toEqual([["total_equity", 185e6]]);
    // Without liabilities it is the definition of total equity, unless preferred shares may stand beside it.
    const noLiabilities = sheet(20e6).figures.filter(([tag]) => tag !== "Liabilities");
    expect(sumsOf(only(noLiabilities))).toEqual([["total_equity", 200e6]]);
    const preferred: MadeFigure = ["PreferredStockValue", 5e6, null, END];
    expect(sumsOf(only([...noLiabilities, preferred]))).toEqual([]);
  });

  test("equity of the parent, where its tag is that of the total", () => {
    const sheet: MadeFigure[] = [
      ["Assets", 500e6, null, END],
      ["Liabilities", 300e6, null, END],
      ["StockholdersEquity", 200e6, null, END],
      ["MinorityInterest", 20e6, null, END],
      ["LiabilitiesAndStockholdersEquity", 500e6, null, END],
    ];
    const filing = only([...income, ...sheet]);
    expect(sumsOf(filing)).toEqual([["parent_equity", 180e6]]);
    expect(read(filing).balance_sheet[0]?.sources.parent_equity).toMatchObject({
      operation: "difference",
      operands: [
        { tag: "StockholdersEquity", value: 200e6 },
        { tag: "MinorityInterest", value: 20e6 },
      ],
    });
  });

  test("is not proved by a figure that another report supplies: the sum would be known before that figure", () => {
    const balance: readonly MadeFigure[] = [
      ["Assets", 500e6, null, END],
      ["StockholdersEquity", 180e6, null, END],
      ["MinorityInterest", 20e6, null, END],
      ["PreferredStockValue", 5e6, null, END],
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
    const [latest] = rowsOf("latest");
    expect(latest).toMatchObject({ form: "10-K/A", items: { total_liabilities: 300e6, total_equity: null } });
    expect(latest?.sources.total_liabilities?.accession_number).toBe(first.accn);
    expect(rowsOf("first")[0]).toMatchObject({
      derived_lines: ["total_equity"],
      items: { total_equity: 200e6 },
    });
  });
});

describe("a quarter that a report gives in part", () => {
  const START = "2015-05-01";
  /** Three quarters of 1,000 and a last one, which another report dates a day later, of 1,200. */
  const filings = (last: number): MadeFiling[] => [
    {
      accn: "0000001234-16-000001",
      form: "10-Q",
      filed: "2016-03-10",
      figures: madeIncome(3000, START, "2016-01-31"),
    },
    {
      accn: "0000001234-16-000002",
      form: "10-K",
      filed: "2016-06-20",
      figures: [
        ...madeIncome(4200, START, "2016-04-30"),
        ["Revenues", last, "2016-02-01", "2016-05-01"],
        ["NetIncomeLoss", last / 10, "2016-02-01", "2016-05-01"],
        ["EarningsPerShareDiluted", 1.2, "2016-02-01", "2016-05-01"],
      ],
    },
  ];
  const quarters = (last: number) =>
    selectStatements(normaliseFacts(madeCompany(filings(last))).facts, {
      include_derived: true,
    }).income_statement.filter(({ period_months }) => period_months === 3);

  test("has its other lines from the year less nine months, in one row", () => {
    const [row, ...others] = quarters(1200);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      basis: "reported",
      period_end_date: "2016-05-01",
      derived_lines: ["cost_of_revenue", "gross_profit", "operating_income"],
      items: {
        revenue: 1200,
        cost_of_revenue: 720,
        gross_profit: 480,
        operating_income: 240,
        net_income: 120,
      },
    });
    expect(row?.sources.cost_of_revenue).toMatchObject({ operation: "difference" });
    expect(row?.items.weighted_average_shares_diluted).toBeNull();
  });

  test("has none of them where its own figures are not that difference", () => {
    const [row, ...others] = quarters(1250);
    expect(others).toEqual([]);
    expect(row).toMatchObject({ derived_lines: [], items: { revenue: 1250, cost_of_revenue: null } });
  });
});
