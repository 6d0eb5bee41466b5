// Reads the provider's market lists page by page: most active, day gainers, 52-week gainers.
import {
  FIFTY_TWO_WEEK_CACHE_S,
  FIFTY_TWO_WEEK_PAGE_ROWS,
  MOST_ACTIVE_CACHE_S,
  MOST_ACTIVE_ROWS_MAX,
} from "../../limits.ts";
import { absent } from "../../market/absence.ts";
import { type CacheDeps, type CacheHit, createCache } from "../../platform/cache/cache.ts";
import type { ListSource, SourcePage, SourceRow } from "./sources.ts";

/** A list as it was read. */
export interface MarketList {
  readonly rows: readonly SourceRow[];
  /** Rows that match at the source, including those beyond `rows`. */
  readonly total: number;
  /** When the first page was read; no row is older. */
  readonly as_of: string;
  /** Warnings about rows that the source has, or may have, and that are missing from `rows`. */
  readonly warnings: readonly string[];
}

/** Rows per request; the source gives no more. */
const PAGE_ROWS = 250;

/**
 * Minimums of a 52-week gainer: a listed share with a real market value and real trading, by the thresholds
 * of the provider's own list of day gainers. Without them the list is full of wrongly adjusted reverse
 * splits.
 */
// Made up: a share of 4.90 that gained 900 %, and one of 60 worth 1.9 billion, are left out.
export const FIFTY_TWO_WEEK_FLOORS = {
  exchanges: ["nasdaq", "nyse", "amex", "arca", "bats"],
  market_cap_min: 2_000_000_000,
  price_min: 5,
  volume_min: 15_000,
  fifty_two_week_change_min: 0,
} as const;

/**
 * Reads pages until the list ends or `rowsMax` is reached. The list changes while it is read, so a symbol
 * counts where it appeared first, and a page without new symbols is the end.
 */
// Made up: ZQX at place 250 of page 1 and, moved meanwhile, at the top of page 2: it is listed once, at 250.
async function readPages(
  readPage: (start: number, count: number) => Promise<SourcePage>,
  rowsMax: number,
  pageRows: number,
): Promise<Omit<MarketList, "warnings">> {
  const bySymbol = new Map<string, SourceRow>();
  let first: SourcePage | null = null;
  for (let start = 0; start < rowsMax; start += pageRows) {
    const page = await readPage(start, Math.min(pageRows, rowsMax - start));
    first ??= page;
    const known = bySymbol.size;
    for (const row of page.rows) if (!bySymbol.has(row.symbol)) bySymbol.set(row.symbol, row);
    if (bySymbol.size === known || start + pageRows >= page.total) break;
  }
  const rows = [...bySymbol.values()];
  return { rows, total: Math.max(first?.total ?? 0, rows.length), as_of: first?.received_at ?? "" };
}

/**
 * Returns warnings about rows that a list lacks though it was requested with at most `rowsMax` rows. Some the
 * source counts and did not give. Others lie beyond `rowsMax`, and `more` says how to read them; it is null
 * where the request chose `rowsMax` itself.
 */
function lacking(
  name: string,
  { rows, total }: Omit<MarketList, "warnings">,
  rowsMax: number,
  more: string | null,
): string[] {
  if (total === 0) return [absent("nothing_there", `The list of ${name} is empty at its source.`)];
  const missing = Math.min(total, rowsMax) - rows.length;
  const warnings: string[] = [];
  if (missing > 0)
    warnings.push(
      absent(
        "not_read",
        `${missing} of the ${total} shares that the source counts in the list of ${name} are not here: the list changed while it was read, or their entries could not be read.`,
      ),
    );
  if (more !== null && total > rowsMax)
    warnings.push(
      absent(
        "not_read",
        `The first ${rowsMax} of ${total} shares in the list of ${name} were read; ${more}.`,
      ),
    );
  return warnings;
}

export interface MarketLists {
  mostActive(force: boolean, signal: AbortSignal): Promise<CacheHit<MarketList>>;
  /** The first `pages` times 200 rows of the list. */
  fiftyTwoWeekGainers(pages: number, force: boolean, signal: AbortSignal): Promise<CacheHit<MarketList>>;
  /** Never cached. */
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
  const mostActives = async (signal: AbortSignal): Promise<MarketList> => {
    const list = await predefined("most_actives", MOST_ACTIVE_ROWS_MAX, signal);
    const warnings = lacking("most active shares", list, MOST_ACTIVE_ROWS_MAX, "no more can be read");
    return { ...list, warnings };
  };

  return {
    mostActive: (force, signal) => actives.get("all", mostActives, { force, signal }),
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
          const rowsMax = pages * FIFTY_TWO_WEEK_PAGE_ROWS;
          const warnings = lacking("52-week gainers", list, rowsMax, "`max_pages` of its route reads more");
          // A row without a 52-week change is not known to be a gainer.
          const unknown = list.rows.filter((row) => row.fifty_two_week_change_percent === null).length;
          if (unknown > 0)
            warnings.push(
              absent(
                "not_read",
                `Shares left out because the source gave no 52-week change of them: ${unknown}.`,
              ),
            );
          const rows = list.rows.filter((row) => (row.fifty_two_week_change_percent ?? -1) > 0);
          return { ...list, rows, warnings };
        },
        { force, signal },
      ),
    async dayGainers(count, signal) {
      const list = await predefined("day_gainers", count, signal);
      return { ...list, warnings: lacking("day gainers", list, count, null) };
    },
  };
}
