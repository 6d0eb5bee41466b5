// The provider that the screener needs, as types; composition passes it in.
import type { StockRow } from "../../market/stock-row.ts";
import type { ScreenFilters } from "../../market/stock-screen.ts";

export const KINDS = ["etf", "fund", "preferred", "warrant", "unit", "adr", "otc"] as const;
export type Kind = (typeof KINDS)[number];

/** Sectors as the provider names them. */
export const SECTORS = [
  "Basic Materials",
  "Communication Services",
  "Consumer Cyclical",
  "Consumer Defensive",
  "Energy",
  "Financial Services",
  "Healthcare",
  "Industrials",
  "Real Estate",
  "Technology",
  "Utilities",
] as const;

export type Sector = (typeof SECTORS)[number];

export const SOURCE_SORTS = [
  "market_cap",
  "price",
  "change_percent",
  "volume",
  "avg_volume",
  "pe",
  "dividend_yield",
  "beta",
  "fifty_two_week_change",
] as const;
export type SourceSort = (typeof SOURCE_SORTS)[number];

export interface SourceScreen {
  readonly filters: ScreenFilters;
  readonly sort_by: SourceSort;
  readonly sort_order: "asc" | "desc";
  readonly offset: number;
  readonly size: number;
}

/** A share that passed the filters. The symbol is canonical, percentages are in percent. */
export type SourceRow = Omit<StockRow, "rank"> & {
  readonly dividend_yield: number | null;
  readonly beta: number | null;
  readonly sector: string | null;
  readonly industry: string | null;
  readonly kinds: readonly Kind[];
};

export interface SourcePage {
  /** Rows that match at the source. */
  readonly total: number;
  readonly rows: readonly SourceRow[];
  readonly received_at: string;
}

/** A provider that screens US shares, 250 rows per request. Throws Upstream* when it fails. */
export interface ScreenSource {
  readonly name: string;
  screen(screen: SourceScreen, signal?: AbortSignal): Promise<SourcePage>;
}

/** The source repeats rows from this one on. */
export const SOURCE_ROWS_MAX = 10_000;
