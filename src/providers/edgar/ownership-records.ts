// The records of Forms 3, 4 and 5 and Schedules 13D and 13G: insiders' trades and large holdings.
import type { Acceptance } from "./acceptance.ts";
import type { Receipted } from "./records.ts";

/*
 * Numbers are as filed: shares in shares, money in US dollars, percent as 5.1 for 5.1 %. Null means not
 * reported or not readable; 0 means reported as zero. A day is YYYY-MM-DD, without the zone that some filers
 * append. A CIK has ten digits.
 */

/**
 * Why a document could not be read. Its raw bytes stay in the vault. `message` is one sentence to show beside
 * it.
 */
export interface Unread {
  readonly failed: UnreadReason;
  readonly message: string;
}
export type UnreadReason =
  /**
   * Filed as text only, before forms were data (June 2003 for 3, 4 and 5). Not an error; a retry does not
   * help.
   */
  | "pre_xml_text"
  /** A web page: the SEC's rendering of the form, or a page that is not a form. */
  | "rendered_page"
  /** Another kind of document than the function reads. */
  | "not_this_form"
  /** Neither the strict nor the lenient parser finds the form's required fields. */
  | "malformed"
  /** It declares a document type or entities, which no form does. */
  | "forbidden_declaration"
  | "too_large"
  | "too_deep"
  | "too_many_nodes"
  | "too_slow"
  /** The submission is cut off, or has no document. */
  | "truncated"
  | "no_documents"
  /** An unstructured 13D or 13G without a readable figure on its cover pages. */
  | "no_cover_page";

/** True for a document that could not be read. */
export const isUnread = (read: object): read is Unread => "failed" in read;

// ---------------------------------------------------------------------------------------- Forms 3, 4, 5

export type SecurityType = "non_derivative" | "derivative";

/**
 * From the code alone: P buy · S sell · A award · C M O X exercise · G gift · F tax · any other or no code:
 * other.
 */
export type TransactionType = "buy" | "sell" | "award" | "exercise" | "gift" | "tax" | "other";

/** A reporting owner. Joint filers of one form are its `owners`; their trade is one trade. */
export interface Owner {
  /** Null only when the filer omitted it. */
  readonly cik: string | null;
  readonly name: string;
  /** A missing box counts as not ticked. */
  readonly is_director: boolean;
  readonly is_officer: boolean;
  readonly is_ten_percent_owner: boolean;
  readonly is_other: boolean;
  /** The officer's title. When the form says "See Remarks", the title in the remarks or the footnote. */
  readonly officer_title: string | null;
  /** As filed in the box: possibly "See Remarks", or cut off at 30 characters. */
  readonly officer_title_filed: string | null;
  readonly other_text: string | null;
  /**
   * "director, officer: Chief Executive Officer", "10% owner", "other: Trustee"; "" when nothing is ticked.
   */
  readonly relationship: string;
  /**
   * Current chief executive of the issuer: sole, joint or interim, but not former, and not of a segment or
   * subsidiary. Null when an officer's title is missing, unclear because it is cut off, or not given in the
   * remarks.
   */
  readonly is_ceo: boolean | null;
  readonly is_cfo: boolean | null;
  /** CEO, CFO, another chief officer, president or general counsel. Null as is_ceo. */
  readonly is_c_suite: boolean | null;
}

interface OwnershipLine {
  readonly security_type: SecurityType;
  readonly security_title: string | null;
  /** D directly by the owner, I indirectly ("By trust"). */
  readonly ownership_nature: "D" | "I" | null;
  readonly nature_of_ownership: string | null;
  /**
   * The holding bucket. Lines with an equal bucket count the same shares, so holdings and percentages belong
   * to a bucket. An opaque key, exact within a filing; across filings it compares only as far as the filer's
   * wording does.
   */
  readonly bucket: string;
  /** Shares held after the line's trade; for a holding, shares held. */
  readonly shares_owned_after: number | null;
  /** Dollars, for securities counted by value (notes). */
  readonly value_owned_after: number | null;
  /** This and the next five fields are of derivatives only. */
  readonly exercise_price: number | null;
  readonly exercise_date: string | null;
  readonly expiration_date: string | null;
  readonly underlying_title: string | null;
  readonly underlying_shares: number | null;
  readonly underlying_value: number | null;
  /** Footnotes cited anywhere in the line ("F1"). Their texts are in the filing's `footnotes`. */
  readonly footnotes: readonly string[];
}

