// What Forms 3, 4 and 5 and Schedules 13D and 13G say, in the service's own words: insiders' trades and large holdings.
import type { Acceptance } from "./acceptance.ts";
import type { Receipted } from "./records.ts";

/*
 * Every name and type in this file is stable; a field may be added. Numbers are as filed: shares in shares, money in
 * US dollars, percent as 5.1 for 5.1 %. Null: not told, or not readable; 0: reported as zero. A day is YYYY-MM-DD
 * without the zone some filers append. A CIK is ten digits.
 */

/** Why a document could not be read; its raw bytes stay as they are. `message` is one sentence to show beside it. */
export interface Unread {
  readonly failed: UnreadReason;
  readonly message: string;
}
export type UnreadReason =
  /** Filed before forms were data (June 2003 for 3/4/5): text only. Not an error of the filer, nothing to retry. */
  | "pre_xml_text"
  /** A web page: the regulator's rendering of the form, or something else that is no form. */
  | "rendered_page"
  /** Data of another kind than the function reads. */
  | "not_this_form"
  /** Neither strict nor lenient reading finds the form's own fields. */
  | "malformed"
  /** It declares a document type or entities; no form does. */
  | "forbidden_declaration"
  | "too_large"
  | "too_deep"
  | "too_many_nodes"
  | "too_slow"
  /** The submission ends in the middle, or has no document. */
  | "truncated"
  | "no_documents"
  /** A cover page of 13D/G in words, without one figure that could be read. */
  | "no_cover_page";

/** True for what could not be read. */
export const isUnread = (read: object): read is Unread => "failed" in read;

// ---------------------------------------------------------------------------------------- Forms 3, 4, 5

export type SecurityType = "non_derivative" | "derivative";

/** By the code alone: P buy · S sell · A award · C M O X exercise · G gift · F tax · all others, and none: other. */
export type TransactionType = "buy" | "sell" | "award" | "exercise" | "gift" | "tax" | "other";

/** One who reports. Joint filers of one form are its `owners`; a trade of theirs is one trade. */
export interface Owner {
  /** Null only where the filer left it out. */
  readonly cik: string | null;
  readonly name: string;
  /** A box that is not there is not ticked. */
  readonly is_director: boolean;
  readonly is_officer: boolean;
  readonly is_ten_percent_owner: boolean;
  readonly is_other: boolean;
  /** The officer's title; where the form says "See Remarks" what the remarks (or the footnote) say. */
  readonly officer_title: string | null;
  /** As in the box: "See Remarks", or cut off at 30 characters. */
  readonly officer_title_filed: string | null;
  readonly other_text: string | null;
  /** "director, officer: Chief Executive Officer", "10% owner", "other: Trustee"; "" where nothing is ticked. */
  readonly relationship: string;
  /**
   * Chief executive of the issuer today, sole, joint or interim; not of a segment or subsidiary, not a former one.
   * Null where an officer's title is missing, or in remarks that do not tell it.
   */
  readonly is_ceo: boolean | null;
  readonly is_cfo: boolean | null;
  /** CEO, CFO or another chief officer, president, general counsel as chief legal officer. Null as is_ceo. */
  readonly is_c_suite: boolean | null;
}

interface OwnershipLine {
  readonly security_type: SecurityType;
  readonly security_title: string | null;
  /** D by the owner itself, I through another ("By trust"). */
  readonly ownership_nature: "D" | "I" | null;
  readonly nature_of_ownership: string | null;
  /**
   * Which pocket: lines of equal bucket count the same shares, so holdings and percentages belong to a bucket. Opaque;
   * equal within a filing, comparable across filings only as far as the filer's wording is.
   */
  readonly bucket: string;
  /** What is held once the line's trade is done; of a holding, what is held. */
  readonly shares_owned_after: number | null;
  /** Dollars, for securities counted by value (notes). */
  readonly value_owned_after: number | null;
  /** Of derivatives. */
  readonly exercise_price: number | null;
  readonly exercise_date: string | null;
  readonly expiration_date: string | null;
  readonly underlying_title: string | null;
  readonly underlying_shares: number | null;
  readonly underlying_value: number | null;
  /** Footnotes cited anywhere in the line, "F1"; their texts are in the filing's `footnotes`. */
  readonly footnotes: readonly string[];
}

