// Financial statements as tables by period; a click on a value shows its source.
import { byId, type Cell, element, table } from "./elements.ts";
import { figure, minute, reported } from "./format.ts";

interface Source {
  readonly tag: string;
  readonly accession_number: string;
  readonly filed_date: string;
  readonly form?: string;
  readonly known_at?: string | null;
  readonly unit?: string;
}
export interface Row {
  readonly fiscal_year: number | null;
  readonly fiscal_period: string | null;
  readonly period_end_date: string;
  readonly period_months: number | null;
  readonly form: string;
  readonly filed_date: string;
  readonly accession_number: string;
  readonly currency: string;
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
const filingUrl = (accession: string, cik: string | null) =>
  cik === null
    ? null
    : `https://www.sec.gov/Archives/edgar/data/${Number(cik)}/${accession.replaceAll("-", "")}/${accession}-index.htm`;

function showReceipt(line: string, row: Row, cik: string | null): void {
  const source = row.sources?.[line];
  const dialog = byId<HTMLDialogElement>("receipt");
  const accession = source?.accession_number ?? row.accession_number;
  const url = filingUrl(accession, cik);
  const pairs: [string, Cell][] = [
    ["Value", reported(Number(row[line]), source?.unit ?? "(unit not stated)")],
    ["Period", `${row.fiscal_year ?? ""} ${row.fiscal_period ?? ""}, to ${row.period_end_date}`],
    ["Tag", source?.tag ?? "–"],
    [
      "Filing",
      url === null ? accession : element("a", { href: url, rel: "noreferrer", target: "_blank" }, accession),
    ],
    ["Form", source?.form ?? row.form],
    ["Filed", source?.filed_date ?? row.filed_date],
    ["Known from", minute(source?.known_at ?? (row.known_at as string | null) ?? null)],
  ];
  const close = element("button", { type: "button" }, "Close");
  close.addEventListener("click", () => dialog.close());
  dialog.replaceChildren(
    element("h2", {}, titled(line)),
    element(
      "dl",
      {},
      ...pairs.flatMap(([name, value]) => [
        element("dt", {}, name),
        element("dd", {}, value as Node | string),
      ]),
    ),
    close,
  );
  dialog.showModal();
}

function cellOf(line: string, row: Row, cik: string | null): Cell {
  const value = row[line];
  if (typeof value !== "number") return "–";
  const button = element("button", { type: "button", "data-line": line }, figure(value));
  button.addEventListener("click", () => showReceipt(line, row, cik));
  return button;
}

function statement(title: string, rows: readonly Row[], cik: string | null): HTMLElement {
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
  const body = lines.map((line) => [titled(line), ...shown.map((row) => cellOf(line, row, cik))]);
  return element(
    "div",
    {},
    element("h3", {}, title),
    table(["", ...heads], body, "No periods in this span."),
  );
}

/** The three statements, and the warnings of the service. */
export const statementParts = (statements: Statements, cik: string | null): HTMLElement[] =>
  [statements.income_statement, statements.balance_sheet, statements.cash_flow].every(
    (rows) => rows.length === 0,
  ) && statements.warnings.length === 0
    ? []
    : parts(statements, cik);

const parts = (statements: Statements, cik: string | null): HTMLElement[] => [
  statement("Income", statements.income_statement, cik),
  statement("Balance sheet", statements.balance_sheet, cik),
  statement("Cash flow", statements.cash_flow, cik),
  element(
    "ul",
    { class: "notes" },
    ...statements.warnings.slice(0, 8).map((warning) => element("li", {}, warning)),
  ),
];
