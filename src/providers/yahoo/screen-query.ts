// Translates screen filters into the query language of Yahoo's screener: operators on fields, joined by AND.
import type { Exchange, ScreenFilters } from "../../market/stock-screen.ts";
import { OTC_CODES } from "./parse/screener-row.ts";

const EXCHANGE_CODES: Readonly<Record<Exchange, readonly string[]>> = {
  nasdaq: ["NMS", "NGM", "NCM"],
  nyse: ["NYQ"],
  amex: ["ASE"],
  arca: ["PCX"],
  bats: ["BTS"],
  otc: OTC_CODES,
};

type Bound = Exclude<keyof ScreenFilters, "exchanges" | "sector" | "industry">;

/** Field and operator of each bound, with Yahoo's field names. */
const BOUNDS: Readonly<Record<Bound, readonly [field: string, operator: "GTE" | "LTE"]>> = {
  market_cap_min: ["intradaymarketcap", "GTE"],
  market_cap_max: ["intradaymarketcap", "LTE"],
  price_min: ["intradayprice", "GTE"],
  price_max: ["intradayprice", "LTE"],
  volume_min: ["dayvolume", "GTE"],
  avg_volume_min: ["avgdailyvol3m", "GTE"],
  change_percent_min: ["percentchange", "GTE"],
  change_percent_max: ["percentchange", "LTE"],
  pe_min: ["peratio.lasttwelvemonths", "GTE"],
  pe_max: ["peratio.lasttwelvemonths", "LTE"],
  peg_max: ["pegratio_5y", "LTE"],
  dividend_yield_min: ["forward_dividend_yield", "GTE"],
  beta_min: ["beta", "GTE"],
  beta_max: ["beta", "LTE"],
  fifty_two_week_change_min: ["fiftytwowkpercentchange", "GTE"],
  eps_growth_min: ["epsgrowth.lasttwelvemonths", "GTE"],
  revenue_growth_min: ["quarterlyrevenuegrowth.quarterly", "GTE"],
};

const SORT_FIELDS = {
  market_cap: "intradaymarketcap",
  price: "intradayprice",
  change_percent: "percentchange",
  volume: "dayvolume",
  avg_volume: "avgdailyvol3m",
  pe: "peratio.lasttwelvemonths",
  dividend_yield: "forward_dividend_yield",
  beta: "beta",
  fifty_two_week_change: "fiftytwowkpercentchange",
} as const;

export type ScreenSort = keyof typeof SORT_FIELDS;

/** Every Yahoo field that is filtered or sorted by, for tests against Yahoo's list of fields. */
export const SCREEN_FIELDS: readonly string[] = [
  ...new Set([...Object.values(BOUNDS).map(([field]) => field), ...Object.values(SORT_FIELDS)]),
];

export interface Screen {
  readonly filters: ScreenFilters;
  readonly sort_by: ScreenSort;
  readonly sort_order: "asc" | "desc";
  readonly offset: number;
  readonly size: number;
}

type Operand = { readonly operator: string; readonly operands: readonly (Operand | string | number)[] };

const is = (field: string, value: string): Operand => ({ operator: "EQ", operands: [field, value] });

/** One of several codes. The language has no lists, and it refuses an OR with a single operand. */
function exchangesOperand(exchanges: readonly Exchange[]): Operand[] {
  const codes = exchanges.flatMap((name) => EXCHANGE_CODES[name]).map((code) => is("exchange", code));
  const [only] = codes;
  if (!only) return [];
  return codes.length === 1 ? [only] : [{ operator: "OR", operands: codes }];
}

/**
 * The body of a screen. Without `region` Yahoo answers for the whole world, comparing market caps in local
 * currencies. The bound of a price above zero gives the AND the two operands it needs, and leaves out stocks
 * without a price.
 */
export function screenBody({ filters, sort_by, sort_order, offset, size }: Screen): object {
  const bounds = (Object.keys(BOUNDS) as Bound[]).flatMap((name): Operand[] => {
    const value = filters[name];
    const [field, operator] = BOUNDS[name];
    return value === undefined ? [] : [{ operator, operands: [field, value] }];
  });
  const operands: Operand[] = [
    is("region", "us"),
    { operator: "GT", operands: ["intradayprice", 0] },
    ...exchangesOperand(filters.exchanges ?? []),
    ...(filters.sector === undefined ? [] : [is("sector", filters.sector)]),
    ...(filters.industry === undefined ? [] : [is("industry", filters.industry)]),
    ...bounds,
  ];
  return {
    offset,
    size,
    sortField: SORT_FIELDS[sort_by],
    sortType: sort_order === "asc" ? "ASC" : "DESC",
    quoteType: "EQUITY",
    query: { operator: "AND", operands },
    userId: "",
    userIdType: "guid",
  };
}
