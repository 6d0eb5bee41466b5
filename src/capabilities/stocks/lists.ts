// The provider's lists of the market, page after page: most active, day gainers, 52-week gainers.
import {
  FIFTY_TWO_WEEK_CACHE_S,
  FIFTY_TWO_WEEK_PAGE_ROWS,
  MOST_ACTIVE_CACHE_S,
  MOST_ACTIVE_ROWS_MAX,
} from "../../limits.ts";
import { type CacheDeps, type CacheHit, createCache } from "../../platform/cache/cache.ts";
import type { ListSource, SourcePage, SourceRow } from "./sources.ts";

/** A list as it was read. */
export interface MarketList {
  readonly rows: readonly SourceRow[];
  /** Rows that match at the source, those beyond `rows` too. */
  readonly total: number;
  /** When its first page was read: nothing in it is older. */
  readonly as_of: string;
}

/** Rows of one request; the source gives no more. */
const PAGE_ROWS = 250;

/**
 * What counts as a 52-week gainer: a listed share (nothing over the counter) that is worth something and trades, as the
 * provider's own list of day gainers has it. Without floors the list is one of reverse splits gone wrong.
 */
export const FIFTY_TWO_WEEK_FLOORS = {
  exchanges: ["nasdaq", "nyse", "amex", "arca", "bats"],
  market_cap_min: 2_000_000_000,
  price_min: 5,
  volume_min: 15_000,
  fifty_two_week_change_min: 0,
} as const;

/**
 * Pages until the list ends or `rowsMax` is reached. The list moves while it is read: a symbol counts where it stood
 * first, and a page without anything new is the end.
 */
async function readPages(
  ask: (start: number, count: number) => Promise<SourcePage>,
  rowsMax: number,
  pageRows: number,
): Promise<MarketList> {
  const bySymbol = new Map<string, SourceRow>();
  let first: SourcePage | null = null;
  for (let start = 0; start < rowsMax; start += pageRows) {
    const page = await ask(start, Math.min(pageRows, rowsMax - start));
    first ??= page;
    const known = bySymbol.size;
    for (const row of page.rows) if (!bySymbol.has(row.symbol)) bySymbol.set(row.symbol, row);
    if (bySymbol.size === known || start + pageRows >= page.total) break;
  }
  const rows = [...bySymbol.values()];
  return { rows, total: Math.max(first?.total ?? 0, rows.length), as_of: first?.received_at ?? "" };
}

export interface MarketLists {
  mostActive(force: boolean, signal: AbortSignal): Promise<CacheHit<MarketList>>;
  /** The first `pages` times 200 of the list. */
  fiftyTwoWeekGainers(pages: number, force: boolean, signal: AbortSignal): Promise<CacheHit<MarketList>>;
  /** Never remembered. */
  dayGainers(count: number, signal: AbortSignal): Promise<MarketList>;
}

export function marketLists(source: ListSource, cacheDeps: CacheDeps): MarketLists {
  const actives = createCache<MarketList>(
    { name: "most_active", ttlS: MOST_ACTIVE_CACHE_S, durable: false, entriesMax: 1 },
    cacheDeps,
  );
  const gainers = createCache<MarketList>(
    { name: "52_week_gainers", ttlS: FIFTY_TWO_WEEK_CACHE_S, durable: false, entriesMax: 10 },
    cacheDeps,
  );
  const predefined = (list: "most_actives" | "day_gainers", rowsMax: number, signal: AbortSignal) =>
    readPages((start, count) => source.predefined(list, { start, count }, signal), rowsMax, PAGE_ROWS);

  return {
    mostActive: (force, signal) =>
      actives.get("all", (shared) => predefined("most_actives", MOST_ACTIVE_ROWS_MAX, shared), {
        force,
        signal,
      }),
    fiftyTwoWeekGainers: (pages, force, signal) =>
      gainers.get(
        String(pages),
        async (shared) => {
          const screen = {
            filters: FIFTY_TWO_WEEK_FLOORS,
            sort_by: "fifty_two_week_change",
            sort_order: "desc",
          } as const;
          const list = await readPages(
            (offset, size) => source.screen({ ...screen, offset, size }, shared),
            pages * FIFTY_TWO_WEEK_PAGE_ROWS,
            FIFTY_TWO_WEEK_PAGE_ROWS,
          );
          // A row that does not tell its gain is no proof of one.
          const rows = list.rows.filter((row) => (row.fifty_two_week_change_percent ?? -1) > 0);
          return { ...list, rows };
        },
        { force, signal },
      ),
    dayGainers: (count, signal) => predefined("day_gainers", count, signal),
  };
}
