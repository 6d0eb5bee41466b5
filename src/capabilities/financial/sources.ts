// The providers and other capabilities that the financial capability needs, as types; composition supplies
// them.
import type { ResolveHolder } from "../../market/issuer.ts";
import type { AsofError } from "../../platform/errors.ts";
import type { Edgar } from "../../providers/edgar/index.ts";
import type { CompanyBlock } from "./schema.ts";

/** The regulator's files of figures, and its renderings of statements. */
export type FigureSource = Pick<Edgar, "companyFacts" | "submissionText" | "cashFlowElements">;

/** The company behind a ticker, as the company capability answers it. */
export interface CompanyRecord extends Readonly<CompanyBlock> {
  /** Other symbols of the same company, canonical; null when they are not known. */
  readonly share_classes: readonly { readonly ticker: string }[] | null;
  readonly warnings: readonly string[];
}

/**
 * Finds the company behind a ticker. Throws NotFound `unknown_ticker` only when the sources said so,
 * Upstream* or NotConfigured when they could not be asked and nothing is stored.
 */
export type FindCompany = (ticker: string, force: boolean, signal: AbortSignal) => Promise<CompanyRecord>;

/**
 * Gives the company of a CIK, which had the ticker at a moment, as it was known then; what was not known is
 * null.
 */
export type FindPastCompany = (
  ticker: string,
  cik: string,
  at: Temporal.Instant,
  signal: AbortSignal,
) => Promise<CompanyRecord>;

/** Finds the filer that had a ticker at a moment. */
export type ResolveListedFiler = ResolveHolder<"cik" | "is_listed" | "is_replaced" | "warnings">;

/** A periodic report (10-K, 10-Q, …) in the index of filings. */
export interface PeriodicFiling {
  readonly accession_number: string;
  /** Ten digits. */
  readonly cik: string;
  readonly form_type: string;
  readonly filing_date: string;
  /** When it became public. */
  readonly known_at: string;
  /** Whether it is filed with tagged figures; null when the index does not say. */
  readonly is_xbrl: boolean | null;
}

export interface PeriodicReports {
  /** The filer and its predecessors. */
  readonly ciks: readonly string[];
  /** Newest first. */
  readonly filings: readonly PeriodicFiling[];
  /** Reports that may have been public at the moment, whose headers are not read yet. */
  readonly acceptance_pending?: number;
  readonly warnings: readonly string[];
}

/** The index of filings, kept by the filings capability. */
export interface ReportIndex {
  /**
   * The periodic reports of a filer (see PERIODIC_FORMS), after the index is brought up to `asOf` or to now.
   * When the regulator cannot be asked, returns what is indexed with a warning; throws when nothing is
   * indexed. Newly met 8-Ks of the filer are queued for background parsing.
   */
  periodic(cik: string, asOf: Temporal.Instant | null, signal: AbortSignal): Promise<PeriodicReports>;
  /** When filings became public, RFC 3339 UTC; those whose acceptance is unknown are absent. */
  acceptanceOf(accessions: readonly string[]): ReadonlyMap<string, string>;
}

/**
 * Has the closes of a symbol on the given days stored, asking the price provider for those that are not.
 * Returns why the provider gave nothing, null when nothing failed; throws the signal's reason.
 */
export type FillCloses = (
  symbol: string,
  dates: readonly string[],
  signal: AbortSignal,
) => Promise<AsofError | null>;

/** Forms that contain the statements of a period. */
export const PERIODIC_FORMS: readonly string[] = [
  ...["10-K", "10-Q", "10-KT", "10-QT", "10-K405", "10-KSB", "10-QSB", "20-F", "40-F"],
  ...["10-K/A", "10-Q/A", "10-KT/A", "10-QT/A", "10-K405/A", "10-KSB/A", "10-QSB/A", "20-F/A", "40-F/A"],
];
