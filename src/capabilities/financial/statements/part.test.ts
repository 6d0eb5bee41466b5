// Reports that give a few figures of a period beside reports that present its statement as a whole.
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
import type { SelectOptions } from "./records.ts";
import { selectStatements } from "./select.ts";

const QUARTER = ["2015-01-01", "2015-03-31"] as const;
const ACCESSIONS = {
  part: "0000001234-15-000003",
  whole: "0000001234-16-000001",
  late: "0000001234-17-000001",
};

/** A report whose own period is presented as a whole, with other figures beside it. */
const report = (
  accn: string,
  form: string,
  filed: string,
  period: readonly [string, string],
  ...others: readonly (readonly MadeFigure[])[]
): MadeFiling => ({
  accn,
  form,
  filed,
  figures: [...madeIncome(900e6, ...period), ...madeBalance(4000e6, period[1]), ...others.flat()],
});
const few = (revenue: number, ...others: readonly MadeFigure[]): MadeFigure[] => [
  ["Revenues", revenue, ...QUARTER],
  ["NetIncomeLoss", 80e6, ...QUARTER],
  ...others,
];
/** Gives a few figures of the first quarter before any report presents it. */
const part = report(ACCESSIONS.part, "10-Q", "2015-11-01", ["2015-07-01", "2015-09-30"], few(800e6));
/** Presents the first quarter for comparison. */
const whole = report(
  ACCESSIONS.whole,
  "10-Q",
  "2016-05-01",
  ["2016-01-01", "2016-03-31"],
  madeIncome(800e6, ...QUARTER),
);
/** Gives a few figures of it again, in an annual report. */
const late = (revenue: number, ...others: readonly MadeFigure[]) =>
  report(ACCESSIONS.late, "10-K", "2017-02-01", ["2016-01-01", "2016-12-31"], few(revenue, ...others));

function quarterOf(filings: readonly MadeFiling[], options: SelectOptions) {
  const { income_statement, warnings } = selectStatements(
    normaliseFacts(madeCompany(filings)).facts,
    options,
  );
  const row = income_statement.find(({ period_end_date }) => period_end_date === QUARTER[1]);
  const codes = warnings.filter(({ period_end }) => period_end === QUARTER[1]).map(({ code }) => code);
  return { row, codes };
}

describe("the first vintage of a period", () => {
  test("is the first report that presents the statement as a whole, not an earlier one with a few figures", () => {
    const { row, codes } = quarterOf([part, whole], { vintage: "first" });
    expect(row).toMatchObject({ accession_number: ACCESSIONS.whole, items: { gross_profit: 320e6 } });
    expect(codes).toEqual([]);
  });

  test("is the few figures while no report presents the whole, with a warning that says so", () => {
    for (const { row, codes } of [
      quarterOf([part], { vintage: "first" }),
      quarterOf([part, whole], { vintage: "first", as_of: Temporal.Instant.from("2016-01-01T00:00:00Z") }),
    ]) {
      expect(row).toMatchObject({
        accession_number: ACCESSIONS.part,
        items: { revenue: 800e6, net_income: 80e6, gross_profit: null },
      });
      expect(codes).toEqual(["statement_in_part"]);
    }
    expect(quarterOf([part], {}).codes).toEqual([]);
  });
});

describe("the first vintage of a balance sheet and of cash flows", () => {
  const END = QUARTER[1];
  /** Totals of the quarter alone, as a note or a table of key figures has them. */
  const totals: readonly MadeFigure[] = [
    ["Assets", 3900e6, null, END],
    ["Liabilities", 2300e6, null, END],
    ["NetCashProvidedByUsedInOperatingActivities", 70e6, ...QUARTER],
    ["NetCashProvidedByUsedInInvestingActivities", -30e6, ...QUARTER],
  ];
  const more = (period: readonly [string, string]): readonly MadeFigure[] => [
    ...madeCashFlow(90e6, ...period),
    ["ShareBasedCompensation", 5e6, ...period],
    ["PaymentsOfDividends", 6e6, ...period],
  ];
  const [early, later] = [
    report(ACCESSIONS.part, "10-Q", "2015-11-01", ["2015-07-01", "2015-09-30"], totals, [
      ...more(["2015-07-01", "2015-09-30"]),
    ]),
    report(
      ACCESSIONS.whole,
      "10-Q",
      "2016-05-01",
      ["2016-01-01", "2016-03-31"],
      madeBalance(3800e6, END),
      more(["2016-01-01", "2016-03-31"]),
      more(QUARTER),
    ),
  ];
  const chosen = (filings: readonly MadeFiling[]) => {
    const { balance_sheet, cash_flow } = selectStatements(normaliseFacts(madeCompany(filings)).facts, {
      vintage: "first",
    });
    const at = (rows: readonly { period_end_date: string; accession_number: string }[]) =>
      rows.find(({ period_end_date }) => period_end_date === END)?.accession_number;
    return [at(balance_sheet), at(cash_flow)];
  };

  test("are of the report that presents them as a whole, and take nothing from another", () => {
    expect(chosen([early, later])).toEqual([ACCESSIONS.whole, ACCESSIONS.whole]);
    expect(chosen([early])).toEqual([ACCESSIONS.part, ACCESSIONS.part]);
    const { balance_sheet } = selectStatements(normaliseFacts(madeCompany([early, later])).facts, {
      vintage: "first",
    });
    const row = balance_sheet.find(({ period_end_date }) => period_end_date === END);
    expect(row?.items.total_assets).toBe(3800e6);
    expect(new Set(Object.values(row?.sources ?? {}).map((source) => source.accession_number))).toEqual(
      new Set([ACCESSIONS.whole]),
    );
  });
});

describe("the latest vintage of a period", () => {
  test("is the report that presents the whole when a later one repeats a few figures, and takes what that adds", () => {
    const { row } = quarterOf([part, whole, late(800e6, ["IncomeTaxExpenseBenefit", 12e6, ...QUARTER])], {});
    expect(row).toMatchObject({
      accession_number: ACCESSIONS.whole,
      items: { revenue: 800e6, gross_profit: 320e6, income_tax_expense: 12e6 },
    });
    expect(row?.sources.income_tax_expense?.accession_number).toBe(ACCESSIONS.late);
  });

  test("is the few figures of a later report that restates one of them", () => {
    const { row, codes } = quarterOf([part, whole, late(790e6)], {});
    expect(row).toMatchObject({
      accession_number: ACCESSIONS.late,
      items: { revenue: 790e6, gross_profit: null },
    });
    expect(codes).toEqual(["stated_differently"]);
  });
});
