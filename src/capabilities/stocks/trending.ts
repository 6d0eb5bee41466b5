// Trending: the most active shares, then the 52-week gainers that are not among them.
import {
  FIFTY_TWO_WEEK_PAGE_ROWS,
  FIFTY_TWO_WEEK_PAGES,
  FIFTY_TWO_WEEK_PAGES_MAX,
  TRENDING_CACHE_S,
} from "../../limits.ts";
import type { CacheHit } from "../../platform/cache/cache.ts";
import type { Clock } from "../../platform/clock.ts";
import type { MarketList, MarketLists } from "./lists.ts";
import type { SourceRow } from "./sources.ts";

export type TrendingSource = "most_active" | "52_week_gainers";

export interface TrendingAsk {
  /** Rows in all. */
  readonly n: number;
  /** Rows taken of each list; undefined: all of the most active, and as many gainers as reach `n`. */
  readonly most_active_limit?: number | undefined;
  readonly gainers_limit?: number | undefined;
}

export type TrendingRow = SourceRow & { readonly sources: readonly TrendingSource[] };

/** Both lists as one. Pure. */
export function combine(
  actives: readonly SourceRow[],
  gainers: readonly SourceRow[],
  { n, most_active_limit, gainers_limit }: TrendingAsk,
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

/** Pages of gainers that reach `n` rows whatever stands in both lists, or as many as were asked for. */
const pagesFor = ({ n, gainers_limit }: TrendingAsk): number => {
  const wanted = Math.min(n, gainers_limit ?? n);
  const pages = Math.ceil(wanted / FIFTY_TWO_WEEK_PAGE_ROWS);
  return Math.min(FIFTY_TWO_WEEK_PAGES_MAX, Math.max(FIFTY_TWO_WEEK_PAGES, pages));
};

/** The list at a moment, no part of it older than its lifetime. */
export interface Trending {
  readonly rows: readonly TrendingRow[];
  readonly total: number;
  readonly as_of: string;
  readonly cache: Omit<CacheHit<unknown>, "value">;
}

/**
 * Made of the two remembered lists; one that is older than trending may be is read anew. Only with `gainers_limit` may
 * gainers beyond the limit be missing from `sources`: what is not looked at is not told.
 */
export function trendingAnswers({ lists, clock }: { readonly lists: MarketLists; readonly clock: Clock }) {
  const fresh = async (
    ask: (force: boolean) => Promise<CacheHit<MarketList>>,
    force: boolean,
  ): Promise<CacheHit<MarketList>> => {
    const cached = await ask(force);
    const age = clock.nowMs() - cached.storedAtMs;
    return cached.state !== "MISS" && age >= TRENDING_CACHE_S * 1000 ? ask(true) : cached;
  };

  return async (asked: TrendingAsk, force: boolean, signal: AbortSignal): Promise<Trending> => {
    const [actives, gainers] = await Promise.all([
      fresh((again) => lists.mostActive(again, signal), force),
      fresh((again) => lists.fiftyTwoWeekGainers(pagesFor(asked), again, signal), force),
    ]);
    const all = combine(actives.value.rows, gainers.value.rows, { ...asked, n: Number.POSITIVE_INFINITY });
    const storedAtMs = Math.min(actives.storedAtMs, gainers.storedAtMs);
    const wasKept = actives.state !== "MISS" && gainers.state !== "MISS";
    return {
      rows: all.slice(0, asked.n),
      total: all.length,
      as_of: [actives.value.as_of, gainers.value.as_of].sort()[0] ?? "",
      cache: {
        state: wasKept ? "HIT" : "MISS",
        storedAtMs,
        expiresAtMs: storedAtMs + TRENDING_CACHE_S * 1000,
      },
    };
  };
}
