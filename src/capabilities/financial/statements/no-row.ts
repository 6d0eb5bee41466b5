// Warnings about reports that give too little of a statement for a row of their own period.
import { type FigureWarning, LINES_BY_MEANING, type Statement } from "../../../providers/edgar/index.ts";
import type { PeriodReports } from "./periods.ts";

const NAMES: Readonly<Record<Statement, string>> = {
  income_statement: "income statement",
  balance_sheet: "balance sheet",
  cash_flow: "cash flow statement",
};

/**
 * A warning for each day with which a report ends, without a row of the statement, though the report gives lines of it: the
 * newest report of that day.
 *
 * @param ends the last days of the periods that have rows
 */
export function noRowWarnings(
  statement: Statement,
  groups: readonly PeriodReports[],
  ends: ReadonlySet<string>,
): FigureWarning[] {
  const newest = new Map<string, FigureWarning>();
  for (const { reports } of groups)
    for (const { isPeriodic, isAtEnd, source, form, accession_number, period, facts } of reports) {
      if (!isPeriodic || !isAtEnd || source !== "xbrl" || ends.has(period.end)) continue;
      const lines = [...facts.keys()].filter((line) => !LINES_BY_MEANING.has(line));
      if (lines.length === 0) continue;
      newest.set(period.end, {
        code: "statement_not_found",
        line: null,
        period_end: period.end,
        accession_number,
        detail: `${form} ${accession_number} gives ${lines.join(", ").replaceAll("_", " ")} to ${period.end} and no other line of its ${NAMES[statement]} under a tag that is read: there is no row.`,
      });
    }
  return [...newest.values()];
}