/** One trade: one line of Table I or II. It appears once, even when several owners report it. */
export interface OwnershipTransaction extends OwnershipLine {
  /**
   * 1, 2, … in the order of the form, Table I first. Together with the accession number a permanent name of
   * the trade.
   */
  readonly line: number;
  /** Equal for an amendment's line and the line it corrects: issuer, owners, day, code, security, bucket. */
  readonly trade_key: string;
  readonly transaction_date: string | null;
  /** The day on which it is deemed executed, when that differs. */
  readonly deemed_execution_date: string | null;
  /** "P", "S", "A", …; null when the filer omitted the coding. */
  readonly transaction_code: string | null;
  readonly transaction_type: TransactionType;
  /** "4" or "5": the form on which it was due. */
  readonly transaction_form: string | null;
  /** True for "E": reported before it was due (the old code V). */
  readonly is_early: boolean;
  /** True for "L": an earlier Form 4 should have reported it. */
  readonly is_late: boolean;
  readonly is_equity_swap: boolean | null;
  readonly acquired_disposed: "A" | "D" | null;
  readonly shares: number | null;
  /**
   * Dollars per share as filed; may be an average by a footnote. Null when only a footnote gives it. 0: for
   * nothing.
   */
  readonly price_per_share: number | null;
  /**
   * Dollars: exactly shares × price, or the total as filed. Null when one is missing, and for a P or S at
   * price 0.
   */
  readonly transaction_value: number | null;
  /**
   * For purchases (code P): shares of all purchases of this bucket in this filing, in percent of the holding
   * before them. The same on each of their lines. Null when nothing was held before, or when the figures do
   * not add up.
   */
  readonly purchase_pct_of_holding: number | null;
  /**
   * Made under a Rule 10b5-1 plan. With the form's box (since April 2023): false when unticked; when ticked,
   * true for the lines that footnotes name, or for every purchase and sale when they name none, and null for
   * the others. Without the box: true by a footnote of the line or about all lines, false when the footnote
   * denies it, else null.
   */
  readonly is_10b5_1: boolean | null;
}

/** A holding that is reported without a trade. */
export interface OwnershipHolding extends OwnershipLine {
  readonly line: number;
}

/** Something unusual in a filing that could still be read. */
export interface ReadWarning {
  /**
   * Stable: "lenient_xml", "bad_date", "bad_number", "code_contradicts_direction",
   * "box_contradicts_footnote", …
   */
  readonly code: string;
  readonly message: string;
}

/** Form 3, 4 or 5, or an amendment: the document alone. */
export interface OwnershipForm {
  /** "3", "4", "5", "3/A", "4/A", "5/A", from the document. */
  readonly form_type: string;
  readonly schema_version: string | null;
  readonly is_amendment: boolean;
  /** For an amendment: when the form that it corrects was filed. */
  readonly date_of_original_submission: string | null;
  readonly period_of_report: string | null;
  readonly no_securities_owned: boolean;
  /** The owner is no longer subject to Section 16. */
  readonly not_subject_to_section_16: boolean;
  readonly issuer: {
    readonly cik: string;
    readonly name: string;
    /** Free text by the filer: "BRK.B", "exwd", "NONE". Use the CIK to find the ticker. */
    readonly symbol: string | null;
  };
  /** At least one, in the form's order. The first is the filer. */
  readonly owners: readonly Owner[];
  readonly transactions: readonly OwnershipTransaction[];
  readonly holdings: readonly OwnershipHolding[];
  /** The 10b5-1 box; null when the form has none. */
  readonly aff10b5_one: boolean | null;
  /** By name: "F1". */
  readonly footnotes: Readonly<Record<string, string>>;
  readonly remarks: string | null;
  readonly signatures: readonly { readonly name: string; readonly date: string | null }[];
  readonly warnings: readonly ReadWarning[];
}

/** A form with its accession number and moment of acceptance. */
export interface OwnershipFiling extends OwnershipForm, Acceptance {
  readonly accession_number: string;
}

/**
 * A filing of a quarterly data set. Only its filing date is known, not the moment: `precision` is "day",
 * `accepted_at` and `public_from` are null. Its trades have the same lines, keys and figures as its XML would
 * give.
 */
export type InsiderDataSetFiling = OwnershipFiling;

// ---------------------------------------------------------------------------------------- Schedules 13D, 13G

