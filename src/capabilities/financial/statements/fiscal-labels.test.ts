import { describe, expect, test } from "bun:test";
import {
  type MadeFiling,
  madeBalance,
  madeCashFlow,
  madeCompany,
  madeIncome,
} from "../../../../test/support/company-facts.ts";
import { normaliseFacts } from "../../../providers/edgar/index.ts";
import type { SelectOptions } from "./records.ts";
import { selectStatements } from "./select.ts";

const dayAfter = (end: string) => Temporal.PlainDate.from(end).add({ days: 1 }).toString();
const later = (end: string, months: number) => Temporal.PlainDate.from(end).add({ months }).toString();

/** An annual report that calls its year `fy`. */
const annual = (before: string, end: string, fy: number | null, form = "10-K"): MadeFiling => ({
  accn: `0000001234-${end.slice(2, 4)}-${end.slice(5, 7)}${end.slice(8)}00`,
  form,
  filed: later(end, 2),
  fy,
  fp: "FY",
  figures: [
    ...madeIncome(100e6, dayAfter(before), end),
    ...madeCashFlow(30e6, dayAfter(before), end),
    ...madeBalance(500e6, end),
  ],
});
/** Annual reports on years with these ends; the first end only begins the first year. */
const yearly = (ends: readonly string[], votes: readonly (number | null)[]) =>
  ends.slice(1).map((end, nth) => annual(ends[nth] ?? "", end, votes[nth] ?? null));
const rowsOf = (filings: readonly MadeFiling[], options: SelectOptions = {}) =>
  selectStatements(normaliseFacts(madeCompany(filings)).facts, options).income_statement.toReversed();
const labels = (filings: readonly MadeFiling[], options?: SelectOptions) =>
  rowsOf(filings, options).map((row) => `${row.fiscal_year} ${row.fiscal_period} ${row.label_source}`);

const JANUARY = ["2018-02-03", "2019-02-02", "2020-02-01", "2021-01-30", "2022-01-29", "2023-01-28"];

describe("fiscal years are named", () => {
  test("as all annual reports name them, by their start or by their end", () => {
    expect(labels(yearly(JANUARY, [2018, 2019, 2020, 2021, 2022]))).toEqual([
      "2018 FY filings",
      "2019 FY filings",
      "2020 FY filings",
      "2021 FY filings",
      "2022 FY filings",
    ]);
    expect(labels(yearly(JANUARY, [2019, 2020, 2021, 2022, 2023]))[0]).toBe("2019 FY filings");
  });

  test("by the newest unbroken run where the reports contradict each other", () => {
    // Named twice 2019, then none 2021: each year has one name all the same.
    expect(labels(yearly(JANUARY, [2019, 2019, 2020, 2022, 2023]))).toEqual([
      "2019 FY convention",
      "2020 FY convention",
      "2021 FY convention",
      "2022 FY convention",
      "2023 FY convention",
    ]);
    // The newest report alone is no run.
    expect(labels(yearly(JANUARY, [2018, 2019, 2020, 2021, 2023])).at(-1)).toBe("2022 FY convention");
  });

  test("by the run that was known at as_of", () => {
    const filings = yearly(JANUARY, [2018, 2019, 2020, 2022, 2023]);
    const then = (as_of: string) => labels(filings, { as_of: Temporal.Instant.from(as_of) });
    expect(then("2021-12-31T00:00:00Z")).toEqual(["2018 FY filings", "2019 FY filings", "2020 FY filings"]);
    expect(then("2022-12-31T00:00:00Z").at(-1)).toBe("2021 FY convention");
    expect(labels(filings)[0]).toBe("2019 FY convention");
  });

  test("by the calendar where no report gives a possible name or no two agree", () => {
    expect(labels(yearly(JANUARY, [1901, null, 2100, 1901, 1901]))[0]).toBe("2019 FY calendar");
    expect(labels(yearly(JANUARY.slice(0, 3), [2018, 2020]))).toEqual([
      "2019 FY calendar",
      "2020 FY calendar",
    ]);
    // A year to the last Saturday of December that ends on 2 January is that of the December before.
    expect(labels(yearly(["2020-12-26", "2022-01-01"], [null]))[0]).toBe("2021 FY calendar");
  });

  test("with a majority of the reports about one year: an amendment does not undo the others", () => {
    const amended = {
      ...annual("2018-02-03", "2019-02-02", 2019, "10-K/A"),
      accn: "a1",
      filed: "2019-05-01",
    };
    const again = { ...annual("2018-02-03", "2019-02-02", 2018, "10-K/A"), accn: "a2", filed: "2019-06-01" };
    const filings = [...yearly(JANUARY.slice(0, 3), [2018, 2019]), amended, again];
    expect(labels(filings)).toEqual(["2018 FY filings", "2019 FY filings"]);
  });

  test("one after the other across a changed year end, the months between apart", () => {
    const june = ["2019-06-30", "2020-06-30", "2021-06-30", "2022-06-30"];
    const rows = rowsOf([
      ...yearly(june, [2020, 2021, 2022]),
      annual("2022-06-30", "2022-12-31", 2022, "10-KT"),
      ...yearly(["2022-12-31", "2023-12-31", "2024-12-31"], [2023, 2024]),
    ]);
    expect(rows.map((row) => [row.period_end_date, row.fiscal_year, row.fiscal_period])).toEqual([
      ["2020-06-30", 2020, "FY"],
      ["2021-06-30", 2021, "FY"],
      ["2022-06-30", 2022, "FY"],
      ["2022-12-31", 2022, null],
      ["2023-12-31", 2023, "FY"],
      ["2024-12-31", 2024, "FY"],
    ]);
  });

  test("the balance sheet at the end of the months between two years is no year's", () => {
    const filings = [
      ...yearly(["2020-06-30", "2021-06-30", "2022-06-30"], [2021, 2022]),
      annual("2022-06-30", "2022-12-31", 2022, "10-KT"),
      ...yearly(["2022-12-31", "2023-12-31"], [2023]),
    ];
    const { balance_sheet } = selectStatements(normaliseFacts(madeCompany(filings)).facts);
    const places = balance_sheet.map((row) => [row.period_end_date, row.fiscal_year, row.fiscal_period]);
    expect(places.toReversed()).toEqual([
      ["2021-06-30", 2021, "FY"],
      ["2022-06-30", 2022, "FY"],
      ["2022-12-31", 2022, null],
      ["2023-12-31", 2023, "FY"],
    ]);
  });
});

