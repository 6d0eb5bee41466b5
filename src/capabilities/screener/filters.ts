// The filters of a screen: which of them the source applies, which are ours, and what contradicts itself. Pure.
import { EXCHANGES, type Exchange, type ScreenFilters } from "../../market/stock-screen.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import type { Kind, Sector, SourceRow } from "./sources.ts";

/** Filters as a client gives them and answers echo them; only those that are given. */
export interface Filters {
  exchange?: Exchange[];
  sector?: Sector;
  industry?: string;
  country?: "us";
  market_cap_min?: number;
  market_cap_max?: number;
  price_min?: number;
  price_max?: number;
  min_avg_volume?: number;
  min_dollar_volume?: number;
  volume_min?: number;
  change_percent_min?: number;
  change_percent_max?: number;
  pe_min?: number;
  pe_max?: number;
  peg_max?: number;
  dividend_yield_min?: number;
  beta_min?: number;
  beta_max?: number;
  fifty_two_week_change_min?: number;
  fifty_two_week_high_distance_max?: number;
  eps_growth_min?: number;
  revenue_growth_min?: number;
  exclude_types?: Kind[];
}

const RANGES = [
  ["market_cap_min", "market_cap_max"],
  ["price_min", "price_max"],
  ["change_percent_min", "change_percent_max"],
  ["pe_min", "pe_max"],
  ["beta_min", "beta_max"],
] as const;

/** Throws InvalidRequest for filters that nothing can pass. */
export function refuseContradictions(filters: Filters): void {
  for (const [low, high] of RANGES) {
    const [min, max] = [filters[low], filters[high]];
    if (min !== undefined && max !== undefined && min > max)
      throw new InvalidRequest("bad_request", `${low} is greater than ${high}: nothing can pass.`);
  }
  if (filters.exchange?.length === 0)
    throw new InvalidRequest("bad_request", "exchange names no exchange.", {
      hint: `Leave it out for all of them, or name some of ${EXCHANGES.join(", ")}.`,
    });
  if (exchangesOf(filters)?.length === 0)
    throw new InvalidRequest(
      "bad_request",
      "exchange asks for nothing but otc, and exclude_types leaves it out.",
    );
}

/** The markets over the counter are left out by naming all others. */
function exchangesOf({ exchange, exclude_types }: Filters): readonly Exchange[] | undefined {
  if (!exclude_types?.includes("otc")) return exchange;
  return (exchange ?? EXCHANGES).filter((name) => name !== "otc");
}

/** Whether a filter is given that only we can apply: then the whole matching set is collected first. */
export const needsWholeSet = (filters: Filters): boolean =>
  filters.min_dollar_volume !== undefined || filters.fifty_two_week_high_distance_max !== undefined;

/** What is sent to the source. Where the whole set is collected the average volume is ours to compare. */
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

/** Price times the average daily volume of three months, without the noise of the multiplication; null when one of them is unknown. */
export function dollarVolume({ price, avg_volume_3m }: SourceRow): number | null {
  return price === null || avg_volume_3m === null ? null : Number((price * avg_volume_3m).toPrecision(15));
}

/** How far the price lies below the highest of 52 weeks, percent points; null when one of them is unknown. */
export function highDistance({ price, fifty_two_week_high }: SourceRow): number | null {
  if (price === null || fifty_two_week_high === null) return null;
  return Math.max(0, (1 - price / fifty_two_week_high) * 100);
}

const atLeast = (value: number | null, min: number | undefined) =>
  min === undefined || (value !== null && value >= min);
const atMost = (value: number | null, max: number | undefined) =>
  max === undefined || (value !== null && value <= max);

/** Whether a row is none of the kinds that are left out. */
export const isKept = (row: SourceRow, { exclude_types = [] }: Filters): boolean =>
  !row.kinds.some((kind) => exclude_types.includes(kind));

/** Whether a row of the whole set passes the filters that are ours. What is unknown never passes. */
export const passes = (row: SourceRow, filters: Filters): boolean =>
  isKept(row, filters) &&
  atLeast(dollarVolume(row), filters.min_dollar_volume) &&
  atLeast(row.avg_volume_3m, filters.min_avg_volume) &&
  atMost(highDistance(row), filters.fifty_two_week_high_distance_max);
