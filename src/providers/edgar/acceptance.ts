// When a filing became public, to the instant: from its header, its index page, the feed or the submissions column.

/** second: an instant is known. ambiguous: two are possible. day: only the filing date is known. */
export type AcceptancePrecision = "second" | "ambiguous" | "day";
export type AcceptanceSource = "header" | "index_page" | "feed" | "column";

/** The moments of a filing; the same fields wherever a filing is told. */
export interface Acceptance {
  /** When EDGAR accepted it, RFC 3339 UTC; null unless the precision is "second": it is never guessed. */
  readonly accepted_at: string | null;
  /** EDGAR's date of filing, YYYY-MM-DD: not the date of acceptance for what comes after 17:30 in New York. */
  readonly filing_date: string;
  readonly precision: AcceptancePrecision;
  readonly source: AcceptanceSource | null;
  /**
   * From when anybody could read it, RFC 3339 UTC, on the safe side: of two possible moments the later, of a day its
   * end. Null for forms EDGAR publishes weeks after it accepts them (letters to and from the staff, drafts).
   */
  readonly public_from: string | null;
}
