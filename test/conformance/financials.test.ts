// Compares the recorded companyfacts and financial data schedules with the figures of the manifest.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Row, SelectOptions, Statements } from "../../src/capabilities/financial/statements/records.ts";
import { selectStatements } from "../../src/capabilities/financial/statements/select.ts";
import { type FinancialFact, normaliseEx27, type StatementLine } from "../../src/providers/edgar/index.ts";
import { textsOf } from "../support/company-facts.ts";
import { has, textOf } from "./edgar-recordings.ts";
import { fileOf, hasFinancials, rawFacts, recording } from "./financials-recordings.ts";

setDefaultTimeout(1_200_000);

if (!hasFinancials) test("skipped: no recordings", () => {});

const M = 1_000_000;
type Anywhere = Pick<Row, "period_start_date" | "period_end_date" | "period_months" | "basis"> & {
  readonly items: Readonly<Partial<Record<StatementLine, number | null>>>;
};
const rowsOf = (s: Statements): Anywhere[] => [...s.income_statement, ...s.balance_sheet, ...s.cash_flow];

/** Tests of a recording that are there only when it is. */
function about(name: string, tests: (asked: Asked) => void): void {
  const file = hasFinancials ? fileOf(name) : undefined;
  describe.if(file !== undefined)(name, () => {
    if (file !== undefined) tests(asked(file));
  });
}
interface Asked {
  readonly facts: readonly FinancialFact[];
  readonly file: string;
  select(options?: SelectOptions): Statements;
  /** A figure of the row that ends on a day and is so many months long. */
  figure(
    line: StatementLine,
    end: string,
    months: number | null,
    options?: SelectOptions,
  ): number | null | undefined;
  reported(line: StatementLine, end: string, months: number | null): FinancialFact[];
}
function asked(file: string): Asked {
  const { facts } = recording(file);
  const select = (options?: SelectOptions) => selectStatements(facts, options);
  return {
    facts,
    file,
    select,
    figure: (line, end, months, options) =>
      rowsOf(select(options)).find(
        (row) => line in row.items && row.period_end_date === end && row.period_months === months,
      )?.items[line],
    reported: (line, end, months) =>
      facts.filter((f) => f.line === line && f.period_end === end && f.period_months === months),
  };
}

about("JPM", ({ figure, file }) => {
  const end = "2025-12-31";
  test("a bank's year", () => {
    expect(figure("revenue", end, 12)).toBe(182_447 * M);
    expect(figure("net_interest_income", end, 12)).toBe(95_443 * M);
    expect(figure("noninterest_income", end, 12)).toBe(87_004 * M);
    expect(figure("provision_for_credit_losses", end, 12)).toBe(14_212 * M);
    expect(figure("noninterest_expense", end, 12)).toBe(95_640 * M);
    expect(figure("net_income", end, 12)).toBe(57_048 * M);
    expect(figure("interest_expense", end, 12)).toBe(97_898 * M);
    expect(figure("operating_cash_flow", end, 12)).toBe(-147_782 * M);
  });
  test("what a bank does not have is null, not zero", () => {
    for (const line of [
      "cost_of_revenue",
      "gross_profit",
      "current_assets",
      "current_liabilities",
      "inventory",
    ] as const)
      expect(figure(line, end, line === "cost_of_revenue" || line === "gross_profit" ? 12 : null)).toBeNull();
  });
  test("the plain revenue tag has only three facts, yet every quarter has its revenue", () => {
    const plain = [...rawFacts(recording(file).raw)].filter(({ tag }) => tag === "us-gaap:Revenues");
    expect(plain).toHaveLength(3);
    expect(figure("revenue", "2026-03-31", 3)).toBe(49_836 * M);
  });
});

about("WMT", ({ figure }) => {
  test("the total wins over contract revenue; profit is the parent's", () => {
    const end = "2026-01-31";
    expect(figure("revenue", end, 12)).toBe(713_163 * M);
    expect(figure("net_income", end, 12)).toBe(21_893 * M);
    expect(figure("net_income_with_noncontrolling", end, 12)).toBe(22_270 * M);
    expect(figure("eps_diluted", end, 12)).toBe(2.73);
  });
});

