// The days that a period, two dates or quarters mean, and what is refused.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { addDays, isDate } from "./date.ts";
import {
  PERIODS,
  type Period,
  periodStart,
  quarterRange,
  resolveTimeSpan,
  type TimeSelection,
} from "./time-span.ts";

setDefaultTimeout(1_200_000);

const today = "2026-09-16";
const resolve = (input: TimeSelection, context: Partial<Parameters<typeof resolveTimeSpan>[1]> = {}) =>
  resolveTimeSpan(input, { today, ...context });
const spanOf = (input: TimeSelection, context: Partial<Parameters<typeof resolveTimeSpan>[1]> = {}) => {
  const result = resolve(input, context);
  if (!result.ok) throw new Error(result.detail);
  return result.span;
};
const codeOf = (input: TimeSelection, context = {}) => {
  const result = resolve(input, context);
  return result.ok ? "ok" : result.code;
};

describe("period", () => {
  test.each([
    ["1d", "2026-09-16"],
    ["7d", "2026-09-09"],
    ["30d", "2026-08-17"],
    ["1m", "2026-08-16"],
    ["3m", "2026-06-16"],
    ["6m", "2026-03-16"],
    ["1y", "2025-09-16"],
    ["2y", "2024-09-16"],
    ["5y", "2021-09-16"],
    ["max", null],
  ] as [Period, string | null][])("%s begins on %s", (period, start) => {
    expect(spanOf({ period })).toEqual({
      start,
      end: today,
      period,
      quarters: null,
      ranges: [{ start, end: today }],
    });
  });

  test("1d is the latest session, also on a weekend and before the open", () => {
    const span = resolveTimeSpan({ period: "1d" }, { today: "2026-09-13", latestSession: "2026-09-11" });
    expect(span).toMatchObject({ ok: true, span: { start: "2026-09-11", end: "2026-09-13" } });
    expect(periodStart("1d", "2026-09-14", "2026-09-15")).toBe("2026-09-14");
  });

  test.each([
    ["1m", "2026-03-31", "2026-02-28"],
    ["1m", "2024-03-31", "2024-02-29"],
    ["1m", "2026-12-31", "2026-11-30"],
    ["3m", "2026-05-31", "2026-02-28"],
    ["1y", "2024-02-29", "2023-02-28"],
    ["2y", "2024-02-29", "2022-02-28"],
    ["5y", "2024-02-29", "2019-02-28"],
    ["1m", "2026-01-15", "2025-12-15"],
    ["7d", "2026-03-03", "2026-02-24"],
  ] as [Period, string, string][])("%s on %s begins on %s", (period, day, start) => {
    expect(periodStart(period, day)).toBe(start);
  });

  test("longer periods begin earlier, on any day", () => {
    const days = fc.integer({ min: 0, max: 40_000 }).map((n) => addDays("1990-01-01", n));
    fc.assert(
      fc.property(days, (day) => {
        const starts = (["5y", "2y", "1y", "6m", "3m", "1m", "7d", "1d"] as const).map(
          (p) => periodStart(p, day) ?? "",
        );
        expect([...starts].sort()).toEqual(starts);
        for (const start of starts) expect(isDate(start)).toBe(true);
      }),
    );
  });

  test.each(["1M", "", "1w", "ytd", "constructor", "__proto__"])("%j is not a period", (period) => {
    expect(codeOf({ period })).toBe("bad_request");
  });
});

describe("dates", () => {
  test("both ends are inclusive, and one day is a range", () => {
    expect(spanOf({ start_date: "2026-01-05", end_date: "2026-01-05" })).toEqual({
      start: "2026-01-05",
      end: "2026-01-05",
      period: null,
      quarters: null,
      ranges: [{ start: "2026-01-05", end: "2026-01-05" }],
    });
  });
  test("an end in the future is echoed, but nothing after today is read", () => {
    const span = spanOf({ start_date: "2026-09-01", end_date: "2099-12-31" });
    expect([span.end, span.ranges]).toEqual(["2099-12-31", [{ start: "2026-09-01", end: today }]]);
  });
  test("of an open span a start alone means all days since", () => {
    const open = (input: object) => resolve(input, { isOpen: true });
    expect(open({ start_date: "2026-01-05" })).toMatchObject({
      ok: true,
      span: { ranges: [{ start: "2026-01-05", end: today }] },
    });
    expect(open({ end_date: "2026-01-05" })).toMatchObject({ ok: false, code: "invalid_date_range" });
    expect(open({ start_date: "2099-01-05" })).toMatchObject({ ok: false, code: "invalid_date_range" });
  });
  test("a range may start today", () => {
    expect(codeOf({ start_date: today, end_date: today })).toBe("ok");
  });
  test.each([
    [{ end_date: "2026-01-05" }, "invalid_date_range", "used together"],
    [{ start_date: "2026-01-05" }, "invalid_date_range", "used together"],
    [{ start_date: "2099-01-05", end_date: "2099-01-05" }, "invalid_date_range", "in the future"],
    [
      { start_date: "2026-01-06", end_date: "2026-01-05" },
      "invalid_date_range",
      "2026-01-05 is earlier than start_date 2026-01-06",
    ],
    [
      { start_date: "2026-09-17", end_date: "2026-09-18" },
      "invalid_date_range",
      "in the future: today in New York is 2026-09-16",
    ],
    [{ start_date: "2026-02-30", end_date: "2026-03-05" }, "bad_request", "start_date"],
    [{ start_date: "2026-01-05", end_date: "2026-2-5" }, "bad_request", "end_date"],
    [{ start_date: "", end_date: "" }, "bad_request", "start_date"],
    [{ start_date: "0001-01-01", end_date: "2026-01-05" }, "bad_request", "start_date"],
  ] as const)("%j is refused", (input, code, part) => {
    const result = resolve(input);
    if (result.ok) throw new Error("accepted");
    expect(result.code).toBe(code);
    expect(result.detail).toContain(part);
  });
});

