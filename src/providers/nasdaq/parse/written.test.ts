import { describe, expect, test } from "bun:test";
import { dateOf, monthOf, numberOf } from "./written.ts";

describe("numbers", () => {
  test.each<[unknown, number | null | undefined]>([
    ["$1.74", 1.74],
    ["($0.35)", -0.35],
    ["(0.35)", -0.35],
    ["-$0.35", -0.35],
    ["$-0.35", -0.35],
    ["-0.35", -0.35],
    ["($99.99)", -99.99],
    ["$12", 12],
    ["$4,465,201,458", 4_465_201_458],
    [".5", 0.5],
    ["0.58%", 0.58],
    ["($0.00)", 0],
    [2.22, 2.22],
    [0, 0],
    ["N/A", null],
    ["n/a", null],
    ["", null],
    [" ", null],
    ["--", null],
    ["($0.35", undefined],
    ["$0.35)", undefined],
    ["1.2.3", undefined],
    ["12,34", undefined],
    ["$", undefined],
    ["soon", undefined],
    [Number.NaN, undefined],
    [true, undefined],
  ])("%p", (text, number) => {
    expect(numberOf(text)).toBe(number as number);
  });

  test("zero in brackets is a plain zero", () => {
    expect(Object.is(numberOf("($0.00)"), 0)).toBe(true);
  });
});

describe("dates", () => {
  test.each<[string, string | null | undefined]>([
    ["7/01/2024", "2024-07-01"],
    ["07/01/2024", "2024-07-01"],
    ["8/26/2026", "2026-08-26"],
    ["5/2/2026", "2026-05-02"],
    ["2/29/2028", "2028-02-29"],
    ["2026-08-26", "2026-08-26"],
    ["N/A", null],
    ["", null],
    ["2/29/2026", undefined],
    ["13/01/2026", undefined],
    ["26/8/2026", undefined],
    ["8/26/26", undefined],
    ["tomorrow", undefined],
  ])("%p", (text, date) => {
    expect(dateOf(text)).toBe(date as string);
  });
});

describe("months", () => {
  test.each<[string, string | null | undefined]>([
    ["May/2024", "2024-05"],
    ["Jul 2026", "2026-07"],
    ["July 2026", "2026-07"],
    ["Dec2025", "2025-12"],
    ["N/A", null],
    ["", null],
    ["Foo 2026", undefined],
    ["2026", undefined],
    ["Jul 26", undefined],
  ])("%p", (text, month) => {
    expect(monthOf(text)).toBe(month as string);
  });
});