/** One trade: one line of Table I or II. Once, however many owners report it. */
export interface OwnershipTransaction extends OwnershipLine {
  /** 1, 2, … trades in the order of the form, Table I first: with the accession number it names the trade for ever. */
  readonly line: number;
  /** What an amendment's line has in common with the line it corrects: issuer, owners, day, code, security, bucket. */
  readonly trade_key: string;
  readonly transaction_date: string | null;
  /** The day it counts as executed, where that differs. */
  readonly deemed_execution_date: string | null;
  /** "P", "S", "A", …; null where the filer left the coding out. */
  readonly transaction_code: string | null;
  readonly transaction_type: TransactionType;
  /** "4" or "5": on which form it was due. */
  readonly transaction_form: string | null;
  /** True: "E", reported before it was due (the old code V). */
  readonly is_early: boolean;
  /** True: "L", a trade a Form 4 should have told before. */
  readonly is_late: boolean;
  readonly is_equity_swap: boolean | null;
  readonly acquired_disposed: "A" | "D" | null;
  readonly shares: number | null;
  /** Dollars a share as filed, an average where a footnote says so; null where only a footnote tells it. 0: for nothing. */
  readonly price_per_share: number | null;
  /** Dollars: shares × price exactly, or the total as filed; null where one is missing, and of a P or S at price 0. */
  readonly transaction_value: number | null;
  /**
   * Of purchases (code P): what all purchases of this bucket in this filing add to what was held before
   * them, percent. The same on each of their lines. Null when nothing was held before, or the figures do not add up.
   */
  readonly purchase_pct_of_holding: number | null;
  /**
   * Under a Rule 10b5-1 plan. By the form's box where it has one (since April 2023): unticked false; ticked, the lines
   * that footnotes name, or where they name none every purchase and sale; the others null. Without the box: true by a
   * footnote of the line, or one that speaks of all; false where the footnote says not; else null.
   */
  readonly is_10b5_1: boolean | null;
}

/** What is held, without a trade. Never a trade. */
export interface OwnershipHolding extends OwnershipLine {
  readonly line: number;
}

/** Something odd in a filing that was read all the same. */
export interface ReadWarning {
  /** Stable: "lenient_xml", "bad_date", "bad_number", "code_contradicts_direction", "box_contradicts_footnote", … */
  readonly code: string;
  readonly message: string;
}

/** Form 3, 4 or 5, or an amendment: the document alone. */
export interface OwnershipForm {
  /** "3", "4", "5", "3/A", "4/A", "5/A" as the document says. */
  readonly form_type: string;
  readonly schema_version: string | null;
  readonly is_amendment: boolean;
  /** Of an amendment: when the form it corrects was filed. */
  readonly date_of_original_submission: string | null;
  readonly period_of_report: string | null;
  readonly no_securities_owned: boolean;
  /** The owner leaves Section 16 ("no longer subject"). */
  readonly not_subject_to_section_16: boolean;
  readonly issuer: {
    readonly cik: string;
    readonly name: string;
    /** Free text of the filer: "BRK.B", "exwd", "NONE". Resolve the ticker by the CIK. */
    readonly symbol: string | null;
  };
  /** At least one, in the form's order; the first is the one who files. */
  readonly owners: readonly Owner[];
  readonly transactions: readonly OwnershipTransaction[];
  readonly holdings: readonly OwnershipHolding[];
  /** The 10b5-1 box: null where the form has none. */
  readonly aff10b5_one: boolean | null;
  /** By their names, "F1". */
  readonly footnotes: Readonly<Record<string, string>>;
  readonly remarks: string | null;
  readonly signatures: readonly { readonly name: string; readonly date: string | null }[];
  readonly warnings: readonly ReadWarning[];
}

/** A form as filed: with its number, its moment, and the receipt for its bytes. */
export interface OwnershipFiling extends OwnershipForm, Acceptance {
  readonly accession_number: string;
}

/**
 * A filing of a quarterly data set: the day it was filed is known, the moment is not: `precision` is "day",
 * `accepted_at` and `public_from` are null. Its trades have the lines, keys and figures its XML would give.
 */
export type InsiderDataSetFiling = OwnershipFiling;

// ---------------------------------------------------------------------------------------- Schedules 13D, 13G

