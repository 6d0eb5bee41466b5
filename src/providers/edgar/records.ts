// The records that the functions of this provider return.
import type { Acceptance } from "./acceptance.ts";
import type { InlineDocument } from "./parse/documents/filing-text.ts";

export type { InlineDocument } from "./parse/documents/filing-text.ts";

/**
 * A filing, and one of its parties, under whose CIK EDGAR has its folder. EDGAR serves it under the CIK of
 * each party.
 */
export interface FilingRef {
  /** `0000320193-26-000010`, dashed. */
  readonly accession_number: string;
  /** Ten digits. Default: the filer agent's number at the start of the accession number. */
  readonly cik?: string | undefined;
}

/** A row of company_tickers.json: one per ticker, so an entity may have several. */
export interface TickerRow {
  /** Ten digits. */
  readonly cik: string;
  /** EDGAR's spelling: upper case, share classes with a hyphen (BRK-B). */
  readonly ticker: string;
  readonly name: string;
}

/** A row of company_tickers_exchange.json. */
export interface ListedTickerRow extends TickerRow {
  /** "Nasdaq", "NYSE", "OTC", "CBOE"; null when EDGAR names none. */
  readonly exchange: string | null;
}

/** A row of company_tickers_mf.json: a share class of a fund. */
export interface FundTickerRow {
  /** Ten digits: the trust that files. */
  readonly cik: string;
  /** `S` and nine digits. */
  readonly series_id: string;
  /** `C` and nine digits. */
  readonly class_id: string;
  readonly ticker: string;
}

export interface FormerName {
  readonly name: string;
  /** First and last day of the name, YYYY-MM-DD; null when EDGAR does not state it. */
  readonly from: string | null;
  readonly to: string | null;
}

export interface PostalAddress {
  readonly street1: string | null;
  readonly street2: string | null;
  readonly city: string | null;
  /** EDGAR's two-character code: a US state or a country of its own list. */
  readonly state_or_country: string | null;
  readonly state_or_country_description: string | null;
  readonly zip: string | null;
}

/** A filer, as submissions/CIK##########.json describes it. EDGAR's empty texts are null. */
export interface Entity {
  /** Ten digits. */
  readonly cik: string;
  readonly name: string;
  /**
   * "operating", "investment", "other". Of little use: Berkshire is operating, Siemens and every person is
   * other.
   */
  readonly entity_type: string | null;
  readonly sic: string | null;
  readonly sic_description: string | null;
  /** EDGAR's review office, e.g. "06 Technology". */
  readonly owner_org: string | null;
  /** Share classes in EDGAR's order; empty for persons and for some companies that still file. */
  readonly tickers: readonly { readonly ticker: string; readonly exchange: string | null }[];
  readonly ein: string | null;
  readonly lei: string | null;
  readonly description: string | null;
  readonly website: string | null;
  readonly investor_website: string | null;
  readonly category: string | null;
  /** MM-DD. */
  readonly fiscal_year_end: string | null;
  readonly state_of_incorporation: string | null;
  readonly state_of_incorporation_description: string | null;
  readonly business_address: PostalAddress | null;
  readonly mailing_address: PostalAddress | null;
  readonly phone: string | null;
  readonly former_names: readonly FormerName[];
  /**
   * CIKs that this entity continues after a re-domiciliation. EDGAR links none itself; see predecessors.ts.
   */
  readonly predecessor_ciks: readonly string[];
}

/** One filing in the list of an entity. */
export interface FilingRow extends Acceptance {
  /** Dashed. */
  readonly accession_number: string;
  /**
   * Ten digits: the entity of the list, NOT always the subject: a 13D is in the holder's and the issuer's
   * list.
   */
  readonly cik: string;
  readonly form_type: string;
  /** Period of report; for an 8-K the date of its earliest event, not when the event became known. */
  readonly report_date: string | null;
  readonly act: string | null;
  readonly file_number: string | null;
  readonly film_number: string | null;
  /**
   * Item numbers as filed: ["2.02", "9.01"], before August 2004 ["5", "7"]. Other forms have items of their
   * own.
   */
  readonly items: readonly string[];
  /** Bytes of the whole submission; null when EDGAR does not state it. */
  readonly size: number | null;
  readonly is_xbrl: boolean;
  readonly is_inline_xbrl: boolean;
  /**
   * File name of the document as filed; raw XML for ownership forms. Null when there is none (paper, before
   * 2001).
   */
  readonly primary_document: string | null;
  readonly primary_document_description: string | null;
}

/** A file with older rows of an entity's list. */
export interface OlderPage {
  /** `CIK0000320193-submissions-001.json`. */
  readonly name: string;
  readonly filing_count: number;
  readonly filing_from: string;
  readonly filing_to: string;
}

export interface Submissions {
  readonly entity: Entity;
  /** Newest first: at least one year, and at least 1000 filings if there are as many. */
  readonly filings: readonly FilingRow[];
  readonly older_pages: readonly OlderPage[];
  /** Filing date of the first filing; null when there is none. */
  readonly first_filing_date: string | null;
  readonly received_at: string;
}

/**
 * A row of a daily or full index: one per party, so one filing has several; count filings by accession
 * number.
 */
export interface IndexRow {
  /** Ten digits. */
  readonly cik: string;
  readonly company_name: string;
  readonly form_type: string;
  /** In a daily index mostly its day; earlier for filings that EDGAR accepted or published late. */
  readonly filing_date: string;
  readonly accession_number: string;
}

/** Identifies a version of a file. Pass it to the next call to learn whether the file has changed. */
export interface Validators {
  readonly etag: string | null;
  readonly last_modified: string | null;
}

