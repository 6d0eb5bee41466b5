// Financial statements as tables by period; a click on a value shows its source. Two vintages stand side by
// side where both are given: a figure that was first reported otherwise has both values.
import { type Cell, element, table } from "./elements.ts";
import { figure } from "./format.ts";
import { type Filer, type Source, showReceipt } from "./receipt.ts";
import { inWords } from "./states.ts";

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
/** Periods side by side: on a phone as many as fit without sideways scrolling. */
const PERIODS_MAX = 8;
const PERIODS_ON_PHONE = 2;
const PHONE = window.matchMedia("(max-width: 40rem)");

const titled = (name: string) =>
  name
    .replaceAll("_", " ")
    .replace(/^./, (c) => c.toUpperCase())
    .replace(/\bEps\b/, "Earnings per share,");
const periodKey = ({ period_end_date, period_months, basis }: Row) =>
  `${period_end_date} ${period_months ?? ""} ${String(basis ?? "")}`;

function figureOf(line: string, row: Row, filer: Filer): HTMLElement | string {
  const value = row[line];
  if (typeof value !== "number") return "–";
  const button = element("button", { type: "button", "data-line": line }, figure(value));
  const period = `${row.fiscal_year ?? ""} ${row.fiscal_period ?? ""}, to ${row.period_end_date}`.trim();
  const shown = { ...row, title: titled(line), value, period, source: row.sources?.[line] };
  button.addEventListener("click", () => showReceipt(shown, filer));
  return button;
}

const WAS = { class: "was" };

/** A figure, and below it what was first reported where that is another one. */
function cellOf(line: string, row: Row, first: Row | undefined, filer: Filer): Cell {
  const latest = figureOf(line, row, filer);
  if (!first || (first[line] ?? null) === (row[line] ?? null)) return latest;
  return [latest, element("span", WAS, "first ", figureOf(line, first, filer))];
}

/** The periods of a statement from `offset` on, newest first. */
function periodTable(shown: readonly Row[], firsts: ReadonlyMap<string, Row>, filer: Filer): HTMLElement {
  const firstOf = (row: Row) => firsts.get(periodKey(row));
  // A line that was reported first and is withdrawn is shown too.
  const both = shown.flatMap((row) => [row, firstOf(row) ?? row]);
  const lines = [...new Set(both.flatMap((row) => Object.keys(row)))].filter(
    (name) => !HEAD.has(name) && both.some((row) => typeof row[name] === "number"),
  );
  const heads = shown.map(
    (row) =>
      `>${row.fiscal_year ?? ""} ${row.fiscal_period ?? ""}\n${row.period_end_date}${row.period_months === null ? "" : `\n${row.period_months} months`}`,
  );
  const body = lines.map((line) => [
    titled(line),
    ...shown.map((row) => cellOf(line, row, firstOf(row), filer)),
  ]);
  const basisOf = (row: Row): Cell => {
    const [latest, first] = [row.split_basis ?? "–", firstOf(row)?.split_basis ?? null];
    return first === null || first === latest ? latest : [latest, element("span", WAS, `first ${first}`)];
  };
  const basis = shown.some(({ split_basis }) => split_basis !== null)
    ? [["Splits counted before", ...shown.map(basisOf)]]
    : [];
  return table(["line", ...heads], [...body, ...basis], "No periods in this span.");
}

/** A statement, a few periods at a time. */
function statement(title: string, rows: readonly Row[], firsts: readonly Row[], filer: Filer): HTMLElement {
  const sorted = [...rows].sort((a, b) => b.period_end_date.localeCompare(a.period_end_date));
  const firstRows = new Map(firsts.map((row) => [periodKey(row), row]));
  const most = PHONE.matches ? PERIODS_ON_PHONE : PERIODS_MAX;
  let offset = 0;
  const place = element("div");
  const newer = element("button", { type: "button" }, "Newer");
  const older = element("button", { type: "button" }, "Older");
  const show = (from: number) => {
    offset = from;
    newer.disabled = offset === 0;
    older.disabled = offset + most >= sorted.length;
    place.replaceChildren(periodTable(sorted.slice(offset, offset + most), firstRows, filer));
  };
  newer.addEventListener("click", () => show(Math.max(0, offset - most)));
  older.addEventListener("click", () => show(offset + most));
  show(0);
  const pager =
    sorted.length > most
      ? element(
          "p",
          { class: "controls", "data-pager": title.toLowerCase().replaceAll(" ", "-") },
          newer,
          older,
        )
      : null;
  return element("div", {}, element("h3", {}, title), pager, place);
}

/**
 * The three statements, and the warnings of the service. `first`: the same as first reported, to be shown
 * beside them.
 */
export const statementParts = (
  statements: Statements,
  filer: Filer,
  first: Statements | null = null,
): HTMLElement[] =>
  [statements.income_statement, statements.balance_sheet, statements.cash_flow].every(
    (rows) => rows.length === 0,
  ) && statements.warnings.length === 0
    ? []
    : parts(statements, filer, first);

/** The currencies of the shown figures, such as USD. */
const currenciesOf = ({ income_statement, balance_sheet, cash_flow }: Statements): string =>
  [...new Set([...income_statement, ...balance_sheet, ...cash_flow].map(({ currency }) => currency))].join(
    ", ",
  );

const parts = (statements: Statements, filer: Filer, first: Statements | null): HTMLElement[] => [
  element("p", { class: "quiet" }, `Reported in ${currenciesOf(statements) || "an unknown currency"}.`),
  statement("Income", statements.income_statement, first?.income_statement ?? [], filer),
  statement("Balance sheet", statements.balance_sheet, first?.balance_sheet ?? [], filer),
  statement("Cash flow", statements.cash_flow, first?.cash_flow ?? [], filer),
  element(
    "ul",
    { class: "notes" },
    ...statements.warnings.slice(0, 8).map((warning) => element("li", {}, inWords(warning))),
  ),
];
