// Reads from a company's reports whether it has one class of shares.
import { COVER_SHARES, type FinancialFact, knownAt, tierOf } from "../../../providers/edgar/index.ts";
import { FOREIGN_FORM } from "./metric-closes.ts";

const isCoverCount = ({ taxonomy, tag }: FinancialFact): boolean => `${taxonomy}:${tag}` === COVER_SHARES;

/**
 * Whether the newest periodic report of a filer gives one count of shares on its cover. A filer with several
 * classes gives a count for each class there, and those counts are not in the SEC's figures. Facts must be
 * those that were known at the moment.
 */
export function reportsOneClass(facts: readonly FinancialFact[], cik: string | null): boolean {
  let newest: { readonly report: string; readonly at: string } | null = null;
  for (const fact of facts) {
    if (fact.cik !== cik || fact.source !== "xbrl" || tierOf(fact.form) !== "periodic") continue;
    const at = FOREIGN_FORM.test(fact.form) ? null : knownAt(fact);
    if (at !== null && (newest === null || at > newest.at)) newest = { report: fact.accession_number, at };
  }
  return facts.some((fact) => fact.accession_number === newest?.report && isCoverCount(fact));
}
