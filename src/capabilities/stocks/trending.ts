// Trending: the most active shares, then the 52-week gainers that are not among them.
import {
  FIFTY_TWO_WEEK_PAGE_ROWS,
  FIFTY_TWO_WEEK_PAGES,
  FIFTY_TWO_WEEK_PAGES_MAX,
  TRENDING_CACHE_S,
} from "../../limits.ts";
import type { Services } from "../../market/services.ts";
import type { CacheHit } from "../../platform/cache/cache.ts";
import type { MarketList, MarketLists } from "./lists.ts";
import type { SourceRow } from "./sources.ts";

export type TrendingSource = "most_active" | "52_week_gainers";

export interface TrendingRequest {
  /** Total number of rows. */
  readonly n: number;
  /** Rows taken from each list; undefined: all most active shares, and enough gainers to reach `n`. */
  readonly most_active_limit?: number | undefined;
  readonly gainers_limit?: number | undefined;
}

export type TrendingRow = SourceRow & { readonly sources: readonly TrendingSource[] };

/** Combines both lists. Pure. */
// Made up: n 500, 300 most active and 400 gainers of which 50 are among them: all 300 and the first 200
// others.
export function combine(
  actives: readonly SourceRow[],
  gainers: readonly SourceRow[],
  { n, most_active_limit, gainers_limit }: TrendingRequest,
): TrendingRow[] {
  const active = actives.slice(0, most_active_limit);
  const gaining = gainers.slice(0, gainers_limit);
  const isActive = new Set(active.map(({ symbol }) => symbol));
  const isGaining = new Set(gaining.map(({ symbol }) => symbol));
  const both = ["most_active", "52_week_gainers"] as const;
  const rows: TrendingRow[] = [
    ...active.map((row) => ({
      ...row,
      sources: isGaining.has(row.symbol) ? both : (["most_active"] as const),
    })),
    ...gaining
      .filter(({ symbol }) => !isActive.has(symbol))
      .map((row) => ({ ...row, sources: ["52_week_gainers"] as const })),
  ];
  return rows.slice(0, n);
}

/**
 * Pages of gainers that are enough for `n` rows even if the lists overlap, or for the requested number of
 * gainers.
 */
const pagesFor = ({ n, gainers_limit }: TrendingRequest): number => {
  const rows = Math.min(n, gainers_limit ?? n);
  const pages = Math.ceil(rows / FIFTY_TWO_WEEK_PAGE_ROWS);
  return Math.min(FIFTY_TWO_WEEK_PAGES_MAX, Math.max(FIFTY_TWO_WEEK_PAGES, pages));
};

/** The combined list; no part is older than its lifetime. */
export interface Trending {
  readonly rows: readonly TrendingRow[];
  readonly total: number;
  readonly as_of: string;
  /** Warnings about rows that reading the lists left out, where the answer is not full without them. */
  readonly warnings: readonly string[];
  readonly cache: Omit<CacheHit<unknown>, "value">;
}

/**
 * Combines the two cached lists, and reads a list again when it is older than trending allows. With
 * `gainers_limit`, `sources` leaves out the gainers list for shares beyond that limit.
 */
export function trendingAnswers({ lists, clock }: { readonly lists: MarketLists } & Pick<Services, "clock">) {
  const fresh = async (
    read: (force: boolean) => Promise<CacheHit<MarketList>>,
    force: boolean,
  ): Promise<CacheHit<MarketList>> => {
    const cached = await read(force);
    const age = clock.nowMs() - cached.storedAtMs;
    return cached.state !== "MISS" && age >= TRENDING_CACHE_S * 1000 ? read(true) : cached;
  };

  return async (request: TrendingRequest, force: boolean, signal: AbortSignal): Promise<Trending> => {
    const [actives, gainers] = await Promise.all([
      fresh((again) => lists.mostActive(again, signal), force),
      fresh((again) => lists.fiftyTwoWeekGainers(pagesFor(request), again, signal), force),
    ]);
    const all = combine(actives.value.rows, gainers.value.rows, { ...request, n: Number.POSITIVE_INFINITY });
    const storedAtMs = Math.min(actives.storedAtMs, gainers.storedAtMs);
    const wasCached = actives.state !== "MISS" && gainers.state !== "MISS";
    const isFull = all.length >= request.n;
    return {
      warnings: isFull ? [] : [...actives.value.warnings, ...gainers.value.warnings],
      rows: all.slice(0, request.n),
      total: all.length,
      as_of: [actives.value.as_of, gainers.value.as_of].sort()[0] ?? "",
      cache: {
        state: wasCached ? "HIT" : "MISS",
        storedAtMs,
        expiresAtMs: storedAtMs + TRENDING_CACHE_S * 1000,
      },
    };
  };
}
