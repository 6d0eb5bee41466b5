// What was noted while reading a filer's figures, as far as it may be told of a moment: nothing of reports filed later.
import { type FinancialFact, knownAt } from "../../providers/edgar/index.ts";

const REPORT = /\d{10}-(\d{2})-\d{6}/g;
const DAY = /\d{4}-\d{2}-\d{2}/;
/** Numbers of reports have years of two digits; the first are of 1993. */
const CENTURY_FROM = 93;

/** The year a report was sent in, by its number. */
const yearOf = (digits: string): number => Number(digits) + (Number(digits) >= CENTURY_FROM ? 1900 : 2000);

/** Reports of some figures, and whether each could be read by a moment. */
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
 * The warnings that speak of reports anybody could read by `asOf`, and of no report at all. Of a report none of whose
 * figures is read only the year is known. Words about many reports name none, but days: those are left out.
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
