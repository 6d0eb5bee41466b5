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
import { metricsOf } from "./metrics.ts";
import type { CloseOn } from "./records.ts";
import { selectStatements } from "./select.ts";

const END = "2021-12-31";
const NOW = ["2021-01-01", END] as const;
const BEFORE = ["2020-01-01", "2020-12-31"] as const;

const full: MadeFigure[] = [
  ...madeIncome(1000e6, ...NOW),
  ["IncomeTaxExpenseBenefit", 25e6, ...NOW],
  [
    "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest",
    125e6,
    ...NOW,
  ],
  ["InterestExpense", 20e6, ...NOW],
  ...madeIncome(800e6, ...BEFORE),
  ...madeCashFlow(300e6, ...NOW),
  ["DepreciationAndAmortization", 50e6, ...NOW],
  ["Depreciation", 30e6, ...NOW],
  ["AdjustmentForAmortization", 20e6, ...NOW],
  ...madeBalance(2000e6, END),
  ["InventoryNet", 400e6, null, END],
  ["CashAndCashEquivalentsAtCarryingValue", 100e6, null, END],
  ["ShortTermBorrowings", 50e6, null, END],
  ["LongTermDebtCurrent", 30e6, null, END],
  ["LongTermDebtNoncurrent", 320e6, null, END],
  ["CommonStockSharesOutstanding", 90e6, null, END],
];
const filing = (figures: readonly MadeFigure[], rest: Partial<MadeFiling> = {}): MadeFiling => ({
  accn: "0000001234-22-000001",
  form: "10-K",
  filed: "2022-02-15",
  figures,
  ...rest,
});
const metrics = (filings: readonly MadeFiling[], closeOn?: CloseOn) =>
  metricsOf(selectStatements(normaliseFacts(madeCompany(filings)).facts), { closeOn });
const without = (...tags: string[]) => full.filter(([tag]) => !tags.includes(tag));

