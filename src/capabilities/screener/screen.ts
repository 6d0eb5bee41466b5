// Runs a screen: reads one page of the source, or collects the whole set when a filter is ours to apply.
import { SCREENER_COLLECTED_CACHE_S, SCREENER_PAGE_CACHE_S } from "../../limits.ts";
import { absent, ifEmpty } from "../../market/absence.ts";
import type { Services } from "../../market/services.ts";
import { stockRow } from "../../market/stock-row.ts";
import { type CacheHit, createCache } from "../../platform/cache/cache.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import { type Collected, collect, type SortBy, sorted } from "./collect.ts";
import {
  dollarVolume,
  type Filters,
  isIncluded,
  needsWholeSet,
  passes,
  refuseContradictions,
  sourceFilters,
} from "./filters.ts";
import type { ScreenResponse, ScreenRow } from "./schema.ts";
import { type ScreenSource, SOURCE_ROWS_MAX, type SourceRow, type SourceSort } from "./sources.ts";

/** A screen with checked filters. */
export interface Screen {
  readonly filters: Filters;
  readonly sort_by: SortBy;
  readonly sort_order: "asc" | "desc";
  readonly page: number;
  readonly page_size: number;
}

export interface ScreenResult {
  readonly body: ScreenResponse;
  readonly cache: Omit<CacheHit<unknown>, "value">;
}

const NO_SHARE = "No share matches the filters, or none is on this page.";
const UNREAD = absent(
  "not_read",
  "The matching set is larger than what is collected, so further rows were not checked: narrow the filters.",
);

/** Cached sets at most: 6,000 rows take about 3 MB. */
const SETS_MAX = 10;

/**
 * A row of the answer. The source names a row's sector and industry only by filtering: all rows then match
 * the filter.
 */
function screenRow(row: SourceRow, rank: number, { sector, industry }: Filters): ScreenRow {
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

/** The fields of an answer that repeat the screen. */
const screenFields = ({ filters, sort_by, sort_order, page, page_size }: Screen) => ({
  page,
  page_size,
  filters: { country: "us" as const, ...filters },
  sort_by,
  sort_order,
});

/** The order requested from the source, which cannot sort by dollar volume. */
const sourceSort = ({ sort_by, sort_order }: Screen): { sort_by: SourceSort; sort_order: "asc" | "desc" } =>
  sort_by === "dollar_volume" ? { sort_by: "market_cap", sort_order: "desc" } : { sort_by, sort_order };

/** Throws InvalidRequest for a screen that cannot be answered. */
function checkScreen(screen: Screen, isWholeSet: boolean): void {
  refuseContradictions(screen.filters);
  if (screen.sort_by === "dollar_volume" && !isWholeSet)
    throw new InvalidRequest("bad_request", "sort_by=dollar_volume needs min_dollar_volume.", {
      hint: "Add min_dollar_volume=0 to order the whole set by it.",
    });
  if (!isWholeSet && (screen.page - 1) * screen.page_size >= SOURCE_ROWS_MAX)
    throw new InvalidRequest("bad_request", `The source has only the first ${SOURCE_ROWS_MAX} rows.`, {
      hint: "Narrow the filters.",
    });
}

/** One page as the source has it, with its total and its order. Excluded kinds are missing from the page. */
function pageResult(screen: Screen, source: ScreenSource, cached: CacheHit<Collected>): ScreenResult {
  const { rows, total, as_of } = cached.value;
  const offset = (screen.page - 1) * screen.page_size;
  const data = rows
    .map((row, i) => ({ row, rank: offset + i + 1 }))
    .filter(({ row }) => isIncluded(row, screen.filters))
    .map(({ row, rank }) => screenRow(row, rank, screen.filters));
  const body = {
    ...screenFields(screen),
    count: data.length,
    excluded: rows.length - data.length,
    total_available: total,
    total_pages: Math.ceil(total / screen.page_size),
    truncated: false,
    as_of,
    source: source.name,
    cached: cached.state !== "MISS",
    warnings: ifEmpty(data, "nothing_there", NO_SHARE),
    data,
  };
  return { body, cache: cacheOf(cached) };
}

/** A page of the whole set after our own filters, ordered by the rows' own figures. */
function wholeSetResult(screen: Screen, source: ScreenSource, cached: CacheHit<Collected>): ScreenResult {
  const { rows, truncated, as_of } = cached.value;
  const passing = sorted(
    rows.filter((row) => passes(row, screen.filters)),
    screen.sort_by,
    screen.sort_order,
  );
  const offset = (screen.page - 1) * screen.page_size;
  const data = passing
    .slice(offset, offset + screen.page_size)
    .map((row, i) => screenRow(row, offset + i + 1, screen.filters));
  const body = {
    ...screenFields(screen),
    count: data.length,
    excluded: rows.length - passing.length,
    total_available: passing.length,
    total_pages: Math.ceil(passing.length / screen.page_size),
    truncated,
    as_of,
    source: source.name,
    cached: cached.state !== "MISS",
    warnings: truncated ? [UNREAD] : ifEmpty(data, "nothing_there", NO_SHARE),
    data,
  };
  return { body, cache: cacheOf(cached) };
}

export interface ScreenDeps extends Pick<Services, "cacheDeps"> {
  readonly source: ScreenSource;
}

export function screens({ source, cacheDeps }: ScreenDeps) {
  const pages = createCache<Collected>(
    { name: "screener_page", ttlS: SCREENER_PAGE_CACHE_S, durable: false, entriesMax: 200 },
    cacheDeps,
  );
  const sets = createCache<Collected>(
    { name: "screener_set", ttlS: SCREENER_COLLECTED_CACHE_S, durable: false, entriesMax: SETS_MAX },
    cacheDeps,
  );

  const readPage = (screen: Screen, force: boolean, signal: AbortSignal) => {
    const offset = (screen.page - 1) * screen.page_size;
    const size = Math.min(screen.page_size, SOURCE_ROWS_MAX - offset);
    const query = { filters: sourceFilters(screen.filters), ...sourceSort(screen), offset, size };
    const load = async (shared: AbortSignal): Promise<Collected> => {
      const { rows, total, received_at } = await source.screen(query, shared);
      return { rows, total, truncated: false, as_of: received_at };
    };
    return pages.get(JSON.stringify(query), load, { force, signal });
  };

  const readWholeSet = (screen: Screen, force: boolean, signal: AbortSignal) => {
    const query = { filters: sourceFilters(screen.filters), ...sourceSort(screen) };
    const load = (shared: AbortSignal) => collect(source, query, shared);
    return sets.get(JSON.stringify(query), load, { force, signal });
  };

  /** Throws InvalidRequest for a screen that cannot be answered, and the source's errors. */
  return async (screen: Screen, force: boolean, signal: AbortSignal): Promise<ScreenResult> => {
    const isWholeSet = needsWholeSet(screen.filters);
    checkScreen(screen, isWholeSet);
    return isWholeSet
      ? wholeSetResult(screen, source, await readWholeSet(screen, force, signal))
      : pageResult(screen, source, await readPage(screen, force, signal));
  };
}

export type Screens = ReturnType<typeof screens>;
