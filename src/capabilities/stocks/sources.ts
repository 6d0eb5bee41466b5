// What the market lists need from outside, as types; composition says whom to ask.
import type { StockRow } from "../../market/stock-row.ts";

export type IndexName = "sp500" | "nasdaq100";

export interface SourceConstituent {
  /** Canonical. */
  readonly symbol: string;
  readonly company_name: string;
  readonly sector: string | null;
  readonly sub_industry: string | null;
  readonly headquarters: string | null;
  readonly date_added: string | null;
  readonly cik: string | null;
  readonly founded: string | null;
}

/** The members of an index at a moment, from a source that can be named to the revision. */
export interface SourceMembers {
  readonly classification: "GICS" | "ICB" | null;
  readonly constituents: readonly SourceConstituent[];
  readonly source: string;
  readonly received_at: string;
}

/** Who knows the members of an index. Throws Upstream* when it fails, and for a list that cannot be right. */
export interface IndexSource {
  indexMembers(index: IndexName, signal?: AbortSignal): Promise<SourceMembers>;
}

/** A share in a list; in list order, symbols canonical. */
export type SourceRow = Omit<StockRow, "rank">;

export interface SourcePage {
  readonly total: number;
  readonly rows: readonly SourceRow[];
  readonly received_at: string;
}

/** Who keeps lists of the market. All throw Upstream* when it fails. */
export interface ListSource {
  readonly name: string;
  /** `count` rows at most, 250 of them, from `start` of a list the source keeps. */
  predefined(
    list: "day_gainers" | "most_actives",
    span: { readonly start: number; readonly count: number },
    signal?: AbortSignal,
  ): Promise<SourcePage>;
  /** US shares that pass filters, each bound inclusive. */
  screen(
    screen: {
      readonly filters: {
        readonly exchanges: readonly ("nasdaq" | "nyse" | "amex" | "arca" | "bats")[];
        readonly market_cap_min: number;
        readonly price_min: number;
        readonly volume_min: number;
        readonly fifty_two_week_change_min: number;
      };
      readonly sort_by: "fifty_two_week_change";
      readonly sort_order: "desc";
      readonly offset: number;
      readonly size: number;
    },
    signal?: AbortSignal,
  ): Promise<SourcePage>;
}

export interface StocksLog {
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
