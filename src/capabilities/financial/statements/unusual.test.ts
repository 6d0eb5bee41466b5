// Companies whose files of figures are unlike most: banks, landlords, blank cheque companies, other
// currencies.
import { describe, expect, test } from "bun:test";
import {
  type MadeFigure,
  type MadeFiling,
  madeBalance,
  madeCashFlow,
  madeCompany,
  madeIncome,
  textsOf,
} from "../../../../test/support/company-facts.ts";
import { normaliseFacts } from "../../../providers/edgar/index.ts";
import type { SelectOptions } from "./records.ts";
import { selectStatements } from "./select.ts";

const filing = (
  nth: string,
  form: string,
  filed: string,
  ...figures: readonly (readonly MadeFigure[])[]
): MadeFiling => ({ accn: `0000001234-${nth}`, form, filed, figures: figures.flat() });
const read = (filings: readonly MadeFiling[], options: SelectOptions = {}) => {
  const { facts, warnings } = normaliseFacts(madeCompany(filings));
  const statements = selectStatements(facts, options);
  return { ...statements, warnings: textsOf(statements.warnings), doubts: textsOf(warnings) };
};

const [START, END] = ["2024-01-01", "2024-12-31"] as const;
const CONTRACT = "RevenueFromContractWithCustomerExcludingAssessedTax";
const PRETAX = "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest";
/** The year's income statement, in millions. */
const year = (amounts: Readonly<Record<string, number>>) =>
  read([
    filing(
      "25-000001",
      "10-K",
      "2025-02-20",
      Object.entries({ NetIncomeLoss: 30, [PRETAX]: 40, ...amounts }).map(([tag, value]) => [
        tag,
        value * 1e6,
        START,
        END,
      ]),
    ),
  ]);

describe("contract revenue that is only a part of a company's revenue", () => {
  test.each([
    ["a bank's fees", { [CONTRACT]: 12, InterestIncomeExpenseNet: 70, NoninterestIncome: 30 }],
    ["an insurer's", { [CONTRACT]: 12, PremiumsEarnedNet: 500 }],
    ["a landlord's", { [CONTRACT]: 22, OperatingLeaseLeaseIncome: 500, CostsAndExpenses: 300 }],
  ])("%s is not served as revenue and causes a warning", (_whose, amounts) => {
    const { income_statement, doubts } = year(amounts);
    expect(income_statement[0]?.items).toMatchObject({ revenue: null, net_income: 30e6 });
    expect(doubts).toEqual([
      "revenue to 2024-12-31 in 0000001234-25-000001 is left out: the reported figure may be a part of it, and no sum of the statement shows which is the total",
    ]);
  });

  test.each([
    ["the sums arrive at it", { [CONTRACT]: 100, OperatingLeaseLeaseIncome: 20, CostsAndExpenses: 60 }],
    ["other earnings are small", { [CONTRACT]: 100, OperatingLeaseLeaseIncome: 5 }],
    ["net interest is a cost", { [CONTRACT]: 100, InterestIncomeExpenseNet: -60 }],
  ])("is served as revenue when %s", (_when, amounts) => {
    const { income_statement, doubts } = year(amounts);
    expect([income_statement[0]?.items.revenue, doubts]).toEqual([100e6, []]);
  });

  test("is served when it equals operating expenses plus operating income and there are no other costs", () => {
    const amounts = { [CONTRACT]: 90, Revenues: 120, OperatingExpenses: 70, OperatingIncomeLoss: 20 };
    expect(year(amounts).income_statement[0]?.items.revenue).toBe(90e6);
  });
});

