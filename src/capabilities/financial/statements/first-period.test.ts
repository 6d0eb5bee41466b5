// First periods of companies, which are shorter than a quarter or a year, and companies without revenue.
import { describe, expect, test } from "bun:test";
import {
  type MadeFigure,
  type MadeFiling,
  madeBalance,
  madeCashFlow,
  madeCompany,
} from "../../../../test/support/company-facts.ts";
import { normaliseFacts } from "../../../providers/edgar/index.ts";
import type { Row, SelectOptions } from "./records.ts";
import { selectStatements } from "./select.ts";

/** A result without revenue: a loss, its costs and its shares. */
const loss = (amount: number, start: string, end: string): MadeFigure[] => [
  ["NetIncomeLoss", -amount, start, end],
  ["OperatingExpenses", amount, start, end],
  ["WeightedAverageNumberOfSharesOutstandingBasic", 5e6, start, end],
];
const report = (
  form: string,
  filed: string,
  end: string,
  ...figures: readonly (readonly MadeFigure[])[]
): MadeFiling => ({
  accn: `0000001234-${filed.slice(2, 4)}-${filed.slice(5).replace("-", "00")}`,
  form,
  filed,
  figures: [...madeBalance(90e6, end), ...figures.flat()],
});
const read = (filings: readonly MadeFiling[], options: SelectOptions = {}) =>
  selectStatements(normaliseFacts(madeCompany(filings)).facts, options);
const periods = (rows: readonly Omit<Row, "items" | "sources">[]) =>
  rows.map((row) => [
    `${row.period_start_date} ${row.period_end_date}`,
    row.fiscal_year,
    row.fiscal_period,
    row.period_type,
    row.period_months,
  ]);

describe("a first fiscal year that begins with the company", () => {
  test.each([
    ["190 days", "2021-06-25", 6],
    ["230 days", "2021-05-16", null],
    ["320 days", "2021-02-15", null],
    ["90 days", "2021-10-03", 3],
    ["twelve days", "2021-12-20", null],
  ])("is a year: %s", (_length, start, months) => {
    const [from, to] = [start, "2021-12-31"];
    const { income_statement, cash_flow, balance_sheet } = read([
      report("10-K", "2022-03-20", to, loss(2e6, from, to), madeCashFlow(-1e6, from, to)),
    ]);
    const year = [[`${from} ${to}`, 2021, "FY", "annual", months]];
    expect(periods(cash_flow)).toEqual(year);
    expect(
      income_statement.map(({ items, fiscal_period }) => [items.net_income, items.revenue, fiscal_period]),
    ).toEqual([[-2e6, null, "FY"]]);
    expect(balance_sheet[0]).toMatchObject({ fiscal_year: 2021, fiscal_period: "FY" });
  });

  test("keeps its label in the report of the next year, beside that year", () => {
    const [from, to] = ["2021-05-16", "2021-12-31"] as const;
    const [next, end] = ["2022-01-01", "2022-12-31"] as const;
    const first = report("10-K", "2022-03-20", to, loss(2e6, from, to), madeCashFlow(-1e6, from, to));
    const second = report(
      "10-K",
      "2023-03-20",
      end,
      loss(2e6, from, to),
      madeCashFlow(-1e6, from, to),
      loss(7e6, next, end),
      madeCashFlow(-3e6, next, end),
    );
    for (const filings of [[first, second], [second]])
      expect(periods(read(filings).cash_flow)).toEqual([
        [`${next} ${end}`, 2022, "FY", "annual", 12],
        [`${from} ${to}`, 2021, "FY", "annual", null],
      ]);
  });

  test("follows a predecessor's months in the same annual report", () => {
    const { cash_flow } = read([
      report(
        "10-K",
        "2022-03-20",
        "2021-12-31",
        madeCashFlow(4e6, "2020-01-01", "2020-12-31"),
        madeCashFlow(2e6, "2021-01-01", "2021-06-14"),
        madeCashFlow(3e6, "2021-06-15", "2021-12-31"),
      ),
    ]);
    expect(periods(cash_flow).slice(0, 2)).toEqual([
      ["2021-06-15 2021-12-31", 2021, "FY", "annual", 6],
      ["2021-01-01 2021-06-14", 2021, "Q2", "quarterly", 6],
    ]);
  });

  test("is not a quarter whose figures alone an annual report tags", () => {
    const earlier = report(
      "10-Q",
      "2021-11-05",
      "2021-09-30",
      loss(5e6, "2021-01-01", "2021-09-30"),
      madeCashFlow(-3e6, "2021-01-01", "2021-09-30"),
    );
    const year = report("10-K", "2022-03-20", "2021-12-31", loss(2e6, "2021-10-01", "2021-12-31"));
    expect(
      read([earlier, year]).income_statement.map((row) => [row.period_months, row.fiscal_period]),
    ).toEqual([
      [3, "Q4"],
      [9, "Q3"],
    ]);
  });
});

