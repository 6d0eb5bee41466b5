import { expect, test } from "bun:test";
import { aligned, namedVintages, usualVintages } from "./vintages.ts";

const at = (date: string, value: string) => ({ date, value, realtime_start: date });

test("the usual vintage is the last one a year before the newest", () => {
  expect(usualVintages(["2026-11-04", "2026-08-31", "2025-11-05", "2025-11-04", "2025-10-30"])).toEqual([
    "2025-11-04",
  ]);
  expect([usualVintages(["2026-11-04", "2026-08-31"]), usualVintages([])]).toEqual([[], []]);
});

test("an address names vintages up to the clock, each once, newest first, four at most", () => {
  expect(namedVintages("2025-01-01,2026-01-01,2025-01-01,soon", "2025-12-31")).toEqual(["2025-01-01"]);
  expect(namedVintages("2021-01-01,2022-01-01,2023-01-01,2024-01-01,2025-01-01", "2026-01-01")).toEqual([
    "2025-01-01",
    "2024-01-01",
    "2023-01-01",
    "2022-01-01",
  ]);
  expect(namedVintages("", "2026-01-01")).toEqual([]);
});

test("a value that a vintage does not have is null, and so is a dot", () => {
  const newest = [at("2026-01-01", "1.5"), at("2026-02-01", "."), at("2026-03-01", "0")];
  const before = [at("2026-01-01", "1.4"), at("2026-02-01", "2")];
  expect(aligned([newest, before], "M")).toEqual({
    days: ["2026-01-01", "2026-02-01", "2026-03-01"],
    values: [
      [1.5, null, 0],
      [1.4, 2, null],
    ],
  });
});

test("where periods are missing there is one without values, so that no line leads across them", () => {
  const monthly = [at("2025-12-01", "1"), at("2026-03-01", "2"), at("2026-04-01", "3")];
  expect(aligned([monthly], "M")).toEqual({
    days: ["2025-12-01", "2026-01-01", "2026-03-01", "2026-04-01"],
    values: [[1, null, 2, 3]],
  });
  const quarters = [at("2025-07-01", "1"), at("2025-10-01", "2"), at("2026-04-01", "3")];
  expect(aligned([quarters], "Q").values).toEqual([[1, 2, null, 3]]);
  // Week-ends are no gap of a daily series.
  expect(aligned([[at("2026-01-02", "1"), at("2026-01-05", "2")]], "D").values).toEqual([[1, 2]]);
});
