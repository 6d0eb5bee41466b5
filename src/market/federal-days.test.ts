import { expect, test } from "bun:test";
import { federalBusinessDays, isFederalBusinessDay } from "./federal-days.ts";

test.each([
  ["2026-10-12", "Columbus Day, when the exchange trades"],
  ["2026-11-11", "Veterans Day, when the exchange trades"],
  ["2026-07-03", "Independence Day on a Saturday, kept on Friday"],
  ["2021-12-31", "New Year on a Saturday, kept in the old year"],
  ["2023-01-02", "New Year on a Sunday, kept on Monday"],
  ["2024-06-19", "Juneteenth"],
  ["2026-11-26", "Thanksgiving"],
  ["2026-05-25", "Memorial Day"],
  ["2026-09-05", "a Saturday"],
  ["2026-09-06", "a Sunday"],
])("%s is not a business day: %s", (date) => {
  expect(isFederalBusinessDay(date)).toBe(false);
});

test.each([
  ["2025-04-18", "Good Friday, when the exchange is shut"],
  ["2026-11-27", "the half day after Thanksgiving"],
  ["2020-06-19", "before Juneteenth was kept"],
  ["2024-02-29", "a leap day"],
])("%s is a business day: %s", (date) => {
  expect(isFederalBusinessDay(date)).toBe(true);
});

test("lists the days of a span, both ends inclusive", () => {
  expect(federalBusinessDays("2026-10-09", "2026-10-14")).toEqual(["2026-10-09", "2026-10-13", "2026-10-14"]);
  expect(federalBusinessDays("2026-10-14", "2026-10-09")).toEqual([]);
});
