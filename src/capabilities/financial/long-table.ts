// Statements in long form, for the row formats: one row per figure, with its receipt.
import { columnsOfPairs, tableOfRows } from "../../platform/cells.ts";
import { notesOf } from "../../platform/row-notes.ts";
import type { Table, TableColumnType } from "../../platform/table.ts";
import type { FinancialDataResponse } from "./schema.ts";
import { BalanceRow, CashFlowRow, HEAD, IncomeRow, type Source } from "./schema-rows.ts";

const COLUMNS = [
  ["ticker", "VARCHAR"],
  ["cik", "VARCHAR"],
  ["statement", "VARCHAR"],
  ["line", "VARCHAR"],
  ["value", "DOUBLE"],
  ["unit", "VARCHAR"],
  ["currency", "VARCHAR"],
  ["fiscal_year", "BIGINT"],
  ["label_source", "VARCHAR"],
  ["fiscal_period", "VARCHAR"],
  ["period_type", "VARCHAR"],
  ["period_start_date", "DATE"],
  ["period_end_date", "DATE"],
  ["period_months", "BIGINT"],
  ["basis", "VARCHAR"],
  ["tag", "VARCHAR"],
  ["taxonomy", "VARCHAR"],
  ["accession_number", "VARCHAR"],
  ["form", "VARCHAR"],
  ["filed_date", "DATE"],
  ["known_at", "TIMESTAMPTZ"],
  ["measured_on", "DATE"],
  ["split_basis", "DATE"],
  ["split_factor", "DOUBLE"],
  ["filed_value", "DOUBLE"],
  ["operands", "VARCHAR"],
  ["source", "VARCHAR"],
] as const satisfies readonly (readonly [string, TableColumnType])[];

/** The lines of a statement: what its rows have beside their head. */
const linesOf = ({ properties }: { readonly properties: object }) =>
  Object.keys(properties).filter((name) => !(name in HEAD) && name !== "sources");

const STATEMENTS = [
  ["income_statement", linesOf(IncomeRow)],
  ["balance_sheet", linesOf(BalanceRow)],
  ["cash_flow", linesOf(CashFlowRow)],
] as const;

type Row = FinancialDataResponse[(typeof STATEMENTS)[number][0]][number];

/** The columns that the receipt of a figure fills. */
const receiptOf = (row: Row, source: Source | undefined) => ({
  unit: source?.unit ?? null,
  tag: source?.tag ?? null,
  taxonomy: source?.taxonomy ?? null,
  accession_number: source?.accession_number ?? null,
  form: source?.form ?? null,
  filed_date: source?.filed_date ?? null,
  known_at: source?.known_at ?? null,
  measured_on: source?.period_end ?? null,
  // Of an adjusted figure the basis is the row's.
  split_basis: (source?.split_factor === undefined ? source?.split_basis : row.split_basis) ?? null,
  split_factor: source?.split_factor ?? null,
  filed_value: source?.filed_value ?? null,
  operands: source?.operands ? JSON.stringify(source.operands) : null,
});

/** The figures of a row, without those that are null. */
function* figuresOf(row: Row, lines: readonly string[]) {
  const values = row as unknown as Readonly<Record<string, unknown>>;
  for (const line of lines) {
    const value = values[line];
    if (typeof value !== "number") continue;
    const basis = row.derived_lines?.includes(line) ? "derived" : row.basis;
    yield { line, value, basis, ...receiptOf(row, row.sources?.[line]) };
  }
}

/**
 * The figures of an answer that was made with `include_sources`; metrics have no receipt and are left out.
 */
export function longTable(answer: FinancialDataResponse): Table {
  const { ticker, company } = answer;
  const rows = function* () {
    for (const [statement, lines] of STATEMENTS)
      for (const row of answer[statement])
        for (const figure of figuresOf(row, lines)) {
          const cells: Readonly<Record<string, unknown>> = {
            ...row,
            ticker,
            cik: company.cik,
            statement,
            ...figure,
          };
          yield COLUMNS.map(([name]) => cells[name]);
        }
  };
  return { ...tableOfRows(`financials_${ticker}`, columnsOfPairs(COLUMNS), rows), notes: notesOf(answer) };
}
