// Warnings of an answer as data, limited to what was known at a moment and to what later reports have not
// mended.
import { type FigureWarning, type FinancialFact, knownAt } from "../../providers/edgar/index.ts";
import type { PeriodicFiling } from "./sources.ts";

/** A warning about the answer as a whole: no line, period or report. */
export const note = (code: string, detail: string): FigureWarning => ({
  code,
  line: null,
  period_end: null,
  accession_number: null,
  detail,
});

/** A report whose stored figures were replaced, because the regulator's file gives them differently since. */
export const REPLACED = "figures_replaced";

/**
 * Reads stored warnings. Earlier versions stored sentences, which say nothing about the report that they are
 * about.
 */
export const readWarnings = (json: string): readonly FigureWarning[] =>
  (JSON.parse(json) as (FigureWarning | string)[]).map((warning) =>
    typeof warning === "string" ? note("reading", warning) : warning,
  );

/** Whether `at` is not after `asOf`; an unknown moment is. */
const isKnown = (at: string | null | undefined, asOf: Temporal.Instant): boolean =>
  typeof at === "string" && Temporal.Instant.compare(Temporal.Instant.from(at), asOf) <= 0;

export interface NotedWarnings {
  readonly asOf: Temporal.Instant | null;
  /** Noted while the figures were read. */
  readonly noted: readonly FigureWarning[];
  readonly facts: readonly FinancialFact[];
  /** When reports without stored figures became public. */
  acceptanceOf(accessions: readonly string[]): ReadonlyMap<string, string>;
}

/**
 * The noted warnings that may be shown at `asOf`: those about a report that was public then, and that had
 * come about. A warning about no report is about the files as they are now, and so is one about a report
 * whose acceptance is unknown.
 */
export function warningsKnownAt({
  asOf,
  noted,
  facts,
  acceptanceOf,
}: NotedWarnings): readonly FigureWarning[] {
  if (asOf === null || noted.length === 0) return noted;
  const named = new Set(noted.flatMap(({ accession_number }) => accession_number ?? []));
  const moments = new Map<string, string | null>();
  for (const fact of facts)
    if (named.has(fact.accession_number) && !moments.has(fact.accession_number))
      moments.set(fact.accession_number, knownAt(fact));
  const others = acceptanceOf([...named].filter((accession) => !moments.has(accession)));
  return noted.filter(({ accession_number: report, code, noted_at }) => {
    if (report === null || !isKnown(moments.get(report) ?? others.get(report), asOf)) return false;
    // Earlier versions stored no moment of a replacement: it is then known today only.
    return noted_at === undefined ? code !== REPLACED : isKnown(noted_at, asOf);
  });
}

/** A row of a statement, with its lines as fields. */
type ShownRow = { readonly period_end_date: string };

/**
 * The warnings without those about a line and period whose figure every row of that end gives: another report
 * has mended it. A quarter that has the line says nothing about the year with the same end.
 */
export function withoutMended(
  noted: readonly FigureWarning[],
  rows: readonly ShownRow[],
): readonly FigureWarning[] {
  return noted.filter(({ line, period_end }) => {
    if (line === null) return true;
    const figures = rows
      .filter((row) => row.period_end_date === period_end && line in row)
      .map((row) => (row as Readonly<Record<string, unknown>>)[line]);
    return figures.length === 0 || figures.includes(null);
  });
}

/** The warnings, each sentence once for a period. */
export const distinct = (warnings: readonly FigureWarning[]): FigureWarning[] => [
  ...new Map(warnings.map((warning) => [`${warning.period_end} ${warning.detail}`, warning])).values(),
];

/**
 * A warning for each report that was public with tagged figures at `asOf` and of which there are none, since
 * the first with any. Amendments are left out: most have no statement. Made up: a 10-Q of July is on file,
 * and in October the SEC's file of figures still ends with the 10-Q of April.
 */
export function lackingReports(
  reports: readonly PeriodicFiling[],
  facts: readonly FinancialFact[],
  asOf: Temporal.Instant | null,
): FigureWarning[] {
  const own = new Set(facts.map(({ accession_number }) => accession_number));
  const first = reports.findLast(({ accession_number }) => own.has(accession_number));
  return reports.flatMap(({ accession_number, form_type, filing_date, known_at, is_xbrl }) => {
    const isLacking = is_xbrl === true && !form_type.endsWith("/A") && !own.has(accession_number);
    const isSince = first !== undefined && filing_date >= first.filing_date;
    if (!isLacking || !isSince || (asOf !== null && !isKnown(known_at, asOf))) return [];
    const detail = `${form_type} ${accession_number} of ${filing_date} is on file, and the SEC's file of figures does not have it: nothing of it is given.`;
    return [{ ...note("report_not_in_figures", detail), accession_number }];
  });
}
