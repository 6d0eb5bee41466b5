// Warnings about lines that are not read from reports under IFRS, so that their null says nothing about the
// company.
import { type FigureWarning, linesNotInIfrs, type Statement } from "../../../providers/edgar/index.ts";
import type { Row, Statements } from "./records.ts";

const IFRS = "ifrs-full";
const NAMES: Readonly<Record<Statement, string>> = {
  income_statement: "income statements",
  balance_sheet: "balance sheets",
  cash_flow: "cash flow statements",
};

type SourcedRow = Pick<Row, "accession_number" | "sources">;
const isIfrs = ({ sources }: SourcedRow): boolean =>
  Object.values(sources).some(({ taxonomy }) => taxonomy === IFRS);

/**
 * One warning for each statement with rows under IFRS, about the report of its newest one. Rows are newest
 * first.
 */
export function uncoveredWarnings(
  rows: Pick<Statements, "income_statement" | "balance_sheet" | "cash_flow">,
): FigureWarning[] {
  const lists: Readonly<Record<Statement, readonly SourcedRow[]>> = rows;
  return (Object.keys(NAMES) as Statement[]).flatMap((statement) => {
    const newest = lists[statement].find(isIfrs);
    const lines = linesNotInIfrs(statement);
    if (!newest || lines.length === 0) return [];
    return [
      {
        code: "lines_not_covered",
        line: null,
        period_end: null,
        accession_number: newest.accession_number,
        detail: `Of ${NAMES[statement]} under IFRS these lines are not read and are null: ${lines.join(", ").replaceAll("_", " ")}.`,
      },
    ];
  });
}