describe("a revenue tag with a smaller value than another one", () => {
  const UTILITY = "RegulatedAndUnregulatedOperatingRevenue";
  const served = (amounts: Readonly<Record<string, number>>) => {
    const { income_statement, doubts } = year(amounts);
    return [income_statement[0]?.items.revenue, doubts.length];
  };

  test("contract revenue is a part of a utility's operating revenue", () => {
    expect(served({ [CONTRACT]: 90, [UTILITY]: 100 })).toEqual([100e6, 0]);
    expect(served({ [CONTRACT]: 100, ElectricUtilityRevenue: 80 })).toEqual([100e6, 0]);
  });

  test("`Revenues` of a segment is not the total when sales are larger, nor are a bank's fees when interest is larger", () => {
    expect(served({ Revenues: 40, SalesRevenueNet: 100 })).toEqual([null, 1]);
    expect(served({ Revenues: 40, [UTILITY]: 100, CostsAndExpenses: 60 })).toEqual([100e6, 0]);
    expect(served({ Revenues: 12, InterestIncomeExpenseNet: 70 })).toEqual([null, 1]);
  });

  test("`Revenues` is the total when it is larger, when the sums confirm it, or when interest is stated before its expense", () => {
    expect(served({ Revenues: 103, SalesRevenueNet: 100 })).toEqual([103e6, 0]);
    expect(served({ Revenues: 95, SalesRevenueNet: 100, CostsAndExpenses: 55 })).toEqual([95e6, 0]);
    expect(served({ Revenues: 80, InterestAndDividendIncomeOperating: 120 })).toEqual([80e6, 0]);
  });
});

test("one kind of sales is not the total when the statement's sums are more: the total has a tag of the filer's own", () => {
  const revenueOf = (amounts: Readonly<Record<string, number>>) => {
    const { income_statement, doubts } = year(amounts);
    return [income_statement[0]?.items.revenue, doubts.length];
  };
  for (const tag of ["SalesRevenueGoodsNet", "RealEstateRevenueNet", "OilAndGasRevenue"]) {
    expect(revenueOf({ [tag]: 100, CostOfRevenue: 60, GrossProfit: 40 })).toEqual([100e6, 0]);
    expect(revenueOf({ [tag]: 100, CostOfRevenue: 260, GrossProfit: 140 })).toEqual([null, 1]);
    expect(revenueOf({ [tag]: 100, CostsAndExpenses: 300, OperatingIncomeLoss: 20 })).toEqual([null, 1]);
  }
  // Operating income may count other income in: total sales stand beside it, not beside a larger gross
  // profit.
  const sales = { SalesRevenueNet: 100, CostsAndExpenses: 90, OperatingIncomeLoss: 15 };
  expect(revenueOf(sales)).toEqual([100e6, 0]);
  expect(revenueOf({ SalesRevenueNet: 100, CostOfRevenue: 90, GrossProfit: 40 })).toEqual([null, 1]);
});

test("total profit is not the parent's when redeemable shares of subsidiaries have a part in it", () => {
  const redeemable = "NetIncomeLossAttributableToRedeemableNoncontrollingInterest";
  const items = (amounts: Readonly<Record<string, number>>) =>
    read([
      filing(
        "25-000001",
        "10-K",
        "2025-02-20",
        Object.entries({ ProfitLoss: 30, [PRETAX]: 40, ...amounts }).map(
          ([tag, value]): MadeFigure => [tag, value * 1e6, START, END],
        ),
      ),
    ]).income_statement[0]?.items;
  expect(items({})).toMatchObject({ net_income: 30e6 });
  expect(items({ [redeemable]: 4 })).toMatchObject({
    net_income: null,
    net_income_with_noncontrolling: 30e6,
  });
});

test("a part is not the total: depreciation without amortization, finite-lived rights beside trademarks", () => {
  const amounts = (...figures: readonly MadeFigure[]) => {
    const { cash_flow, balance_sheet } = read([
      filing(
        "25-000001",
        "10-K",
        "2025-02-20",
        madeCashFlow(9e6, START, END),
        madeBalance(5e9, END),
        figures,
      ),
    ]);
    const { depreciation, depreciation_amortization } = cash_flow[0]?.items ?? {};
    return [depreciation, depreciation_amortization, balance_sheet[0]?.items.intangible_assets];
  };
  const depreciation: MadeFigure = ["Depreciation", 3e6, START, END];
  const rights: MadeFigure = ["FiniteLivedIntangibleAssetsNet", 7e6, null, END];
  expect(amounts(depreciation)).toEqual([3e6, null, null]);
  expect(amounts(depreciation, ["AdjustmentForAmortization", 1e6, START, END])).toEqual([3e6, null, null]);
  expect(amounts(rights)).toEqual([null, null, 7e6]);
  expect(amounts(rights, ["IndefiniteLivedTrademarks", 90e6, null, END])).toEqual([null, null, null]);
});

