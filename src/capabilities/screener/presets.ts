// Predefined screens: names for sets of filters.

import type { Static } from "@sinclair/typebox";
import { NotFound } from "../../platform/errors.ts";
import type { Preset as PresetSchema } from "./schema.ts";

export type Preset = Readonly<Static<typeof PresetSchema>>;

const BIG = { market_cap_min: 2_000_000_000, price_min: 5 } as const;

/**
 * The thresholds are those of the price provider's own lists of the same names, expressed as visible filters.
 */
export const PRESETS: readonly Preset[] = [
  {
    name: "day_gainers",
    description: "Companies worth 2 billion dollars or more that are up 3 % or more today.",
    filters: { ...BIG, volume_min: 15_000, change_percent_min: 3, exclude_types: ["otc"] },
    sort_by: "change_percent",
    sort_order: "desc",
  },
  {
    name: "day_losers",
    description: "Companies worth 2 billion dollars or more that are down 2.5 % or more today.",
    filters: { ...BIG, volume_min: 20_000, change_percent_max: -2.5, exclude_types: ["otc"] },
    sort_by: "change_percent",
    sort_order: "asc",
  },
  {
    name: "most_actives",
    description: "Companies worth 2 billion dollars or more with 5 million or more shares traded today.",
    filters: { market_cap_min: 2_000_000_000, volume_min: 5_000_000 },
    sort_by: "volume",
    sort_order: "desc",
  },
  {
    name: "undervalued_large_caps",
    description:
      "Companies worth 10 to 100 billion dollars at up to 20 times earnings with a PEG ratio of up to 1.",
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
    description: "Companies worth up to 2 billion dollars that are up 5 % or more today.",
    filters: { exchange: ["nasdaq", "nyse"], market_cap_max: 2_000_000_000, change_percent_min: 5 },
    sort_by: "change_percent",
    sort_order: "desc",
  },
  {
    name: "aggressive_small_caps",
    description: "Companies worth up to 2 billion dollars whose earnings grew by 25 % or more.",
    filters: { exchange: ["nasdaq", "nyse"], market_cap_max: 2_000_000_000, eps_growth_min: 25 },
    sort_by: "volume",
    sort_order: "desc",
  },
  {
    name: "fifty_two_week_highs",
    description:
      "Companies worth 2 billion dollars or more within 1 % of their 52-week high, by the price and high of each row.",
    filters: { ...BIG, volume_min: 15_000, fifty_two_week_high_distance_max: 1, exclude_types: ["otc"] },
    sort_by: "market_cap",
    sort_order: "desc",
  },
];

/** Throws NotFound for an unknown name. */
export function presetOf(name: string): Preset {
  const preset = PRESETS.find((each) => each.name === name);
  if (preset) return preset;
  throw new NotFound("not_found", "There is no preset with this name.", {
    hint: `The presets are ${PRESETS.map((each) => each.name).join(", ")}.`,
  });
}
