// Periods that a request covers no rows of: the warnings say which statements lack them and why. The balance
// sheet of a year's end is that of the fourth quarter.
import { describe, expect, test } from "bun:test";
import {
  type MadeFiling,
  madeBalance,
  madeCashFlow,
  madeCompany,
  madeIncome,
  madeYear,
} from "../../../../test/support/company-facts.ts";
import { type FinancialFact, normaliseFacts } from "../../../providers/edgar/index.ts";
import { resolveSpan } from "../requested-periods.ts";
import type { FinancialOptions } from "../schema.ts";
import { timeBudget } from "../time-budget.ts";
import { presenter } from "./present.ts";

const NOW = Temporal.Instant.from("2021-09-09T21:00:00Z");
const unused = (): never => {
  throw new Error("Prices are not asked for.");
};
const present = presenter({ closesOf: unused, splitsOf: unused, fill: unused });
const { signal } = new AbortController();

const years = [...madeYear(2019, 90e6), ...madeYear(2020, 100e6)];
const factsOf = (filings: readonly MadeFiling[] = years) => normaliseFacts(madeCompany(filings)).facts;

async function ask(
  { as_of, period, start_date, end_date, quarters, ...choices }: FinancialOptions,
  facts: readonly FinancialFact[] = factsOf(),
) {
  const asOf = as_of === undefined ? null : Temporal.Instant.from(as_of);
  const limit = timeBudget(1_000, unused);
  const span = resolveSpan({ period, start_date, end_date, quarters }, { asOf, now: NOW }, "max");
  const request = { span, asOf, choices: { ...choices, include_metrics: false }, cik: null, limit };
  return present(facts, { ...request, priced: { why: "" } }, signal);
}
type Answer = Awaited<ReturnType<typeof ask>>;
const place = ({ period_end_date, fiscal_period, period_type }: Answer["balance_sheet"][number]) =>
  `${period_end_date} ${fiscal_period} ${period_type}`;
const said = ({ warnings }: Answer) => warnings.map(({ code, detail }) => [code, detail]);

describe("the balance sheet of a year's end", () => {
  test("is the fourth quarter's among quarters, the year's otherwise, and in no answer twice", async () => {
    const span = { start_date: "2020-07-01", end_date: "2020-12-31" };
    expect((await ask({ ...span, period_type: "quarterly" })).balance_sheet.map(place)).toEqual([
      "2020-12-31 Q4 quarterly",
      "2020-09-30 Q3 quarterly",
    ]);
    expect((await ask({ ...span, period_type: "annual" })).balance_sheet.map(place)).toEqual([
      "2020-12-31 FY annual",
    ]);
    expect((await ask(span)).balance_sheet.map(place)).toEqual([
      "2020-12-31 FY annual",
      "2020-09-30 Q3 quarterly",
    ]);
  });

  test("is the fourth quarter's where that label is asked for", async () => {
    const quarters = ["2020Q4"];
    expect((await ask({ quarters })).balance_sheet.map(place)).toEqual(["2020-12-31 Q4 quarterly"]);
    expect((await ask({ quarters, period_type: "annual" })).balance_sheet.map(place)).toEqual([
      "2020-12-31 FY annual",
    ]);
    // The year's flows end with the fourth quarter and stay the year's.
    const { income_statement } = await ask({ quarters });
    expect(income_statement.map((row) => [row.fiscal_period, row.period_months])).toEqual([["FY", 12]]);
  });
});

