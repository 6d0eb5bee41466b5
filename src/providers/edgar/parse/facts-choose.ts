// Chooses the tag of each statement line, separately for every filing and period.
import { closesChange, closesWithEffect } from "./facts-cash.ts";
import { type Candidate, LINES, type LineSpec } from "./facts-lines.ts";
import { closesBalance, type Get } from "./facts-proofs.ts";
import { type Cell, cellKey, type FactTable, type Filing } from "./facts-read.ts";
import type { FigureWarning, StatementLine } from "./facts-records.ts";

/** A figure that was chosen for a line, before it is compared with earlier filings. */
export interface Chosen extends Cell {
  readonly spec: LineSpec;
  readonly tag: string;
}

type Closes = (value: number, get: Get, tolerance: number) => boolean;
/** Lines whose tag is chosen first by the sum that it closes; the order of the table decides where none closes. */
const CLOSING: ReadonlyMap<StatementLine, Closes> = new Map([
  ["total_equity", closesBalance],
  ["net_change_in_cash", closesChange],
  ["exchange_rate_effect", closesWithEffect],
]);

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

class Chooser {
  readonly #filingsWith = new Map<string, ReadonlySet<Filing>>();
  constructor(readonly table: FactTable) {}

  /** True when the candidate's conditions hold for one of its cells. */
  admits(candidate: Candidate, cell: Cell): boolean {
    const key = cellKey(cell.filing, cell.period);
    const get: Get = (tag) => this.table.tags.get(tag)?.get(key)?.value;
    if (candidate.unless?.some((tag) => (get(tag) ?? 0) !== 0)) return false;
    if (candidate.unlessInFiling?.some((tag) => this.#has(tag, cell.filing))) return false;
    return candidate.proof?.(cell.value, get, SUM_SLACK_UNITS * cell.filing.rounding) ?? true;
  }

  /** True when the cell closes the sum that decides its line. */
  closes(closes: Closes, cell: Cell): boolean {
    const key = cellKey(cell.filing, cell.period);
    const get: Get = (tag) => this.table.tags.get(tag)?.get(key)?.value;
    return closes(cell.value, get, SUM_SLACK_UNITS * cell.filing.rounding);
  }

  #has(tag: string, filing: Filing): boolean {
    return this.#filingsWith.getOrInsertComputed(tag, () => filingsWith(this.table, tag)).has(filing);
  }
}

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
  const closes = CLOSING.get(spec.line);
  for (const { tag } of closes ? spec.candidates : [])
    for (const [key, cell] of chooser.table.tags.get(tag) ?? [])
      if (
        closes &&
        !chosen.has(key) &&
        (cell.period.startDay === null) === spec.instant &&
        fitsKind(cell, spec)
      )
        if (chooser.closes(closes, cell)) chosen.set(key, { ...cell, spec, tag });
  for (const candidate of spec.candidates)
    for (const [key, cell] of chooser.table.tags.get(candidate.tag) ?? []) {
      if (chosen.has(key) || (cell.period.startDay === null) !== spec.instant || !fitsKind(cell, spec))
        continue;
      if (chooser.admits(candidate, cell)) chosen.set(key, { ...cell, spec, tag: candidate.tag });
      else refused.set(key, cell);
    }
  for (const key of chosen.keys()) refused.delete(key);
  // A tag whose number cannot be read still wins: the tags after it may be only a part of it.
  const readable = chosen.values().filter(({ value }) => !Number.isNaN(value));
  return { chosen: readable, refused: [...refused.values()] };
}

/** One warning for each report and period whose revenue was left out. */
function revenueWarnings(refused: readonly Cell[]): FigureWarning[] {
  const places = new Map(
    refused.map(({ filing, period }) => [`${filing.accession} ${period.end}`, { filing, period }]),
  );
  return [...places.values()].map(({ filing, period }) => ({
    code: "revenue_in_doubt",
    line: "revenue",
    period_end: period.end,
    accession_number: filing.accession,
    detail: `revenue to ${period.end} in ${filing.accession} is left out: the reported figure may be a part of it, and no sum of the statement shows which is the total`,
  }));
}

/** Returns the figures by filing. `warnings` names revenue that was left out because it may be a part of the total. */
export function chooseFigures(table: FactTable): {
  readonly byFiling: ReadonlyMap<Filing, readonly Chosen[]>;
  readonly warnings: readonly FigureWarning[];
} {
  const chooser = new Chooser(table);
  const byFiling = new Map<Filing, Chosen[]>();
  const warnings: FigureWarning[] = [];
  for (const spec of LINES) {
    const { chosen, refused } = chooseLine(spec, chooser);
    for (const figure of chosen) byFiling.getOrInsertComputed(figure.filing, () => []).push(figure);
    if (spec.line === "revenue") warnings.push(...revenueWarnings(refused));
  }
  return { byFiling, warnings };
}
