import { describe, expect, test } from "bun:test";
import { textsOf } from "../../../../../test/support/company-facts.ts";
import { selectStatements } from "../../../../capabilities/financial/statements/select.ts";
import type { Ex27Document, FinancialFact } from "../facts/records.ts";
import { normaliseEx27 } from "./ex27.ts";
import { readAmount, readScheduleDate, readSchedules } from "./read.ts";

type Fields = Readonly<Record<string, string>>;
const schedule = (fields: Fields) =>
  Object.entries(fields)
    .map(([tag, value]) => `<${tag}>          ${value}`)
    .join("\n");
const COMMERCE: Fields = {
  ARTICLE: "5",
  MULTIPLIER: "1,000",
  "PERIOD-TYPE": "YEAR",
  "FISCAL-YEAR-END": "SEP-30-1997",
  "PERIOD-END": "SEP-30-1997",
  CASH: "1,662",
  SECURITIES: "1,947",
  RECEIVABLES: "1,004",
  "CURRENT-ASSETS": "4,912",
  "TOTAL-ASSETS": "7,007",
  BONDS: "300",
  "TOTAL-LIABILITY-AND-EQUITY": "7,007",
  SALES: "1,945",
  "TOTAL-REVENUES": "1,945",
  CGS: "1,396",
  "TOTAL-COSTS": "1,396",
  "INCOME-PRETAX": "(319)",
  "NET-INCOME": "(233)",
  "EPS-PRIMARY": "(1.44)",
  "EPS-DILUTED": "0",
};
let count = 0;
const document = (fields: Fields | string, rest: Partial<Ex27Document> = {}): Ex27Document => ({
  text: typeof fields === "string" ? fields : schedule(fields),
  cik: "0000001234",
  accession_number: `0000001234-97-${String(++count).padStart(6, "0")}`,
  form: "10-K",
  filed_date: "1997-12-05",
  accepted_at: "1997-12-06T04:59:59Z",
  ...rest,
});
const values = (facts: readonly FinancialFact[]) =>
  Object.fromEntries(facts.map(({ line, value }) => [line, value]));

