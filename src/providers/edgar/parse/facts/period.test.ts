import { describe, expect, test } from "bun:test";
import {
  type MadeFiling,
  madeCashFlow,
  madeCompany,
  madeIncome,
} from "../../../../../test/support/company-facts.ts";
import { normaliseFacts } from "./facts.ts";
import { dateOfDay, fiscalYearOf, monthsOfDays, readDayNumber } from "./period.ts";

const day = (date: string) => readDayNumber(date) ?? Number.NaN;

describe("days", () => {
  test("there and back, over a leap day", () => {
    expect(dateOfDay(day("2024-02-28") + 1)).toBe("2024-02-29");
    expect(day("1970-01-01")).toBe(0);
    expect(dateOfDay(day("1993-12-31"))).toBe("1993-12-31");
  });
  test("what is no date is none", () => {
    for (const wrong of [
      "2023-02-29",
      "2023-13-01",
      "2023-1-1",
      "",
      "20230101",
      null,
      undefined,
      20230101,
      "2023-00-10",
    ])
      expect(readDayNumber(wrong)).toBeNull();
  });
  test("lengths: 12 to 17 weeks, 24 to 29, 36 to 41, 52 and 53", () => {
    expect([84, 91, 98, 112, 119].map(monthsOfDays)).toEqual([3, 3, 3, 3, 3]);
    expect([168, 182, 189, 196].map(monthsOfDays)).toEqual([6, 6, 6, 6]);
    expect([252, 273, 280, 287].map(monthsOfDays)).toEqual([9, 9, 9, 9]);
    expect([364, 365, 366, 371].map(monthsOfDays)).toEqual([12, 12, 12, 12]);
    for (const days of [30, 61, 140, 214, 334, 400]) expect(monthsOfDays(days)).toBeNull();
    // Four and eight calendar months, as before and after a change of owners.
    for (const days of [120, 121, 123, 242, 245]) expect(monthsOfDays(days)).toBeNull();
  });
  test("a fiscal year is named after the calendar year it ends in, early January apart", () => {
    expect(
      ["2026-01-31", "2025-09-27", "2023-01-01", "2021-01-03", "2024-02-03", "2022-12-31"].map((d) =>
        fiscalYearOf(day(d)),
      ),
    ).toEqual([2026, 2025, 2022, 2020, 2024, 2022]);
  });
});

let count = 0;
const report = (
  form: string,
  filed: string,
  spans: readonly (readonly [string, string])[],
  cash = spans,
): MadeFiling => ({
  accn: `0000001234-20-${String(++count).padStart(6, "0")}`,
  form,
  filed,
  figures: [
    ...spans.flatMap(([start, end]) => madeIncome(100, start, end)),
    ...cash.flatMap(([start, end]) => madeCashFlow(30, start, end)),
  ],
});
/** Labels of net income by period, as the newest filing has them. */
function labels(filings: readonly MadeFiling[]): Record<string, string> {
  const { facts } = normaliseFacts(madeCompany(filings));
  const found = facts.filter(({ line }) => line === "net_income");
  return Object.fromEntries(
    found.map((f) => [
      `${f.period_start} ${f.period_end}`,
      `${f.fiscal_year} ${f.fiscal_period} ${f.period_months}`,
    ]),
  );
}

