import { expect, test } from "bun:test";
import { outlierDays } from "./outlier.ts";

const bar = (close: number, at: number, more = {}) => ({
  date: `2026-03-${String(at + 2).padStart(2, "0")}`,
  open: close,
  high: close,
  low: close,
  close,
  volume: 1,
  adjusted_close: close,
  ...more,
});
const marked = (...closes: readonly number[]) =>
  outlierDays(closes.map((close, at) => bar(close, at))).map((day) => Number(day.slice(8)) - 2);

test("one price or all of a bar, at any place of the series", () => {
  expect(marked(4.96, 496, 5)).toEqual([1]);
  expect(marked(5, 5, 0.05, 5, 5)).toEqual([2]);
  expect(marked(500, 5, 5)).toEqual([0]);
  expect(marked(5, 5, 500)).toEqual([2]);
  expect(marked(5, 5, 500, 500, 5, 5)).toEqual([2, 3]);
  const high = [bar(5, 0), bar(5, 1, { high: 516 }), bar(5.1, 2)];
  expect(outlierDays(high)).toEqual(["2026-03-03"]);
});

test("no large move, no level that lasts, no price below zero", () => {
  expect(marked(4.96, 80, 5)).toEqual([]);
  expect(marked(0.05, 0.05, 5, 5, 5)).toEqual([]);
  expect(marked(18, -37, 10)).toEqual([]);
  expect(marked(5)).toEqual([]);
  expect(marked()).toEqual([]);
});
