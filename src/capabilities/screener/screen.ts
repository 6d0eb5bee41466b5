// A screen: one page asked of the source as it is, or the whole set collected where a filter is ours.
import { SCREENER_COLLECTED_CACHE_S, SCREENER_PAGE_CACHE_S } from "../../limits.ts";
import { stockRow } from "../../market/stock-row.ts";
import { type CacheDeps, type CacheHit, createCache } from "../../platform/cache/cache.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import { type Collected, collect, type SortBy, sorted } from "./collect.ts";
import {
  dollarVolume,
  type Filters,
  isKept,
  needsWholeSet,
  passes,
  refuseContradictions,
  sourceFilters,
} from "./filters.ts";
import type { ScreenResponse, ScreenRow } from "./schema.ts";
import { type ScreenSource, SOURCE_ROWS_MAX, type SourceRow, type SourceSort } from "./sources.ts";

export interface ScreenAsk {
  readonly filters: Filters;
  readonly sort_by: SortBy;
  readonly sort_order: "asc" | "desc";
  readonly page: number;
  readonly page_size: number;
}

export interface Screened {
  readonly body: ScreenResponse;
  readonly cache: Omit<CacheHit<unknown>, "value">;
}

/** Collected sets kept: 6,000 rows are some 3 MB. */
const SETS_MAX = 10;

/** The source said that all of them are of the sector that was asked for; of others it does not tell it. */
function rowOf(row: SourceRow, rank: number, { sector, industry }: Filters): ScreenRow {
  return {
    ...stockRow(rank, row),
    dollar_volume: dollarVolume(row),
    beta: row.beta,
    dividend_yield: row.dividend_yield,
    sector: row.sector ?? sector ?? null,
    industry: row.industry ?? industry ?? null,
  };
}

const cacheOf = ({ state, storedAtMs, expiresAtMs }: CacheHit<unknown>) => ({
  state,
  storedAtMs,
  expiresAtMs,
});

/** What of the question goes into the answer as it is. */
const echo = ({ filters, sort_by, sort_order, page, page_size }: ScreenAsk) => ({
  page,
  page_size,
  filters: { country: "us" as const, ...filters },
  sort_by,
  sort_order,
});

/** The order the source is asked for: it knows none by dollar volume. */
const sourceSort = ({
  sort_by,
  sort_order,
}: ScreenAsk): { sort_by: SourceSort; sort_order: "asc" | "desc" } =>
  sort_by === "dollar_volume" ? { sort_by: "market_cap", sort_order: "desc" } : { sort_by, sort_order };

/** Throws InvalidRequest for what cannot be answered. */
function refuse(ask: ScreenAsk, isWhole: boolean): void {
  refuseContradictions(ask.filters);
  if (ask.sort_by === "dollar_volume" && !isWhole)
    throw new InvalidRequest("bad_request", "sort_by=dollar_volume needs min_dollar_volume.", {
      hint: "Give min_dollar_volume=0 to have the whole set ordered by it.",
    });
  if (!isWhole && (ask.page - 1) * ask.page_size >= SOURCE_ROWS_MAX)
    throw new InvalidRequest("bad_request", `The source gives the first ${SOURCE_ROWS_MAX} rows only.`, {
      hint: "Narrow the filters.",
    });
}

export function screens({ source, cacheDeps }: { source: ScreenSource; cacheDeps: CacheDeps }) {
  const pages = createCache<Collected>(
    { name: "screener_page", ttlS: SCREENER_PAGE_CACHE_S, durable: false, entriesMax: 200 },
    cacheDeps,
  );
  const sets = createCache<Collected>(
    { name: "screener_set", ttlS: SCREENER_COLLECTED_CACHE_S, durable: false, entriesMax: SETS_MAX },
    cacheDeps,
  );

  /** One page as the source has it: its total, its order. Rows of kinds that are left out are missing from the page. */
  const ofPage = async (ask: ScreenAsk, force: boolean, signal: AbortSignal): Promise<Screened> => {
    const offset = (ask.page - 1) * ask.page_size;
    const size = Math.min(ask.page_size, SOURCE_ROWS_MAX - offset);
    const screen = { filters: sourceFilters(ask.filters), ...sourceSort(ask), offset, size };
    const cached = await pages.get(
      JSON.stringify(screen),
      async (shared) => {
        const { rows, total, received_at } = await source.screen(screen, shared);
        return { rows, total, truncated: false, as_of: received_at };
      },
      { force, signal },
    );
    const { rows, total, as_of } = cached.value;
    const data = rows
      .map((row, i) => ({ row, rank: offset + i + 1 }))
      .filter(({ row }) => isKept(row, ask.filters))
      .map(({ row, rank }) => rowOf(row, rank, ask.filters));
    const body = {
      ...echo(ask),
      count: data.length,
      excluded: rows.length - data.length,
      total_available: total,
      total_pages: Math.ceil(total / ask.page_size),
      truncated: false,
      as_of,
      source: source.name,
      cached: cached.state !== "MISS",
      data,
    };
    return { body, cache: cacheOf(cached) };
  };

  /** A page of the whole set after our own filters, in the order of its own figures. */
  const ofWholeSet = async (ask: ScreenAsk, force: boolean, signal: AbortSignal): Promise<Screened> => {
    const screen = { filters: sourceFilters(ask.filters), ...sourceSort(ask) };
    const cached = await sets.get(JSON.stringify(screen), (shared) => collect(source, screen, shared), {
      force,
      signal,
    });
    const { rows, truncated, as_of } = cached.value;
    const passing = sorted(
      rows.filter((row) => passes(row, ask.filters)),
      ask.sort_by,
      ask.sort_order,
    );
    const offset = (ask.page - 1) * ask.page_size;
    const data = passing
      .slice(offset, offset + ask.page_size)
      .map((row, i) => rowOf(row, offset + i + 1, ask.filters));
    const body = {
      ...echo(ask),
      count: data.length,
      excluded: rows.length - passing.length,
      total_available: passing.length,
      total_pages: Math.ceil(passing.length / ask.page_size),
      truncated,
      as_of,
      source: source.name,
      cached: cached.state !== "MISS",
      data,
    };
    return { body, cache: cacheOf(cached) };
  };

  /** Throws InvalidRequest for what contradicts itself, and what the source throws. */
  return async (ask: ScreenAsk, force: boolean, signal: AbortSignal): Promise<Screened> => {
    const isWhole = needsWholeSet(ask.filters);
    refuse(ask, isWhole);
    return isWhole ? ofWholeSet(ask, force, signal) : ofPage(ask, force, signal);
  };
}

export type Screens = ReturnType<typeof screens>;