describe("the fiscal year a period belongs to", () => {
  test("52 and 53 weeks that end around the turn of the year", () => {
    expect(
      labels([
        report("10-K", "2021-03-01", [
          ["2019-12-29", "2021-01-02"],
          ["2018-12-30", "2019-12-28"],
        ]),
        report("10-Q", "2021-05-10", [["2021-01-03", "2021-04-03"]]),
        report("10-Q", "2021-11-10", [
          ["2021-07-04", "2021-10-02"],
          ["2021-01-03", "2021-10-02"],
        ]),
        report("10-K", "2022-03-01", [["2021-01-03", "2022-01-01"]]),
      ]),
    ).toEqual({
      "2019-12-29 2021-01-02": "2020 FY 12",
      "2018-12-30 2019-12-28": "2019 FY 12",
      "2021-01-03 2021-04-03": "2021 Q1 3",
      "2021-07-04 2021-10-02": "2021 Q3 3",
      "2021-01-03 2021-10-02": "2021 9M 9",
      "2021-01-03 2022-01-01": "2021 FY 12",
    });
  });

  test("quarters of 12, 12, 12 and 16 weeks, and of 16, 12, 12 and 12", () => {
    expect(
      labels([
        report("10-K", "2022-10-05", [["2021-08-29", "2022-08-28"]]),
        report("10-Q", "2022-12-28", [["2022-08-29", "2022-11-20"]]),
        report("10-Q", "2023-06-01", [
          ["2023-02-13", "2023-05-07"],
          ["2022-08-29", "2023-05-07"],
        ]),
        report("10-K", "2023-10-10", [
          ["2023-05-08", "2023-09-03"],
          ["2022-08-29", "2023-09-03"],
        ]),
      ]),
    ).toMatchObject({
      "2022-08-29 2022-11-20": "2023 Q1 3",
      "2023-02-13 2023-05-07": "2023 Q3 3",
      "2022-08-29 2023-05-07": "2023 9M 9",
      "2023-05-08 2023-09-03": "2023 Q4 3",
      "2022-08-29 2023-09-03": "2023 FY 12",
    });
    expect(
      labels([
        report("10-K", "2024-02-27", [["2022-12-26", "2023-12-31"]]),
        report("10-Q", "2024-05-29", [["2024-01-01", "2024-04-21"]]),
        report("10-Q", "2024-08-23", [
          ["2024-04-22", "2024-07-14"],
          ["2024-01-01", "2024-07-14"],
        ]),
      ]),
    ).toMatchObject({
      "2024-01-01 2024-04-21": "2024 Q1 3",
      "2024-04-22 2024-07-14": "2024 Q2 3",
      "2024-01-01 2024-07-14": "2024 6M 6",
    });
  });

  test("a fiscal year that ends in January", () => {
    expect(
      labels([
        report("10-K", "2025-02-26", [["2024-01-29", "2025-01-26"]]),
        report("10-Q", "2025-05-28", [
          ["2025-01-27", "2025-04-27"],
          ["2024-01-29", "2024-04-28"],
        ]),
        report("10-Q", "2025-11-19", [["2025-07-28", "2025-10-26"]]),
      ]),
    ).toEqual({
      "2024-01-29 2025-01-26": "2025 FY 12",
      "2025-01-27 2025-04-27": "2026 Q1 3",
      "2024-01-29 2024-04-28": "2025 Q1 3",
      "2025-07-28 2025-10-26": "2026 Q3 3",
    });
  });

  test("a changed year end: the months between are no year, the quarters after it count from the new one", () => {
    expect(
      labels([
        report("10-K", "2015-02-20", [["2014-01-01", "2014-12-31"]]),
        report("10-Q", "2015-05-08", [["2015-01-01", "2015-03-31"]]),
        report("10-KT", "2015-08-20", [
          ["2015-01-01", "2015-06-30"],
          ["2015-04-01", "2015-06-30"],
        ]),
        report("10-Q", "2015-11-06", [
          ["2015-07-01", "2015-09-30"],
          ["2014-07-01", "2014-09-30"],
        ]),
        report("10-K", "2016-08-20", [["2015-07-01", "2016-06-30"]]),
      ]),
    ).toEqual({
      "2014-01-01 2014-12-31": "2014 FY 12",
      "2015-01-01 2015-03-31": "2015 Q1 3",
      "2015-01-01 2015-06-30": "2015 null 6",
      "2015-04-01 2015-06-30": "2015 Q4 3",
      "2015-07-01 2015-09-30": "2016 Q1 3",
      "2014-07-01 2014-09-30": "2014 Q3 3",
      "2015-07-01 2016-06-30": "2016 FY 12",
    });
  });

  test("a newcomer without an annual report: the year begins where its cash flows do", () => {
    expect(
      labels([
        report(
          "10-Q",
          "2020-12-03",
          [
            ["2020-08-01", "2020-10-31"],
            ["2020-02-01", "2020-10-31"],
          ],
          [["2020-02-01", "2020-10-31"]],
        ),
      ]),
    ).toEqual({ "2020-08-01 2020-10-31": "2021 Q3 3", "2020-02-01 2020-10-31": "2021 9M 9" });
  });

  test("twelve trailing months of a quarterly report are no fiscal year and teach none", () => {
    expect(
      labels([
        report("10-K", "2019-02-20", [["2018-01-01", "2018-12-31"]]),
        report("10-Q", "2019-08-01", [
          ["2018-07-01", "2019-06-30"],
          ["2019-04-01", "2019-06-30"],
          ["2019-01-01", "2019-06-30"],
        ]),
      ]),
    ).toMatchObject({
      "2018-07-01 2019-06-30": "2019 null 12",
      "2019-04-01 2019-06-30": "2019 Q2 3",
      "2019-01-01 2019-06-30": "2019 6M 6",
    });
  });
});
