// Statements whose main line has no known tag, or only another form of it.
import { describe, expect, test } from "bun:test";
import { type MadeFigure, madeCompany } from "../../../../test/support/company-facts.ts";
import { normaliseFacts } from "../../../providers/edgar/index.ts";
import { selectStatements } from "./select.ts";

const [START, END] = ["2024-01-01", "2024-12-31"] as const;
const PRETAX = "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest";
const COMMON = "NetIncomeLossAvailableToCommonStockholdersBasic";

type Amounts = Readonly<Record<string, number>>;
const flows = (amounts: Amounts, [start, end]: readonly [string, string] = [START, END]): MadeFigure[] =>
  Object.entries(amounts).map(([tag, value]) => [tag, value * 1e6, start, end]);
const states = (amounts: Amounts): MadeFigure[] =>
  Object.entries(amounts).map(([tag, value]) => [tag, value * 1e6, null, END]);
const read = (...figures: readonly (readonly MadeFigure[])[]) =>
  selectStatements(
    normaliseFacts(
      madeCompany([
        { accn: "0000001234-25-000001", form: "10-K", filed: "2025-02-20", figures: figures.flat() },
      ]),
    ).facts,
  );

describe("net income reported only as the income of common shares", () => {
  const served = (amounts: Amounts) =>
    read(flows({ Revenues: 200, [PRETAX]: 40, IncomeTaxExpenseBenefit: 10, [COMMON]: 30, ...amounts }))
      .income_statement[0]?.items.net_income;

  test("is net income when nothing lies between the two", () => {
    expect(served({})).toBe(30e6);
    expect(served({ PreferredStockDividendsIncomeStatementImpact: 0 })).toBe(30e6);
  });
  test("is null when preferred shares or participating securities have a part", () => {
    expect(served({ PreferredStockDividendsIncomeStatementImpact: 2 })).toBeNull();
    expect(served({ PreferredStockRedemptionPremium: 2 })).toBeNull();
    expect(served({ PreferredStockDividends: 2 })).toBeNull();
    expect(served({ PreferredStockDiscountAccretion: 2 })).toBeNull();
  });
  test("is net income when it is the income of all owners less the noncontrolling ones'", () => {
    const apart = { NetIncomeLossAttributableToNoncontrollingInterest: 5, MinorityInterest: 1 };
    expect(served({ ...apart, ProfitLoss: 35 })).toBe(30e6);
    expect(served({ ...apart, ProfitLoss: 38 })).toBeNull();
  });
});

describe("net income reported only as the income of all owners", () => {
  const served = (amounts: Amounts) =>
    read(flows({ Revenues: 200, [PRETAX]: 40, IncomeTaxExpenseBenefit: 10, ProfitLoss: 30, ...amounts }))
      .income_statement[0]?.items;

  test("is the parent's where common shares have all of it, or preferred ones the rest", () => {
    expect(served({})?.net_income).toBe(30e6);
    expect(served({ [COMMON]: 30 })?.net_income).toBe(30e6);
    expect(served({ [COMMON]: 28, PreferredStockDividends: 2 })?.net_income).toBe(30e6);
  });
  test("is not the parent's where other owners have a share, or something unnamed lies between it and common shares", () => {
    const others = { net_income: null, net_income_with_noncontrolling: 30e6 };
    expect(served({ [COMMON]: 24 })).toMatchObject(others);
    for (const tag of [
      "NetIncomeLossAttributableToNonredeemableNoncontrollingInterest",
      "MinorityInterestInNetIncomeLossOfConsolidatedEntities",
    ])
      expect(served({ [tag]: 6 })).toMatchObject(others);
  });
});

describe("net income under other forms of its tag", () => {
  const DILUTED = "NetIncomeLossAvailableToCommonStockholdersDiluted";
  const CONTINUING = "IncomeLossFromContinuingOperations";
  const served = (amounts: Amounts) =>
    read(flows({ Revenues: 200, [PRETAX]: 40, IncomeTaxExpenseBenefit: 10, ...amounts })).income_statement[0]
      ?.items.net_income;

  test("the income of diluted shares, where nothing is added back and no preferred share has a part", () => {
    expect(served({ [DILUTED]: 30 })).toBe(30e6);
    expect(served({ [DILUTED]: 30, InterestOnConvertibleDebtNetOfTax: 2 })).toBeNull();
    expect(served({ [DILUTED]: 30, PreferredStockDividendsIncomeStatementImpact: 2 })).toBeNull();
  });
  test("the income of continuing operations, where nothing is discontinued and no other owner has a share", () => {
    expect(served({ [CONTINUING]: 30 })).toBe(30e6);
    expect(served({ [CONTINUING]: 30, IncomeLossFromDiscontinuedOperationsNetOfTax: -4 })).toBeNull();
    expect(served({ [CONTINUING]: 30, NetIncomeLossAttributableToNoncontrollingInterest: 1 })).toBeNull();
    expect(served({ [CONTINUING]: 34, NetIncomeLoss: 30 })).toBe(30e6);
  });
});

