// Chooses the tag of each statement line, separately for every filing and period.
import { ALL_CASH, closesChange, closesWithEffect } from "./cash.ts";
import { CashEvidence } from "./cash-days.ts";
import { type Cell, Chosen, type Column, type Filing, type Report, SUM_SLACK_UNITS } from "./column.ts";
import { closesBalance, closesBesideEquity } from "./equity.ts";
import { LineHistory } from "./history.ts";
import type { Candidate, ComparedLine, LineSpec } from "./line.ts";
import { LINES } from "./lines.ts";
import type { Get } from "./proofs.ts";
import type { FactTable } from "./read.ts";
import type { FigureWarning, StatementLine } from "./records.ts";
import { settleSigns } from "./signs.ts";

type Closes = (value: number, get: Get, tolerance: number) => boolean;
/**
 * Lines whose tag is chosen first by the sum that it closes; the order of the table decides where none
 * closes.
 */
const CLOSING: ReadonlyMap<StatementLine, Closes> = new Map([
  ["total_equity", closesBalance],
  ["temporary_equity", closesBesideEquity],
  ["net_change_in_cash", closesChange],
  ["exchange_rate_effect", closesWithEffect],
]);

const CASH_LINE = "cash_and_equivalents";
/** A balance sheet names by this tag a bank's cash as well as a part of it. */
const PART_OF_CASH = "CashAndDueFromBanks";

/** Filings that have a nonzero value of one of the tags, for any period. */
function filingsWith(table: FactTable, tags: readonly string[]): ReadonlySet<Filing> {
  const filings = new Set<Filing>();
  for (const tag of tags)
    for (const { column, value } of table.tags.get(tag)?.cells ?? [])
      if (value !== 0) filings.add(column.filing);
  return filings;
}

function fitsKind(unit: string, { kind }: LineSpec): boolean {
  if (kind === "shares") return unit === "shares";
  return kind === "per_share" ? unit.endsWith("/shares") : unit.length === 3;
}

/** Lines whose refused figures are named in a warning, each with the reason. */
const DOUBTED: Partial<Record<StatementLine, string>> = {
  revenue: "the reported figure may be a part of it, and no sum of the statement shows which is the total",
  cash_and_equivalents:
    "the reported figures are a part of it, or include restricted cash or that of operations held for sale, and none differs between two days by the change in cash and fits into current assets",
  property_plant_equipment:
    "the report gives more property of public utilities than property, plant and equipment, which is then only the rest",
  capital_expenditure:
    "the report gives several payments for property, and no sum of the statement shows which is the total",
  operating_expenses: "all costs of the report are more than it and the cost of revenue",
  provision_for_credit_losses:
    "the report gives several provisions, and net interest income after it shows none of them to be the statement's",
  dividends_paid: "the report gives the dividends of common and of preferred shares apart, and no total",
  depreciation_amortization:
    "the reported figure is depreciation alone, or another figure of the report shows that it is only a part of it",
};

const NONE: readonly Cell[] = [];

function hasNonzero(tags: readonly string[], get: Get): boolean {
  for (const tag of tags) if ((get(tag) ?? 0) !== 0) return true;
  return false;
}

class Chooser {
  readonly #filingsWith = new Map<readonly string[], ReadonlySet<Filing>>();
  readonly #cash: CashEvidence;
  constructor(readonly table: FactTable) {
    this.#cash = new CashEvidence(table);
  }

  cellsOf({ tag }: Candidate): readonly Cell[] {
    return this.table.tags.get(tag)?.cells ?? NONE;
  }

