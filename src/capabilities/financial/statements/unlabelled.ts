// Warnings about rows whose fiscal year and quarter are unknown, each with the reason.
import type { FigureWarning, Statement } from "../../../providers/edgar/index.ts";
import type { Row, Statements } from "./records.ts";

type LabelledRow = Pick<
  Row,
  "fiscal_year" | "fiscal_period" | "period_end_date" | "period_months" | "accession_number" | "form"
>;

/** One warning for each report that has rows without a label, about the newest of them. Rows are newest first. */
export function unlabelledWarnings(
  rows: Pick<Statements, "income_statement" | "balance_sheet" | "cash_flow">,
): FigureWarning[] {
  const lists: Readonly<Record<Statement, readonly LabelledRow[]>> = rows;
  const unlabelled = Object.values(lists)
    .flat()
    .filter((row) => row.fiscal_year === null);
  return [...Map.groupBy(unlabelled, ({ accession_number }) => accession_number)].map(
    ([accession_number, own]) => {
      const [last = ""] = own
        .map(({ period_end_date }) => period_end_date)
        .sort()
        .reverse();
      return {
        code: "fiscal_label_unknown",
        line: null,
        period_end: last,
        accession_number,
        detail: `The fiscal year and quarter of the periods in ${own[0]?.form} ${accession_number} are unknown: no annual report is known, and neither figures for the year to date nor the balance sheet of a year end show where its year begins.`,
      };
    },
  );
}