test("a quarter has the name of the year it belongs to, also after the last annual report and before the first", () => {
  const quarter = (start: string, end: string, fy: number): MadeFiling => ({
    accn: `q${end}`,
    form: "10-Q",
    filed: later(end, 1),
    fy,
    figures: [...madeIncome(25e6, start, end), ...madeBalance(500e6, end)],
  });
  const filings = [
    quarter("2019-05-05", "2019-08-03", 2019),
    ...yearly(["2019-02-02", "2020-02-01", "2021-01-30"], [2019, 2020]),
    // Its own label is wrong: a quarter is no vote.
    quarter("2020-02-02", "2020-05-02", 2021),
    quarter("2021-01-31", "2021-05-01", 2021),
  ];
  expect(labels(filings)).toEqual([
    "2019 Q2 filings",
    "2019 FY filings",
    "2020 Q1 filings",
    "2020 FY filings",
    "2021 Q1 filings",
  ]);
});

describe("a period has a label as soon as a year end is on file", () => {
  const report = (form: string, filed: string, figures: MadeFiling["figures"]): MadeFiling => ({
    accn: `0000001234-${filed.slice(2, 4)}-${filed.slice(5, 7)}${filed.slice(8)}00`,
    form,
    filed,
    figures,
  });
  const select = (filings: readonly MadeFiling[], as_of?: string) =>
    selectStatements(
      normaliseFacts(madeCompany(filings)).facts,
      as_of === undefined ? {} : { as_of: Temporal.Instant.from(as_of) },
    );
  const placed = (rows: ReturnType<typeof select>["balance_sheet" | "income_statement"]) =>
    rows.map((row) => [row.period_end_date, row.fiscal_year, row.fiscal_period]);

  test("of an annual report that has a balance sheet and no flows", () => {
    const filings = [
      report("10-Q", "2020-11-10", madeBalance(700e6, "2020-09-30")),
      report("10-K", "2021-03-15", [
        ...madeBalance(900e6, "2020-12-31"),
        ...madeBalance(800e6, "2019-12-31"),
      ]),
    ];
    expect(placed(select(filings).balance_sheet)).toEqual([
      ["2020-12-31", 2020, "FY"],
      ["2020-09-30", 2020, "Q3"],
      ["2019-12-31", 2019, "FY"],
    ]);
    // Before the annual report nothing shows the year.
    expect(placed(select(filings, "2020-12-01T00:00:00Z").balance_sheet)).toEqual([
      ["2020-09-30", null, null],
    ]);
  });

  test("of the year it lies in, once that is known, though an earlier report placed it in another", () => {
    const months = (start: string, end: string) => [
      ...madeIncome(20e6, start, end),
      ...madeCashFlow(5e6, start, end),
    ];
    const filings = [
      report("10-K", "2018-02-20", [
        ...months("2017-01-01", "2017-12-31"),
        ...madeBalance(900e6, "2017-12-31"),
      ]),
      report("10-Q", "2018-06-10", [
        ...months("2018-02-01", "2018-04-30"),
        ...madeBalance(910e6, "2018-04-30"),
      ]),
      report("10-K", "2019-03-20", [
        ...months("2018-02-01", "2019-01-31"),
        ...madeBalance(920e6, "2019-01-31"),
      ]),
    ];
    const income = (as_of?: string) => placed(select(filings, as_of).income_statement);
    expect(income()).toEqual([
      ["2019-01-31", 2019, "FY"],
      ["2018-04-30", 2019, "Q1"],
      ["2017-12-31", 2017, "FY"],
    ]);
    // Not by what was filed later.
    expect(income("2018-07-01T00:00:00Z")[0]).toEqual(["2018-04-30", 2018, "Q1"]);
  });

  test("of the calendar where a company begins within a month: its first day begins no fiscal year", () => {
    const months = (start: string, end: string) => [
      ...madeIncome(20e6, start, end),
      ...madeCashFlow(5e6, start, end),
    ];
    const filings = [
      report("10-Q", "2021-05-15", [
        ...months("2021-01-15", "2021-03-31"),
        ...madeBalance(9e6, "2021-03-31"),
      ]),
      report("10-K", "2022-03-20", [
        ...months("2021-01-15", "2021-12-31"),
        ...madeBalance(8e6, "2021-12-31"),
      ]),
    ];
    expect(placed(select(filings, "2021-06-01T00:00:00Z").income_statement)).toEqual([
      ["2021-03-31", 2021, "Q1"],
    ]);
    expect(placed(select(filings).income_statement)).toEqual([
      ["2021-12-31", 2021, "FY"],
      ["2021-03-31", 2021, "Q1"],
    ]);
  });
});