test("a negative payment that no sum explains is given as filed with a warning, or another report's figure", () => {
  const wrong: MadeFigure[] = [
    ["PaymentsToAcquirePropertyPlantAndEquipment", -3e6, START, END],
    ["PaymentsOfDividends", -2e6, START, END],
  ];
  const flows = madeCashFlow(9e6, START, END);
  const isCapex = ([tag]: MadeFigure) => tag.includes("PropertyPlant");
  const bad = filing(
    "25-000001",
    "10-K",
    "2025-02-20",
    flows.filter((f) => !isCapex(f)),
    wrong,
  );
  const { cash_flow, warnings } = read([bad]);
  expect(cash_flow[0]?.items).toMatchObject({ capital_expenditure: -3e6, dividends_paid: -2e6 });
  expect(cash_flow[0]?.items.investing_cash_flow).toBe(-4.5e6);
  expect(warnings).toEqual([
    "capital expenditure to 2024-12-31 is -3000000 USD in 10-K 0000001234-25-000001, and no sum of its statement proves the sign: it is given as filed, and no ratio is made of it.",
    "dividends paid to 2024-12-31 is -2000000 USD in 10-K 0000001234-25-000001, and no sum of its statement proves the sign: it is given as filed, and no ratio is made of it.",
  ]);
  const earlier = read([filing("25-000000", "10-K", "2025-02-19", flows), bad]);
  expect(earlier.cash_flow[0]?.items.capital_expenditure).toBe(3e6);
  expect(earlier.warnings).toContain(
    "capital expenditure to 2024-12-31 is -3000000 USD in 10-K 0000001234-25-000001, which is in doubt (sign_unproven): 3000000 of 0000001234-25-000000 is given instead.",
  );
});

test("total long-term debt with a current part is not served as the non-current debt", () => {
  const debt = (tag: string, millions: number): MadeFigure => [tag, millions * 1e6, null, END];
  const items = (...debts: readonly MadeFigure[]) =>
    read([filing("25-000001", "10-K", "2025-02-20", madeBalance(5e9, END), debts)]).balance_sheet[0]?.items;
  expect(items(debt("LongTermDebt", 900))).toMatchObject({ long_term_debt: 900e6, short_term_debt: null });
  expect(items(debt("LongTermDebt", 900), debt("DebtCurrent", 100))).toMatchObject({
    long_term_debt: null,
    short_term_debt: 100e6,
  });
});