about("AAPL", ({ figure, reported, select }) => {
  test("revenue of the year and of nine months; the fourth quarter is derived only when asked for", () => {
    expect(figure("revenue", "2025-09-27", 12)).toBe(416_161 * M);
    expect(reported("revenue", "2025-06-28", 9).map(({ value }) => value)).toEqual([313_695 * M]);
    expect(figure("revenue", "2025-09-27", 3)).toBeUndefined();
    const options = { include_derived: true };
    expect(figure("revenue", "2025-09-27", 3, options)).toBe(102_466 * M);
    const fourth = select(options).income_statement.find(
      (r) => r.basis === "derived" && r.period_end_date === "2025-09-27",
    );
    expect(fourth?.sources.revenue?.operands?.map(({ accession_number }) => accession_number)).toEqual([
      "0000320193-25-000079",
      "0000320193-25-000073",
    ]);
    expect(fourth?.items).toMatchObject({ eps_diluted: null, weighted_average_shares_diluted: null });
  });
  test("cash flows to date, and the quarters they make", () => {
    const ends = ["2024-12-28", "2025-03-29", "2025-06-28", "2025-09-27"] as const;
    const flow = (nth: number, months: number, options?: SelectOptions) =>
      figure("operating_cash_flow", ends[nth] ?? "", months, options);
    expect([flow(0, 3), flow(1, 6), flow(2, 9), flow(3, 12)]).toEqual([
      29_935 * M,
      53_887 * M,
      81_754 * M,
      111_482 * M,
    ]);
    const options = { include_derived: true };
    expect([flow(1, 3, options), flow(2, 3, options), flow(3, 3, options)]).toEqual([
      23_952 * M,
      27_867 * M,
      29_728 * M,
    ]);
    expect([flow(1, 3), flow(2, 3), flow(3, 3)]).toEqual([undefined, undefined, undefined]);
  });
  test("a restated year: first as reported, then as restated, each at its time", () => {
    const end = "2008-09-27";
    expect(figure("net_income", end, 12, { vintage: "first" })).toBe(4_834 * M);
    expect(figure("net_income", end, 12)).toBe(6_119 * M);
    const at = (text: string) => ({ as_of: Temporal.Instant.from(text) });
    expect(figure("net_income", end, 12, at("2010-01-25T12:00:00Z"))).toBe(4_834 * M);
    expect(figure("net_income", end, 12, at("2010-01-26T12:00:00Z"))).toBe(6_119 * M);
    expect(figure("net_income", end, 12, at("2009-10-27T12:00:00Z"))).toBeUndefined();
  });
  test("splits change earnings per share, and are named so", () => {
    const told13 = reported("eps_diluted", "2013-09-28", 12).filter(({ flags }) => flags.length === 0);
    expect(told13.find(({ filed_date }) => filed_date === "2013-10-30")).toMatchObject({
      value: 39.75,
      split_basis: "2013-10-30",
    });
    expect(told13.find(({ filed_date }) => filed_date === "2014-10-27")).toMatchObject({
      value: 5.68,
      revision: "split",
    });
    const told18 = reported("eps_diluted", "2018-09-29", 12);
    expect(told18.map(({ value }) => value)).toEqual([11.91, 11.91, 2.98]);
    expect(told18.at(-1)).toMatchObject({ filed_date: "2020-10-30", revision: "split" });
    expect(figure("eps_diluted", "2018-09-29", 12)).toBe(2.98);
  });
  test("one quarter in two filings with two labels of theirs is one period", () => {
    const quarter = reported("revenue", "2023-12-30", 3);
    expect(quarter.map((f) => [f.value, f.filed_date, f.fiscal_year, f.fiscal_period])).toEqual([
      [119_575 * M, "2024-02-02", 2024, "Q1"],
      [119_575 * M, "2025-01-31", 2024, "Q1"],
    ]);
    const rows = select().income_statement.filter((row) => row.period_end_date === "2023-12-30");
    expect(rows).toMatchObject([
      { fiscal_year: 2024, fiscal_period: "Q1", accession_number: quarter[1]?.accession_number },
    ]);
  });
  test("recasts in current reports are kept, and never served before a periodic report", () => {
    expect(reported("net_income", "2013-09-28", 12).some(({ form }) => form === "8-K")).toBe(true);
    expect(rowForms(select())).not.toContain("8-K");
  });
});
const rowForms = (s: Statements): string[] =>
  [...s.income_statement, ...s.balance_sheet, ...s.cash_flow].map(({ form }) => form);

