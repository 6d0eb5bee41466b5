// Warnings noted while reading a filer's figures, limited to what was known at a moment: nothing about later reports.
import { type FinancialFact, knownAt } from "../../providers/edgar/index.ts";

const REPORT = /\d{10}-(\d{2})-\d{6}/g;
const DAY = /\d{4}-\d{2}-\d{2}/;
/** Accession numbers have two-digit years; the first are from 1993. */
const CENTURY_FROM = 93;

/** The year in which a report was filed, from its accession number. */
const yearOf = (digits: string): number => Number(digits) + (Number(digits) >= CENTURY_FROM ? 1900 : 2000);

/** The reports of the figures, and whether each was public at `asOf`. */
function knownReports(facts: readonly FinancialFact[], asOf: Temporal.Instant): ReadonlyMap<string, boolean> {
  const reports = new Map<string, boolean>();
  for (const fact of facts) {
    if (reports.has(fact.accession_number)) continue;
    const at = knownAt(fact);
    reports.set(
      fact.accession_number,
      at !== null && Temporal.Instant.compare(Temporal.Instant.from(at), asOf) <= 0,
    );
  }
  return reports;
}

/**
 * The warnings that may be shown at `asOf`: those about reports that were public then, and those about no report at all.
 * A report without stored figures counts by the year in its number. A warning that names days but no report is about
 * many reports and is left out.
 */
export function warningsKnownAt(
  asOf: Temporal.Instant | null,
  warnings: readonly string[],
  facts: readonly FinancialFact[],
): readonly string[] {
  if (asOf === null || warnings.length === 0) return warnings;
  const reports = knownReports(facts, asOf);
  const year = asOf.toZonedDateTimeISO("UTC").year;
  return warnings.filter((text) => {
    const named = [...text.matchAll(REPORT)];
    if (named.length === 0) return !DAY.test(text);
    return named.every(([report, digits = ""]) => reports.get(report) ?? yearOf(digits) < year);
  });
}
