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
import { INCOME_LINES, normaliseFacts } from "../../../providers/edgar/index.ts";
import type { Row, SelectOptions } from "./records.ts";
import { selectStatements } from "./select.ts";

const select = (filings: readonly MadeFiling[], options?: SelectOptions) =>
  selectStatements(normaliseFacts(madeCompany(filings)).facts, options);
type Place = Pick<Row, "fiscal_year" | "fiscal_period" | "period_months" | "basis" | "accession_number">;
const place = (row: Place) =>
  `${row.fiscal_year} ${row.fiscal_period} ${row.period_months ?? "-"} ${row.basis} ${row.accession_number}`;
const at = (text: string) => Temporal.Instant.from(text);
const changed = (filing: MadeFiling, rest: Partial<MadeFiling>, ...more: MadeFigure[]): MadeFiling => ({
  ...filing,
  ...rest,
  figures: [...(rest.figures ?? filing.figures), ...more],
});

const year = madeYear(2020, 100e6);
const [q1, , , annual] = year as [MadeFiling, MadeFiling, MadeFiling, MadeFiling];
const YEAR = ["2020-01-01", "2020-12-31"] as const;

describe("rows", () => {
  test("are as reported: discrete quarters of income, cash flows to date, no fourth quarter", () => {
    const { income_statement, cash_flow, balance_sheet, warnings } = select(year);
    expect(income_statement.map(place)).toEqual([
      "2020 FY 12 reported 0000001234-21-000000",
      "2020 Q3 3 reported 0000001234-20-000003",
      "2020 Q2 3 reported 0000001234-20-000002",
      "2020 Q1 3 reported 0000001234-20-000001",
    ]);
    expect(
      cash_flow.map((row) => [row.fiscal_period, row.period_months, row.items.operating_cash_flow]),
    ).toEqual([
      ["FY", 12, 120e6],
      ["Q3", 9, 90e6],
      ["Q2", 6, 60e6],
      ["Q1", 3, 30e6],
    ]);
    expect(balance_sheet.map((row) => [row.fiscal_period, row.period_type, row.period_start_date])).toEqual([
      ["FY", "annual", null],
      ["Q3", "quarterly", null],
      ["Q2", "quarterly", null],
      ["Q1", "quarterly", null],
    ]);
    expect(warnings).toEqual([]);
  });

  test("have every line, null when not reported, and a source for each figure", () => {
    const [row] = select(year).income_statement;
    expect(row?.items).toMatchObject({ revenue: 400e6, gross_profit: 160e6, research_and_development: null });
    expect(Object.keys(row?.items ?? {})).toHaveLength(INCOME_LINES.length);
    expect(row?.sources.revenue).toEqual({
      tag: "Revenues",
      taxonomy: "us-gaap",
      accession_number: "0000001234-21-000000",
      form: "10-K",
      filed_date: "2021-02-15",
      known_at: "2021-02-16T04:59:59.999999999Z",
      period_end: "2020-12-31",
      unit: "USD",
      split_basis: null,
      operation: null,
      operands: null,
    });
    expect(row?.sources.eps_diluted?.split_basis).toBe("2021-02-15");
    expect(Object.keys(row?.sources ?? {})).not.toContain("research_and_development");
    expect(row?.known_at).toBe("2021-02-16T04:59:59.999999999Z");
  });

  test("by period type", () => {
    const periods = (period_type: "annual" | "quarterly") =>
      select(year, { period_type }).income_statement.map(({ fiscal_period }) => fiscal_period);
    expect(periods("annual")).toEqual(["FY"]);
    expect(periods("quarterly")).toEqual(["Q3", "Q2", "Q1"]);
  });

  test("a half year is a row when nothing else is reported", () => {
    const half: MadeFiling = {
      accn: "h",
      form: "10-Q",
      filed: "2020-08-01",
      figures: [
        ...madeIncome(200e6, "2020-01-01", "2020-06-30"),
        ...madeCashFlow(60e6, "2020-01-01", "2020-06-30"),
      ],
    };
    expect(select([half]).income_statement.map(place)).toEqual(["2020 Q2 6 reported h"]);
  });

  test("the months between two fiscal years are neither a quarter nor a year", () => {
    const between: MadeFiling = {
      accn: "t",
      form: "10-KT",
      filed: "2021-09-01",
      figures: madeIncome(200e6, "2021-01-01", "2021-06-30"),
    };
    const [row] = select([...year, between]).income_statement;
    expect(row).toMatchObject({
      fiscal_period: null,
      period_months: 6,
      period_type: "annual",
      form: "10-KT",
    });
  });

  test("a quarter that two reports date differently is one row", () => {
    const later = changed(q1, {
      accn: "0000001234-21-000009",
      filed: "2021-05-01",
      figures: madeIncome(100e6, "2020-01-02", "2020-03-29"),
    });
    const quarters = select([...year, later]).income_statement.filter(
      ({ fiscal_period }) => fiscal_period === "Q1",
    );
    expect(quarters.map(place)).toEqual(["2020 Q1 3 reported 0000001234-21-000009"]);
  });

  test("a balance sheet of the first day of a year (new accounting rule) does not replace that of the last day before", () => {
    const adopting: MadeFiling = {
      accn: "0000001234-21-000001",
      form: "10-Q",
      filed: "2021-05-01",
      figures: [
        ...madeBalance(400e6, "2020-12-31"),
        ["Assets", 450e6, null, "2021-01-01"],
        ["Liabilities", 290e6, null, "2021-01-01"],
      ],
    };
    const [row] = select([...year, adopting]).balance_sheet;
    expect(row).toMatchObject({
      period_end_date: "2020-12-31",
      accession_number: adopting.accn,
      items: { total_assets: 400e6 },
    });
  });

  test("figures outside a statement make no row", () => {
    const remnant: MadeFiling = {
      accn: "r",
      form: "10-K",
      filed: "2021-02-15",
      figures: [
        ["StockholdersEquity", 5, null, "2018-12-31"],
        ["NetIncomeLoss", 5, "2018-01-01", "2018-12-31"],
        ["DepreciationAndAmortization", 5, "2020-10-01", "2020-12-31"],
        ["Revenues", 5, "2020-12-01", "2020-12-31"],
      ],
    };
    expect(select([remnant])).toMatchObject({ income_statement: [], balance_sheet: [], cash_flow: [] });
  });

  test("without facts there are no rows", () => {
    expect(selectStatements([])).toEqual({
      income_statement: [],
      balance_sheet: [],
      cash_flow: [],
      comparisons: [],
      warnings: [],
    });
  });
});

