import { expect, test } from "bun:test";
import { isPlaceholder, realAmount, realText } from "./placeholder.ts";

test.each([
  "N/A",
  "n/a",
  "N.A.",
  "NA",
  " - ",
  "--",
  "—",
  "",
  "   ",
  "Unknown",
  "UNKNOWN",
  "None",
  "null",
  "NaN",
  "Not Available",
  "#N/A",
])("%p is no value", (text) => {
  expect(isPlaceholder(text)).toBe(true);
  expect(realText(text)).toBeNull();
});

test.each(["Technology", "Nano", "Nonesuch Records", "Unknown Worlds Inc.", "3M", "-1", "N", "A/S", "0"])(
  "%p is a value",
  (text) => {
    expect(isPlaceholder(text)).toBe(false);
    expect(realText(` ${text} `)).toBe(text);
  },
);

test("absent is not a placeholder, and no value either", () => {
  expect(isPlaceholder(null)).toBe(false);
  expect(realText(null)).toBeNull();
});

test("amounts: more than nothing", () => {
  expect([1, 0.5, 389_144].map(realAmount)).toEqual([1, 0.5, 389_144]);
  expect([0, -1, null, Number.NaN, Number.POSITIVE_INFINITY].map(realAmount)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ]);
});
