// The providers that the market lists need, as types; composition passes them in.
import type { StockRow } from "../../market/stock-row.ts";
import type { Constituent } from "./schema.ts";

export type IndexName = "sp500" | "nasdaq100";

/** The members of an index, from a source that is identified by its revision. */
export interface SourceMembers {
  readonly classification: "GICS" | "ICB" | null;
  /** Their symbols are canonical. */
  readonly constituents: readonly Constituent[];
  readonly source: string;
  readonly received_at: string;
}

/** A provider of index members. Throws Upstream* when it fails, and for an implausible list. */
export interface IndexSource {
  indexMembers(index: IndexName, signal?: AbortSignal): Promise<SourceMembers>;
}

/** A share in a list, in list order; the symbol is canonical. */
export type SourceRow = Omit<StockRow, "rank">;

export interface SourcePage {
  readonly total: number;
  readonly rows: readonly SourceRow[];
  readonly received_at: string;
}

/** A provider of market lists. All methods throw Upstream* when it fails. */
export interface ListSource {
  readonly name: string;
  /** At most `count` rows (maximum 250) from `start` of a list that the source defines. */
  predefined(
    list: "day_gainers" | "most_actives",
    span: { readonly start: number; readonly count: number },
    signal?: AbortSignal,
  ): Promise<SourcePage>;
  /** US shares that pass the filters; bounds are inclusive. */
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