describe("a first fiscal year of more than 400 days", () => {
  const [from, to] = ["2020-11-15", "2021-12-31"] as const;
  const [next, end] = ["2022-01-01", "2022-12-31"] as const;
  const flows = (start: string, until: string) => [loss(2e6, start, until), madeCashFlow(-1e6, start, until)];
  const first = report("10-K", "2022-03-20", to, ...flows(from, to));
  const row = [`${from} ${to}`, 2021, "FY", "annual", null];

  test("is a year, though the fourth quarter alone stands beside it", () => {
    const beside = report("10-K", "2022-03-20", to, ...flows(from, to), loss(1e6, "2021-10-01", to));
    for (const filing of [first, beside]) {
      const { income_statement, cash_flow, balance_sheet } = read([filing], { period_type: "annual" });
      expect([periods(income_statement), periods(cash_flow)]).toEqual([[row], [row]]);
      expect(income_statement[0]?.items.net_income).toBe(-2e6);
      expect(balance_sheet[0]).toMatchObject({ fiscal_year: 2021, fiscal_period: "FY" });
    }
  });

  test("stays one in the next report, whose sum since inception is none", () => {
    const sums = flows(from, end);
    const second = report("10-K", "2023-03-20", end, ...flows(next, end), ...flows(from, to), ...sums);
    for (const filings of [[first, second], [second]]) {
      const { income_statement, cash_flow } = read(filings);
      expect(periods(cash_flow)).toEqual([[`${next} ${end}`, 2022, "FY", "annual", 12], row]);
      expect(income_statement.map(({ items }) => items.net_income)).toEqual([-2e6, -2e6]);
    }
  });

  const within = (...dates: [string, string]) => ({ beside: flows(...dates).flat(), earlier: [] });
  const filed = (form: string, day: string, ...dates: [string, string]) => ({
    beside: [],
    earlier: [{ ...report(form, day, dates[1], ...flows(...dates)), accn: "0000001234-21-000009" }],
  });
  test.each([
    ["a year of the report", within("2020-01-01", "2020-12-31")],
    ["a shorter part of it in the report", within("2020-01-01", "2020-06-30")],
    ["a balance sheet of the report", { beside: madeBalance(90e6, "2020-12-31"), earlier: [] }],
    ["a year in an earlier report", filed("10-K", "2021-03-20", "2020-01-01", "2020-12-31")],
    ["a year in a report of the same day", filed("10-K", "2022-03-20", "2020-01-01", "2020-12-31")],
    ["a quarterly report's year to date", filed("10-Q", "2021-08-10", "2021-01-01", "2021-06-30")],
  ])("is none where %s contradicts it, and a warning names it", (_what, { beside, earlier }) => {
    const own = report("10-K", "2022-03-20", to, ...flows("2020-01-01", to), beside);
    const others: readonly MadeFiling[] = earlier;
    const { warnings } = normaliseFacts(madeCompany([...others, own]));
    expect(
      periods(read([...others, own]).cash_flow).filter(([dates]) => dates === `2020-01-01 ${to}`),
    ).toEqual([]);
    expect(warnings).toEqual([
      {
        code: "long_period_left_out",
        line: null,
        period_end: to,
        accession_number: own.accn,
        detail: `the figures from 2020-01-01 to ${to} in ${own.accn} are left out: nothing shows that these more than 400 days are the company's first fiscal year`,
      },
    ]);
  });

  test("is one beside notes about other periods, and the quarters and years to date that begin with the company", () => {
    const note: MadeFigure[] = [["ShareBasedCompensation", 3e5, "2021-03-01", to]];
    const quarterly = [
      report(
        "10-Q",
        "2021-05-10",
        "2021-03-31",
        ...flows(from, "2021-03-31"),
        loss(1e6, "2021-01-01", "2021-03-31"),
      ),
      report("10-Q", "2021-11-20", "2021-11-14", ...flows(from, "2021-11-14")),
    ];
    const noted = report("10-K", "2022-03-20", to, ...flows(from, to), note);
    expect(periods(read([...quarterly, noted], { period_type: "annual" }).cash_flow)).toEqual([row]);
  });

  test("is none where a report shows it beside later years and it is longer than 550 days", () => {
    const development = report("10-K", "2023-03-20", end, ...flows(next, end), ...flows("2018-05-01", to));
    expect(periods(read([development]).cash_flow).map(([dates]) => dates)).toEqual([`${next} ${end}`]);
  });

  test("does not depend on what a report of the same day says that was accepted later", () => {
    const late = {
      ...report("10-Q", "2022-03-20", "2021-09-30", ...flows("2021-01-01", "2021-09-30")),
      accn: "0000001234-22-000009",
    };
    const labels = (acceptedAt: Readonly<Record<string, string>>) =>
      periods(
        selectStatements(
          normaliseFacts(madeCompany([first, late]), { acceptedAt: (accession) => acceptedAt[accession] })
            .facts,
          { period_type: "annual" },
        ).cash_flow,
      );
    expect(labels({ [first.accn]: "2022-03-20T13:00:00Z", [late.accn]: "2022-03-20T20:30:00Z" })).toEqual([
      row,
    ]);
    expect(labels({ [first.accn]: "2022-03-20T20:30:00Z", [late.accn]: "2022-03-20T13:00:00Z" })).toEqual([]);
  });

  test("does not depend on what a later report says", () => {
    const after = report("10-K", "2023-03-20", end, ...flows(next, end), ...flows("2021-01-01", to));
    expect(periods(read([first, after], { vintage: "first" }).cash_flow)).toContainEqual(row);
  });

  test("is not read from a quarterly report; a warning names cash flows that the report has for no shorter period", () => {
    const last = "2022-09-30";
    const quarter = loss(1e6, "2022-07-01", last);
    const sinceInception = flows("2021-05-01", last);
    const codes = (...figures: readonly (readonly MadeFigure[])[]) =>
      normaliseFacts(madeCompany([report("10-Q", "2022-11-10", last, quarter, ...figures)])).warnings.map(
        ({ code, period_end }) => `${code} ${period_end}`,
      );
    expect(codes(...sinceInception)).toEqual([`long_period_left_out ${last}`]);
    expect(codes(...sinceInception, madeCashFlow(-1e6, "2022-01-01", last))).toEqual([]);
    // A programme's sum under a line's tag is no statement.
    expect(codes([["PaymentsForRepurchaseOfCommonStock", 5e6, "2020-05-01", last]])).toEqual([]);
  });
});