describe("thousandfold growth that the statement confirms", () => {
  /** Assets of a blank cheque company: next to nothing, and then what was raised, which can be asked back. */
  const balance = (cash: number, trust: number, liabilities: number, end: string): MadeFigure[] => [
    ["Assets", cash + trust, null, end],
    ["AssetsCurrent", cash, null, end],
    ["Liabilities", liabilities, null, end],
    ["TemporaryEquityCarryingAmountAttributableToParent", trust, null, end],
    ["StockholdersEquity", cash - liabilities, null, end],
    ["LiabilitiesAndStockholdersEquity", cash + trust, null, end],
  ];
  const before = balance(120e3, 0, 100e3, "2020-12-31");
  const offering = ["S-1", "S-1/A", "S-1/A", "424B4"].map((form, i) =>
    filing(`21-00000${i + 1}`, form, `2021-01-1${i}`, before),
  );
  const raised = balance(900e3, 230e6, 9e6, "2021-03-31");

  test("confirms a blank cheque company's assets after its offering", () => {
    const { balance_sheet, doubts } = read([
      ...offering,
      filing("21-000005", "10-Q", "2021-05-20", raised, before),
      filing("21-000006", "10-Q", "2021-08-20", balance(700e3, 230e6, 10e6, "2021-06-30"), before),
    ]);
    expect(balance_sheet.map(({ items }) => items.total_assets)).toEqual([230.7e6, 230.9e6, 120e3]);
    expect(doubts).toEqual([]);
  });

  test("not when the sum does not match, nor when every figure is wrong", () => {
    const off = (which: (tag: string) => boolean) =>
      raised.map(([tag, value, ...rest]): MadeFigure => [tag, which(tag) ? value * 1000 : value, ...rest]);
    const steady = ["2021-03-31", "2021-06-30", "2021-09-30"].map((end, i) =>
      filing(`21-10000${i}`, "10-Q", `2021-1${i}-20`, balance(900e3, 230e6, 9e6, end)),
    );
    const served = (figures: readonly MadeFigure[]) =>
      read([
        ...steady,
        filing(
          "22-000001",
          "10-K",
          "2022-03-01",
          figures.map(([tag, value]) => [tag, value, null, "2021-12-31"]),
        ),
      ]).balance_sheet[0]?.items.total_assets;
    expect(served(off((tag) => tag === "Assets"))).toBeNull();
    expect(served(off(() => true))).toBeNull();
    expect(served(raised)).toBe(230.9e6);
  });

  test("not when all amounts are wrong and only the shares are right", () => {
    const income = (factor: number, at: number): MadeFigure[] =>
      madeIncome(2e9, `${at}-01-01`, `${at}-12-31`).map(([tag, value, ...rest]) => [
        tag,
        /Shares|PerShare/.test(tag) ? value : value * factor,
        ...rest,
      ]);
    const years = [2019, 2020, 2021].map((at) =>
      filing(`${at - 1999}-000001`, "10-K", `${at + 1}-02-20`, income(1, at)),
    );
    const { income_statement } = read([
      ...years,
      filing("23-000001", "10-K", "2023-02-20", income(1000, 2022)),
    ]);
    expect(income_statement[0]?.items).toMatchObject({
      revenue: null,
      weighted_average_shares_diluted: 100e6,
    });
  });

  test("confirms the revenue of a first licence sold", () => {
    const quarter = (revenue: number, costs: number, start: string, end: string): MadeFigure[] => [
      ["Revenues", revenue, start, end],
      ["OperatingExpenses", costs, start, end],
      ["OperatingIncomeLoss", revenue - costs, start, end],
      ["NetIncomeLoss", revenue - costs, start, end],
    ];
    const { income_statement, doubts } = read([
      filing("23-000001", "10-Q", "2023-05-10", quarter(30e3, 5e6, "2023-01-01", "2023-03-31")),
      filing("23-000002", "10-Q", "2023-08-10", quarter(40e3, 5e6, "2023-04-01", "2023-06-30")),
      filing("23-000003", "10-Q", "2023-11-10", quarter(35e3, 6e6, "2023-07-01", "2023-09-30")),
      filing("24-000001", "10-Q", "2024-05-10", quarter(60e6, 8e6, "2024-01-01", "2024-03-31")),
    ]);
    expect([income_statement[0]?.items.revenue, doubts]).toEqual([60e6, []]);
  });
});