describe("which report", () => {
  const amended = changed(annual, {
    accn: "0000001234-21-000005",
    form: "10-K/A",
    filed: "2021-06-01",
    figures: madeIncome(380e6, ...YEAR),
  });
  const proxy = changed(annual, {
    accn: "p",
    form: "DEF 14A",
    filed: "2022-04-01",
    figures: madeIncome(1, ...YEAR),
  });
  const recast = changed(annual, {
    accn: "e",
    form: "8-K",
    filed: "2022-05-01",
    figures: madeIncome(2, ...YEAR),
  });
  const all = [...year, amended, proxy, recast];
  const revenue = (options?: SelectOptions) =>
    select(all, { ...options, period_type: "annual" }).income_statement[0]?.items.revenue;

  test("is the newest periodic one, before any proxy statement or current report", () => {
    expect(revenue()).toBe(380e6);
    expect(select([proxy]).income_statement).toEqual([]);
    const alone = select([...madeYear(2019, 90e6), recast], { period_type: "annual" }).income_statement;
    expect(alone.map(({ form, fiscal_year }) => [form, fiscal_year])).toEqual([
      ["8-K", 2020],
      ["10-K", 2019],
    ]);
  });

  test("is the first one for vintage first", () => {
    expect(revenue({ vintage: "first" })).toBe(400e6);
  });

  test("is the newest known at as_of, by the moment of acceptance or the end of the filing day", () => {
    expect(revenue({ as_of: at("2021-02-15T23:00:00Z") })).toBeUndefined();
    expect(revenue({ as_of: at("2021-02-16T05:00:00Z") })).toBe(400e6);
    expect(revenue({ as_of: at("2021-06-02T05:00:00Z") })).toBe(380e6);
    const { facts } = normaliseFacts(madeCompany(all), {
      acceptedAt: (accession) => (accession === amended.accn ? "2021-06-01T12:30:00Z" : null),
    });
    const known = (as_of: string) =>
      selectStatements(facts, { as_of: at(as_of), period_type: "annual" }).income_statement[0]?.items.revenue;
    expect(known("2021-06-01T12:29:59Z")).toBe(400e6);
    expect(known("2021-06-01T12:30:00Z")).toBe(380e6);
  });

  test("lists the newest period first although an older one was filed later", () => {
    const rows = select([
      ...year,
      ...madeYear(2021, 110e6).slice(0, 1),
      changed(amended, { filed: "2021-09-01" }),
    ]).income_statement;
    expect(rows.map(({ period_end_date }) => period_end_date)).toEqual([
      "2021-03-31",
      "2020-12-31",
      "2020-09-30",
      "2020-06-30",
      "2020-03-31",
    ]);
  });

  test("a figure that the newest report lacks comes from an older one that agrees with it", () => {
    const brief = changed(annual, {
      accn: "0000001234-22-000000",
      filed: "2022-02-15",
      figures: madeIncome(400e6, ...YEAR).filter(([tag]) => tag !== "OperatingIncomeLoss"),
    });
    const [row] = select([...year, brief], { period_type: "annual" }).income_statement;
    expect(row?.accession_number).toBe(brief.accn);
    expect(row?.items.operating_income).toBe(80e6);
    expect(row?.sources.operating_income?.accession_number).toBe(annual.accn);
  });

  test("such a figure is left out when the two state the period differently", () => {
    const brief = changed(amended, {
      figures: amended.figures.filter(([tag]) => tag !== "OperatingIncomeLoss"),
    });
    const { income_statement, warnings } = select([...year, brief], { period_type: "annual" });
    expect(income_statement[0]?.items).toMatchObject({ revenue: 380e6, operating_income: null });
    expect(textsOf(warnings)).toEqual([
      expect.stringContaining("whose figures for operating income are therefore not used"),
    ]);
  });

  test("share counts from before a split are not combined with earnings per share from after it", () => {
    const after = changed(annual, {
      accn: "0000001234-22-000000",
      filed: "2022-02-15",
      figures: madeIncome(400e6, ...YEAR).flatMap((figure): MadeFigure[] => {
        if (figure[0] === "EarningsPerShareDiluted") return [[figure[0], 0.1, ...YEAR]];
        return figure[0].startsWith("Weighted") ? [] : [figure];
      }),
    });
    const [row] = select([...year, after], { period_type: "annual" }).income_statement;
    expect(row?.items).toMatchObject({ eps_diluted: 0.1, weighted_average_shares_diluted: null });
  });

  test("shares on the cover belong to the period the report is about", () => {
    const cover = (
      accn: string,
      filed: string,
      shares: number,
      date: string,
      ends: readonly string[],
    ): MadeFiling => ({
      accn,
      form: "10-Q",
      filed,
      figures: [
        ...ends.flatMap((end) => madeBalance(100, end)),
        ["dei:EntityCommonStockSharesOutstanding", shares, null, date, "shares"],
      ],
    });
    const { balance_sheet } = select([
      cover("a", "2021-02-15", 50, "2021-02-01", ["2020-12-31"]),
      cover("b", "2021-05-01", 60, "2021-04-20", ["2021-03-31", "2020-12-31"]),
    ]);
    expect(balance_sheet.map((row) => [row.period_end_date, row.items.shares_outstanding])).toEqual([
      ["2021-03-31", 60],
      ["2020-12-31", 50],
    ]);
    expect(balance_sheet[0]?.sources.shares_outstanding).toMatchObject({
      taxonomy: "dei",
      period_end: "2021-04-20",
    });
  });
});