describe("a first quarterly report of two months that end on 31 December", () => {
  const [from, to] = ["2020-11-01", "2020-12-31"] as const;
  const flows = [loss(2e6, from, to), madeCashFlow(-1e6, from, to)];
  const first = (fy: number | null, fp: string | null, start: string = from): MadeFiling => ({
    ...report("10-Q", "2021-02-15", to, loss(2e6, start, to), madeCashFlow(-1e6, start, to)),
    fy,
    fp,
  });

  test("is of the quarter that it names, as are the reports after it", () => {
    const second = {
      ...report("10-Q", "2021-05-15", "2021-03-31", madeCashFlow(-2e6, from, "2021-03-31")),
      fy: 2021,
      fp: "Q2",
    };
    expect(periods(read([first(2021, "Q1"), second]).cash_flow)).toEqual([
      [`${from} 2021-03-31`, 2021, "Q2", "quarterly", null],
      [`${from} ${to}`, 2021, "Q1", "quarterly", null],
    ]);
  });

  test("has rows without a label, and a warning, where it names none and begins within a month", () => {
    const { income_statement, cash_flow, warnings } = read([first(null, null, "2020-11-12")]);
    const row = [`2020-11-12 ${to}`, null, null, "quarterly", null];
    expect([periods(income_statement), periods(cash_flow)]).toEqual([[row], [row]]);
    expect(cash_flow[0]?.items.operating_cash_flow).toBe(-1e6);
    expect(warnings.map(({ code }) => code)).toContain("fiscal_label_unknown");
  });

  test("never ends a year: an annual report does", () => {
    expect(periods(read([report("10-K", "2021-02-15", to, ...flows)]).cash_flow)).toEqual([
      [`${from} ${to}`, 2020, "FY", "annual", null],
    ]);
  });
});