test("a change to a currency worth a thousandth is not a scale error", () => {
  const annual = (currency: string, factor: number, at: number): MadeFigure[] => {
    const [start, end] = [`${at}-01-01`, `${at}-12-31`];
    return [
      ["ifrs-full:Revenue", 1e9 * factor, start, end, currency],
      ["ifrs-full:ProfitLoss", 1e8 * factor, start, end, currency],
      ["ifrs-full:Assets", 5e9 * factor, null, end, currency],
      ["ifrs-full:EquityAndLiabilities", 5e9 * factor, null, end, currency],
      ["ifrs-full:BasicEarningsLossPerShare", factor, start, end, `${currency}/shares`],
    ];
  };
  const { income_statement, balance_sheet, doubts } = read([
    filing("21-000001", "20-F", "2021-03-25", annual("USD", 1, 2020), annual("USD", 1, 2019)),
    filing("22-000001", "20-F", "2022-03-25", annual("USD", 1, 2021), annual("USD", 1, 2020)),
    filing("23-000001", "20-F", "2023-03-25", annual("KRW", 1300, 2022), annual("KRW", 1300, 2021)),
  ]);
  expect(income_statement.map(({ currency, items }) => [currency, items.revenue])).toEqual([
    ["KRW", 1.3e12],
    ["KRW", 1.3e12],
    ["USD", 1e9],
    ["USD", 1e9],
  ]);
  expect(balance_sheet[0]?.items.total_assets).toBe(6.5e12);
  expect(doubts).toEqual([]);
});

test("impossible days, the assets of an employees' plan and unreadable rows make no statement", () => {
  const company = madeCompany([
    filing("24-000001", "10-K", "2024-03-25", madeBalance(5e9, "2024-01-31"), madeBalance(5e9, "0204-01-31")),
    filing("24-000002", "11-K", "2024-06-25", madeBalance(2e9, "2023-12-31")),
  ]);
  const { facts: gaap } = company;
  const assets = gaap["us-gaap"]?.Assets?.units;
  assets?.USD?.push({ ...assets.USD[0], end: "2024-02-30" } as never, { val: "5" } as never);
  Object.assign(gaap["us-gaap"] ?? {}, { Goodwill: { units: { USD: [] } }, InventoryNet: { units: {} } });
  const { facts, warnings } = normaliseFacts(company);
  expect(selectStatements(facts).balance_sheet.map((row) => [row.period_end_date, row.form])).toEqual([
    ["2024-01-31", "10-K"],
  ]);
  expect(textsOf(warnings)).toEqual([
    "1 row of companyfacts in 0000001234-24-000001 could not be read: left out",
    "1 row of companyfacts could not be read: left out",
  ]);
});

test("year-to-date cash flows stay when a restatement leaves two lines of a quarter", () => {
  const flow = (start: string, ...figures: readonly (readonly [string, number])[]): MadeFigure[] =>
    figures.map(([name, value]) => [`NetCashProvidedByUsedIn${name}Activities`, value, start, "2024-06-30"]);
  const { cash_flow } = read([
    filing(
      "24-000002",
      "10-Q",
      "2024-08-01",
      flow("2024-01-01", ["Operating", 500], ["Investing", -90], ["Financing", -40]),
    ),
    filing("24-000003", "10-Q", "2024-11-01", flow("2024-04-01", ["Operating", 200], ["Financing", -50])),
  ]);
  expect(
    cash_flow.map((row) => [row.period_months, Object.values(row.items).filter((v) => v !== null)]),
  ).toEqual([
    [6, [500, -90, -40]],
    [3, [200, -50]],
  ]);
});

test("revenue under three tags over the years: each year by the tag of its newest report", () => {
  const sales = (revenue: number, at: number, tag: string) =>
    madeIncome(revenue, `${at}-01-01`, `${at}-12-31`, tag);
  const { income_statement } = read([
    filing("17-000001", "10-K", "2017-02-20", sales(900e6, 2016, "SalesRevenueNet")),
    filing("18-000001", "10-K", "2018-02-20", sales(950e6, 2017, "Revenues")),
    filing("19-000001", "10-K", "2019-02-20", sales(990e6, 2018, CONTRACT), sales(940e6, 2017, CONTRACT)),
  ]);
  expect(income_statement.map(({ items, sources }) => [items.revenue, sources.revenue?.tag])).toEqual([
    [990e6, CONTRACT],
    [940e6, CONTRACT],
    [900e6, "SalesRevenueNet"],
  ]);
});
