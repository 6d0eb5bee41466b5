// Financial statements as tables by period; a click on a value shows its source.
import { type Cell, element, table } from "./elements.ts";
import { figure } from "./format.ts";
import { type Filer, type Source, showReceipt } from "./receipt.ts";

export interface Row {
  readonly fiscal_year: number | null;
  readonly fiscal_period: string | null;
  readonly period_end_date: string;
  readonly period_months: number | null;
  readonly form: string;
  readonly filed_date: string;
  readonly accession_number: string;
  readonly currency: string;
  readonly known_at: string | null;
  readonly split_basis: string | null;
  readonly sources?: Readonly<Record<string, Source>>;
  readonly [item: string]: unknown;
}
export interface Statements {
  readonly company: { readonly name: string | null; readonly cik: string | null };
  readonly income_statement: readonly Row[];
  readonly balance_sheet: readonly Row[];
  readonly cash_flow: readonly Row[];
  readonly warnings: readonly string[];
}

/** Fields that describe a row; all others are statement lines. */
const HEAD = new Set([
  "fiscal_year",
  "fiscal_period",
  "label_source",
  "split_basis",
  "period_start_date",
  "period_end_date",
  "period_type",
  "period_months",
  "form",
  "filed_date",
  "accession_number",
  "currency",
  "basis",
  "known_at",
  "source",
  "sources",
  "flags",
  "vintage",
]);
const PERIODS_MAX = 8;

const titled = (name: string) => name.replaceAll("_", " ").replace(/^./, (c) => c.toUpperCase());
function cellOf(line: string, row: Row, filer: Filer): Cell {
  const value = row[line];
  if (typeof value !== "number") return "–";
  const button = element("button", { type: "button", "data-line": line }, figure(value));
  const period = `${row.fiscal_year ?? ""} ${row.fiscal_period ?? ""}, to ${row.period_end_date}`.trim();
  const shown = { ...row, title: titled(line), value, period, source: row.sources?.[line] };
  button.addEventListener("click", () => showReceipt(shown, filer));
  return button;
}

function statement(title: string, rows: readonly Row[], filer: Filer): HTMLElement {
  const shown = [...rows]
    .sort((a, b) => b.period_end_date.localeCompare(a.period_end_date))
    .slice(0, PERIODS_MAX);
  const lines = [...new Set(shown.flatMap((row) => Object.keys(row)))].filter(
    (name) => !HEAD.has(name) && shown.some((row) => typeof row[name] === "number"),
  );
  const heads = shown.map(
    (row) =>
      `>${row.fiscal_year ?? ""} ${row.fiscal_period ?? ""} ${row.period_end_date}${row.period_months === null ? "" : ` (${row.period_months} M)`}`,
  );
  const body = lines.map((line) => [titled(line), ...shown.map((row) => cellOf(line, row, filer))]);
  const basis = shown.some(({ split_basis }) => split_basis !== null)
    ? [["Splits counted before", ...shown.map(({ split_basis }) => split_basis ?? "–")]]
    : [];
  return element(
    "div",
    {},
    element("h3", {}, title),
    table(["", ...heads], [...body, ...basis], "No periods in this span."),
  );
}

/** The three statements, and the warnings of the service. */
export const statementParts = (statements: Statements, filer: Filer): HTMLElement[] =>
  [statements.income_statement, statements.balance_sheet, statements.cash_flow].every(
    (rows) => rows.length === 0,
  ) && statements.warnings.length === 0
    ? []
    : parts(statements, filer);

const parts = (statements: Statements, filer: Filer): HTMLElement[] => [
  statement("Income", statements.income_statement, filer),
  statement("Balance sheet", statements.balance_sheet, filer),
  statement("Cash flow", statements.cash_flow, filer),
  element(
    "ul",
    { class: "notes" },
    ...statements.warnings.slice(0, 8).map((warning) => element("li", {}, warning)),
  ),
];
