// The providers that the company capability needs, as types; composition supplies them.

import type { CompanyProfile } from "../../market/company-profile.ts";
import type { Quote } from "../../market/quote.ts";
import type { Log } from "../../platform/log.ts";
import type { Entity, FundTickerRow, ListedTickerRow, PostalAddress } from "../../providers/edgar/index.ts";

/** A filer as the regulator describes it. */
export type SourceEntity = Pick<
  Entity,
  | "cik"
  | "name"
  | "sic"
  | "sic_description"
  | "tickers"
  | "description"
  | "website"
  | "fiscal_year_end"
  | "state_of_incorporation"
  | "former_names"
  | "predecessor_ciks"
> & {
  readonly business_address: Pick<PostalAddress, "state_or_country" | "state_or_country_description"> | null;
};

/** The regulator. Throws NotConfigured without SEC_USER_AGENT, Upstream* when it fails. */
export interface Regulator {
  listedTickers(signal?: AbortSignal): Promise<readonly ListedTickerRow[]>;
  fundTickers(signal?: AbortSignal): Promise<readonly FundTickerRow[]>;
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