test("an income statement without a known net income is served, with a warning that names the line", () => {
  const { income_statement, warnings } = read(
    flows({ Revenues: 200, OperatingIncomeLoss: 50, IncomeTaxExpenseBenefit: 10 }),
  );
  expect(income_statement.map(({ items }) => [items.revenue, items.net_income])).toEqual([[200e6, null]]);
  expect(warnings.map(({ code, line, detail }) => [code, line, detail])).toEqual([
    [
      "line_not_found",
      "net_income",
      "net income to 2024-12-31 was not found in 10-K 0000001234-25-000001: the report has the rest of the income statement, null is given.",
    ],
  ]);
});

test("single figures of a note are no income statement", () => {
  expect(read(flows({ Revenues: 200, IncomeTaxExpenseBenefit: 10 })).income_statement).toEqual([]);
  expect(read(flows({ NetIncomeLoss: 200, InterestExpense: 10 })).income_statement).toEqual([]);
});

describe("what is left of a statement whose lines mostly have tags that are not read", () => {
  test("is its row, with a warning that names the main line", () => {
    const income = read(flows({ Revenues: 200, OperatingIncomeLoss: 50 }));
    expect(income.income_statement.map(({ items }) => [items.revenue, items.operating_income])).toEqual([
      [200e6, 50e6],
    ]);
    expect(income.warnings.map(({ code, line }) => [code, line])).toEqual([["line_not_found", "net_income"]]);
    const balance = read(states({ Assets: 90, CashAndCashEquivalentsAtCarryingValue: 4 }));
    expect(balance.balance_sheet.map(({ items }) => items.total_assets)).toEqual([90e6]);
    const equity = { NetIncomeLoss: 30, ProfitLoss: 31 };
    expect(read(flows(equity)).income_statement).toEqual([]);
  });

  test("is a row of earnings and costs where the result of a fund, bank, insurer or partnership is not read", () => {
    for (const amounts of [
      { GrossInvestmentIncomeOperating: 30, OperatingExpenses: 10 },
      { InterestIncomeExpenseNet: 30, NoninterestExpense: 10 },
      { PremiumsEarnedNet: 30, PolicyholderBenefitsAndClaimsIncurredNet: 10 },
      { Revenues: 30, CostsAndExpenses: 10, NetIncomeLossAllocatedToLimitedPartners: 19 },
    ]) {
      const { income_statement, warnings } = read(flows(amounts), states({ Assets: 90, Liabilities: 4 }));
      expect(income_statement.map(({ items }) => items.net_income)).toEqual([null]);
      expect(warnings.map(({ code, line }) => [code, line])).toEqual([["line_not_found", "net_income"]]);
    }
  });

  test("is a balance sheet without its totals, and cash flows of one activity", () => {
    const few = { StockholdersEquity: 70 };
    const sheet = (amounts: Amounts) =>
      read(states(amounts)).balance_sheet.map(({ items }) => items.total_equity);
    expect(sheet({ ...few, AssetsCurrent: 50 })).toEqual([70e6]);
    expect(sheet({ AssetsCurrent: 50, LiabilitiesCurrent: 9, AccountsPayableCurrent: 4 })).toEqual([]);
    expect(
      sheet({
        AssetsCurrent: 50,
        LiabilitiesCurrent: 9,
        AccountsPayableCurrent: 4,
        LongTermDebtNoncurrent: 5,
      }),
    ).toEqual([null]);
    expect(sheet(few)).toEqual([]);
    const cash = read(
      flows({ NetCashProvidedByUsedInFinancingActivities: -4, PaymentsOfDividends: 4, Revenues: 9 }),
    );
    expect(cash.cash_flow.map(({ items }) => [items.financing_cash_flow, items.operating_cash_flow])).toEqual(
      [[-4e6, null]],
    );
    expect(cash.warnings.map(({ code, line }) => [code, line])).toContainEqual([
      "line_not_found",
      "operating_cash_flow",
    ]);
    expect(read(flows({ NetCashProvidedByUsedInOperatingActivities: 3 })).cash_flow).toHaveLength(1);
    expect(read(flows({ PaymentsOfDividends: 4, ShareBasedCompensation: 2 })).cash_flow).toEqual([]);
  });

  test("is the report's own period where last year has more lines", () => {
    const [before, until] = ["2023-01-01", "2023-12-31"] as const;
    const own = { NetIncomeLoss: 5, OperatingExpenses: 4 };
    const { income_statement } = read(flows(own), flows({ ...own, InterestExpense: 1 }, [before, until]));
    expect(income_statement.map(({ period_end_date }) => period_end_date)).toEqual([END, until]);
  });

  test("is not hidden by a later day's assets, which are none", () => {
    const later: MadeFigure[] = [["Assets", 5e8, null, "2025-01-20"]];
    const { income_statement, balance_sheet } = read(
      flows({ OperatingIncomeLoss: 5, IncomeTaxExpenseBenefit: 1 }),
      states({ Assets: 90, Liabilities: 40, StockholdersEquity: 50 }),
      later,
    );
    expect(income_statement.map(({ items }) => items.operating_income)).toEqual([5e6]);
    expect(balance_sheet.map(({ period_end_date }) => period_end_date)).toEqual([END]);
  });

  test("is not the few figures of a note whose period begins some days before or after", () => {
    const whole = {
      Revenues: 200,
      CostOfRevenue: 90,
      OperatingIncomeLoss: 60,
      [PRETAX]: 40,
      NetIncomeLoss: 30,
    };
    for (const start of ["2024-01-09", "2023-12-24"]) {
      const { income_statement } = read(
        flows(whole),
        flows({ Revenues: 50, NetIncomeLoss: 3 }, [start, END]),
      );
      expect(income_statement.map(({ items }) => items.revenue)).toEqual([200e6]);
    }
  });

  test("is named by a warning where it is too little for a row", () => {
    const { income_statement, warnings } = read(
      flows({ NetIncomeLoss: 5, NetCashProvidedByUsedInOperatingActivities: 3, PaymentsOfDividends: 4 }),
      states({ Assets: 90, Liabilities: 40 }),
    );
    expect(income_statement).toEqual([]);
    expect(warnings.filter(({ code }) => code === "statement_not_found")).toEqual([
      {
        code: "statement_not_found",
        line: null,
        period_end: END,
        accession_number: "0000001234-25-000001",
        detail: `10-K 0000001234-25-000001 gives net income to ${END} and no other line of its income statement under a tag that is read: there is no row.`,
      },
    ]);
  });

  test("is named for a year though its last quarter has a row, and not where a row ends a day apart", () => {
    const quarter: [string, string] = ["2024-10-01", END];
    const codes = ({ warnings }: ReturnType<typeof read>) => warnings.map(({ code }) => code);
    const sheet = states({ Assets: 90, Liabilities: 40 });
    expect(
      codes(read(flows({ NetIncomeLoss: 5 }), flows({ Revenues: 9, NetIncomeLoss: 2 }, quarter), sheet)),
    ).toContain("statement_not_found");
    const first = { accn: "0000001234-12-000001", form: "10-K", filed: "2012-05-01" };
    const next = { accn: "0000001234-13-000001", form: "10-K", filed: "2013-05-01" };
    const income = { Revenues: 9, OperatingIncomeLoss: 3, NetIncomeLoss: 2 };
    const reports = [
      { ...first, figures: flows(income, ["2011-03-01", "2012-02-29"]) },
      {
        ...next,
        figures: [
          ...flows(income, ["2012-03-01", "2013-02-28"]),
          ...flows(income, ["2011-03-01", "2012-02-28"]),
        ],
      },
    ];
    const { income_statement, warnings } = selectStatements(normaliseFacts(madeCompany(reports)).facts);
    expect([income_statement.length, warnings]).toEqual([2, []]);
  });

  test("never replaces a statement of the same period, and is the report's own period only", () => {
    const year = ["2023-01-01", "2023-12-31"] as const;
    const whole = flows(
      { Revenues: 100, OperatingIncomeLoss: 20, NetIncomeLoss: 10, IncomeTaxExpenseBenefit: 2 },
      year,
    );
    const late = [
      ...flows({ Revenues: 999, OperatingIncomeLoss: 99 }, year),
      ...flows({ Revenues: 888, OperatingIncomeLoss: 88 }, ["2022-01-01", "2022-12-31"]),
    ];
    const { income_statement } = selectStatements(
      normaliseFacts(
        madeCompany([
          { accn: "0000001234-24-000001", form: "10-K", filed: "2024-02-20", figures: whole },
          { accn: "0000001234-24-000009", form: "10-K/A", filed: "2024-04-20", figures: late },
        ]),
      ).facts,
    );
    expect(income_statement.map(({ period_end_date, items }) => [period_end_date, items.revenue])).toEqual([
      ["2023-12-31", 100e6],
    ]);
  });
});

