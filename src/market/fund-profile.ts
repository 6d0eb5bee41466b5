// The price provider's profile of a fund.

/** One of the ten largest holdings. */
export interface FundTopHolding {
  /** The provider's spelling; null when it names none. */
  readonly symbol: string | null;
  readonly name: string | null;
  /** Share of the fund, percent points. */
  readonly weight_percent: number | null;
}

/**
 * Null is unknown, also where the provider writes zero without a record. Percentages in percent points,
 * moments RFC 3339 UTC.
 */
export interface FundProfile {
  readonly symbol: string;
  readonly name: string | null;
  /** ETF, MUTUALFUND, EQUITY, …; null for a delisted stub, which is called a mutual fund in any case. */
  readonly quote_type: string | null;
  readonly exchange: string | null;
  readonly exchange_name: string | null;
  readonly currency: string | null;
  /** The fund family, such as "Vanguard". */
  readonly issuer: string | null;
  readonly category: string | null;
  /** Such as "Exchange Traded Fund"; null when the provider gives none. */
  readonly legal_type: string | null;
  /** Fraction: 0.002 for 0.2 % a year. */
  readonly expense_ratio: number | null;
  readonly total_assets: number | null;
  readonly nav: number | null;
  readonly inception_date: string | null;
  readonly yield_percent: number | null;
  /** Asset classes of the fund. */
  readonly positions: Readonly<
    Record<"stock" | "bond" | "cash" | "preferred" | "convertible" | "other", number | null>
  > | null;
  /** Null when the provider has no record of holdings; empty when the record lists none. */
  readonly holdings: readonly FundTopHolding[] | null;
  /** Weights of the fund's stocks by the provider's sectors; null and empty as for `holdings`. */
  readonly sectors: readonly { readonly sector: string; readonly weight_percent: number }[] | null;
  readonly received_at: string;
}