describe("the first quarters of a company", () => {
  const quarter = (filed: string, end: string, fp: string | null, start: string, fy = 2020): MadeFiling => ({
    ...report("10-Q", filed, end, loss(2e6, start, end), madeCashFlow(-1e6, start, end)),
    fy: fp === null ? null : fy,
    fp,
  });
  const labelOf = (filing: MadeFiling) =>
    periods(read([filing]).cash_flow).map(([, ...label]) => label.slice(0, 2));

  test("are those that its reports name, where it began within a month", () => {
    expect(labelOf(quarter("2020-11-10", "2020-09-30", "Q3", "2020-04-13"))).toEqual([[2020, "Q3"]]);
    expect(labelOf(quarter("2020-11-10", "2020-09-30", "Q1", "2020-04-13"))).toEqual([[2021, "Q1"]]);
    expect(labelOf(quarter("2020-11-10", "2020-09-30", null, "2020-04-13"))).toEqual([[2020, "Q3"]]);
    expect(labelOf(quarter("2020-11-10", "2020-09-30", "Q3", "2020-09-15"))).toEqual([[2020, "Q3"]]);
  });

  test("have no label where the quarter that a report names contradicts a year that begins with the company's month", () => {
    expect(labelOf(quarter("2020-11-10", "2020-09-30", "Q3", "2020-01-01"))).toEqual([[2020, "Q3"]]);
    expect(labelOf(quarter("2020-08-10", "2020-06-30", "Q3", "2020-01-01"))).toEqual([[null, null]]);
    expect(labelOf(quarter("2020-11-10", "2020-09-30", "Q3", "2020-04-03"))).toEqual([[null, null]]);
    // Years of 52 weeks begin some days before or after a month does.
    expect(labelOf(quarter("2010-05-28", "2010-04-18", "Q1", "2009-12-28", 2010))).toEqual([[2010, "Q1"]]);
    expect(labelOf(quarter("2009-07-20", "2009-06-20", "Q2", "2009-01-04", 2009))).toEqual([[2009, "Q2"]]);
  });

  test("are counted from the end of their year once an annual report is known", () => {
    const [start, end] = ["2020-07-01", "2020-09-30"] as const;
    const wrong: MadeFiling = {
      ...report("10-Q", "2020-11-10", end, loss(2e6, start, end), madeCashFlow(-1e6, "2020-04-13", end)),
      fy: 2020,
      fp: "Q2",
    };
    const year = report(
      "10-K",
      "2021-03-10",
      "2020-12-31",
      loss(5e6, "2020-04-13", "2020-12-31"),
      madeCashFlow(-3e6, "2020-04-13", "2020-12-31"),
    );
    const labelsOf = (filings: readonly MadeFiling[]) => {
      const { income_statement, balance_sheet } = read(filings);
      return [income_statement, balance_sheet].map((rows) => {
        const row = rows.find(({ period_end_date }) => period_end_date === end);
        return `${row?.fiscal_year} ${row?.fiscal_period}`;
      });
    };
    expect(labelsOf([wrong])).toEqual(["2021 Q2", "2021 Q2"]);
    expect(labelsOf([wrong, year])).toEqual(["2020 Q3", "2020 Q3"]);
  });

  test("are never a year, whatever their length", () => {
    const third = quarter("2021-10-14", "2021-08-31", "Q3", "2020-09-03", 2021);
    expect(periods(read([third]).cash_flow)).toEqual([
      ["2020-09-03 2021-08-31", 2021, "Q3", "quarterly", 12],
    ]);
  });

  test("and years have no sum beside them that begins some days before, with the company", () => {
    const [start, end] = ["2011-01-01", "2011-12-31"] as const;
    const sum = [loss(3e6, "2010-12-20", end), madeCashFlow(-2e6, "2010-12-20", end)];
    const filing = report(
      "10-K",
      "2012-03-20",
      end,
      loss(2e6, start, end),
      madeCashFlow(-1e6, start, end),
      ...sum,
    );
    const { income_statement, cash_flow } = read([filing]);
    for (const rows of [income_statement, cash_flow])
      expect(periods(rows)).toEqual([[`${start} ${end}`, 2011, "FY", "annual", 12]]);
    expect(income_statement[0]?.items.net_income).toBe(-2e6);
  });

  test("do not begin with the company where the balance sheet of a year end lies between", () => {
    const second: MadeFiling = {
      ...report(
        "10-Q",
        "2011-08-10",
        "2011-06-30",
        madeCashFlow(-2e6, "2011-01-01", "2011-06-30"),
        madeCashFlow(-3e6, "2010-08-20", "2011-06-30"),
        madeBalance(90e6, "2010-12-31"),
      ),
    };
    expect(periods(read([second]).cash_flow)).toEqual([
      ["2011-01-01 2011-06-30", 2011, "Q2", "quarterly", 6],
    ]);
  });
});