export interface IndexFile {
  readonly rows: readonly IndexRow[];
  /** Lines that could not be read, unchanged. There are few of them; otherwise the file is refused. */
  readonly unread: readonly string[];
  readonly validators: Validators;
}

/** An entry of the current feed: one per party of a filing. */
export interface FeedEntry extends Acceptance {
  readonly accession_number: string;
  /** As filed. EDGAR matches the requested type as a prefix and sends 424B2 for 4. */
  readonly form_type: string;
  /** Ten digits; null when the title has none. */
  readonly cik: string | null;
  readonly company_name: string;
  /** "Filer", "Issuer", "Reporting", "Subject", "Filed by"; null when the title has none. */
  readonly role: string | null;
  /** Item numbers of an 8-K. */
  readonly items: readonly string[];
}

export interface FeedPage {
  /** Newest first. */
  readonly entries: readonly FeedEntry[];
  /** When EDGAR made the page, RFC 3339 UTC. */
  readonly updated_at: string;
  /** `start` of the next page; null at the end of the feed, or beyond EDGAR's limit. */
  readonly next_start: number | null;
}

/** A document of a filing. */
export interface FilingDocument {
  /** Null for documents without a number, such as the whole submission. */
  readonly sequence: number | null;
  /** "8-K", "EX-99.1", "GRAPHIC", "XML"; null for the whole submission. */
  readonly type: string | null;
  readonly description: string | null;
  /** Null in filings before 2001, whose documents are only in the whole submission. */
  readonly filename: string | null;
  readonly size: number | null;
}

/** A party of a filing, from its header. */
export interface FilingParty {
  /** filer, issuer, reporting_owner, subject_company, filed_by, … */
  readonly role: string;
  readonly cik: string | null;
  readonly name: string | null;
  readonly sic: string | null;
  readonly state_of_incorporation: string | null;
  /** MM-DD. */
  readonly fiscal_year_end: string | null;
  readonly file_number: string | null;
  readonly former_names: readonly { readonly name: string; readonly changed_on: string | null }[];
}

/** The header of a submission. */
export interface FilingHeader extends Acceptance {
  readonly accession_number: string;
  readonly form_type: string;
  readonly report_date: string | null;
  /** Item numbers; empty when this kind of header has only titles. */
  readonly items: readonly string[];
  /** Item titles; empty when this kind of header has only numbers. */
  readonly item_titles: readonly string[];
  /** As stated; often off by one from the true count. */
  readonly public_document_count: number | null;
  readonly parties: readonly FilingParty[];
}

/** The detail page of a filing. */
export interface FilingIndex extends Acceptance {
  readonly accession_number: string;
  readonly form_type: string;
  readonly report_date: string | null;
  readonly items: readonly string[];
  /** Documents, then data files, in the page's order; XML renderings are left out for the raw XML. */
  readonly documents: readonly FilingDocument[];
  readonly parties: readonly { readonly cik: string; readonly name: string; readonly role: string | null }[];
}

/** Bytes and the receipt for them. */
export interface Receipted {
  readonly bytes: Uint8Array;
  readonly sha256: string;
  /** Their address at EDGAR. */
  readonly url: string;
  /** True when they came from the vault, without a request to EDGAR. */
  readonly from_vault: boolean;
}

/** How a file of a filing is fetched. */
export interface DocumentOptions {
  /**
   * Maximum of decoded bytes; more throw InvalidRequest `exhibit_too_large`. Default for documents:
   * EXHIBIT_BYTES_MAX.
   */
  readonly bytesMax?: number | undefined;
  /** Time limit, including our own queue; then UpstreamTimeout. Default for documents: EXHIBIT_DEADLINE_S. */
  readonly deadlineMs?: number | undefined;
  /** Fetches from EDGAR even when the vault has the file. */
  readonly refresh?: boolean | undefined;
  /** For filingIndex: does not fall back to the whole submission, which may be large. */
  readonly pageOnly?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface FetchedDocument extends Receipted {
  readonly filename: string | null;
  readonly type: string | null;
  /** By the file's extension. */
  readonly content_type: string;
}

/** A whole submission with its header and documents. */
export interface SubmissionText extends Receipted {
  readonly header: FilingHeader;
  /** Its documents as text, in order; `text` is null for pictures and PDF. */
  readonly documents: readonly InlineDocument[];
}

export interface SearchQuery {
  /** Words or "a phrase"; may be empty when `forms` or `ciks` is given. */
  readonly q?: string | undefined;
  readonly forms?: readonly string[] | undefined;
  readonly ciks?: readonly string[] | undefined;
  /** Items of 8-K, e.g. ["2.02"]. */
  readonly items?: readonly string[] | undefined;
  /** Give both dates or neither. EDGAR's search starts in 2001. */
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  /** Hits to skip, 0 to 9900 in steps of 100. */
  readonly from?: number | undefined;
}

/** A document that matches, with its filing. */
export interface SearchHit {
  readonly accession_number: string;
  readonly filename: string;
  readonly form_type: string;
  readonly file_type: string | null;
  readonly description: string | null;
  readonly filing_date: string;
  readonly report_date: string | null;
  readonly ciks: readonly string[];
  readonly names: readonly string[];
  readonly items: readonly string[];
}

export interface SearchPage {
  /** At most 100. */
  readonly hits: readonly SearchHit[];
  readonly total: number;
  /** EDGAR does not count beyond 10,000. */
  readonly total_is_lower_bound: boolean;
  readonly next_from: number | null;
}