describe("derived quarters", () => {
  const derived = (filings: readonly MadeFiling[], options: SelectOptions = {}) =>
    select(filings, { ...options, include_derived: true });

  test("are exact differences: of cash flows all, of income the fourth quarter", () => {
    const { cash_flow, income_statement } = derived(year);
    const quarters = cash_flow.filter(({ basis }) => basis === "derived");
    expect(
      quarters.map((row) => [
        row.fiscal_period,
        row.period_start_date,
        row.period_months,
        row.items.operating_cash_flow,
      ]),
    ).toEqual([
      ["Q4", "2020-10-01", 3, 30e6],
      ["Q3", "2020-07-01", 3, 30e6],
      ["Q2", "2020-04-01", 3, 30e6],
    ]);
    const [fourth, ...others] = income_statement.filter(({ basis }) => basis === "derived");
    expect(others).toEqual([]);
    expect(fourth).toMatchObject({
      fiscal_period: "Q4",
      fiscal_year: 2020,
      period_type: "quarterly",
      form: "10-K",
    });
    expect(fourth?.items).toMatchObject({
      revenue: 100e6,
      net_income: 10e6,
      eps_diluted: null,
      weighted_average_shares_diluted: null,
    });
  });

  test("name both operands and are known when the later one is", () => {
    const fourth = derived(year).income_statement.find(({ basis }) => basis === "derived");
    expect(fourth?.known_at).toBe("2021-02-16T04:59:59.999999999Z");
    expect(
      fourth?.sources.revenue?.operands?.map(({ value, accession_number }) => [value, accession_number]),
    ).toEqual([
      [400e6, "0000001234-21-000000"],
      [300e6, "0000001234-20-000003"],
    ]);
    const before = derived(year, { as_of: at("2021-02-10T00:00:00Z") });
    expect(before.income_statement.some(({ basis }) => basis === "derived")).toBe(false);
    expect(
      before.cash_flow.filter(({ basis }) => basis === "derived").map(({ fiscal_period }) => fiscal_period),
    ).toEqual(["Q3", "Q2"]);
  });

  test("are not made of a restated figure or of two tags; a reported quarter is not derived", () => {
    const restated = changed(annual, {
      accn: "0000001234-21-000005",
      form: "10-K/A",
      filed: "2021-06-01",
      figures: madeIncome(380e6, ...YEAR),
    });
    const { income_statement: none, warnings } = derived([...year, restated]);
    expect(none.some(({ basis }) => basis === "derived")).toBe(false);
    expect(warnings.find(({ code }) => code === "quarter_not_derived")).toEqual({
      code: "quarter_not_derived",
      line: null,
      period_end: YEAR[1],
      accession_number: restated.accn,
      detail: `Of the quarter to ${YEAR[1]} these lines are not derived, because reports state the 12 or the first 9 months differently, or under different tags: revenue, cost of revenue, gross profit, operating income, net income.`,
    });
    const first = derived([...year, restated], { vintage: "first" }).income_statement.find(
      ({ basis }) => basis === "derived",
    );
    expect(first?.items.revenue).toBe(100e6);

    const renamed = changed(annual, {
      figures: annual.figures.map(
        (figure): MadeFigure =>
          figure[0] === "PaymentsToAcquirePropertyPlantAndEquipment"
            ? ["PaymentsToAcquireProductiveAssets", figure[1], figure[2], figure[3]]
            : figure,
      ),
    });
    const fourth = derived([...year.slice(0, 3), renamed]).cash_flow.find(
      (row) => row.fiscal_period === "Q4",
    );
    expect(fourth?.items).toMatchObject({ operating_cash_flow: 30e6, capital_expenditure: null });
    const ofRenamed = derived([...year.slice(0, 3), renamed]).warnings.filter(
      ({ code }) => code === "quarter_not_derived",
    );
    expect(ofRenamed.map(({ detail }) => detail.split(": ")[1])).toEqual(["capital expenditure."]);

    // A year later the nine months stand under the new tag: from then on there is a difference.
    const later: MadeFiling = {
      accn: "0000001234-21-000003",
      form: "10-Q",
      filed: "2021-11-01",
      figures: [["PaymentsToAcquireProductiveAssets", 30e6, "2020-01-01", "2020-09-30"]],
    };
    const capex = (options: SelectOptions) =>
      derived([...year.slice(0, 3), renamed, later], options).cash_flow.find(
        (row) => row.fiscal_period === "Q4",
      );
    expect(capex({ as_of: at("2021-11-01T12:00:00Z") })?.items.capital_expenditure).toBeNull();
    expect(capex({ vintage: "first" })?.items.capital_expenditure).toBeNull();
    const now = capex({});
    expect(now).toMatchObject({
      items: { operating_cash_flow: 30e6, capital_expenditure: 10e6 },
      known_at: "2021-11-02T03:59:59.999999999Z",
    });
    expect(
      now?.sources.capital_expenditure?.operands?.map(({ accession_number }) => accession_number),
    ).toEqual([renamed.accn, later.accn]);

    const restatedYear = changed(annual, {}, ...madeIncome(100e6, "2020-10-01", "2020-12-31"));
    const rows = derived([...year.slice(0, 3), restatedYear]).income_statement.filter(
      ({ fiscal_period }) => fiscal_period === "Q4",
    );
    expect(rows.map(({ basis }) => basis)).toEqual(["reported"]);
  });

  test("negative quarters are kept", () => {
    const loss = changed(annual, { figures: madeCashFlow(80e6, ...YEAR) });
    const fourth = derived([...year.slice(0, 3), loss]).cash_flow.find((row) => row.fiscal_period === "Q4");
    expect(fourth?.items).toMatchObject({ operating_cash_flow: -10e6, investing_cash_flow: 5e6 });
  });
});

test("growth over a year compares figures of one report", () => {
  const next = changed(annual, {
    accn: "0000001234-22-000000",
    filed: "2022-02-15",
    figures: [...madeIncome(500e6, "2021-01-01", "2021-12-31"), ...madeIncome(390e6, ...YEAR)],
  });
  const { comparisons } = select([...year, next]);
  expect(comparisons).toEqual([
    {
      period_end_date: "2021-12-31",
      period_months: 12,
      accession_number: "0000001234-22-000000",
      revenue: [500e6, 390e6],
      net_income: [50e6, 39e6],
      eps_diluted: [0.5, 0.39],
    },
  ]);
  expect(select(year).comparisons).toEqual([]);
});
