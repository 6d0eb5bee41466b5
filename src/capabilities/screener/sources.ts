// What the screener needs from outside, as types; composition says whom to ask.
import type { StockRow } from "../../market/stock-row.ts";

export const EXCHANGES = ["nasdaq", "nyse", "amex", "arca", "bats", "otc"] as const;
export type Exchange = (typeof EXCHANGES)[number];

export const KINDS = ["etf", "fund", "preferred", "warrant", "unit", "adr", "otc"] as const;
export type Kind = (typeof KINDS)[number];

/** Sectors in the provider's own words. */
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

/** What the source itself can filter by; every bound is inclusive. */
export interface SourceFilters {
  readonly exchanges?: readonly Exchange[];
  readonly sector?: string;
  readonly industry?: string;
  readonly market_cap_min?: number;
  readonly market_cap_max?: number;
  readonly price_min?: number;
  readonly price_max?: number;
  readonly volume_min?: number;
  readonly avg_volume_min?: number;
  readonly change_percent_min?: number;
  readonly change_percent_max?: number;
  readonly pe_min?: number;
  readonly pe_max?: number;
  readonly peg_max?: number;
  readonly dividend_yield_min?: number;
  readonly beta_min?: number;
  readonly beta_max?: number;
  readonly fifty_two_week_change_min?: number;
  readonly eps_growth_min?: number;
  readonly revenue_growth_min?: number;
}

export interface SourceScreen {
  readonly filters: SourceFilters;
  readonly sort_by: SourceSort;
  readonly sort_order: "asc" | "desc";
  readonly offset: number;
  readonly size: number;
}

/** A share that passed. Symbol canonical; percentages in percent points. */
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

/** Who screens US shares, 250 rows a request. Throws Upstream* when it fails. */
export interface ScreenSource {
  readonly name: string;
  screen(screen: SourceScreen, signal?: AbortSignal): Promise<SourcePage>;
}

/** From this row on the source repeats itself. */
export const SOURCE_ROWS_MAX = 10_000;