describe("metrics", () => {
  test("return on equity divides income by the equity of the same owners", () => {
    const TOTAL = "StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest";
    const owned = without("StockholdersEquity");
    const roe = (...figures: MadeFigure[]) => metrics([filing([...owned, ...figures])])[0]?.roe;
    const parent: MadeFigure = ["StockholdersEquity", 800e6, null, END];
    const total: MadeFigure = [TOTAL, 1000e6, null, END];
    const others: MadeFigure = ["MinorityInterest", 200e6, null, END];
    expect(roe(parent, total, others)).toBe(0.125);
    expect(roe(total, others, ["ProfitLoss", 110e6, ...NOW])).toBe(0.11);
    expect(roe(total, others)).toBeNull();
    // Nothing is said of other owners: the tag of the equity decides whether it may include them.
    expect(roe(total)).toBeNull();
    expect(roe(["LimitedLiabilityCompanyLLCMembersEquity", 1000e6, null, END])).toBe(0.1);
  });

  test("return on equity under IFRS is the parent's only by the parent's own equity", () => {
    const ifrs = (tag: string, value: number, start: string | null): MadeFigure => [
      `ifrs-full:${tag}`,
      value,
      start,
      END,
      "EUR",
    ];
    const owners = ifrs("ProfitLossAttributableToOwnersOfParent", 90e6, NOW[0]);
    const pretax = ifrs("ProfitLossBeforeTax", 150e6, NOW[0]);
    const balance = [
      ifrs("Assets", 3000e6, null),
      ifrs("Liabilities", 2000e6, null),
      ifrs("Equity", 1000e6, null),
    ];
    const roe = (...figures: MadeFigure[]) =>
      metrics([
        filing([owners, pretax, ifrs("Revenue", 900e6, NOW[0]), ...balance, ...figures], { form: "20-F" }),
      ])[0]?.roe;
    // The tag of total equity includes other owners, though the report names none.
    expect(roe()).toBeNull();
    expect(roe(ifrs("ProfitLoss", 110e6, NOW[0]))).toBe(0.11);
    expect(roe(ifrs("EquityAttributableToOwnersOfParent", 900e6, null))).toBe(0.1);
  });

  test("follow their formulas", () => {
    const [now] = metrics([filing(full)], () => ({ close: 20 }));
    expect(now).toEqual({
      fiscal_year: 2021,
      label_source: "calendar",
      fiscal_period: "FY",
      period_end_date: END,
      period_months: 12,
      basis: "reported",
      gross_margin: 0.4,
      operating_margin: 0.2,
      net_margin: 0.1,
      roe: 0.125,
      roa: 0.05,
      // 200 × (1 − 25 / 125) / (400 debt + 800 equity)
      roic: 160 / 1200,
      current_ratio: 2,
      quick_ratio: 1.2,
      debt_to_equity: 0.5,
      interest_coverage: 10,
      asset_turnover: 0.5,
      free_cash_flow: 200e6,
      fcf_margin: 0.2,
      revenue_growth_yoy: 0.25,
      net_income_growth_yoy: 0.25,
      eps_growth_yoy: expect.closeTo(0.25, 12),
      revenue_growth_qoq: null,
      pe_ratio: 20,
      // 90 m shares at 20
      pb_ratio: 1800 / 800,
      ps_ratio: 1.8,
      // (1800 + 400 − 100) / (200 + 50)
      ev_to_ebitda: 8.4,
      null_reasons: {},
      derived_operands: [],
    });
  });

  test("are null when an operand is missing", () => {
    const [now] = metrics(
      [
        filing(
          without(
            "GrossProfit",
            "CostOfRevenue",
            "InventoryNet",
            "LongTermDebtNoncurrent",
            "PaymentsToAcquirePropertyPlantAndEquipment",
            "InterestExpense",
          ),
        ),
      ],
      () => ({ close: 20 }),
    );
    expect(now).toMatchObject({
      gross_margin: null,
      quick_ratio: null,
      debt_to_equity: null,
      roic: null,
      free_cash_flow: null,
      fcf_margin: null,
      interest_coverage: null,
      ev_to_ebitda: null,
      net_margin: 0.1,
      pe_ratio: 20,
    });
  });

  test("are null for a zero divisor, for the price-earnings ratio of a loss, and for growth from zero or less", () => {
    const loss = full.map((figure): MadeFigure => {
      const [tag, value, start, end] = figure;
      if (tag === "InterestExpense") return [tag, 0, start, end];
      return tag === "NetIncomeLoss" || tag === "EarningsPerShareDiluted"
        ? [tag, -value, start, end]
        : figure;
    });
    const [now] = metrics([filing(loss)], () => ({ close: 20 }));
    expect(now).toMatchObject({
      interest_coverage: null,
      pe_ratio: null,
      net_margin: -0.1,
      net_income_growth_yoy: null,
      eps_growth_yoy: null,
      revenue_growth_yoy: 0.25,
    });
  });

  test("request closes by the period's end, the share basis of the figure and its currency", () => {
    const asked: string[] = [];
    metrics([filing(full)], (end, { split_basis }, currency) => {
      asked.push(`${end} ${split_basis} ${currency}`);
      return { why: "There is none." };
    });
    expect(new Set(asked)).toEqual(new Set(["2021-12-31 2022-02-15 USD", "2020-12-31 2022-02-15 USD"]));
    expect(metrics([filing(full)])[0]).toMatchObject({
      pe_ratio: null,
      pb_ratio: null,
      ps_ratio: null,
      ev_to_ebitda: null,
    });
  });

  test("over negative equity are null with the reason", () => {
    const lost = without("StockholdersEquity", "Liabilities", "NetIncomeLoss");
    const [metric] = metrics([
      filing([
        ...lost,
        ["Liabilities", 2157e6, null, END],
        ["StockholdersEquity", -157e6, null, END],
        ["NetIncomeLoss", -148e6, ...NOW],
      ]),
    ]);
    expect(metric).toMatchObject({ roe: null, debt_to_equity: null, net_margin: -0.148 });
    expect(metric?.null_reasons).toMatchObject({
      roe: "Equity is not above zero.",
      debt_to_equity: "Equity is not above zero.",
    });
  });

  test("are not made of a line whose sign no sum proves, and say so; a reversed one counts", () => {
    const indebted = [...without("InterestExpense"), ["InterestExpense", -20e6, ...NOW] as const];
    const [unproven] = metrics([filing(indebted)]);
    expect(unproven).toMatchObject({ interest_coverage: null, operating_margin: 0.2 });
    expect(unproven?.null_reasons).toMatchObject({
      interest_coverage: "No sum of its statement proves the sign of interest_expense.",
    });
    const other: MadeFigure = ["OtherNonoperatingIncomeExpense", -55e6, ...NOW];
    expect(metrics([filing([...indebted, other])])[0]?.interest_coverage).toBe(10);
  });

  test("say why a ratio with a price is null: its operand, its period or its price", () => {
    const reasons = (figures: readonly MadeFigure[], closeOn: CloseOn) =>
      metrics([filing(figures)], closeOn)[0]?.null_reasons;
    const loss = full.map((figure): MadeFigure => {
      const [tag, value, start, end] = figure;
      return tag === "EarningsPerShareDiluted" ? [tag, -value, start, end] : figure;
    });
    const none: CloseOn = () => ({ why: "There is no close." });
    expect(reasons(full, none)).toEqual({
      pe_ratio: "There is no close.",
      pb_ratio: "There is no close.",
      ps_ratio: "There is no close.",
      ev_to_ebitda: "There is no close.",
    });
    expect(reasons(loss, none)?.pe_ratio).toBe("eps_diluted is not above zero.");
    expect(reasons(without("CommonStockSharesOutstanding"), () => ({ close: 20 }))).toEqual({
      pb_ratio: "shares_outstanding is null.",
      ps_ratio: "shares_outstanding is null.",
      ev_to_ebitda: "shares_outstanding is null.",
    });
  });

  test("growth of earnings per share across a split compares figures of one report", () => {
    const split: MadeFigure[] = [
      ["EarningsPerShareDiluted", 0.15, "2022-01-01", "2022-12-31"],
      ["EarningsPerShareDiluted", 0.1, ...NOW],
      ...madeIncome(1500e6, "2022-01-01", "2022-12-31").filter(([tag]) => !/Share/.test(tag)),
      ...madeIncome(1000e6, ...NOW).filter(([tag]) => !/Share/.test(tag)),
    ];
    const all = metrics([filing(full), filing(split, { accn: "0000001234-23-000001", filed: "2023-02-15" })]);
    expect(all.map(({ eps_growth_yoy }) => eps_growth_yoy?.toFixed(4))).toEqual([
      "0.5000",
      "0.2500",
      undefined,
    ]);
  });

  test("of quarters: growth over the quarter before, no yearly ratios, cash flows of the same months only", () => {
    const quarter = (start: string, end: string, revenue: number): MadeFigure[] => [
      ...madeIncome(revenue, start, end),
      ...madeCashFlow(30e6, "2021-01-01", end),
      ...madeBalance(2000e6, end),
    ];
    const [second, first] = metrics(
      [
        filing(quarter("2021-01-01", "2021-03-31", 200e6), { accn: "q1", form: "10-Q", filed: "2021-05-01" }),
        filing(quarter("2021-04-01", "2021-06-30", 230e6), { accn: "q2", form: "10-Q", filed: "2021-08-01" }),
      ],
      () => ({ close: 20 }),
    );
    expect(second).toMatchObject({
      fiscal_period: "Q2",
      revenue_growth_qoq: 0.15,
      pe_ratio: null,
      ps_ratio: null,
      free_cash_flow: null,
      null_reasons: {
        pe_ratio: "It is given for fiscal years only.",
        ps_ratio: "It is given for fiscal years only.",
      },
    });
    expect(first).toMatchObject({ fiscal_period: "Q1", revenue_growth_qoq: null, free_cash_flow: 20e6 });
  });
});