/** A reporting person of a cover page. Joint persons count the same shares: never add them up. */
export interface BeneficialPerson {
  readonly name: string;
  /** Null on unstructured pages, and mostly on structured 13Gs, where it is optional. */
  readonly cik: string | null;
  /** Row 11 (13D) or 9 (13G): shares beneficially owned. */
  readonly shares_owned: number | null;
  /** Row 13 (13D) or 11 (13G), percent of the class. A value above 100 is discarded: null with a warning. */
  readonly ownership_pct: number | null;
  /** Row 14 (13D) or 12 (13G): "IN", "PN", "IA", …; may be several. */
  readonly types: readonly string[];
  readonly citizenship: string | null;
  /** Row 2: "a", "b" (disclaims being a group), null. */
  readonly member_of_group: "a" | "b" | null;
  readonly sole_voting: number | null;
  readonly shared_voting: number | null;
  readonly sole_dispositive: number | null;
  readonly shared_dispositive: number | null;
}

/** Schedule 13D or 13G, or an amendment: the document alone. */
export interface BeneficialSchedule {
  /** As in the submission: "SCHEDULE 13D/A", "SC 13G". */
  readonly form_type: string;
  readonly schedule: "13D" | "13G";
  /** True when read from XML (since 18 December 2024), false when read from the text of cover pages. */
  readonly is_structured: boolean;
  readonly is_amendment: boolean;
  readonly amendment_number: number | null;
  /** For structured amendments: the filing before this one. */
  readonly previous_accession_number: string | null;
  readonly issuer: { readonly cik: string | null; readonly name: string | null };
  /** Nine characters each, as filed. Several when the schedule reports several classes. */
  readonly cusips: readonly string[];
  readonly class_title: string | null;
  readonly event_date: string | null;
  /** For a 13G: "Rule 13d-1(b)", "Rule 13d-1(c)", "Rule 13d-1(d)". */
  readonly rules: readonly string[];
  /** In the order of the cover pages; the first is the lead. */
  readonly persons: readonly BeneficialPerson[];
  /** The largest figure among the persons, which is the group's. Never a sum. */
  readonly shares_owned: number | null;
  readonly ownership_pct: number | null;
  /** Reports zero, or (Item 5) that the holder fell to five percent or below while no person reports more. */
  readonly is_exit: boolean;
  /**
   * From Item 4 of a 13D: true when the holder acts on the company (a letter, nominees, a demand, an
   * agreement). False for a 13G, and when Item 4 is about investment only. Null when Item 4 is missing or was
   * not found.
   */
  readonly is_activist: boolean | null;
  /** The sentence of Item 4 that decided; null when not activist. */
  readonly activist_reason: string | null;
  /** Item 4 (13D). */
  readonly purpose: string | null;
  readonly warnings: readonly ReadWarning[];
}

/** A schedule with its filing. Holder and issuer come from the submission's header, which has CIKs. */
export interface BeneficialFiling extends BeneficialSchedule, Acceptance {
  readonly accession_number: string;
  /** The first filer ("filed by" in the header). */
  readonly holder: { readonly cik: string | null; readonly name: string | null };
}

// ---------------------------------------------------------------------------------------- results of the
// provider

/** A fetched filing: its content, or why it could not be read. The fields of its header are always there. */
export type OwnershipRead = Receipted &
  Acceptance & { readonly accession_number: string; readonly form_type: string } & {
    readonly read: OwnershipFiling | Unread;
  };
export type BeneficialRead = Receipted &
  Acceptance & { readonly accession_number: string; readonly form_type: string } & {
    readonly read: BeneficialFiling | Unread;
  };

/** A quarterly data set as fetched: a zip of tables, some 15 MB. */
export interface InsiderDataSetFile {
  readonly year: number;
  readonly quarter: number;
  /** Open it with `openZip(bytes)` of platform/zip.ts and pass the archive to `readInsiderDataSet`. */
  readonly bytes: Uint8Array;
  readonly url: string;
  readonly received_at: string;
}

/** Selects filings of a quarterly data set. */
export interface InsiderDataSetQuery {
  /** Only these issuers. Default: all. */
  readonly issuer_ciks?: ReadonlySet<string> | undefined;
  /** Only these forms ("4", "4/A"). Default: Forms 3, 4, 5 and their amendments. */
  readonly forms?: ReadonlySet<string> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A filing of a data set that lacks a required field. */
export interface UnreadDataSetFiling extends Unread {
  readonly accession_number: string;
}