test("the rest of a balance sheet without totals and equity is restated by a later report", () => {
  const rest = (end: string, liabilities: number): MadeFigure[] => [
    ["AssetsCurrent", 3000e6, null, end],
    ["LiabilitiesCurrent", liabilities, null, end],
    ["AccountsPayableCurrent", 400e6, null, end],
    ["LongTermDebtNoncurrent", 900e6, null, end],
  ];
  const [before, now] = ["2022-12-31", "2023-12-31"] as const;
  const filings = [
    { accn: "0000001234-23-000001", form: "10-K", filed: "2023-02-20", figures: rest(before, 2410e6) },
    {
      accn: "0000001234-24-000001",
      form: "10-K",
      filed: "2024-02-20",
      figures: [...rest(now, 2600e6), ...rest(before, 2502e6)],
    },
  ];
  const { facts } = normaliseFacts(madeCompany(filings));
  const shown = (vintage: "first" | "latest") =>
    selectStatements(facts, { vintage }).balance_sheet.map(({ items }) => items.current_liabilities);
  expect(shown("latest")).toEqual([2600e6, 2502e6]);
  expect(shown("first")).toEqual([2600e6, 2410e6]);
});

test("a partnership's balance sheet is served by its own total", () => {
  const { balance_sheet } = read(
    states({ Assets: 90, LiabilitiesAndPartnersCapital: 90, PartnersCapital: 40 }),
  );
  expect(balance_sheet[0]?.items).toMatchObject({ liabilities_and_equity: 90e6, total_equity: 40e6 });
});