about("NVDA", ({ figure, reported, select, facts }) => {
  test("revenue of the year, of nine months, of a derived and of the newest quarter", () => {
    expect(figure("revenue", "2026-01-25", 12)).toBe(215_938 * M);
    expect(reported("revenue", "2025-10-26", 9).map(({ value }) => value)).toEqual([147_811 * M]);
    expect(figure("revenue", "2026-01-25", 3, { include_derived: true })).toBe(68_127 * M);
    expect(figure("revenue", "2026-04-26", 3)).toBe(81_615 * M);
  });
  test("abandoned tags hide nothing", () => {
    expect(reported("revenue", "2022-01-30", 12).at(0)).toMatchObject({ value: 26_914 * M });
    const [newest] = select().cash_flow;
    expect(newest).toMatchObject({
      period_end_date: "2026-04-26",
      items: { capital_expenditure: 1_757 * M },
    });
    expect(newest?.sources.capital_expenditure?.tag).toBe("PaymentsToAcquireProductiveAssets");
    const capexTags = new Set(
      facts.filter(({ line }) => line === "capital_expenditure").map(({ tag }) => tag),
    );
    expect(capexTags).toContain("PaymentsToAcquirePropertyPlantAndEquipment");
  });
  test("share counts in thousands are flagged, never repaired, and never served", () => {
    const quarter = reported("weighted_average_shares_diluted", "2009-07-26", 3);
    expect(quarter.map((f) => [f.value, f.filed_date, f.flags])).toEqual([
      [546_639_000, "2009-08-20", []],
      [546_639, "2010-08-30", ["suspect_scale"]],
    ]);
    expect(figure("weighted_average_shares_diluted", "2009-07-26", 3)).toBe(546_639_000);
    const year = reported("weighted_average_shares_diluted", "2011-01-30", 12);
    expect(year[0]).toMatchObject({ value: 588_684, filed_date: "2011-03-16", flags: ["suspect_scale"] });
    expect(year[1]).toMatchObject({ value: 588_684_000, filed_date: "2012-03-13", flags: [] });
    const before = { as_of: Temporal.Instant.from("2011-06-01T00:00:00Z") };
    expect(figure("weighted_average_shares_diluted", "2011-01-30", 12, before)).toBeNull();
    expect(textsOf(select(before).warnings).join("\n")).toContain(
      "weighted average shares diluted to 2011-01-30 is 588684 shares",
    );
    expect(figure("weighted_average_shares_diluted", "2011-01-30", 12)).toBe(588_684_000);
  });
  test("no share count that is served is off its scale", () => {
    for (const options of [{}, { vintage: "first" as const }])
      for (const { items } of select(options).income_statement)
        for (const line of ["weighted_average_shares_basic", "weighted_average_shares_diluted"] as const)
          expect(items[line] ?? 1e9).toBeGreaterThan(500e6);
  });
  test("six months that hold the second quarter's number", () => {
    const half = reported("net_income", "2017-07-30", 6);
    expect(half.map((f) => [f.value, f.filed_date, f.flags])).toEqual([
      [1_091 * M, "2017-08-23", []],
      [583 * M, "2018-02-28", ["suspect_context"]],
      [1_091 * M, "2018-08-16", []],
    ]);
  });
  test("a quarter labelled with the next year's focus keeps its own", () => {
    const quarter = reported("revenue", "2025-04-27", 3);
    expect(quarter.map((f) => [f.value, f.fiscal_year, f.fiscal_period])).toEqual([
      [44_062 * M, 2026, "Q1"],
      [44_062 * M, 2026, "Q1"],
    ]);
    expect(quarter.at(-1)?.filed_date).toBe("2026-05-20");
  });
  test("proxy statements are marked and never served", () => {
    const proxies = facts.filter(({ form }) => form === "DEF 14A");
    expect(proxies.length).toBeGreaterThan(0);
    expect(proxies.every(({ flags }) => flags.includes("proxy_form"))).toBe(true);
    const served = new Set(proxies.map(({ accession_number }) => accession_number));
    const sources = [...select().income_statement].flatMap((row) => Object.values(row.sources));
    expect(sources.filter(({ accession_number }) => served.has(accession_number))).toEqual([]);
  });
});

about("SNOW", ({ figure }) => {
  test("a year with other owners in it", () => {
    expect(figure("revenue", "2025-01-31", 12)).toBe(3_626_396_000);
    expect(figure("net_income", "2025-01-31", 12)).toBe(-1_285_640_000);
    expect(figure("net_income_with_noncontrolling", "2025-01-31", 12)).toBe(-1_289_212_000);
  });
});