describe("quarters", () => {
  test("are calendar quarters", () => {
    expect(quarterRange("2024Q1")).toEqual({ start: "2024-01-01", end: "2024-03-31" });
    expect(quarterRange("2024Q2")).toEqual({ start: "2024-04-01", end: "2024-06-30" });
    expect(quarterRange("2024Q3")).toEqual({ start: "2024-07-01", end: "2024-09-30" });
    expect(quarterRange("2024Q4")).toEqual({ start: "2024-10-01", end: "2024-12-31" });
  });
  test("are sorted, made unique and joined where they touch", () => {
    expect(spanOf({ quarters: ["2025Q3", "2024Q4", "2025Q1", "2024Q4"] })).toEqual({
      start: "2024-10-01",
      end: "2025-09-30",
      period: null,
      quarters: ["2024Q4", "2025Q1", "2025Q3"],
      ranges: [
        { start: "2024-10-01", end: "2025-03-31" },
        { start: "2025-07-01", end: "2025-09-30" },
      ],
    });
  });
  test("the current quarter is read up to today", () => {
    expect(spanOf({ quarters: ["2026Q3", "2026Q2"] })).toMatchObject({
      start: "2026-04-01",
      end: "2026-09-30",
      ranges: [{ start: "2026-04-01", end: today }],
    });
  });
  test.each([
    [["2026Q4"], "invalid_date_range"],
    [["2020Q1", "2031Q1"], "invalid_date_range"],
    [["2026Q5"], "bad_request"],
    [["2026q1"], "bad_request"],
    [["26Q1"], "bad_request"],
    [["0000Q1"], "bad_request"],
    [[""], "bad_request"],
    [[], "bad_request"],
    [Array.from({ length: 81 }, () => "2020Q1"), "bad_request"],
  ])("%j is refused", (quarters, code) => {
    expect(codeOf({ quarters })).toBe(code);
  });
  test("eighty quarters are accepted", () => {
    const quarters = Array.from({ length: 80 }, (_, i) => `${2006 + Math.floor(i / 4)}Q${(i % 4) + 1}`);
    expect(spanOf({ quarters }).ranges).toEqual([{ start: "2006-01-01", end: "2025-12-31" }]);
  });
});

describe("one way only", () => {
  test.each([
    { period: "1y", start_date: "2026-01-05", end_date: "2026-01-06" },
    { period: "1y", start_date: "2026-01-05" },
    { period: "1y", end_date: "2026-01-05" },
    { period: "1y", quarters: ["2026Q1"] },
    { quarters: ["2026Q1"], start_date: "2026-01-05", end_date: "2026-01-06" },
    { quarters: [], period: "1y" },
    { period: "nonsense", quarters: ["nonsense"], start_date: "nonsense" },
  ])("%j", (input) => {
    expect(codeOf(input)).toBe("conflicting_time_selection");
  });
  test("without a selection the default applies, unless one is required", () => {
    expect(spanOf({}, { default: "1y" })).toMatchObject({ period: "1y", start: "2025-09-16" });
    expect(
      spanOf({ period: null, start_date: null, end_date: null, quarters: null }, { default: "max" }).start,
    ).toBeNull();
    expect(codeOf({}, { default: "1y", required: true })).toBe("conflicting_time_selection");
    expect(codeOf({})).toBe("conflicting_time_selection");
  });
  test("no request makes it throw", () => {
    const text = fc.option(
      fc.oneof(fc.string(), fc.constantFrom(...PERIODS, "2026-01-05", "2026-02-30", "2024Q1")),
    );
    fc.assert(
      fc.property(
        text,
        text,
        text,
        fc.option(fc.array(fc.string(), { maxLength: 3 })),
        (period, start_date, end_date, quarters) => {
          const result = resolve({ period, start_date, end_date, quarters }, { default: "1y" });
          if (result.ok) for (const range of result.span.ranges) expect(range.end <= today).toBe(true);
          else expect(result.detail.length).toBeGreaterThan(10);
        },
      ),
    );
  });
});
