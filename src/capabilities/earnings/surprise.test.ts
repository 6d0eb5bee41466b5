import { describe, expect, test } from "bun:test";
import { averagePercent, beatRate, judged, type Result, streakOf } from "./surprise.ts";
import { fiscalLabel } from "./surprise-history.ts";

describe("a surprise", () => {
  test.each<[number | null, number | null, number | null, number | null, Result | null]>([
    [2.22, 2.09, 0.13, 6.22009569378, "beat"],
    [1.87, 1.7, 0.17, 10, "beat"],
    [-0.4, -0.5, 0.1, 20, "beat"],
    [-0.6, -0.5, -0.1, -20, "miss"],
    [0.3, 0.3, 0, 0, "meet"],
    [0.1 + 0.2, 0.3, 0, 0, "meet"],
    [0.05, 0, 0.05, null, "beat"],
    [0, 0, 0, null, "meet"],
    [null, 1, null, null, null],
    [1, null, null, null, null],
  ])("of %p against %p", (actual, estimate, surprise, surprise_percent, result) => {
    expect(judged(actual, estimate)).toEqual({ surprise, surprise_percent, result });
  });
});

const quarters = ["2026-06-30", "2026-03-31", "2025-12-31", "2025-09-30", "2025-06-30"];
const rows = (...results: (Result | null)[]) =>
  results.map((result, i) => ({ fiscal_quarter_end: quarters[i] ?? "", result }));

describe("streaks", () => {
  test.each<[(Result | null)[], string, number]>([
    [["beat", "beat", "beat"], "beat", 3],
    [["beat", "beat", "miss", "beat"], "beat", 2],
    [["miss", "miss", "beat"], "miss", 2],
    [["miss"], "miss", 1],
    [["meet", "beat", "beat"], "none", 0],
    [["beat", "meet", "beat"], "beat", 1],
    [[null, "beat", "beat"], "none", 0],
    [["beat", null, "beat"], "beat", 1],
    [[], "none", 0],
  ])("%p", (results, type, length) => {
    expect<unknown>(streakOf(rows(...results))).toEqual({ type, length });
  });

  test("a missing quarter ends the streak, a long one does not", () => {
    const at = (fiscal_quarter_end: string) => ({ fiscal_quarter_end, result: "beat" as const });
    expect(streakOf([at("2026-06-30"), at("2025-12-31"), at("2025-09-30")]).length).toBe(1);
    expect(streakOf([at("2026-04-30"), at("2025-12-31"), at("2025-09-30")]).length).toBe(3);
  });
});

test("rates count only known results", () => {
  const known = rows("beat", "meet", null, "miss", "beat");
  expect(beatRate(known)).toBe(0.5);
  expect(beatRate(rows(null))).toBeNull();
  expect(beatRate([])).toBeNull();
  const percents = [10, null, -4].map((surprise_percent) => ({ surprise_percent }));
  expect(averagePercent(percents)).toBe(3);
  expect(averagePercent([{ surprise_percent: null }])).toBeNull();
});

describe("fiscal labels", () => {
  test.each<[string, string | null, string | null]>([
    ["2026-06-30", "12-31", "2026Q2"],
    ["2026-12-31", "12-31", "2026Q4"],
    ["2026-07-31", "01-26", "2027Q2"],
    ["2027-01-31", "01-26", "2027Q4"],
    ["2025-12-31", "09-26", "2026Q1"],
    ["2026-09-30", "09-26", "2026Q4"],
    // Years of 52 or 53 weeks that end on the Saturday nearest to January 31.
    ["2026-04-30", "02-01", "2027Q1"],
    ["2026-12-31", "01-03", "2026Q4"],
    ["2026-05-31", "12-31", null],
    ["2026-06-30", null, null],
    ["2026-06-30", "N/A", null],
  ])("a quarter to %p of years to %p is %p", (end, yearEnd, label) => {
    expect(fiscalLabel(end, yearEnd)).toBe(label);
  });
});