describe("cash flows of continuing operations", () => {
  const [INVESTING, FINANCING] = [
    "NetCashProvidedByUsedInInvestingActivities",
    "NetCashProvidedByUsedInFinancingActivities",
  ] as const;
  const OPERATING = "NetCashProvidedByUsedInOperatingActivitiesContinuingOperations";
  const GONE = "CashProvidedByUsedInOperatingActivitiesDiscontinuedOperations";
  const CHANGE = "CashAndCashEquivalentsPeriodIncreaseDecrease";
  const base = { [OPERATING]: 50, [INVESTING]: -20, [FINANCING]: -10 };

  test("are the total of a period in which nothing is discontinued, though another period of the report has some", () => {
    const { cash_flow } = read(
      flows({ ...base, [CHANGE]: 20 }),
      flows({ ...base, [CHANGE]: 27, [GONE]: 7 }, ["2023-01-01", "2023-12-31"]),
    );
    expect(cash_flow.map(({ items }) => [items.operating_cash_flow, items.net_change_in_cash])).toEqual([
      [50e6, 20e6],
      [null, 27e6],
    ]);
    expect(cash_flow[1]?.items.operating_cash_flow_continuing).toBe(50e6);
  });
  test("are the total though a sum is open for an unread line, and null with a reason beside discontinued cash", () => {
    const parts = { ...base, [`${INVESTING}ContinuingOperations`]: -20 };
    const { [INVESTING]: _, ...apart } = parts;
    expect(read(flows({ ...apart, [CHANGE]: 26 })).cash_flow[0]?.items).toMatchObject({
      operating_cash_flow: 50e6,
      investing_cash_flow: -20e6,
    });
    const { cash_flow, warnings } = read(
      flows({ ...apart, [CHANGE]: 26, NetCashProvidedByUsedInDiscontinuedOperations: 6 }),
    );
    expect(cash_flow[0]?.items).toMatchObject({
      operating_cash_flow: null,
      operating_cash_flow_continuing: 50e6,
      investing_cash_flow: null,
      financing_cash_flow: -10e6,
    });
    expect(warnings.map(({ code, line, detail }) => [code, line, detail])).toEqual([
      [
        "line_not_found",
        "operating_cash_flow",
        "operating cash flow to 2024-12-31 was not found in 10-K 0000001234-25-000001: the report has the rest of the cash flow statement, null is given.",
      ],
      [
        "line_not_found",
        "investing_cash_flow",
        "investing cash flow to 2024-12-31 was not found in 10-K 0000001234-25-000001: the report has the rest of the cash flow statement, null is given.",
      ],
    ]);
  });
  test("are the total of an activity of which nothing is discontinued, where another's is", () => {
    const parts = {
      [OPERATING]: 50,
      [GONE]: 7,
      [`${INVESTING}ContinuingOperations`]: -20,
      [`${FINANCING}ContinuingOperations`]: -10,
    };
    const totals = (change: number) => {
      const { items } = read(flows({ ...parts, [CHANGE]: change })).cash_flow[0] ?? {};
      return [items?.operating_cash_flow, items?.investing_cash_flow, items?.financing_cash_flow];
    };
    expect(totals(27)).toEqual([null, -20e6, -10e6]);
    expect(totals(20)).toEqual([null, -20e6, -10e6]);
    expect(totals(40)).toEqual([null, -20e6, -10e6]);
  });
  test("any two totals state a statement", () => {
    expect(read(flows({ [INVESTING]: -20, [CHANGE]: 26 })).cash_flow).toHaveLength(1);
    expect(read(flows({ [INVESTING]: -20, ShareBasedCompensation: 26 })).cash_flow).toEqual([]);
  });
});