describe("amounts and dates", () => {
  test("as filers wrote them", () => {
    expect(["1,662", "(113)", "-4.5", "12", "(1.44)", "0", ".07", "-.07", "(0)"].map(readAmount)).toEqual([
      1662, -113, -4.5, 12, -1.44, 0, 0.07, -0.07, 0,
    ]);
    expect(["N/A", "-", "", "12)", "(12", "1.2.3", "USD"].map(readAmount)).toEqual(Array(7).fill(null));
    expect(["SEP-30-2000", "DEC-31-96", "12/31/1996", "FEB-29-1996"].map(readScheduleDate)).toEqual([
      "2000-09-30",
      "1996-12-31",
      "1996-12-31",
      "1996-02-29",
    ]);
    expect(["FEB-29-1997", "FOO-01-1997", "1997", ""].map(readScheduleDate)).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  test("no schedule in a text is none", () => {
    expect(readSchedules("")).toEqual([]);
    expect(readSchedules("<html>Exhibit 27 is omitted</html>")).toEqual([]);
  });
});

describe("a schedule of commerce", () => {
  test("gives the lines it has, multiplied but for what is per share", () => {
    const { facts, warnings, coverage } = normaliseEx27([document(COMMERCE)]);
    expect(values(facts)).toEqual({
      cash_and_equivalents: 1_662_000,
      short_term_investments: 1_947_000,
      current_assets: 4_912_000,
      long_term_debt: 300_000,
      total_assets: 7_007_000,
      liabilities_and_equity: 7_007_000,
      revenue: 1_945_000,
      cost_of_revenue: 1_396_000,
      income_before_tax: -319_000,
      net_income: -233_000,
      eps_basic: -1.44,
    });
    expect(warnings).toEqual([]);
    expect(coverage.income_statement).toMatchObject({
      from: "1997-09-30",
      to: "1997-09-30",
      sources: ["ex27"],
    });
    expect(coverage.cash_flow).toMatchObject({ from: null, to: null });
    expect(facts.find(({ line }) => line === "eps_basic")).toMatchObject({
      tag: "EPS-PRIMARY",
      taxonomy: "ex27",
      source: "ex27",
      unit: "USD/shares",
      flags: ["primary_eps"],
      split_basis: "1997-12-05",
      fiscal_year: 1997,
      fiscal_period: "FY",
      period_start: null,
      period_months: 12,
      accepted_at: "1997-12-06T04:59:59Z",
    });
    expect(facts.find(({ line }) => line === "total_assets")).toMatchObject({
      period_months: null,
      fiscal_period: "FY",
    });
  });

  test("becomes rows, which as_of shows from their acceptance on and not at all when it is unknown", () => {
    const { facts } = normaliseEx27([document(COMMERCE)]);
    const { income_statement, balance_sheet } = selectStatements(facts);
    expect(income_statement).toMatchObject([
      { fiscal_year: 1997, fiscal_period: "FY", source: "ex27", period_start_date: null },
    ]);
    expect(balance_sheet[0]?.items).toMatchObject({ total_assets: 7_007_000, total_equity: null });
    const rows = (all: readonly FinancialFact[], at: string) =>
      selectStatements(all, { as_of: Temporal.Instant.from(at) }).income_statement.length;
    expect([rows(facts, "1997-12-06T04:59:58Z"), rows(facts, "1997-12-06T04:59:59Z")]).toEqual([0, 1]);
    const unknown = normaliseEx27([document(COMMERCE, { accepted_at: null })]).facts;
    expect(rows(unknown, "2020-01-01T00:00:00Z")).toBe(0);
    expect(selectStatements(unknown).income_statement).toHaveLength(1);
  });

  test("a period end is its own, whatever fiscal year end stands beside it", () => {
    const { facts } = normaliseEx27([
      document(
        {
          ...COMMERCE,
          "PERIOD-TYPE": "6-MOS",
          "PERIOD-END": "MAR-29-1997",
          "FISCAL-YEAR-END": "SEP-27-1996",
        },
        { form: "10-Q" },
      ),
    ]);
    expect(facts.find(({ line }) => line === "net_income")).toMatchObject({
      period_end: "1997-03-29",
      fiscal_year: 1997,
      fiscal_period: "6M",
      period_months: 6,
    });
    expect(selectStatements(facts).income_statement).toMatchObject([
      { fiscal_period: "Q2", period_months: 6 },
    ]);
  });

  test("zeros that fill a blank are no figures, costs of a part are not those of the whole", () => {
    const { facts } = normaliseEx27([
      document({ ...COMMERCE, "CURRENT-ASSETS": "0", CGS: "900", "EPS-PRIMARY": "0", "TOTAL-REVENUES": "0" }),
    ]);
    expect(Object.keys(values(facts))).not.toEqual(expect.arrayContaining(["current_assets"]));
    expect(values(facts)).not.toHaveProperty("cost_of_revenue");
    expect(values(facts)).not.toHaveProperty("eps_basic");
    expect(values(facts)).not.toHaveProperty("revenue");
  });

  test("a zero is a blank, but for the tax of a result that stays whole; an expense below zero has no certain sign", () => {
    const zeros = { CASH: "0", SECURITIES: "0", INVENTORY: "0", BONDS: "0", "NET-INCOME": "0" };
    const { facts } = normaliseEx27([
      document({ ...COMMERCE, ...zeros, "INTEREST-EXPENSE": "(70)", "INCOME-TAX": "0" }),
    ]);
    expect(Object.keys(values(facts)).sort()).toEqual([
      "cost_of_revenue",
      "current_assets",
      "eps_basic",
      "income_before_tax",
      "liabilities_and_equity",
      "revenue",
      "total_assets",
    ]);
    const whole = document({ ...COMMERCE, "INCOME-TAX": "0", "INCOME-CONTINUING": "(319)" });
    expect(values(normaliseEx27([whole]).facts)).toMatchObject({ income_tax_expense: 0 });
  });

  test("a length that its own dates contradict is unknown: the quarter's or the year to date's", () => {
    const dated = (type: string, start: string) =>
      normaliseEx27([
        document(
          { ...COMMERCE, "PERIOD-TYPE": type, "PERIOD-START": start, "PERIOD-END": "MAR-31-1997" },
          { form: "10-Q" },
        ),
      ]);
    const { facts, warnings } = dated("3-MOS", "OCT-01-1996");
    expect(facts.map(({ statement }) => statement)).toEqual(facts.map(() => "balance_sheet"));
    expect(facts.find(({ line }) => line === "total_assets")?.value).toBe(7_007_000);
    expect(textsOf(warnings)).toEqual([expect.stringMatching(/states 3-MOS for 1996-10-01 to 1997-03-31/)]);
    for (const [type, start, months] of [
      ["3-MOS", "JAN-01-1997", 3],
      ["6-MOS", "SEP-29-1996", 6],
    ] as const)
      expect(dated(type, start).facts.find(({ line }) => line === "revenue")?.period_months).toBe(months);
  });

  test("several columns are several periods", () => {
    const { facts, warnings } = normaliseEx27([
      document({
        ARTICLE: "5",
        MULTIPLIER: "1",
        "PERIOD-TYPE": "3-MOS YEAR",
        "FISCAL-YEAR-END": "DEC-31-1997 DEC-31-1996",
        "PERIOD-END": "MAR-31-1997 DEC-31-1996",
        "TOTAL-ASSETS": "20 10",
        "NET-INCOME": "2 $ (1)",
        CASH: "5",
      }),
    ]);
    expect(facts.map((f) => `${f.line} ${f.period_end} ${f.value} ${f.fiscal_period}`)).toEqual([
      "total_assets 1997-03-31 20 Q1",
      "net_income 1997-03-31 2 Q1",
      "total_assets 1996-12-31 10 FY",
      "net_income 1996-12-31 -1 FY",
    ]);
    expect(textsOf(warnings)).toEqual([expect.stringContaining("unreadable values: CASH")]);
  });
});

describe("three months without a start, which may be the year to date", () => {
  const QUARTER: Fields = { ...COMMERCE, "PERIOD-TYPE": "3-MOS", "FISCAL-YEAR-END": "SEP-30-1997" };
  const quarterly = { form: "10-Q" };
  const quarter = (end: string, revenue: string, more: Fields = {}) =>
    document({ ...QUARTER, "PERIOD-END": end, "TOTAL-REVENUES": revenue, ...more }, quarterly);
  const read = (...documents: readonly Ex27Document[]) => {
    const { income_statement, balance_sheet, warnings } = selectStatements(normaliseEx27(documents).facts);
    const rows = income_statement.map(({ period_end_date, items }) => [
      period_end_date,
      items.revenue,
      items.eps_basic,
    ]);
    return { rows, balance_sheet, warnings };
  };

  test("are withheld with a warning; the balance sheet and an unproven row stay", () => {
    const { rows, balance_sheet, warnings } = read(quarter("MAR-31-1997", "1,945"));
    expect(rows).toEqual([["1997-03-31", null, null]]);
    expect(balance_sheet[0]?.items.total_assets).toBe(7_007_000);
    expect(warnings.find(({ line }) => line === "revenue")).toMatchObject({
      code: "suspect_length",
      period_end: "1997-03-31",
      detail: expect.stringContaining("revenue to 1997-03-31 is 1945000 USD"),
    });
  });

  test("are served where the fiscal year begins with them, by any of its ends", () => {
    for (const yearEnd of ["SEP-30-1997", "SEP-30-1996", "SEP-27-1996"])
      expect(read(quarter("DEC-28-1996", "900", { "FISCAL-YEAR-END": yearEnd })).rows).toEqual([
        ["1996-12-28", 900_000, -1.44],
      ]);
  });

  test("are served where they have less revenue than an earlier part of the year, not where they have more", () => {
    const first = quarter("DEC-31-1996", "900");
    expect(read(first, quarter("MAR-31-1997", "880")).rows[0]).toEqual(["1997-03-31", 880_000, -1.44]);
    expect(read(first, quarter("MAR-31-1997", "920")).rows[0]).toEqual(["1997-03-31", null, null]);
    const yearBefore = quarter("DEC-31-1995", "990", { "FISCAL-YEAR-END": "SEP-30-1996" });
    expect(read(yearBefore, quarter("MAR-31-1997", "920")).rows[0]).toEqual(["1997-03-31", null, null]);
  });

  test("are served where the year to date stands beside them with other figures", () => {
    const beside = (values: string) =>
      read(
        document(
          {
            ARTICLE: "5",
            MULTIPLIER: "1,000",
            "PERIOD-TYPE": "3-MOS 6-MOS",
            "FISCAL-YEAR-END": "SEP-30-1997 SEP-30-1997",
            "PERIOD-END": "MAR-31-1997 MAR-31-1997",
            "TOTAL-REVENUES": values,
            "NET-INCOME": values,
            "EPS-PRIMARY": values,
          },
          quarterly,
        ),
      ).rows;
    expect(beside("8 15")).toEqual([["1997-03-31", 8000, 8]]);
    expect(beside("15 15")).toEqual([["1997-03-31", null, null]]);
  });
});

test("a quarter restated in an annual report without a fiscal year end is not a fourth quarter", () => {
  const { "FISCAL-YEAR-END": _, ...fields } = COMMERCE;
  const quarter = { ...fields, "PERIOD-TYPE": "3-MOS", "PERIOD-END": "DEC-31-1996" };
  const labels = [fields, quarter].flatMap((each) =>
    normaliseEx27([document(each)])
      .facts.filter(({ line }) => line === "net_income")
      .map((fact) => [fact.period_end, fact.period_months, fact.fiscal_period]),
  );
  expect(labels).toEqual([
    ["1997-09-30", 12, "FY"],
    ["1996-12-31", 3, null],
  ]);
});

describe("the multiplier", () => {
  const { MULTIPLIER: _, ...bare } = COMMERCE;

  test("left out, nothing but earnings per share is known", () => {
    const { facts, warnings } = normaliseEx27([document(bare)]);
    expect(values(facts)).toEqual({ eps_basic: -1.44 });
    expect(textsOf(warnings)).toEqual([expect.stringContaining("omits its multiplier")]);
  });

  test("is borrowed from an earlier sibling of the same size, and marked", () => {
    const sibling = document(COMMERCE, { filed_date: "1996-12-05", accepted_at: "1996-12-06T00:00:00Z" });
    const earlier = { ...sibling, text: sibling.text.replaceAll("1997", "1996") };
    const { facts } = normaliseEx27([document(bare), earlier]);
    const borrowed = facts.filter(({ flags }) => flags.includes("borrowed_multiplier"));
    expect(borrowed.find(({ line }) => line === "total_assets")?.value).toBe(7_007_000);
    expect(borrowed.every(({ filed_date }) => filed_date === "1997-12-05")).toBe(true);
  });

  test("is not borrowed from a later filing, nor from one of another size", () => {
    const later = document(COMMERCE, { filed_date: "1998-12-05", accepted_at: "1998-12-06T00:00:00Z" });
    expect(normaliseEx27([document(bare), later]).warnings[0]?.detail).toContain("omits its multiplier");
    const small = document(
      { ...COMMERCE, "TOTAL-ASSETS": "100" },
      { filed_date: "1996-12-05", accepted_at: null },
    );
    const old = { ...small, text: small.text.replaceAll("1997", "1996") };
    expect(
      normaliseEx27([old, document(bare)]).facts.some(({ flags }) => flags.includes("borrowed_multiplier")),
    ).toBe(false);
  });

  test("of the wrong power is seen by the size of the others, and the row withheld", () => {
    const right = document(COMMERCE, { filed_date: "1996-12-05", accepted_at: "1996-12-06T00:00:00Z" });
    const earlier = { ...right, text: right.text.replaceAll("1997", "1996") };
    const { facts, warnings } = normaliseEx27([earlier, document({ ...COMMERCE, MULTIPLIER: "1" })]);
    expect(textsOf(warnings)).toEqual([expect.stringContaining("power of a thousand")]);
    expect(
      facts.filter(({ flags }) => flags.includes("suspect_scale")).every(({ unit }) => unit === "USD"),
    ).toBe(true);
    const [row] = selectStatements(facts).income_statement;
    expect(row).toMatchObject({ fiscal_year: 1997, items: { revenue: null, eps_basic: -1.44 } });
  });
});

describe("other schedules", () => {
  test("a bank's: interest is no revenue, a provision written as a deduction has no certain sign", () => {
    const { facts } = normaliseEx27([
      document({
        ARTICLE: "9",
        MULTIPLIER: "1,000,000",
        "PERIOD-TYPE": "6-MOS",
        "FISCAL-YEAR-END": "DEC-31-1997",
        "PERIOD-END": "JUN-30-1997",
        CASH: "143",
        LOANS: "10,956",
        ALLOWANCE: "(113)",
        "TOTAL-ASSETS": "15,767",
        DEPOSITS: "11,371",
        "SHORT-TERM": "1,374",
        "LONG-TERM": "377",
        "INTEREST-TOTAL": "588",
        "INTEREST-EXPENSE": "298",
        "INTEREST-INCOME-NET": "290",
        "LOAN-LOSSES": "(15)",
        "NET-INCOME": "123",
      }),
    ]);
    expect(values(facts)).toEqual({
      cash_and_equivalents: 143e6,
      loans: 10_956e6,
      deposits: 11_371e6,
      short_term_debt: 1_374e6,
      long_term_debt: 377e6,
      total_assets: 15_767e6,
      interest_expense: 298e6,
      net_interest_income: 290e6,
      net_income: 123e6,
    });
  });

  test("a utility's: its balance sheet by the total of its own name, its operating cash flow alone", () => {
    const { facts, coverage } = normaliseEx27([
      document({
        ARTICLE: "UT",
        MULTIPLIER: "1,000",
        "PERIOD-TYPE": "12-MOS",
        "FISCAL-YEAR-END": "DEC-31-1996",
        "PERIOD-END": "DEC-31-1996",
        "BOOK-VALUE": "PER-BOOK",
        "TOTAL-CURRENT-ASSETS": "800,100",
        "TOTAL-ASSETS": "6,000,500",
        "TOT-CAPITALIZATION-AND-LIAB": "6,000,500",
        "GROSS-OPERATING-REVENUE": "2,400,300",
        "NET-INCOME": "210,400",
        "EPS-PRIMARY": "$3.10",
        "CASH-FLOW-OPERATIONS": "500,200",
      }),
    ]);
    const { income_statement, balance_sheet, cash_flow } = selectStatements(facts);
    expect(income_statement[0]?.items).toMatchObject({ revenue: 2_400_300_000, eps_basic: 3.1 });
    expect(balance_sheet[0]?.items).toMatchObject({
      total_assets: 6_000_500_000,
      liabilities_and_equity: 6_000_500_000,
    });
    expect(cash_flow[0]).toMatchObject({ period_months: 12, items: { operating_cash_flow: 500_200_000 } });
    expect(coverage.cash_flow.from).toBe("1996-12-31");
  });

  test("a fund's is not read; another registrant's in the same filing is passed over", () => {
    const fund = normaliseEx27([document({ ...COMMERCE, ARTICLE: "6" })]);
    expect(fund.facts).toEqual([]);
    expect(textsOf(fund.warnings)).toEqual([expect.stringContaining("article 6")]);
    expect(normaliseEx27([document({ ...COMMERCE, CIK: "0000009999" })]).facts).toEqual([]);
    expect(normaliseEx27([document({ ...COMMERCE, CIK: "1234" })]).facts).not.toEqual([]);
  });

  test("two of one filing and period that differ are in doubt", () => {
    const one = document(COMMERCE);
    const { facts } = normaliseEx27([one, { ...one, text: schedule({ ...COMMERCE, "NET-INCOME": "7" }) }]);
    const doubtful = facts.filter(({ flags }) => flags.includes("conflicting"));
    expect(doubtful.map(({ line }) => line)).toEqual(["net_income"]);
    expect(facts.filter(({ line }) => line === "revenue")).toHaveLength(1);
  });

  test("restated years of a later filing are later vintages", () => {
    const first = document(COMMERCE);
    const later = document(
      { ...COMMERCE, "NET-INCOME": "(300)" },
      { filed_date: "1998-12-05", accepted_at: "1998-12-06T00:00:00Z" },
    );
    const { facts } = normaliseEx27([later, first]);
    expect(
      facts.filter(({ line }) => line === "net_income").map((f) => [f.value, f.vintage, f.revision]),
    ).toEqual([
      [-233_000, 1, "first"],
      [-300_000, 2, "restated"],
    ]);
    expect(selectStatements(facts).income_statement[0]?.items.net_income).toBe(-300_000);
  });

  test("impossible dates, foreign money and junk are left out with a word, never thrown", () => {
    const cases: readonly (readonly [Fields | string, RegExp])[] = [
      [{ ...COMMERCE, "PERIOD-END": "SEP-31-1997" }, /period end/],
      [{ ...COMMERCE, "PERIOD-END": "SEP-30-2007" }, /period end/],
      [{ ...COMMERCE, "PERIOD-END": "SEP-30-1947" }, /period end/],
      [{ ...COMMERCE, CURRENCY: "LIRE" }, /currency/],
      [{ ...COMMERCE, ARTICLE: "" }, /article/],
      ["", /no schedule/],
      ["\u0000<ARTICLE".repeat(1000), /no schedule/],
    ];
    for (const [text, warning] of cases) {
      const { facts, warnings } = normaliseEx27([document(text)]);
      expect(facts).toEqual([]);
      expect(textsOf(warnings).join()).toMatch(warning);
    }
    expect(normaliseEx27([])).toMatchObject({ facts: [], warnings: [] });
  });

  test("Canadian dollars are stated, not converted", () => {
    const { facts } = normaliseEx27([
      document({ ...COMMERCE, CURRENCY: "CANADIAN DOLLARS", "EXCHANGE-RATE": "1.4" }),
    ]);
    expect(facts.find(({ line }) => line === "revenue")).toMatchObject({
      value: 1_945_000,
      currency: "CAD",
      unit: "CAD",
    });
  });
});
