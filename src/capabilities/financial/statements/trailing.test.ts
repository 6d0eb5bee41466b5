import { describe, expect, test } from "bun:test";
import {
  type MadeFigure,
  type MadeFiling,
  madeCashFlow,
  madeCompany,
  madeIncome,
  madeYear,
  textsOf,
} from "../../../../test/support/company-facts.ts";
import { normaliseFacts } from "../../../providers/edgar/index.ts";
import { addSums } from "./derived-lines.ts";
import type { SelectOptions } from "./records.ts";
import { selectStatements } from "./select.ts";
import { withTrailingShares } from "./trailing-shares.ts";

const read = (filings: readonly MadeFiling[], options: SelectOptions = {}) =>
  selectStatements(normaliseFacts(madeCompany(filings)).facts, {
    period_type: "ttm",
    include_derived: true,
    ...options,
  });
const twoYears = [...madeYear(2024, 100e6), ...madeYear(2025, 110e6)];
/** The reports up to the six months of 2025, the newest of them with last year's six months beside it. */
const toJune = (beside: readonly MadeFigure[] = madeIncome(200e6, "2024-01-01", "2024-06-30")) =>
  twoYears
    .slice(0, 6)
    .map((one, nth) => (nth === 5 ? { ...one, figures: [...one.figures, ...beside] } : one));

describe("trailing twelve months", () => {
  test("are last year, less its first part, plus this year's, with a receipt for each", () => {
    const { income_statement, cash_flow } = read(twoYears);
    expect(income_statement.map((row) => [row.period_end_date, row.basis, row.items.revenue])).toEqual([
      ["2025-12-31", "reported", 440e6],
      ["2025-09-30", "derived", 430e6],
      ["2025-06-30", "derived", 420e6],
      ["2025-03-31", "derived", 410e6],
      ["2024-12-31", "reported", 400e6],
    ]);
    expect(income_statement[2]).toMatchObject({
      period_type: "ttm",
      period_start_date: "2024-07-01",
      period_months: 12,
      fiscal_year: 2025,
      fiscal_period: "Q2",
      known_at: "2025-08-02T03:59:59.999999999Z",
      sources: {
        revenue: {
          operation: "signed_sum",
          operands: [
            { sign: 1, value: 400e6, period_start: "2024-01-01", accession_number: "0000001234-25-000000" },
            { sign: -1, value: 200e6, period_end: "2024-06-30", accession_number: "0000001234-24-000002" },
            { sign: 1, value: 220e6, period_end: "2025-06-30", accession_number: "0000001234-25-000002" },
          ],
        },
      },
    });
    expect(cash_flow[1]?.items.operating_cash_flow).toBeCloseTo(129e6, 0);
  });

  test("have the balance sheets of every quarter and year, the newest first", () => {
    const sheets = read(twoYears).balance_sheet;
    expect(sheets).toHaveLength(8);
    expect(sheets[0]).toMatchObject({ period_end_date: "2025-12-31", basis: "reported" });
  });

  test("are no part of all, of quarters or of years", () => {
    for (const period_type of ["all", "quarterly", "annual"] as const) {
      const rows = read(twoYears, { period_type }).income_statement;
      expect(rows.filter((row) => row.period_type === "ttm")).toEqual([]);
    }
  });

  test("are four quarters where a year to date is missing", () => {
    const quarters = twoYears.map((one) => ({
      ...one,
      figures: one.figures.filter(
        ([tag, , start, end]) =>
          tag !== "CostOfRevenue" || start?.slice(5) !== "01-01" || !end.endsWith("06-30"),
      ),
    }));
    const row = read(quarters).income_statement.find(
      ({ period_end_date }) => period_end_date === "2025-06-30",
    );
    expect(row?.items.cost_of_revenue).toBe(252e6);
    // The fourth quarter is itself the year less nine months.
    expect(row?.sources.cost_of_revenue?.operands?.map(({ sign, value }) => [sign, value])).toEqual([
      [1, 60e6],
      [1, 240e6],
      [-1, 180e6],
      [1, 66e6],
      [1, 66e6],
    ]);
  });

  test("need all of their periods: none of a company's first year", () => {
    expect(read(twoYears.slice(0, 3)).income_statement).toEqual([]);
    expect(read(twoYears.slice(3)).income_statement.map((row) => row.period_end_date)).toEqual([
      "2025-12-31",
      "2024-12-31",
    ]);
  });

  test("know nothing that was not public then", () => {
    const as_of = Temporal.Instant.from("2025-08-01T12:00:00Z");
    expect(read(twoYears, { as_of }).income_statement[0]).toMatchObject({
      period_end_date: "2025-03-31",
      items: { revenue: 410e6 },
    });
  });

  test("take each part as restated only where the others are given since", () => {
    const restated = madeIncome(190e6, "2024-01-01", "2024-06-30");
    const { income_statement, warnings } = read(toJune(restated));
    expect(income_statement[0]).toMatchObject({ period_end_date: "2025-06-30", items: { revenue: null } });
    expect(textsOf(warnings)).toContainEqual(
      expect.stringContaining("Of the twelve months to 2025-06-30 these lines are null, because a period"),
    );
    const amended: MadeFiling = {
      accn: "0000001234-25-000009",
      form: "10-K/A",
      filed: "2025-07-20",
      figures: madeIncome(385e6, "2024-01-01", "2024-12-31"),
    };
    expect(read([...toJune(restated), amended]).income_statement[0]?.items.revenue).toBe(
      385e6 - 190e6 + 220e6,
    );
    expect(read(toJune()).income_statement[0]?.items.revenue).toBe(420e6);
    expect(read(toJune(restated), { vintage: "first" }).income_statement[0]?.items.revenue).toBe(420e6);
  });

  test("do not add figures of two tags, unless a report gives a period under both", () => {
    const renamed = (beside: readonly MadeFigure[]) =>
      twoYears.slice(0, 5).map((one, nth) =>
        nth < 4
          ? one
          : {
              ...one,
              figures: [...madeIncome(110e6, "2025-01-01", "2025-03-31", "SalesRevenueNet"), ...beside],
            },
      );
    const before = madeIncome(100e6, "2024-01-01", "2024-03-31", "SalesRevenueNet");
    expect(read(renamed([])).income_statement[0]?.items.revenue).toBe(null);
    expect(read(renamed(before)).income_statement[0]?.items.revenue).toBe(410e6);
  });

  test("have lines that follow from their parts", () => {
    const cash = twoYears.map((one) => ({
      ...one,
      figures: one.figures.map(
        ([tag, ...rest]): MadeFigure => [
          tag.replace("OperatingActivities", "OperatingActivitiesContinuingOperations"),
          ...rest,
        ],
      ),
    }));
    const ended = cash.map((one) => ({
      ...one,
      figures: [
        ...one.figures,
        ...one.figures
          .filter(([tag]) => tag.includes("InvestingActivities"))
          .flatMap(([, value, ...rest]): MadeFigure[] => [
            ["CashProvidedByUsedInOperatingActivitiesDiscontinuedOperations", value / 10, ...rest],
            ["CashAndCashEquivalentsPeriodIncreaseDecrease", -value * 0.5 + value / 10, ...rest],
          ]),
      ],
    }));
    const [, row] = addSums(read(ended)).cash_flow;
    expect(row?.items.operating_cash_flow).toBeCloseTo(129e6 * 0.95, 0);
    expect(row?.sources.operating_cash_flow?.operands?.map(({ sign }) => sign)).toEqual([1, -1, 1, 1, -1, 1]);
  });

  test("count a year of 53 weeks, and none of an odd length", () => {
    const period = (revenue: number, start: string, end: string, filed: string, nth: number): MadeFiling => ({
      accn: `0000001234-99-00000${nth}`,
      form: end.endsWith("02-03") || end.endsWith("02-01") ? "10-K" : "10-Q",
      filed,
      figures: [...madeIncome(revenue, start, end), ...madeCashFlow(revenue, start, end)],
    });
    const weeks = [
      period(90e6, "2023-01-29", "2023-04-29", "2023-06-01", 1),
      period(400e6, "2023-01-29", "2024-02-03", "2024-03-20", 2),
      period(100e6, "2024-02-04", "2024-05-04", "2024-06-01", 3),
    ];
    expect(read(weeks).income_statement.map((row) => [row.period_start_date, row.items.revenue])).toEqual([
      ["2023-04-30", 410e6],
      ["2023-01-29", 400e6],
    ]);
  });
});

