// The filters of a stock screen, the same for every provider that runs one.

export const EXCHANGES = ["nasdaq", "nyse", "amex", "arca", "bats", "otc"] as const;
export type Exchange = (typeof EXCHANGES)[number];

/** Every bound is inclusive. Percentages in percent points, money in US dollars, volumes in shares. */
export interface ScreenFilters {
  /** Empty or absent: all US markets, including over the counter. */
  readonly exchanges?: readonly Exchange[];
  /** The provider's own name of a sector, such as "Consumer Cyclical". */
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
