// Screens that are ready to use: names for filters, which anybody could give by hand.
import { NotFound } from "../../platform/errors.ts";
import type { SortBy } from "./collect.ts";
import type { Filters } from "./filters.ts";

export interface Preset {
  readonly name: string;
  readonly description: string;
  readonly filters: Filters;
  readonly sort_by: SortBy;
  readonly sort_order: "asc" | "desc";
}

const BIG = { market_cap_min: 2_000_000_000, price_min: 5 } as const;

/** The thresholds are those of the price provider's own lists of these names, made of filters that can be seen. */
export const PRESETS: readonly Preset[] = [
  {
    name: "day_gainers",
    description: "Companies of 2 billion dollars and more that are up 3 % or more today.",
    filters: { ...BIG, volume_min: 15_000, change_percent_min: 3, exclude_types: ["otc"] },
    sort_by: "change_percent",
    sort_order: "desc",
  },
  {
    name: "day_losers",
    description: "Companies of 2 billion dollars and more that are down 2.5 % or more today.",
    filters: { ...BIG, volume_min: 20_000, change_percent_max: -2.5, exclude_types: ["otc"] },
    sort_by: "change_percent",
    sort_order: "asc",
  },
  {
    name: "most_actives",
    description: "Companies of 2 billion dollars and more of which 5 million shares or more traded today.",
    filters: { market_cap_min: 2_000_000_000, volume_min: 5_000_000 },
    sort_by: "volume",
    sort_order: "desc",
  },
  {
    name: "undervalued_large_caps",
    description:
      "Companies of 10 to 100 billion dollars at up to 20 times earnings and a PEG ratio of up to 1.",
    filters: {
      exchange: ["nasdaq", "nyse"],
      market_cap_min: 10_000_000_000,
      market_cap_max: 100_000_000_000,
      pe_min: 0,
      pe_max: 20,
      peg_max: 1,
    },
    sort_by: "volume",
    sort_order: "desc",
  },
  {
    name: "growth_technology_stocks",
    description: "Technology companies whose quarterly revenue and earnings grew by 25 % or more.",
    filters: {
      exchange: ["nasdaq", "nyse"],
      sector: "Technology",
      revenue_growth_min: 25,
      eps_growth_min: 25,
    },
    sort_by: "volume",
    sort_order: "desc",
  },
  {
    name: "small_cap_gainers",
    description: "Companies of up to 2 billion dollars that are up 5 % or more today.",
    filters: { exchange: ["nasdaq", "nyse"], market_cap_max: 2_000_000_000, change_percent_min: 5 },
    sort_by: "change_percent",
    sort_order: "desc",
  },
  {
    name: "aggressive_small_caps",
    description: "Companies of up to 2 billion dollars whose earnings grew by 25 % or more.",
    filters: { exchange: ["nasdaq", "nyse"], market_cap_max: 2_000_000_000, eps_growth_min: 25 },
    sort_by: "volume",
    sort_order: "desc",
  },
  {
    name: "fifty_two_week_highs",
    description:
      "Companies of 2 billion dollars and more within 1 % of their highest price of 52 weeks, by price and high of each row.",
    filters: { ...BIG, volume_min: 15_000, fifty_two_week_high_distance_max: 1, exclude_types: ["otc"] },
    sort_by: "market_cap",
    sort_order: "desc",
  },
];

/** Throws NotFound. */
export function presetOf(name: string): Preset {
  const preset = PRESETS.find((each) => each.name === name);
  if (preset) return preset;
  throw new NotFound("not_found", "There is no preset of this name.", {
    hint: `There are ${PRESETS.map((each) => each.name).join(", ")}.`,
  });
}
