// Collects all rows that match at the source, page by page up to a limit, and sorts them by their own
// figures.
import {
  SCREENER_COLLECT_PAGES_MAX,
  SCREENER_COLLECT_ROWS_MAX,
  SCREENER_PAGE_ROWS_MAX,
} from "../../limits.ts";
import { dollarVolume } from "./filters.ts";
import type { ScreenSource, SourceRow, SourceScreen, SourceSort } from "./sources.ts";

/** The rows of a screen as they were read. */
export interface Collected {
  readonly rows: readonly SourceRow[];
  /** Rows that match at the source. */
  readonly total: number;
  /** Whether there are more rows than were read. */
  readonly truncated: boolean;
  /** When the first page was read; no row is older. */
  readonly as_of: string;
}

/**
 * Reads all pages of a screen. The list changes while it is read, so a symbol counts where it appeared first.
 * An empty page before the end leaves the set incomplete, and `truncated` is true.
 */
export async function collect(
  source: ScreenSource,
  screen: Omit<SourceScreen, "offset" | "size">,
  signal: AbortSignal,
): Promise<Collected> {
  const bySymbol = new Map<string, SourceRow>();
  const size = SCREENER_PAGE_ROWS_MAX;
  let [total, reached, as_of] = [0, 0, ""];
  for (let page = 0; page < SCREENER_COLLECT_PAGES_MAX && bySymbol.size < SCREENER_COLLECT_ROWS_MAX; page++) {
    const result = await source.screen({ ...screen, offset: page * size, size }, signal);
    if (page === 0) as_of = result.received_at;
    total = result.total;
    for (const row of result.rows)
      if (!bySymbol.has(row.symbol) && bySymbol.size < SCREENER_COLLECT_ROWS_MAX)
        bySymbol.set(row.symbol, row);
    if (result.rows.length === 0) break;
    reached = (page + 1) * size;
    if (reached >= total) break;
  }
  return { rows: [...bySymbol.values()], total, truncated: reached < total, as_of };
}

export type SortBy = SourceSort | "dollar_volume";

const VALUES: Readonly<Record<SortBy, (row: SourceRow) => number | null>> = {
  market_cap: (row) => row.market_cap,
  price: (row) => row.price,
  change_percent: (row) => row.change_percent,
  volume: (row) => row.volume,
  avg_volume: (row) => row.avg_volume_3m,
  pe: (row) => row.pe_ratio,
  dividend_yield: (row) => row.dividend_yield,
  beta: (row) => row.beta,
  fifty_two_week_change: (row) => row.fifty_two_week_change_percent,
  dollar_volume: dollarVolume,
};

/**
 * Sorts rows by one figure, then by symbol; rows with an unknown figure come last in their original order.
 */
export function sorted(rows: readonly SourceRow[], by: SortBy, order: "asc" | "desc"): SourceRow[] {
  const sign = order === "asc" ? 1 : -1;
  return rows
    .map((row) => ({ row, value: VALUES[by](row) }))
    .sort((a, b) => {
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
      if (a.value !== b.value) return sign * (a.value - b.value);
      return a.row.symbol < b.row.symbol ? -1 : 1;
    })
    .map(({ row }) => row);
}