describe("a warning says what is not covered", () => {
  test("when the fourth quarter is asked for among quarters", async () => {
    const asked: FinancialOptions = { quarters: ["2020Q4"], period_type: "quarterly" };
    expect(said(await ask(asked))).toEqual([
      [
        "fourth_quarter_not_reported",
        "No income statements, cash flow statements in 2020Q4: The fiscal year ends on 2020-12-31. Reports give the year, not its fourth quarter: ask for period_type=annual, or for include_derived=true, which gives the year less nine months where both are reported.",
      ],
    ]);
    expect(said(await ask({ ...asked, include_derived: true }))).toEqual([]);
  });

  test("when no period ends in the span", async () => {
    expect(said(await ask({ period: "1m" }))).toEqual([
      [
        "no_period_in_span",
        "No income statements, balance sheets, cash flow statements from 2021-08-09 to 2021-09-09: Periods are selected by the day on which they end. The newest known figures are of a period to 2020-12-31.",
      ],
    ]);
    expect(said(await ask({ start_date: "2020-10-01", end_date: "2020-10-31" }))).toEqual([
      [
        "no_period_in_span",
        "No income statements, balance sheets, cash flow statements from 2020-10-01 to 2020-10-31: Periods are selected by the day on which they end. No reported period ends from 2020-10-01 to 2020-10-31; the newest known figures are of a period to 2020-12-31.",
      ],
    ]);
  });

  test("by what was known at as_of", async () => {
    const [[code, detail] = []] = said(await ask({ period: "30d", as_of: "2020-06-20T00:00:00Z" }));
    expect([code, detail]).toEqual([
      "no_period_in_span",
      "No income statements, balance sheets, cash flow statements from 2020-05-20 to 2020-06-19: Periods are selected by the day on which they end. The newest known figures are of a period to 2020-03-31.",
    ]);
    expect(said(await ask({ period: "30d", as_of: "2018-01-01T00:00:00Z" }))).toEqual([]);
  });

  test("when the span lies between schedules and XBRL, or reaches into the time between", async () => {
    const old = factsOf().map((fact) => ({ ...fact, accession_number: "0000001234-01-000001" }));
    const schedules = old
      .filter(({ period_end }) => period_end === "2020-12-31")
      .map((fact) => ({
        ...fact,
        period_start: fact.period_start && "2000-01-01",
        period_end: "2000-12-31",
        fiscal_year: 2000,
        filed_date: "2001-03-01",
        form: "10-K",
        source: "ex27" as const,
      }));
    const between =
      "The SEC has no machine-readable figures between the schedules of filings until 2001 (EX-27) and XBRL, which began in 2009.";
    const facts = [
      ...schedules,
      ...factsOf([
        {
          accn: "0000001234-10-000001",
          form: "10-K",
          filed: "2010-02-15",
          figures: [
            ...madeIncome(400e6, "2009-01-01", "2009-12-31"),
            ...madeBalance(900e6, "2009-12-31"),
            ...madeCashFlow(100e6, "2009-01-01", "2009-12-31"),
          ],
        },
      ]),
    ];
    const statements = "No income statements, balance sheets, cash flow statements";
    expect(said(await ask({ start_date: "2002-01-01", end_date: "2008-12-30" }, facts))).toEqual([
      [
        "periods_not_covered",
        `${statements} from 2002-01-01 to 2008-12-30: No figures are known of periods that end between 2000-12-31 and 2009-12-31. ${between}`,
      ],
    ]);
    expect(said(await ask({ start_date: "2000-01-01", end_date: "2005-12-31" }, facts))).toEqual([
      [
        "periods_not_covered",
        `${statements} are known of periods that end between 2000-12-31 and 2009-12-31. ${between}`,
      ],
    ]);
    expect(said(await ask({ quarters: ["2005Q2"] }, facts))).toEqual([
      [
        "periods_not_covered",
        `${statements} in 2005Q2: No figures are known of periods that end between 2000-12-31 and 2009-12-31. ${between}`,
      ],
    ]);
    // Without schedules the figures begin later.
    const xbrl = facts.filter(({ source }) => source === "xbrl");
    expect(said(await ask({ start_date: "2002-01-01", end_date: "2008-12-30" }, xbrl))).toEqual([
      [
        "periods_not_covered",
        `${statements} from 2002-01-01 to 2008-12-30: The oldest known figures are of a period to 2009-12-31. ${between}`,
      ],
    ]);
    expect(said(await ask({ start_date: "2002-01-01", end_date: "2009-12-31" }, xbrl))).toEqual([
      ["periods_not_covered", `${statements} are known of periods that end before 2009-12-31. ${between}`],
    ]);
    // A company whose figures begin when every filer gave XBRL is younger, not unread.
    expect(said(await ask({ start_date: "2002-01-01", end_date: "2021-01-01" }))).toEqual([]);
    expect(said(await ask({ period: "max" }, facts))).toEqual([]);
  });
});