describe("months that are no part of a fiscal year", () => {
  const year = report("10-K", "2021-03-01", "2020-12-31", madeCashFlow(5e6, "2020-01-01", "2020-12-31"));

  test("are served where no other statement of their report shares days with them, with a warning", () => {
    const months = report("10-Q", "2021-08-10", "2021-06-30", madeCashFlow(2e6, "2021-05-15", "2021-06-30"));
    const { cash_flow, warnings } = read([year, months]);
    expect(periods(cash_flow)[0]).toEqual(["2021-05-15 2021-06-30", 2021, null, "quarterly", null]);
    expect(warnings.find(({ code }) => code === "fiscal_label_unknown")?.detail).toBe(
      `The fiscal quarter of the periods in 10-Q ${months.accn} is unknown: its period is neither a fiscal year nor a part of one that begins with it.`,
    );
    const predecessor = report(
      "10-K",
      "2022-03-01",
      "2021-12-31",
      madeCashFlow(2e6, "2021-11-22", "2021-12-31"),
      madeCashFlow(4e6, "2021-01-01", "2021-11-21"),
    );
    expect(periods(read([year, predecessor]).cash_flow).map(([dates, , label]) => [dates, label])).toEqual([
      ["2021-11-22 2021-12-31", "FY"],
      ["2021-01-01 2021-11-21", null],
      ["2020-01-01 2020-12-31", "FY"],
    ]);
  });

  test("have no row where they are trailing months beside the report's own", () => {
    const beside = report(
      "10-Q",
      "2021-08-10",
      "2021-06-30",
      madeCashFlow(2e6, "2021-01-01", "2021-06-30"),
      madeCashFlow(4e6, "2020-07-01", "2021-06-30"),
    );
    expect(periods(read([year, beside]).cash_flow).map(([dates]) => dates)).toEqual([
      "2021-01-01 2021-06-30",
      "2020-01-01 2020-12-31",
    ]);
  });

  test("between two fiscal years stand beside twelve months up to the same day, which are no year", () => {
    const [start, end] = ["2021-01-01", "2021-06-30"] as const;
    const transition = report(
      "10-KT",
      "2021-08-20",
      end,
      madeCashFlow(3e6, start, end),
      madeCashFlow(6e6, "2020-07-01", end),
    );
    expect(periods(read([year, transition]).cash_flow)).toEqual([
      [`${start} ${end}`, 2021, null, "annual", 6],
      ["2020-01-01 2020-12-31", 2020, "FY", "annual", 12],
    ]);
  });

  test("between two fiscal years are no quarter, and stay annual when the next annual report repeats them", () => {
    const [start, end] = ["2021-01-01", "2021-03-31"] as const;
    const transition = report("10-KT", "2021-06-01", end, madeCashFlow(1e6, start, end));
    const next = report(
      "10-K",
      "2022-06-01",
      "2022-03-31",
      madeCashFlow(6e6, "2021-04-01", "2022-03-31"),
      madeCashFlow(1e6, start, end),
    );
    const row = [`${start} ${end}`, 2021, null, "annual", 3];
    expect(periods(read([year, transition]).cash_flow)[0]).toEqual(row);
    const { cash_flow, warnings } = read([year, transition, next]);
    expect(periods(cash_flow)[1]).toEqual(row);
    expect(warnings).toEqual([]);
  });
});