/** One reporting person of a cover page. Joint persons count the same shares: never add them up. */
export interface BeneficialPerson {
  readonly name: string;
  /** Null on legacy pages, and mostly on structured 13G, which need not name one. */
  readonly cik: string | null;
  /** Row 11 (13D) or 9 (13G): shares beneficially owned. */
  readonly shares_owned: number | null;
  /** Row 13 (13D) or 11 (13G), percent of the class; above 100 it is discarded: null and a warning. */
  readonly ownership_pct: number | null;
  /** "IN", "PN", "IA", …: row 14 or 12, several possible. */
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
  /** As the submission names it: "SCHEDULE 13D/A", "SC 13G". */
  readonly form_type: string;
  readonly schedule: "13D" | "13G";
  /** True: read from data (since 18 December 2024); false: from the words of a cover page. */
  readonly is_structured: boolean;
  readonly is_amendment: boolean;
  readonly amendment_number: number | null;
  /** Of structured amendments: the filing this one follows. */
  readonly previous_accession_number: string | null;
  readonly issuer: { readonly cik: string | null; readonly name: string | null };
  /** Nine characters each as filed; several where several classes are reported. */
  readonly cusips: readonly string[];
  readonly class_title: string | null;
  readonly event_date: string | null;
  /** Of 13G: "Rule 13d-1(b)", "Rule 13d-1(c)", "Rule 13d-1(d)". */
  readonly rules: readonly string[];
  /** In the order of the cover pages; the first is the lead. */
  readonly persons: readonly BeneficialPerson[];
  /** The largest among the persons: what the group has. Never a sum. */
  readonly shares_owned: number | null;
  readonly ownership_pct: number | null;
  /** Reports zero, or (Item 5) that the holder has fallen to five percent or below, and no person with more. */
  readonly is_exit: boolean;
  /**
   * By Item 4 of a 13D: it says that the holder acts on the company (a letter, nominees, a demand, an agreement).
   * False: a 13G, and a 13D whose Item 4 tells of investment only. Null: Item 4 is not told or could not be found.
   */
  readonly is_activist: boolean | null;
  /** The sentence of Item 4 that decided; null when not activist. */
  readonly activist_reason: string | null;
  /** Item 4 (13D). */
  readonly purpose: string | null;
  readonly warnings: readonly ReadWarning[];
}

/** A schedule as filed. Holder and issuer by the submission's header, which has CIKs where the document has none. */
export interface BeneficialFiling extends BeneficialSchedule, Acceptance {
  readonly accession_number: string;
  /** The first who files ("filed by" of the header). */
  readonly holder: { readonly cik: string | null; readonly name: string | null };
}

// ---------------------------------------------------------------------------------------- what the provider gives

/** A filing that was fetched: read, or why it could not be. Its header is there either way. */
export type OwnershipRead = Receipted &
  Acceptance & { readonly accession_number: string; readonly form_type: string } & {
    readonly read: OwnershipFiling | Unread;
  };
export type BeneficialRead = Receipted &
  Acceptance & { readonly accession_number: string; readonly form_type: string } & {
    readonly read: BeneficialFiling | Unread;
  };

/** A quarterly data set as fetched: a zip of tables, some 15 MB. Null where the regulator has none (yet). */
export interface InsiderDataSetFile {
  readonly year: number;
  readonly quarter: number;
  /** Open it with platform/zip.ts `openZip(bytes)` and hand the archive to `readInsiderDataSet`. */
  readonly bytes: Uint8Array;
  readonly url: string;
  readonly received_at: string;
}

/** What a quarterly data set is read for. */
export interface InsiderDataSetQuery {
  /** Only these issuers; absent: all. */
  readonly issuer_ciks?: ReadonlySet<string> | undefined;
  /** Only these forms ("4", "4/A"); absent: all of 3, 4, 5 and their amendments. */
  readonly forms?: ReadonlySet<string> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A filing of a data set that lacks what a filing must have. */
export interface UnreadDataSetFiling extends Unread {
  readonly accession_number: string;
}

/*
 * The functions, all stable:
 *
 *   parse/ownership.ts    parseOwnershipXml(source: string | Uint8Array): OwnershipForm | Unread
 *   parse/beneficial.ts   parseBeneficial(source: string | Uint8Array, form_type: string): BeneficialSchedule | Unread
 *   index.ts (Edgar)      ownership(ref: FilingRef, options?): Promise<OwnershipRead>     one request, then the vault
 *                         beneficial(ref: FilingRef, options?): Promise<BeneficialRead>   one request, then the vault
 *                         insiderDataSet(year, quarter, signal?): Promise<InsiderDataSetFile | null>
 *   insider-data-set.ts   readInsiderDataSet(archive: ZipArchive, query?):
 *                           AsyncGenerator<InsiderDataSetFiling | UnreadDataSetFiling>   `isUnread` tells them apart
 *
 * The two that fetch read the whole submission (.txt): header with the moment of acceptance, and document, in one.
 * They throw as `submissionText` does, for what EDGAR does not have or does not give; a document that cannot be read
 * is no exception but `read.failed`.
 */
