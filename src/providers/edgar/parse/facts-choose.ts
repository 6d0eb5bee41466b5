// Chooses the tag of each statement line, separately for every filing and period.
import { ALL_CASH, closesChange, closesWithEffect } from "./facts-cash.ts";
import { CashEvidence } from "./facts-cash-days.ts";
import { closesBalance, closesBesideEquity } from "./facts-equity.ts";
import { isPaymentBySums } from "./facts-flows.ts";
import type { Candidate, LineSpec } from "./facts-line.ts";
import { LINES } from "./facts-lines.ts";
import type { Get } from "./facts-proofs.ts";
import { type Cell, cellKey, type FactTable, type Filing } from "./facts-read.ts";
import type { FigureWarning, StatementLine } from "./facts-records.ts";

/** A figure that was chosen for a line, before it is compared with earlier filings. */
export interface Chosen extends Cell {
  readonly spec: LineSpec;
  readonly tag: string;
  /** A payment that is filed as a negative number and that the sums of the statement show to be one: `value` is positive. */
  readonly isReversed?: true;
}

type Closes = (value: number, get: Get, tolerance: number) => boolean;
/** Lines whose tag is chosen first by the sum that it closes; the order of the table decides where none closes. */
const CLOSING: ReadonlyMap<StatementLine, Closes> = new Map([
  ["total_equity", closesBalance],
  ["temporary_equity", closesBesideEquity],
  ["net_change_in_cash", closesChange],
  ["exchange_rate_effect", closesWithEffect],
]);

/** Lines that are payments: positive amounts. */
const PAYMENTS: ReadonlySet<StatementLine> = new Set<StatementLine>([
  "capital_expenditure",
  "dividends_paid",
  "share_repurchases",
]);
const CASH_LINE = "cash_and_equivalents";
/** A balance sheet names by this tag a bank's cash as well as a part of it. */
const PART_OF_CASH = "CashAndDueFromBanks";

/** A sum of rounded figures may differ from its total by this many rounding units. */
const SUM_SLACK_UNITS = 2;

/** Filings that have a nonzero value of the tag, for any period. */
function filingsWith(table: FactTable, tag: string): ReadonlySet<Filing> {
  const filings = new Set<Filing>();
  for (const { filing, value } of table.tags.get(tag)?.values() ?? []) if (value !== 0) filings.add(filing);
  return filings;
}

function fitsKind({ unit }: Cell, { kind }: LineSpec): boolean {
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
  depreciation_amortization: "another figure of the report shows that the reported one is only a part of it",
};

class Chooser {
  readonly #filingsWith = new Map<string, ReadonlySet<Filing>>();
  readonly #cash: CashEvidence;
  constructor(readonly table: FactTable) {
    this.#cash = new CashEvidence(table);
  }