test("a quarterly report on the months since inception is served, its longer sum only where no quarter stands beside it", () => {
  const [from, to] = ["2021-02-01", "2021-06-30"] as const;
  const filing = (...others: readonly (readonly MadeFigure[])[]) =>
    report("10-Q", "2021-08-10", to, loss(2e6, from, to), madeCashFlow(-1e6, from, to), ...others);
  const alone = read([filing()]);
  expect(periods(alone.cash_flow)).toEqual([[`${from} ${to}`, 2021, "Q2", "quarterly", null]]);
  expect(alone.income_statement.map(({ items }) => items.net_income)).toEqual([-2e6]);
  const beside = read([filing(loss(1e6, "2021-04-01", to))]);
  expect(beside.income_statement.map(({ items }) => items.net_income)).toEqual([-1e6]);
  expect(beside.cash_flow).toHaveLength(1);
});

test("an investment company's statements are read: investment income, net assets and the result of operations", () => {
  const [from, to] = ["2021-01-01", "2021-12-31"] as const;
  const made: readonly MadeFigure[] = [
    ["GrossInvestmentIncomeOperating", 90e6, from, to],
    ["OperatingExpenses", 40e6, from, to],
    ["InvestmentIncomeOperatingAfterExpenseAndTax", 50e6, from, to],
    ["NetIncomeLoss", 20e6, from, to],
    ["Assets", 900e6, null, to],
    ["Liabilities", 500e6, null, to],
    ["AssetsNet", 400e6, null, to],
    ["NetCashProvidedByUsedInOperatingActivities", -30e6, from, to],
    ["NetCashProvidedByUsedInFinancingActivities", 35e6, from, to],
  ];
  const served = (figures: readonly MadeFigure[]) =>
    read([{ accn: "0000001234-22-000001", form: "10-K", filed: "2022-03-01", figures }]);
  const { income_statement, balance_sheet, cash_flow } = served(made);
  expect(income_statement[0]?.items).toMatchObject({
    revenue: 90e6,
    net_investment_income: 50e6,
    operating_expenses: 40e6,
    net_income: 20e6,
  });
  expect(balance_sheet[0]?.items.total_equity).toBe(400e6);
  expect(cash_flow[0]?.items).toMatchObject({ operating_cash_flow: -30e6, investing_cash_flow: null });
  const insurer = served([...made, ["PremiumsEarnedNet", 500e6, from, to]]);
  expect(insurer.income_statement[0]?.items.revenue).toBeNull();
  const elsewhere = made.map(
    (figure): MadeFigure => (figure[0] === "Liabilities" ? ["Liabilities", 100e6, null, to] : figure),
  );
  expect(served(elsewhere).balance_sheet[0]?.items.total_equity).toBeNull();
});
