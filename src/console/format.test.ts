// Digits of published numbers are grouped, and none of them is changed.
import { expect, test } from "bun:test";
import { grouped } from "./format.ts";

test.each([
  ["1234567", "1,234,567"],
  ["-1234567.50", "-1,234,567.50"],
  ["23456.789012", "23,456.789012"],
  ["999", "999"],
  ["-100", "-100"],
  ["1000", "1,000"],
  ["0.00012345", "0.00012345"],
  [".", "."],
  ["12345678901234567890", "12,345,678,901,234,567,890"],
])("%s → %s", (text, shown) => {
  expect(grouped(text)).toBe(shown);
});