about("LPA", ({ figure, select, facts }) => {
  test("an IFRS filer: years alone, in the currency of its balance sheet", () => {
    expect(figure("revenue", "2024-12-31", 12)).toBe(43_862_372);
    expect(figure("net_income_with_noncontrolling", "2024-12-31", 12)).toBe(-19_426_051);
    expect(figure("net_income_with_noncontrolling", "2023-12-31", 12)).toBe(7_156_005);
    expect(figure("net_income", "2024-12-31", 12)).toBe(-29_285_428);
    expect(new Set(facts.map(({ currency }) => currency))).toEqual(new Set(["USD"]));
    const { income_statement } = select();
    expect(
      income_statement.map(({ fiscal_year, fiscal_period, form }) => [fiscal_year, fiscal_period, form]),
    ).toEqual([
      [2024, "FY", "20-F"],
      [2023, "FY", "20-F"],
      [2022, "FY", "20-F"],
      [2021, "FY", "20-F"],
    ]);
  });
});

/** The schedules, as exhibits of the filings they are from. */
const SCHEDULES = {
  AAPL: { file: "ex27/AAPL_10Q_0000912057-00-023442.ex27.txt", cik: "0000320193", filed: "2000-05-11" },
  BANK: { file: "ex27/ART9_911935_0000912057-00-036993.partial.txt", cik: "0000911935", filed: "2000-08-14" },
} as const;
function schedule(name: keyof typeof SCHEDULES) {
  const { file, cik, filed } = SCHEDULES[name];
  const accession_number = /\d{10}-\d{2}-\d{6}/.exec(file)?.[0] ?? "";
  const text = textOf(file);
  return normaliseEx27([{ text, cik, accession_number, form: "10-Q", filed_date: filed, accepted_at: null }]);
}
const valuesOf = (facts: readonly FinancialFact[]) =>
  Object.fromEntries(facts.map(({ line, value }) => [line, value]));

describe.if(hasFinancials && has(SCHEDULES.AAPL.file))("EX-27 of commerce", () => {
  test("three months to 2000-04-01, in millions", () => {
    const { facts, warnings } = schedule("AAPL");
    expect(warnings).toEqual([]);
    expect(valuesOf(facts)).toMatchObject({
      revenue: 1_945 * M,
      net_income: 233 * M,
      eps_basic: 1.44,
      eps_diluted: 1.28,
      total_assets: 7_007 * M,
      cash_and_equivalents: 1_662 * M,
      short_term_investments: 1_947 * M,
    });
    expect(
      facts.every((f) => f.period_end === "2000-04-01" && f.source === "ex27" && f.fiscal_year === 2000),
    ).toBe(true);
    expect(selectStatements(facts).income_statement).toMatchObject([
      { fiscal_period: "Q2", period_months: 3, source: "ex27" },
    ]);
  });
  test.if(has("ex27/AAPL_10Q_0000912057-00-023442.full.txt"))(
    "is the last document of the whole filing",
    () => {
      const whole = textOf("ex27/AAPL_10Q_0000912057-00-023442.full.txt");
      const [, last = ""] = whole.split("<TYPE>EX-27");
      const { cik, filed } = SCHEDULES.AAPL;
      const { facts } = normaliseEx27([
        { text: last, cik, accession_number: "0000912057-00-023442", form: "10-Q", filed_date: filed },
      ]);
      expect(facts).toEqual([...schedule("AAPL").facts]);
    },
  );
});

describe.if(hasFinancials && has(SCHEDULES.BANK.file))("EX-27 of a bank, cut off", () => {
  test("gives the lines before the cut, and no income statement without its result", () => {
    const { facts } = schedule("BANK");
    expect(valuesOf(facts)).toMatchObject({
      total_assets: 15_767 * M,
      net_interest_income: 290 * M,
      loans: 10_956 * M,
    });
    expect(facts.find(({ line }) => line === "net_interest_income")).toMatchObject({
      period_months: 6,
      fiscal_period: "6M",
      period_end: "2000-06-30",
    });
    expect(facts.some(({ line }) => line === "provision_for_credit_losses")).toBe(false);
    expect(selectStatements(facts).income_statement).toEqual([]);
    expect(selectStatements(facts).balance_sheet).toHaveLength(1);
  });
});

about("NVDA", ({ select }) => {
  test("each fiscal year from 2010 to 2026 has its name once, though the reports contradict each other", () => {
    const years = select({ period_type: "annual" }).income_statement.filter(
      ({ period_end_date, fiscal_period }) => period_end_date >= "2010-01-01" && fiscal_period === "FY",
    );
    expect(
      years.map(({ fiscal_year, period_end_date }) => [fiscal_year, period_end_date.slice(0, 4)]),
    ).toEqual(Array.from({ length: 17 }, (_, nth) => [2026 - nth, `${2026 - nth}`]));
    expect(new Set(years.map(({ label_source }) => label_source))).toEqual(new Set(["convention"]));
  });
});
