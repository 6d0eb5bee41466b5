// The providers that the company capability needs, as types; composition supplies them.
import type { CompanyProfile } from "../../market/company-profile.ts";
import type { Quote } from "../../market/quote.ts";
import type { Log } from "../../platform/log.ts";

/**
 * A line of the regulator's list of tickers. `cik` has ten digits, `ticker` is in the regulator's spelling.
 */
export interface SourceListed {
  readonly cik: string;
  readonly ticker: string;
  readonly name: string;
  readonly exchange: string | null;
}

/** A line of the regulator's list of funds: one share class of one series of the trust `cik`. */
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

/** A filer as the regulator describes it. */
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

/** The regulator. Throws NotConfigured without SEC_USER_AGENT, Upstream* when it fails. */
export interface Regulator {
  listedTickers(signal?: AbortSignal): Promise<readonly SourceListed[]>;
  fundTickers(signal?: AbortSignal): Promise<readonly SourceFund[]>;
  /** Null or NotFound: there is no such entity. */
  submissions(
    cik: string,
    signal?: AbortSignal,
  ): Promise<{
    readonly entity: SourceEntity;
    /** YYYY-MM-DD; null when it has filed nothing. */
    readonly first_filing_date: string | null;
    readonly received_at: string;
  } | null>;
}

/** The company behind a symbol as the price provider describes it. */
export type SourceProfile = Omit<CompanyProfile, "symbol">;

/** The fields of a quote that replace a missing profile. */
export type SourceQuote = Pick<
  Quote,
  "name" | "quote_type" | "exchange" | "exchange_name" | "currency" | "market_cap" | "regular_market_time"
>;

/** The price provider. Both throw Upstream* when it fails. */
export interface Profiles {
  readonly name: string;
  /** Null or NotFound: no profile. The symbol may exist all the same. */
  profile(symbol: string, signal?: AbortSignal): Promise<SourceProfile | null>;
  /** A symbol absent from `quotes` is unknown or no longer quoted. */
  quotes(
    symbols: readonly string[],
    signal?: AbortSignal,
  ): Promise<{ readonly quotes: ReadonlyMap<string, SourceQuote> }>;
}

export type CompanyLog = Pick<Log, "info" | "warn">;
