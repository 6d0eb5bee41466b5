import { describe, expect, test } from "bun:test";
import {
  type DatedRow,
  requestedDays,
  requestedRows,
  resolveSpan,
  type SpannedRow,
} from "./requested-periods.ts";

const NOW = Temporal.Instant.from("2026-09-09T21:00:00Z");
const row = (
  period_end_date: string,
  fiscal_year: number | null,
  fiscal_period: string | null,
): DatedRow => ({
  period_end_date,
  fiscal_year,
  fiscal_period,
});
/** A retailer whose fiscal year 2026 ended in January 2026. */
const RETAILER = [
  row("2026-08-01", 2027, "Q2"),
  row("2026-05-02", 2027, "Q1"),
  row("2026-01-31", 2026, "FY"),
  row("2025-11-01", 2026, "Q3"),
];
const ends = (selection: Parameters<typeof resolveSpan>[0], rows: readonly DatedRow[] = RETAILER) =>
  rows
    .filter(requestedRows(resolveSpan(selection, { asOf: null, now: NOW }, "max"), rows))
    .map((r) => r.period_end_date);
const code = (selection: Parameters<typeof resolveSpan>[0], fallback?: "max") => {
  try {
    resolveSpan(selection, { asOf: null, now: NOW }, fallback);
    return null;
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

describe("rows within a span", () => {
  test("no selection means all history", () => {
    expect(ends({})).toEqual(RETAILER.map((r) => r.period_end_date));
  });
  test("both ends of a range are inclusive, and one day is a range", () => {
    expect(ends({ start_date: "2026-01-31", end_date: "2026-05-02" })).toEqual(["2026-05-02", "2026-01-31"]);
    expect(ends({ start_date: "2026-01-31", end_date: "2026-01-31" })).toEqual(["2026-01-31"]);
    expect(ends({ start_date: "2026-02-01", end_date: "2026-05-01" })).toEqual([]);
  });
  test("a period counts back from today", () => {
    expect(ends({ period: "6m" })).toEqual(["2026-08-01", "2026-05-02"]);
    expect(ends({ period: "1d" })).toEqual([]);
  });
});

describe("quarters", () => {
  test("are fiscal, even when they lie ahead of the calendar", () => {
    expect(ends({ quarters: ["2027Q1"] })).toEqual(["2026-05-02"]);
    expect(ends({ quarters: ["2026Q3", "2027Q2"] })).toEqual(["2026-08-01", "2025-11-01"]);
  });
  test("the fourth also selects the year that ends with it", () => {
    expect(ends({ quarters: ["2026Q4"] })).toEqual(["2026-01-31"]);
  });
  test("a label that no row has is the calendar quarter", () => {
    expect(ends({ quarters: ["2026Q2"] })).toEqual(["2026-05-02"]);
    const unknown = [row("2026-06-30", null, null), row("2026-03-31", null, null)];
    expect(ends({ quarters: ["2026Q1"] }, unknown)).toEqual(["2026-03-31"]);
  });
  test("a label that is fiscal and calendar selects the fiscal quarter only", () => {
    const rows = [row("2026-05-02", 2026, "Q1"), row("2026-01-31", 2025, "FY")];
    expect(ends({ quarters: ["2026Q1"] }, rows)).toEqual(["2026-05-02"]);
  });
});

test.each([
  [{ period: "1y", quarters: ["2026Q1"] }, "conflicting_time_selection"],
  [{ period: "1y", start_date: "2026-01-01", end_date: "2026-02-01" }, "conflicting_time_selection"],
  [{ end_date: "2026-01-01" }, "invalid_date_range"],
  [{ start_date: "2026-01-01" }, "invalid_date_range"],
  [{ start_date: "2026-02-01", end_date: "2026-01-31" }, "invalid_date_range"],
  [{ start_date: "2026-09-10", end_date: "2026-09-11" }, "invalid_date_range"],
  [{ quarters: ["2029Q1"] }, "invalid_date_range"],
  [{ quarters: [] }, "bad_request"],
])("%p is refused as %s", (selection, expected) => {
  expect(code(selection)).toBe(expected);
});

test("a request without any time selection is refused where one is needed", () => {
  expect(code({})).toBe("conflicting_time_selection");
  expect(code({}, "max")).toBeNull();
});

test("a quarter too far ahead is refused with today's date, not the date up to which labels are taken", () => {
  expect(() => resolveSpan({ quarters: ["2040Q1"] }, { asOf: null, now: NOW }, undefined)).toThrow(
    `2040Q1 has not begun: today in New York is ${NOW.toZonedDateTimeISO("America/New_York").toPlainDate()}.`,
  );
});

test("a quarter after a past as_of is refused with the day of as_of, which is not called today", () => {
  const asOf = Temporal.Instant.from("2020-02-04T02:00:00Z");
  expect(() => resolveSpan({ quarters: ["2030Q1"] }, { asOf, now: NOW }, undefined)).toThrow(
    "2030Q1 has not begun: as_of is 2020-02-03 in New York.",
  );
  // A later as_of counts from now.
  const ahead = Temporal.Instant.from("2029-01-01T00:00:00Z");
  expect(() => resolveSpan({ quarters: ["2030Q1"] }, { asOf: ahead, now: NOW }, undefined)).toThrow(
    "2030Q1 has not begun: today in New York is 2026-09-09.",
  );
});

describe("the days of a span", () => {
  const spanned = (label: DatedRow, months: number | null, start: string | null): SpannedRow => ({
    ...label,
    period_months: months,
    period_start_date: start,
  });
  /**
   * The rows of that retailer: a quarter of three months, its balance sheet, a year, and six months of cash
   * flows.
   */
  const rows = [
    spanned(row("2026-05-02", 2027, "Q1"), 3, "2026-02-01"),
    spanned(row("2026-05-02", 2027, "Q1"), null, null),
    spanned(row("2026-01-31", 2026, "FY"), 12, "2025-02-02"),
    spanned(row("2025-08-02", 2026, "Q2"), 6, "2025-02-02"),
  ];
  const days = (selection: Parameters<typeof resolveSpan>[0]) =>
    requestedDays(resolveSpan(selection, { asOf: null, now: NOW }, "max"), rows);

  test("are those of the fiscal quarters that the rows have", () => {
    expect(days({ quarters: ["2027Q1"] })).toEqual({ start: "2026-02-01", end: "2026-05-02" });
    expect(days({ quarters: ["2026Q4", "2027Q1"] })).toEqual({ start: "2025-11-01", end: "2026-05-02" });
    // Without a row of its three months a quarter begins three months before its end, not with its year to
    // date.
    expect(days({ quarters: ["2026Q2"] })).toEqual({ start: "2025-05-03", end: "2025-08-02" });
  });

  test("are those of the calendar quarter for another label, and as asked otherwise", () => {
    expect(days({ quarters: ["2024Q1"] })).toEqual({ start: "2024-01-01", end: "2024-03-31" });
    expect(days({ quarters: ["2024Q1", "2027Q1"] })).toEqual({ start: "2024-01-01", end: "2026-05-02" });
    expect(days({ start_date: "2026-01-31", end_date: "2026-05-02" })).toEqual({
      start: "2026-01-31",
      end: "2026-05-02",
    });
    expect(days({ period: "max" }).start).toBeNull();
  });
});
