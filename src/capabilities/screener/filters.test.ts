// Filters: what is sent to the source, what we apply, what contradicts itself; unknown figures never pass.
import { expect, test } from "bun:test";
import { AsofError } from "../../platform/errors.ts";
import {
  dollarVolume,
  type Filters,
  highDistance,
  isIncluded,
  passes,
  refuseContradictions,
  sourceFilters,
} from "./filters.ts";
import { PRESETS } from "./presets.ts";
import type { SourceRow } from "./sources.ts";

const row = (fields: Partial<SourceRow> = {}): SourceRow => ({
  symbol: "ZORP",
  name: null,
  exchange: "NMS",
  quote_type: "EQUITY",
  currency: "USD",
  price: 50,
  price_time: null,
  change: null,
  change_percent: null,
  volume: null,
  avg_volume_3m: 1000,
  market_cap: null,
  pe_ratio: null,
  fifty_two_week_high: 100,
  fifty_two_week_low: null,
  fifty_two_week_change_percent: null,
  dividend_yield: null,
  beta: null,
  sector: null,
  industry: null,
  kinds: [],
  ...fields,
});

test("filters that the source supports are sent under its names", () => {
  expect(
    sourceFilters({
      exchange: ["nyse"],
      country: "us",
      sector: "Technology",
      price_min: 5,
      min_avg_volume: 1000,
      exclude_types: ["warrant"],
    }),
  ).toEqual({ exchanges: ["nyse"], sector: "Technology", price_min: 5, avg_volume_min: 1000 });
});

test("with min_dollar_volume the average volume is not sent to the source", () => {
  expect(sourceFilters({ min_avg_volume: 1000, min_dollar_volume: 5e6, price_min: 5 })).toEqual({
    price_min: 5,
  });
  expect(sourceFilters({ min_avg_volume: 1000, fifty_two_week_high_distance_max: 1 })).toEqual({
    avg_volume_min: 1000,
  });
});

test("otc is excluded by naming the other exchanges", () => {
  expect(sourceFilters({ exclude_types: ["otc"] }).exchanges).toEqual([
    "nasdaq",
    "nyse",
    "amex",
    "arca",
    "bats",
  ]);
  expect(sourceFilters({ exclude_types: ["otc"], exchange: ["nyse", "otc"] }).exchanges).toEqual(["nyse"]);
  expect(sourceFilters({ exclude_types: ["adr"] }).exchanges).toBeUndefined();
});

test("price times average volume, and the distance from the high; null when one is unknown", () => {
  expect(dollarVolume(row())).toBe(50_000);
  expect(dollarVolume(row({ avg_volume_3m: 0 }))).toBe(0);
  expect(dollarVolume(row({ price: 209.65, avg_volume_3m: 8_842_644 }))).toBe(1_853_860_314.6);
  expect(dollarVolume(row({ price: null }))).toBeNull();
  expect(dollarVolume(row({ avg_volume_3m: null }))).toBeNull();
  expect(highDistance(row())).toBe(50);
  expect(highDistance(row({ price: 101 }))).toBe(0);
  expect(highDistance(row({ fifty_two_week_high: null }))).toBeNull();
});

test("our own filters are inclusive, and an unknown figure never passes", () => {
  const passing = (filters: Filters, fields: Partial<SourceRow> = {}) => passes(row(fields), filters);
  expect(passing({ min_dollar_volume: 50_000 })).toBe(true);
  expect(passing({ min_dollar_volume: 50_001 })).toBe(false);
  expect(passing({ min_dollar_volume: 0 }, { avg_volume_3m: 0 })).toBe(true);
  expect(passing({ min_dollar_volume: 0 }, { avg_volume_3m: null })).toBe(false);
  expect(passing({ min_dollar_volume: 0, min_avg_volume: 1001 })).toBe(false);
  expect(passing({ fifty_two_week_high_distance_max: 50 })).toBe(true);
  expect(passing({ fifty_two_week_high_distance_max: 49 })).toBe(false);
  expect(passing({ fifty_two_week_high_distance_max: 50 }, { fifty_two_week_high: null })).toBe(false);
  expect(passing({ exclude_types: ["adr"] }, { kinds: ["adr", "otc"] })).toBe(false);
  expect(isIncluded(row({ kinds: ["unit"] }), { exclude_types: ["warrant"] })).toBe(true);
});

test("filters that no row can pass are refused", () => {
  const refused = (filters: Filters) => {
    try {
      refuseContradictions(filters);
    } catch (error) {
      if (error instanceof AsofError) return error.code;
      throw error;
    }
    return null;
  };
  expect(refused({ price_min: 2, price_max: 1 })).toBe("bad_request");
  expect(refused({ market_cap_min: 2, market_cap_max: 1 })).toBe("bad_request");
  expect(refused({ change_percent_min: 1, change_percent_max: -1 })).toBe("bad_request");
  expect(refused({ pe_min: 1, pe_max: 0 })).toBe("bad_request");
  expect(refused({ beta_min: 1, beta_max: 0 })).toBe("bad_request");
  expect(refused({ exchange: [] })).toBe("bad_request");
  expect(refused({ exchange: ["otc"], exclude_types: ["otc"] })).toBe("bad_request");
  expect(refused({ price_min: 1, price_max: 1, exchange: ["otc"] })).toBeNull();
});

test("there are the eight documented presets, and none contradicts itself", () => {
  expect(PRESETS.map(({ name }) => name)).toEqual([
    "day_gainers",
    "day_losers",
    "most_actives",
    "undervalued_large_caps",
    "growth_technology_stocks",
    "small_cap_gainers",
    "aggressive_small_caps",
    "fifty_two_week_highs",
  ]);
  for (const { filters } of PRESETS) expect(() => refuseContradictions(filters)).not.toThrow();
});