  /** True when the candidate's conditions hold for one of its cells. */
  admits(candidate: Candidate, { column, value }: Cell): boolean {
    if (candidate.onlyClosing) return false;
    const { filing, get } = column;
    const { unless, unlessInFiling, proof } = candidate;
    if (unless && hasNonzero(unless, get)) return false;
    if (unlessInFiling && this.#hasOneOf(unlessInFiling, filing)) return false;
    return proof === undefined || proof(value, get, SUM_SLACK_UNITS * filing.rounding);
  }

  /** True when sums of the filing show that the tag is only a part of cash, or more than it. */
  disproves(line: StatementLine, { tag, column }: Cell): boolean {
    if (line !== CASH_LINE) return false;
    const verdict = this.#cash.verdict(tag.id, column.filing);
    return verdict === "more" || (tag.id === PART_OF_CASH && verdict === "part");
  }

  /** True when the cell closes the sum that decides its line. */
  closes(line: StatementLine, { tag, onlyClosing, unlessInFiling }: Candidate, cell: Cell): boolean {
    const { filing, get } = cell.column;
    if (onlyClosing && unlessInFiling && this.#hasOneOf(unlessInFiling, filing)) return false;
    if (line === CASH_LINE) return tag !== ALL_CASH && this.#cash.verdict(tag, filing) === "whole";
    return CLOSING.get(line)?.(cell.value, get, SUM_SLACK_UNITS * filing.rounding) ?? false;
  }

  #hasOneOf(tags: readonly string[], filing: Filing): boolean {
    let filings = this.#filingsWith.get(tags);
    if (!filings) {
      filings = filingsWith(this.table, tags);
      this.#filingsWith.set(tags, filings);
    }
    return filings.has(filing);
  }
}

/**
 * True when a figure that the candidate's conditions refuse is worth a warning: it is reported under the
 * line's name.
 */
const isDoubt = ({ line }: LineSpec, { proof }: Candidate): boolean =>
  line === "revenue" || proof !== undefined;

/**
 * True when the cell may be chosen for the line: it is of its kind, and its column has no figure of the line
 * yet.
 */
const isFree = ({ column, unit }: Cell, spec: LineSpec): boolean =>
  column.lastLine !== spec && (column.period.startDay === null) === spec.instant && fitsKind(unit, spec);

/**
 * Chooses the figures of one line: for each column the first tag whose conditions hold. `refused` has the
 * cells of columns where no tag qualifies.
 */
function chooseLine(
  spec: LineSpec,
  chooser: Chooser,
): { readonly chosen: readonly Cell[]; readonly refused: readonly Cell[] } {
  const chosen: Cell[] = [];
  const refused = new Map<Column, Cell>();
  const choose = (cell: Cell) => {
    cell.column.lastLine = spec;
    chosen.push(cell);
  };
  for (const candidate of CLOSING.has(spec.line) || spec.line === CASH_LINE ? spec.candidates : [])
    for (const cell of chooser.cellsOf(candidate))
      if (isFree(cell, spec) && chooser.closes(spec.line, candidate, cell)) choose(cell);
  for (const candidate of spec.candidates)
    for (const cell of chooser.cellsOf(candidate)) {
      if (!isFree(cell, spec)) continue;
      const isPart = chooser.disproves(spec.line, cell);
      if (!isPart && chooser.admits(candidate, cell)) choose(cell);
      else if (isPart || isDoubt(spec, candidate)) refused.set(cell.column, cell);
    }
  return { chosen, refused: [...refused.values()].filter(({ column }) => column.lastLine !== spec) };
}

/** One warning for each report and period for which a line was left out. */
function refusalWarnings(line: StatementLine, refused: readonly Cell[]): FigureWarning[] {
  const reason = DOUBTED[line];
  if (!reason) return [];
  const places = new Map(
    refused.map(({ column }) => [`${column.filing.accession} ${column.period.end}`, column]),
  );
  return [...places.values()].map(({ filing, period }) => ({
    code: `${line}_in_doubt`,
    line,
    period_end: period.end,
    accession_number: filing.accession,
    detail: `${line.replaceAll("_", " ")} to ${period.end} in ${filing.accession} is left out: ${reason}`,
  }));
}

/** Totals of a cash-flow statement: they show for which periods a report states cash flows. */
const CASH_TOTALS: readonly ComparedLine[] = [
  ...(["operating_cash_flow", "investing_cash_flow", "financing_cash_flow", "net_change_in_cash"] as const),
  ...(["operating_cash_flow_continuing", "investing_cash_flow_continuing"] as const),
  "financing_cash_flow_continuing",
];
const hasFlows = ({ figures }: Column): boolean => CASH_TOTALS.some((line) => figures[line] !== undefined);

/**
 * True when a row misses the figure. A note's figure for one quarter of the half year whose cash flows the
 * report states is missed in no row.
 */
const isMissed = ({ statement }: LineSpec, own: Column, columns: readonly Column[]): boolean =>
  statement !== "cash_flow" ||
  hasFlows(own) ||
  !columns.some((other) => other.period.end === own.period.end && hasFlows(other));

function addTo({ figures, columns }: Report, figure: Chosen): void {
  const { spec, cell } = figure;
  if (!cell.column.hasFigures) columns.push(cell.column);
  cell.column.hasFigures = true;
  if (spec.compared !== null) cell.column.figures[spec.compared] = figure;
  figures.push(figure);
}

/**
 * Returns the reports with their figures. `warnings` names figures that were left out because they may be
 * only a part of their line.
 */
export function chooseFigures(table: FactTable): {
  readonly reports: readonly Report[];
  readonly histories: readonly LineHistory[];
  readonly warnings: readonly FigureWarning[];
} {
  const chooser = new Chooser(table);
  /** By the index of their filing. */
  const reports: (Report | undefined)[] = [];
  const histories: LineHistory[] = [];
  const refusals: { readonly spec: LineSpec; readonly refused: readonly Cell[] }[] = [];
  for (const spec of LINES) {
    const history = new LineHistory(spec.kind === "flow");
    histories.push(history);
    const { chosen, refused } = chooseLine(spec, chooser);
    for (const cell of chosen) {
      // A tag whose number cannot be read still wins: the tags after it may be only a part of it.
      if (Number.isNaN(cell.value)) continue;
      const { filing } = cell.column;
      reports[filing.index] ??= { filing, figures: [], columns: [] };
      addTo(reports[filing.index] as Report, new Chosen(spec, cell, history.of(cell.column.period)));
    }
    if (refused.length > 0) refusals.push({ spec, refused });
  }
  const warnings = refusals.flatMap(({ spec, refused }) =>
    refusalWarnings(
      spec.line,
      refused.filter(({ column }) => isMissed(spec, column, reports[column.filing.index]?.columns ?? [])),
    ),
  );
  const all = reports.filter((report) => report !== undefined);
  for (const report of all) settleSigns(report);
  return { reports: all, histories, warnings };
}
