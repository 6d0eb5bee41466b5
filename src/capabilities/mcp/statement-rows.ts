// Statements as short rows: one figure each, with the filing that has it.
import type { Rows } from "./result.ts";

/** Lines of a call that names none. */
// 12 lines of five years are 60 rows, some 2,000 tokens.
const MAIN_LINES = [
  "revenue",
  "gross_profit",
  "operating_income",
  "net_income",
  "eps_diluted",
  "total_assets",
  "total_liabilities",
  "total_equity",
  "cash_and_equivalents",
  "operating_cash_flow",
  "capital_expenditure",
  "free_cash_flow",
];

interface Source {
  readonly tag?: string;
  readonly accession_number?: string;
  readonly form?: string;
  readonly known_at?: string;
  readonly unit?: string;
}
type Row = Readonly<Record<string, unknown>> & {
  readonly period_end_date: string;
  readonly sources?: Readonly<Record<string, Source>>;
};
export interface Statements {
  readonly income_statement: readonly Row[];
  readonly balance_sheet: readonly Row[];
  readonly cash_flow: readonly Row[];
}

const COLUMNS = [
  "line",
  "period_end",
  "fiscal",
  "value",
  "unit",
  "accession",
  "form",
  "tag",
  "known_at",
  "basis",
] as const;

const fiscalOf = ({ fiscal_year, fiscal_period }: Row) =>
  fiscal_year === null ? null : `${fiscal_year}${fiscal_period === "FY" ? "" : ` ${fiscal_period}`}`;

/** The names of lines as a call gives them; the main ones where it gives none. */
export const linesAsked = (given: string): readonly string[] => {
  const names = given
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean);
  return names.length > 0 ? names : MAIN_LINES;
};

/** One row for each line and period that a report gives, the newest period first within a line. */
export function statementRows(body: Statements, given: string): Rows {
  const all = [...body.income_statement, ...body.balance_sheet, ...body.cash_flow];
  const isNamed = given.trim() !== "";
  const rows = linesAsked(given).flatMap((line) =>
    all
      .filter((row) => line in row && (isNamed || row[line] !== null))
      .map((row) => {
        const source = row.sources?.[line] ?? {};
        return [
          line,
          row.period_end_date,
          fiscalOf(row),
          row[line] ?? null,
          source.unit ?? null,
          source.accession_number ?? row.accession_number ?? null,
          source.form ?? row.form ?? null,
          source.tag ?? null,
          source.known_at ?? row.known_at ?? null,
          row.basis ?? null,
        ];
      }),
  );
  return { columns: COLUMNS, rows };
}
