// Interval names, their other spellings, lengths and look-backs.
import { describe, expect, test } from "bun:test";
import {
  DAILY_INTERVALS,
  dailyInterval,
  INTRADAY_INTERVALS,
  intervalSeconds,
  intradayInterval,
  isIntraday,
  lookbackDays,
  priceInterval,
} from "./interval.ts";

test("1m is a month as a daily interval and a minute as an intraday one", () => {
  expect(dailyInterval("1m")).toBe("1mo");
  expect(priceInterval("1m")).toBe("1mo");
  expect(intradayInterval("1m")).toBe("1m");
});

test.each([
  ["1wk", "1w"],
  ["1w", "1w"],
  ["1mo", "1mo"],
  ["1d", "1d"],
  ["5d", "5d"],
] as const)("%s is the daily %s", (text, interval) => {
  expect(dailyInterval(text)).toBe(interval);
  expect(intradayInterval(text)).toBeNull();
});

test.each([
  ["1min", "1m"],
  ["5min", "5m"],
  ["15min", "15m"],
  ["30min", "30m"],
  ["60m", "1h"],
  ["60min", "1h"],
  ["1hour", "1h"],
  ["1h", "1h"],
  ["90m", "90m"],
  ["2m", "2m"],
] as const)("%s is the intraday %s", (text, interval) => {
  expect(intradayInterval(text)).toBe(interval);
  expect(dailyInterval(text)).toBeNull();
});

test("price history accepts 1h and no other intraday interval", () => {
  expect(priceInterval("60m")).toBe("1h");
  expect(priceInterval("5m")).toBeNull();
  expect(priceInterval("1wk")).toBe("1w");
});

test.each(["", "1D", "1M", "3mo", "1", "constructor", "__proto__", "toString"])(
  "%j is no interval",
  (text) => {
    expect([dailyInterval(text), intradayInterval(text), priceInterval(text)]).toEqual([null, null, null]);
  },
);

describe("lengths and look-backs", () => {
  test("in seconds and days", () => {
    expect(INTRADAY_INTERVALS.map(intervalSeconds)).toEqual([60, 120, 300, 900, 1800, 3600, 5400]);
    expect(INTRADAY_INTERVALS.map(lookbackDays)).toEqual([7, 60, 60, 60, 60, 730, 60]);
  });
  test("daily and intraday intervals are distinguished", () => {
    expect(INTRADAY_INTERVALS.every(isIntraday)).toBe(true);
    expect(DAILY_INTERVALS.some(isIntraday)).toBe(false);
  });
});