  /** True when the candidate's conditions hold for one of its cells. */
  admits(candidate: Candidate, cell: Cell): boolean {
    if (candidate.onlyClosing) return false;
    const key = cellKey(cell.filing, cell.period);
    const get: Get = (tag) => this.table.tags.get(tag)?.get(key)?.value;
    if (candidate.unless?.some((tag) => (get(tag) ?? 0) !== 0)) return false;
    if (candidate.unlessInFiling?.some((tag) => this.#has(tag, cell.filing))) return false;
    return candidate.proof?.(cell.value, get, SUM_SLACK_UNITS * cell.filing.rounding) ?? true;
  }

  /** True when sums of the filing show that the tag is only a part of cash, or more than it. */
  disproves(line: StatementLine, tag: string, { filing }: Cell): boolean {
    if (line !== CASH_LINE) return false;
    const verdict = this.#cash.verdict(tag, filing);
    return verdict === "more" || (tag === PART_OF_CASH && verdict === "part");
  }

  /** True when the cell closes the sum that decides its line. */
  closes(line: StatementLine, { tag, onlyClosing, unlessInFiling }: Candidate, cell: Cell): boolean {
    if (onlyClosing && unlessInFiling?.some((other) => this.#has(other, cell.filing))) return false;
    if (line === CASH_LINE) return tag !== ALL_CASH && this.#cash.verdict(tag, cell.filing) === "whole";
    const closes = CLOSING.get(line);
    if (!closes) return false;
    const key = cellKey(cell.filing, cell.period);
    const get: Get = (tag) => this.table.tags.get(tag)?.get(key)?.value;
    return closes(cell.value, get, SUM_SLACK_UNITS * cell.filing.rounding);
  }

  /** The figure with the sign that the sums of its statement prove, where it is a payment filed as a negative number. */
  withProvenSign(figure: Chosen): Chosen {
    const { spec, tag, value, filing, period } = figure;
    if (!PAYMENTS.has(spec.line) || value >= 0) return figure;
    const key = cellKey(filing, period);
    const get: Get = (other) => this.table.tags.get(other)?.get(key)?.value;
    const isProven = isPaymentBySums(tag, value, get, SUM_SLACK_UNITS * filing.rounding);
    return isProven ? { ...figure, value: -value, isReversed: true } : figure;
  }

  #has(tag: string, filing: Filing): boolean {
    return this.#filingsWith.getOrInsertComputed(tag, () => filingsWith(this.table, tag)).has(filing);
  }
}

/** True when a figure that the candidate's conditions refuse is worth a warning: it is reported under the line's name. */
const isDoubt = ({ line }: LineSpec, { proof }: Candidate): boolean =>
  line === "revenue" || proof !== undefined;

/**
 * Chooses the figures of one line: for each filing and period the first tag whose conditions hold. `refused` has the
 * cells of filings and periods where no tag qualifies.
 */
function chooseLine(
  spec: LineSpec,
  chooser: Chooser,
): { readonly chosen: Iterable<Chosen>; readonly refused: readonly Cell[] } {
  const chosen = new Map<number, Chosen>();
  const refused = new Map<number, Cell>();
  const isClosing = CLOSING.has(spec.line) || spec.line === CASH_LINE;
  const isFree = (key: number, cell: Cell) =>
    !chosen.has(key) && (cell.period.startDay === null) === spec.instant && fitsKind(cell, spec);
  for (const candidate of isClosing ? spec.candidates : [])
    for (const [key, cell] of chooser.table.tags.get(candidate.tag) ?? [])
      if (isFree(key, cell) && chooser.closes(spec.line, candidate, cell))
        chosen.set(key, { ...cell, spec, tag: candidate.tag });
  for (const candidate of spec.candidates)
    for (const [key, cell] of chooser.table.tags.get(candidate.tag) ?? []) {
      if (!isFree(key, cell)) continue;
      const isPart = chooser.disproves(spec.line, candidate.tag, cell);
      if (!isPart && chooser.admits(candidate, cell)) chosen.set(key, { ...cell, spec, tag: candidate.tag });
      else if (isPart || isDoubt(spec, candidate)) refused.set(key, cell);
    }
  for (const key of chosen.keys()) refused.delete(key);
  // A tag whose number cannot be read still wins: the tags after it may be only a part of it.
  const readable = chosen.values().filter(({ value }) => !Number.isNaN(value));
  return { chosen: readable, refused: [...refused.values()] };
}

/** One warning for each report and period for which a line was left out. */
function refusalWarnings(line: StatementLine, refused: readonly Cell[]): FigureWarning[] {
  const reason = DOUBTED[line];
  if (!reason) return [];
  const places = new Map(
    refused.map(({ filing, period }) => [`${filing.accession} ${period.end}`, { filing, period }]),
  );
  return [...places.values()].map(({ filing, period }) => ({
    code: `${line}_in_doubt`,
    line,
    period_end: period.end,
    accession_number: filing.accession,
    detail: `${line.replaceAll("_", " ")} to ${period.end} in ${filing.accession} is left out: ${reason}`,
  }));
}

/** Returns the figures by filing. `warnings` names figures that were left out because they may be only a part of their line. */
export function chooseFigures(table: FactTable): {
  readonly byFiling: ReadonlyMap<Filing, readonly Chosen[]>;
  readonly warnings: readonly FigureWarning[];
} {
  const chooser = new Chooser(table);
  const byFiling = new Map<Filing, Chosen[]>();
  const warnings: FigureWarning[] = [];
  for (const spec of LINES) {
    const { chosen, refused } = chooseLine(spec, chooser);
    for (const figure of chosen)
      byFiling.getOrInsertComputed(figure.filing, () => []).push(chooser.withProvenSign(figure));
    warnings.push(...refusalWarnings(spec.line, refused));
  }
  return { byFiling, warnings };
}
