// Warnings about reports that give too little of a statement for a row of their own period.
import {
  type FigureWarning,
  isAnnualForm,
  LINES_BY_MEANING,
  readDayNumber,
  type Statement,
} from "../../../providers/edgar/index.ts";
import { type PeriodReports, type Report, SAME_DAYS } from "./periods.ts";
import type { Row } from "./records.ts";

type RowPlace = Pick<Row, "period_end_date" | "period_months">;

const NAMES: Readonly<Record<Statement, string>> = {
  income_statement: "income statement",
  balance_sheet: "balance sheet",
  cash_flow: "cash flow statement",
};

/**
 * Whether a row is the report's statement of its last day. A year is not shown by the quarter that ends with
 * it.
 */
function isShown({ form, period }: Report, rows: readonly RowPlace[]): boolean {
  const isYear = isAnnualForm(form) && period.start !== null && period.months !== 3;
  return rows.some(({ period_end_date, period_months }) => {
    const days = Math.abs((readDayNumber(period_end_date) ?? 0) - period.endDay);
    return days <= SAME_DAYS && !(isYear && period_months === 3);
  });
}

/**
 * A warning for each day with which a report ends, without a row of the statement, though the report gives
 * lines of it: the newest report of that day.
 *
 * @param groups the periods without a row
 */
export function noRowWarnings(
  statement: Statement,
  groups: readonly PeriodReports[],
  rows: readonly RowPlace[],
): FigureWarning[] {
  const newest = new Map<string, FigureWarning>();
  for (const { reports } of groups)
    for (const report of reports) {
      const { isPeriodic, isAtEnd, source, form, accession_number, period, facts } = report;
      if (!isPeriodic || !isAtEnd || source !== "xbrl" || isShown(report, rows)) continue;
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
