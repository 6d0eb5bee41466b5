// The company behind a symbol, as a price provider describes it.

/** Texts are the provider's own. Null is unknown. Moments are RFC 3339 UTC, dates YYYY-MM-DD. */
export interface CompanyProfile {
  readonly symbol: string;
  readonly name: string | null;
  /** EQUITY, ETF, MUTUALFUND, INDEX, …; null where the provider lists a name without a quote. */
  readonly quote_type: string | null;
  /** The provider's code of the exchange (NMS) and its name (NasdaqGS). */
  readonly exchange: string | null;
  readonly exchange_name: string | null;
  /** Currency of the price; `GBp` is pence. */
  readonly currency: string | null;
  /** In whole pounds where the price is in pence. */
  readonly market_cap: number | null;
  /** Time of the price that `market_cap` is computed from. */
  readonly market_cap_as_of: string | null;
  readonly sector: string | null;
  readonly industry: string | null;
  readonly description: string | null;
  readonly website: string | null;
  readonly country: string | null;
  readonly employees: number | null;
  /** Shares of this class only; may lag a split or an issue by weeks. */
  readonly shares_outstanding: number | null;
  /** First day of the provider's history; for old companies later than the listing (IBM: 1962-01-02). */
  readonly first_trade_date: string | null;
  readonly received_at: string;
}
