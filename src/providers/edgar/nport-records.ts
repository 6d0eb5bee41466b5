// The records of a fund's monthly report of holdings (Form NPORT-P).
import type { Acceptance } from "./acceptance.ts";
import type { Unread } from "./ownership-records.ts";
import type { Receipted } from "./records.ts";

/*
 * Numbers are as filed and never corrected: a short position is negative if the filer wrote it so, and
 * weights need not sum to 100. Null means not reported, or a placeholder ("N/A", a CUSIP of zeros). 0 means
 * reported as zero.
 */

/** One line of the schedule of investments: a security, a deposit or a contract. */
export interface NportHolding {
  /** 1, 2, … in the order of the report. */
  readonly line: number;
  /** Name of the issuer, or of the counterparty. */
  readonly name: string | null;
  readonly title: string | null;
  readonly lei: string | null;
  readonly cusip: string | null;
  readonly isin: string | null;
  /** As filed. Mostly the issuer's own code for a bond, and the local ticker for a foreign share. */
  readonly ticker: string | null;
  readonly balance: number | null;
  /** The unit of `balance`: NS shares, PA principal amount, NC contracts, OU other units. */
  readonly units: string | null;
  readonly units_described: string | null;
  /** ISO 4217 code the position is held in. */
  readonly currency: string | null;
  readonly value_usd: number | null;
  /** Percent of the fund's net assets: 1.92 for 1.92 %. */
  readonly weight_percent: number | null;
  /** Null when neither applies: most derivatives say N/A. */
  readonly payoff_profile: "Long" | "Short" | null;
  /**
   * EC common equity, EP preferred, DBT debt, STIV cash vehicle, RA repurchase, DE, DFE, DIR, DCO, DCR, DO
   * derivatives, OTHER, …
   */
  readonly asset_category: string | null;
  /** CORP, UST, USGA, USGSE, MUN, NUSS, PF, RF, OTHER. */
  readonly issuer_category: string | null;
  /** Country of the issuer, two letters. */
  readonly country: string | null;
  readonly fair_value_level: number | null;
  readonly is_restricted: boolean | null;
  /** FWD, FUT, SWP, OPT, SWO, WAR, OTH; null for anything but a derivative. */
  readonly derivative_kind: string | null;
}

export interface NportReport {
  /** NPORT-P, NPORT-P/A, … */
  readonly form_type: string;
  readonly is_amendment: boolean;
  readonly registrant_name: string | null;
  /** Ten digits. */
  readonly registrant_cik: string | null;
  /** `S` and nine digits; null for a registrant without series. */
  readonly series_id: string | null;
  readonly series_name: string | null;
  readonly series_lei: string | null;
  readonly class_ids: readonly string[];
  /** Date of the holdings, YYYY-MM-DD. */
  readonly period_end: string;
  /** End of the fund's fiscal year; not the date of the holdings. */
  readonly fiscal_year_end: string | null;
  readonly is_final: boolean | null;
  /** US dollars. */
  readonly total_assets: number | null;
  readonly total_liabilities: number | null;
  readonly net_assets: number | null;
  readonly holdings: readonly NportHolding[];
  /** Fields that are not numbers, with how often that occurs. */
  readonly warnings: readonly string[];
}

/** A report with the receipt for its bytes. `read.failed` is the reason when it could not be read. */
export interface NportRead extends Receipted {
  readonly read: NportReport | Unread;
}

/** An entry in the list of a series' reports: the filing, and when it became public. */
export interface SeriesFiling extends Acceptance {
  readonly accession_number: string;
  readonly form_type: string;
  /** Ten digits: the trust whose folder holds the filing; null when the list does not say. */
  readonly cik: string | null;
}
