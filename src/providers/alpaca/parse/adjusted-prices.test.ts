// Adjusted prices of the feed, computed from the prices as traded and the listed actions.
import { describe, expect, test } from "bun:test";
import type { CorporateAction } from "../../../market/bar-history.ts";
import { dividendFactors, splitAdjusted } from "./adjusted-prices.ts";
import type { Closes } from "./adjustment-check.ts";

const action = (
  kind: CorporateAction["kind"],
  ex_date: string,
  price_factor: number | null,
): CorporateAction => ({
  kind,
  ex_date,
  price_factor,
  amount: null,
  currency: null,
  numerator: null,
  denominator: null,
});
const dividend = (ex_date: string, factor: number | null) => action("dividend", ex_date, factor);
const close = (date: string, split: number, all: number | null, settled = true): Closes => ({
  date,
  settled,
  split,
  all,
  raw: null,
});
const BASIS = "2026-06-01";

describe("the factor of the dividends since a day", () => {
  const dividends = [dividend("2026-03-05", 0.99), dividend("2026-04-02", 0.98)];
  const closes = [close("2026-03-04", 10, 9.7), close("2026-03-05", 10, 9.8), close("2026-05-29", 10, 10)];

  test("is the product of those with an ex date after it, whatever the feed has rounded", () => {
    const { factorOf } = dividendFactors(closes, dividends, { basis: BASIS, isWhole: true });
    expect(factorOf("2026-03-04")).toBe(0.99 * 0.98);
    expect(factorOf("2026-03-05")).toBe(0.98);
    expect(factorOf("2026-04-01")).toBe(0.98);
    expect(factorOf("2026-04-02")).toBe(1);
  });

  test("adds up payments of one day, leaves out splits, and is null before one of unknown size", () => {
    const listed = [
      dividend("2026-02-02", null),
      dividend("2026-04-02", 0.99),
      dividend("2026-04-02", 0.98),
      action("split", "2026-05-04", 0.25),
    ];
    const { factorOf } = dividendFactors(closes, listed, { basis: BASIS, isWhole: true });
    expect(factorOf("2026-02-01")).toBeNull();
    expect(factorOf("2026-02-02")).toBeCloseTo(0.97, 12);
  });

  test("of a window in the past takes what the feed's closes allow for later dividends, whose closes are not at hand", () => {
    // 0.9732 of each price is left after the window, in cents: 9.73 of 10, 19.46 of 20, 97.32 of 100.
    const window = [
      close("2026-03-02", 10, 9.63),
      close("2026-03-06", 20, 19.46),
      close("2026-03-09", 100, 97.32),
    ];
    const later = [dividend("2026-03-05", 0.99), dividend("2026-05-04", 0.5)];
    const { factorOf } = dividendFactors(window, later, { basis: BASIS, isWhole: false });
    expect(Math.abs((factorOf("2026-03-09") ?? 0) - 0.9732)).toBeLessThan(0.000_11);
    expect((factorOf("2026-03-02") ?? 0) / (factorOf("2026-03-09") ?? 0)).toBeCloseTo(0.99, 12);
    const { later: estimate } = dividendFactors(window, later, { basis: BASIS, isWhole: false });
    expect(estimate).toMatchObject({ after: "2026-03-09", part: factorOf("2026-03-09") });
    // The true part is within the slack, which the closest of the prices decides.
    expect(Math.abs((estimate?.part ?? 0) / 0.9732 - 1)).toBeLessThanOrEqual(estimate?.slack ?? 0);
    expect(estimate?.slack).toBeLessThan(0.000_11);
    // A payment after the company gave up the symbol is not listed under it; the prices are without it all
    // the same.
    const { factorOf: renamed } = dividendFactors(window, later.slice(0, 1), {
      basis: BASIS,
      isWhole: false,
    });
    expect(renamed("2026-03-09")).toBe(factorOf("2026-03-09"));
    // Nothing is listed after the window, and nothing taken off.
    const whole = [close("2026-03-02", 10, 9.9), close("2026-03-06", 20, 20), close("2026-03-09", 100, 100)];
    expect(
      dividendFactors(whole, later.slice(0, 1), { basis: BASIS, isWhole: false }).factorOf("2026-03-06"),
    ).toBe(1);
  });
});

describe("split-adjusted prices", () => {
  const bar = {
    at: Temporal.Instant.from("2026-03-02T14:30:00Z"),
    open: 231.59,
    high: 233.11,
    low: null,
    close: 231.5,
    volume: 100,
    vwap: null,
    trade_count: null,
  };
  const rounded = { open: 57.9, high: 58.28, low: null, close: 57.88 };
  const split = action("split", "2026-03-04", 0.25);

  test("keep the cents of the trade", () => {
    expect(splitAdjusted(rounded, bar, [split], "2026-03-03")).toEqual({
      open: 57.8975,
      high: 58.2775,
      low: null,
      close: 57.875,
    });
  });

  test("are the feed's own without a split after them, or without prices as traded", () => {
    expect(splitAdjusted(rounded, bar, [split], "2026-03-04")).toEqual(rounded);
    expect(splitAdjusted(rounded, undefined, [split], "2026-03-03")).toEqual(rounded);
  });
});
