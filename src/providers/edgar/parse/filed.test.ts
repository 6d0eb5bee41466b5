// Numbers and days as filers write them.
import { describe, expect, test } from "bun:test";
import { readFiledDay } from "./filed-day.ts";
import { exactProduct, plainNumber, readNumber } from "./filed-number.ts";

describe("numbers", () => {
  test.each([
    ["2500.0000", 2500],
    ["275.634", 275.634],
    ["1,250,000", 1_250_000],
    ["$12.50", 12.5],
    [" 9.9 % ", 9.9],
    [".5", 0.5],
    ["7824100.00", 7_824_100],
    ["0", 0],
    ["-3", -3],
    ["1.5E6", 1_500_000],
  ])("%s", (text, expected) => {
    expect(readNumber(text)).toBe(expected);
  });
  test.each(["", "N/A", "see footnote", "1,25", "12-50", "0x10", "Infinity", "1e999", "1 000"])(
    "%p is none",
    (text) => {
      expect(plainNumber(text)).toBeNull();
    },
  );
  test("a product is exact to the last digit", () => {
    expect(exactProduct("243431", "116.89")).toBe(28_454_649.59);
    expect(exactProduct("2500.0000", "361.4072")).toBe(903_518);
    expect(exactProduct("0.1", "0.2")).toBe(0.02);
    expect(exactProduct("-5", "1.1")).toBe(-5.5);
    expect(exactProduct("-.5", "3")).toBe(-1.5);
    expect(exactProduct("1.5E6", "2")).toBe(3_000_000);
    expect(exactProduct("123456789", "98765.4321")).toBe(12_193_263_111_263.527);
    expect(exactProduct("10", "none")).toBeNull();
  });
});

describe("days", () => {
  test.each([
    ["2024-07-19", "2024-07-19"],
    ["2024-07-19-05:00", "2024-07-19"],
    ["2024-07-19Z", "2024-07-19"],
    ["2024-07-19T00:00:00.000-05:00", "2024-07-19"],
    ["12/31/2024", "2024-12-31"],
    ["2/7/2005", "2005-02-07"],
    ["12/31/98", "1998-12-31"],
    ["1/5/07", "2007-01-05"],
    ["02-JAN-2025", "2025-01-02"],
    ["December 29, 2023", "2023-12-29"],
    ["DECEMBER 29, 2023", "2023-12-29"],
    ["Dec. 3 2023", "2023-12-03"],
    ["29 February 2024", "2024-02-29"],
  ])("%s", (text, expected) => {
    expect(readFiledDay(text)).toBe(expected);
  });
  test.each([
    "",
    "2023-02-29",
    "0021-05-03",
    "2202-01-05",
    "13/45/2024",
    "immediately",
    "2024",
    "Foo 3, 2024",
  ])("%p is none", (text) => {
    expect(readFiledDay(text)).toBeNull();
  });
});
