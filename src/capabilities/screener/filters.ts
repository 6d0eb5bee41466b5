// The filters of a screen: which the source applies, which we apply, and which contradict each other. Pure.

import type { Static } from "@sinclair/typebox";
import { EXCHANGES, type Exchange, type ScreenFilters } from "../../market/stock-screen.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import type { FiltersShown } from "./schema.ts";
import type { SourceRow } from "./sources.ts";

/** The filters that a client gave, as answers repeat them. */
export type Filters = Static<typeof FiltersShown>;

const RANGES = [
  ["market_cap_min", "market_cap_max"],
  ["price_min", "price_max"],
  ["change_percent_min", "change_percent_max"],
  ["pe_min", "pe_max"],
  ["beta_min", "beta_max"],
] as const;

/** Throws InvalidRequest for filters that no row can pass. */
export function refuseContradictions(filters: Filters): void {
  for (const [low, high] of RANGES) {
    const [min, max] = [filters[low], filters[high]];
    if (min !== undefined && max !== undefined && min > max)
      throw new InvalidRequest("bad_request", `${low} is greater than ${high}, so no row can pass.`);
  }
  if (filters.exchange?.length === 0)
    throw new InvalidRequest("bad_request", "exchange contains no exchange.", {
      hint: `Leave it out for all exchanges, or give some of ${EXCHANGES.join(", ")}.`,
    });
  if (exchangesOf(filters)?.length === 0)
    throw new InvalidRequest("bad_request", "exchange contains only otc, which exclude_types excludes.");
}

/** Excludes over-the-counter markets by naming all other exchanges. */
function exchangesOf({ exchange, exclude_types }: Filters): readonly Exchange[] | undefined {
  if (!exclude_types?.includes("otc")) return exchange;
  return (exchange ?? EXCHANGES).filter((name) => name !== "otc");
}

/** Whether a filter is given that only we can apply, which requires collecting the whole matching set. */
export const needsWholeSet = (filters: Filters): boolean =>
  filters.min_dollar_volume !== undefined || filters.fifty_two_week_high_distance_max !== undefined;

/**
 * The filters that are sent to the source. With min_dollar_volume, we compare the average volume ourselves.
 */
export function sourceFilters(filters: Filters): ScreenFilters {
  const {
    exchange: _exchange,
    country: _country,
    exclude_types: _types,
    min_avg_volume,
    min_dollar_volume,
    fifty_two_week_high_distance_max: _distance,
    ...plain
  } = filters;
  const exchanges = exchangesOf(filters);
  return {
    ...(exchanges ? { exchanges } : {}),
    ...plain,
    ...(min_avg_volume !== undefined && min_dollar_volume === undefined
      ? { avg_volume_min: min_avg_volume }
      : {}),
  };
}

/**
 * Price times the average daily volume of three months, rounded to drop floating-point noise; null when
 * either is unknown.
 */
export function dollarVolume({ price, avg_volume_3m }: SourceRow): number | null {
  return price === null || avg_volume_3m === null ? null : Number((price * avg_volume_3m).toPrecision(15));
}

/** How far the price is below the 52-week high, percent; null when either is unknown. */
// A price of 90 with a high of 100 is 10 below it; one of 101 with a high of 100 is 0.
export function highDistance({ price, fifty_two_week_high }: SourceRow): number | null {
  if (price === null || fifty_two_week_high === null) return null;
  return Math.max(0, (1 - price / fifty_two_week_high) * 100);
}

const atLeast = (value: number | null, min: number | undefined) =>
  min === undefined || (value !== null && value >= min);
const atMost = (value: number | null, max: number | undefined) =>
  max === undefined || (value !== null && value <= max);

/** Whether a row is of none of the excluded kinds. */
export const isIncluded = (row: SourceRow, { exclude_types = [] }: Filters): boolean =>
  !row.kinds.some((kind) => exclude_types.includes(kind));

/** Whether a row of the whole set passes our own filters. An unknown figure never passes. */
// A row without a price does not pass `min_dollar_volume`, whatever its volume.
export const passes = (row: SourceRow, filters: Filters): boolean =>
  isIncluded(row, filters) &&
  atLeast(dollarVolume(row), filters.min_dollar_volume) &&
  atLeast(row.avg_volume_3m, filters.min_avg_volume) &&
  atMost(highDistance(row), filters.fifty_two_week_high_distance_max);
