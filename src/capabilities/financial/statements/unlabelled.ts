// Warnings about rows whose fiscal year and quarter are unknown, each with the reason.
import type { FigureWarning, Statement } from "../../../providers/edgar/index.ts";
import type { Row, Statements } from "./records.ts";

type LabelledRow = Pick<
  Row,
  | "fiscal_year"
  | "fiscal_period"
  | "period_start_date"
  | "period_end_date"
  | "period_type"
  | "accession_number"
  | "form"
>;

/**
 * A row without a year, or of a period that its fiscal year has no name for; the months of a transition
 * report have none.
 */
const isUnlabelled = ({ fiscal_year, fiscal_period, period_type, period_start_date }: LabelledRow): boolean =>
  fiscal_year === null ||
  (fiscal_period === null && period_type === "quarterly" && period_start_date !== null);

/** Says what is unknown of the row, and why. */
const reasonOf = ({ fiscal_year }: LabelledRow, report: string): string =>
  fiscal_year === null
    ? `The fiscal year and quarter of the periods in ${report} are unknown: no annual report is known, and neither figures for the year to date nor the balance sheet of a year end show where its year begins.`
    : `The fiscal quarter of the periods in ${report} is unknown: its period is neither a fiscal year nor a part of one that begins with it.`;

/**
 * One warning for each report that has rows without a label, about the newest of them. Rows are newest first.
 */
export function unlabelledWarnings(
  rows: Pick<Statements, "income_statement" | "balance_sheet" | "cash_flow">,
): FigureWarning[] {
  const lists: Readonly<Record<Statement, readonly LabelledRow[]>> = rows;
  const unlabelled = Object.values(lists).flat().filter(isUnlabelled);
  return [...Map.groupBy(unlabelled, ({ accession_number }) => accession_number)].flatMap(
    ([accession_number, own]) => {
      const [last] = own.sort((a, b) => (a.period_end_date < b.period_end_date ? 1 : -1));
      if (!last) return [];
      return [
        {
          code: "fiscal_label_unknown",
          line: null,
          period_end: last.period_end_date,
          accession_number,
          detail: reasonOf(last, `${last.form} ${accession_number}`),
        },
      ];
    },
  );
}