describe("figures per share of twelve months", () => {
  const quarterly = twoYears.map((one, nth) =>
    nth % 4 === 3
      ? {
          ...one,
          figures: [
            ...one.figures,
            ...madeIncome(100e6, `${2024 + (nth > 4 ? 1 : 0)}-10-01`, `${2024 + (nth > 4 ? 1 : 0)}-12-31`),
          ],
        }
      : one,
  );
  const june = (filings: readonly MadeFiling[]) =>
    read(filings).income_statement.filter(({ period_end_date }) => period_end_date === "2025-06-30");

  test("are the sum of four reported quarters on one basis", () => {
    const { rows, warnings } = withTrailingShares(june(quarterly), () => null);
    expect(rows[0]?.items).toMatchObject({ eps_diluted: 0.42, weighted_average_shares_diluted: null });
    expect(rows[0]?.split_basis).toBe("2025-08-01");
    expect(textsOf(warnings)).toEqual([expect.stringContaining("eps basic cannot be added up")]);
  });

  test("are null where shares were split between them, or a quarter is not reported", () => {
    const split = "shares were split between its quarters.";
    const { rows, warnings } = withTrailingShares(june(quarterly), () => split);
    expect(rows[0]).toMatchObject({ items: { eps_diluted: null, revenue: 420e6 }, split_basis: null });
    expect(textsOf(warnings)[0]).toContain("are null: ");
    const lacking = withTrailingShares(june(twoYears), () => null);
    expect(lacking.rows[0]?.items.eps_diluted).toBe(null);
    expect(textsOf(lacking.warnings)[0]).toContain("not every one of the four quarters");
  });
});
