// What the company capability needs from providers, as types; composition hands in whom to ask.

/** A line of the regulator's list of tickers. `cik` has ten digits, `ticker` is in the regulator's spelling. */
export interface SourceListed {
  readonly cik: string;
  readonly ticker: string;
  readonly name: string;
  readonly exchange: string | null;
}

/** A line of the regulator's list of funds: a share class of a series of the trust `cik`. */
export interface SourceFund {
  readonly cik: string;
  readonly ticker: string;
  readonly series_id: string;
  readonly class_id: string;
}

export interface SourceFormerName {
  readonly name: string;
  /** YYYY-MM-DD; null where the regulator does not say. */
  readonly from: string | null;
  readonly to: string | null;
}

/** What the regulator says of who files. */
export interface SourceEntity {
  readonly cik: string;
  readonly name: string;
  readonly sic: string | null;
  readonly sic_description: string | null;
  readonly tickers: readonly { readonly ticker: string; readonly exchange: string | null }[];
  readonly description: string | null;
  readonly website: string | null;
  /** MM-DD. */
  readonly fiscal_year_end: string | null;
  readonly state_of_incorporation: string | null;
  readonly business_address: {
    readonly state_or_country: string | null;
    readonly state_or_country_description: string | null;
  } | null;
  readonly former_names: readonly SourceFormerName[];
  readonly predecessor_ciks: readonly string[];
}

/** The regulator. Throws NotConfigured without a name to ask in, Upstream* when it fails. */
export interface Regulator {
  listedTickers(signal?: AbortSignal): Promise<readonly SourceListed[]>;
  fundTickers(signal?: AbortSignal): Promise<readonly SourceFund[]>;
  /** Null, or NotFound: no such entity. */
  submissions(
    cik: string,
    signal?: AbortSignal,
  ): Promise<{ readonly entity: SourceEntity; readonly received_at: string } | null>;
}

/** What the price provider says of who is behind a symbol: texts as it writes them, moments RFC 3339 UTC. */
export interface SourceProfile {
  readonly name: string | null;
  /** EQUITY, ETF, …; null where the provider keeps a name without quoting it. */
  readonly quote_type: string | null;
  readonly exchange: string | null;
  readonly exchange_name: string | null;
  readonly currency: string | null;
  readonly market_cap: number | null;
  readonly market_cap_as_of: string | null;
  readonly sector: string | null;
  readonly industry: string | null;
  readonly description: string | null;
  readonly website: string | null;
  readonly country: string | null;
  readonly employees: number | null;
  readonly shares_outstanding: number | null;
  readonly first_trade_date: string | null;
  readonly received_at: string;
}

/** The part of a quote that stands in where there is no profile. */
export interface SourceQuote {
  readonly name: string | null;
  readonly quote_type: string | null;
  readonly exchange: string | null;
  readonly exchange_name: string | null;
  readonly currency: string | null;
  readonly market_cap: number | null;
  readonly regular_market_time: string | null;
}

/** The price provider. Both throw Upstream* when it fails. */
export interface Profiles {
  readonly name: string;
  /** Null, or NotFound: no profile, which does not say that there is no such symbol. */
  profile(symbol: string, signal?: AbortSignal): Promise<SourceProfile | null>;
  /** A symbol that is not in `quotes` is unknown, or no longer quoted. */
  quotes(
    symbols: readonly string[],
    signal?: AbortSignal,
  ): Promise<{ readonly quotes: ReadonlyMap<string, SourceQuote> }>;
}

export interface CompanyLog {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
