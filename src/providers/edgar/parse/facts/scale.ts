// Detects figures that are a thousand or a million times too large or too small. It compares each filing with
// what the company reported before it, never with later filings.
import { type Chosen, type Column, type Deviation, type Report, SUM_SLACK_UNITS } from "./column.ts";
import { type LineHistory, RECENT_VALUES_MIN, type RecentValues } from "./history.ts";
import type { ComparedLine } from "./line.ts";
import { POWERS, powerOf } from "./powers.ts";
import type { StatementLine } from "./records.ts";
import { type Verdicts, weighWitnesses } from "./witnesses.ts";

/**
 * Lines that do not change a thousandfold while the rest of the statement stays the same. All other lines may
 * truly come near zero, or grow from near zero.
 */
const STEADY: ReadonlySet<StatementLine> = new Set<StatementLine>([
  "revenue",
  "cost_of_revenue",
  "selling_general_administrative",
  "operating_expenses",
  "total_assets",
  "current_assets",
  "total_liabilities",
  "current_liabilities",
  "liabilities_and_equity",
  "weighted_average_shares_basic",
  "weighted_average_shares_diluted",
  "shares_outstanding",
]);
/** Tolerance, in powers of ten, when a figure is compared with the median of recent values. */
const POWER_SLACK = 0.5;
/** Costs that may grow from near zero, but not by just a thousand times what steady ones were. */
const SIZED: ReadonlySet<StatementLine> = new Set<StatementLine>([
  "research_and_development",
  "depreciation_amortization",
  "stock_based_compensation",
  "inventory",
  "accounts_receivable",
]);
/** Tolerance, in powers of ten, when one of these is compared with the median of recent values. */
// Made up: after 260 to 268 million, research of 268 or 350 dollars is off, one of 400 dollars is not judged.
const SIZED_SLACK = 0.15;
/** Tolerance, in powers of ten, when two reports of one period are compared. */
const EXACT_SLACK = 0.005;
/**
 * A figure this near the median of recent values, in powers of ten, is predicted by them; this far, it is
 * off.
 */
const [HISTORY_SLACK, HISTORY_OFF_MIN] = [1, 2.2];
/** The deviation of a figure that other figures of its filing contradict. */
const WITNESSED = 9;
const DAYS_PER_MONTH = 30.44;

/** Sums of a statement: a total and its parts. A part that the filing does not report counts as zero. */
const SUMS: readonly { readonly whole: ComparedLine; readonly parts: readonly ComparedLine[] }[] = [
  { whole: "total_assets", parts: ["total_liabilities", "temporary_equity", "total_equity"] },
  { whole: "liabilities_and_equity", parts: ["total_liabilities", "temporary_equity", "total_equity"] },
  { whole: "revenue", parts: ["cost_of_revenue", "gross_profit"] },
  { whole: "revenue", parts: ["operating_expenses", "operating_income"] },
  { whole: "revenue", parts: ["cost_of_revenue", "operating_expenses", "operating_income"] },
];

/**
 * The absolute value of a figure. Flows are divided by the months of their period, so that quarters and years
 * compare.
 */
function sizeOf({ value, period, spec }: Chosen): number {
  if (spec.kind !== "flow" || period.startDay === null) return Math.abs(value);
  return Math.abs(value) / ((period.endDay - period.startDay + 1) / DAYS_PER_MONTH);
}

const recentOf = ({ past, cell }: Chosen): RecentValues => past.line.recentIn(cell.unit);

/**
 * True when `value` lies farther from the line's recent values than the earlier report's figure for the same
 * period.
 */
function isFarther(figure: Chosen, earlier: number): boolean {
  const { value } = figure;
  const { median } = recentOf(figure);
  if (median === 0) return false;
  const size = sizeOf(figure);
  const before = size * Math.abs(earlier / value);
  return Math.abs(Math.log10(size / median)) > Math.abs(Math.log10(before / median));
}

/**
 * Clears figures that truly grew a thousandfold, as after a blank cheque company's offering or the sale of a
 * first licence. The evidence: the statement's sum still adds up, and another of its amounts stayed in place.
 * When a whole filing is off, no amount stays in place.
 */
function clearBySums(column: Column, all: readonly Chosen[]): void {
  for (const { whole, parts } of SUMS) {
    const total = column.figures[whole];
    if (!total?.deviation) continue;
    const reported = parts.flatMap((line) => column.figures[line] ?? []);
    const sum = reported.reduce((before, { value }) => before + value, 0);
    if (reported.length < 2) continue;
    if (Math.abs(sum - total.value) > SUM_SLACK_UNITS * total.filing.rounding) continue;
    // The evidence must be of the total's own kind: a filing whose money is off may still count its shares
    // correctly.
    const isInPlace = ({ spec, cell, deviation }: Chosen) =>
      deviation === 0 &&
      cell.column === column &&
      spec.statement === total.spec.statement &&
      spec.kind === total.spec.kind;
    if (!all.some(isInPlace)) continue;
    for (const figure of [total, ...reported]) figure.deviation = 0;
  }
}

/**
 * Compares with the earlier report of the same period where there is one, else with the line's recent values.
 */
function deviationOf(figure: Chosen): Deviation {
  const { value, spec, past } = figure;
  if (value === 0) return null;
  const earlier = past.value;
  if (earlier === value) return 0;
  if (earlier !== undefined && earlier !== 0) {
    const power = powerOf(Math.abs(value / earlier), EXACT_SLACK);
    return power !== 0 && isFarther(figure, earlier) ? power : 0;
  }
  const recentValues = recentOf(figure);
  const isSteady = STEADY.has(spec.line);
  if (!recentValues.areSteady || (!isSteady && !SIZED.has(spec.line))) return null;
  const power = powerOf(sizeOf(figure) / recentValues.median, isSteady ? POWER_SLACK : SIZED_SLACK);
  return isSteady || power !== 0 ? power : null;
}

/**
 * True when earlier filings predict the figure, false when it is off them, null when nothing can be compared.
 */
function fitsHistory(figure: Chosen): boolean | null {
  if (figure.past.value === figure.value) return true;
  const recentValues = recentOf(figure);
  if (!recentValues.areSteady || figure.value === 0) return null;
  const size = Math.abs(Math.log10(sizeOf(figure) / recentValues.median));
  return size <= HISTORY_SLACK ? true : size >= HISTORY_OFF_MIN ? false : null;
}

const isNearOne = ({ value }: Chosen, others: ReadonlySet<Chosen>): boolean =>
  others.values().some((other) => other.value / value < 10 && value / other.value < 10);

/**
 * Applies what the filing's own figures say about each other. Share counts that agree with net income and
 * earnings per share are cleared, however far they moved, as after a large reverse split. Shares outstanding
 * are cleared when they are within a factor of ten of such a count.
 */
function applyWitnesses(figures: readonly Chosen[], { doubted, confirmed }: Verdicts): void {
  for (const figure of confirmed) figure.deviation = 0;
  for (const figure of figures)
    if (figure.deviation && figure.spec.line === "shares_outstanding" && isNearOne(figure, confirmed))
      figure.deviation = 0;
  for (const figure of doubted) figure.deviation ||= WITNESSED;
}

const isOff = ({ deviation }: Chosen): boolean => deviation !== null && deviation !== 0;

function hasOff(figures: readonly Chosen[]): boolean {
  for (const figure of figures) if (isOff(figure)) return true;
  return false;
}

/**
 * The power of a thousand by which more than half of the figures that can be compared are off; 0 when there
 * is none.
 */
function commonestOf(figures: readonly Chosen[]): number {
  const compared = figures.filter(({ deviation }) => deviation !== null);
  if (compared.length < RECENT_VALUES_MIN) return 0;
  const isCommonest = (power: number) =>
    compared.filter(({ deviation }) => deviation === power).length * 2 > compared.length;
  return POWERS.find(isCommonest) ?? 0;
}

export class ScaleDetector {
  /** The power of ten by which the whole previous filing was off; 0 when it was not. */
  #offBefore = 0;
  constructor(readonly histories: readonly LineHistory[]) {}

  /** Returns the figures of one filing that are off. */
  judge(report: Report): ReadonlySet<Chosen> {
    const { figures, columns } = report;
    for (const figure of figures) figure.deviation = deviationOf(figure);
    applyWitnesses(figures, weighWitnesses(report, fitsHistory));
    const off = new Set<Chosen>();
    if (hasOff(figures)) {
      for (const column of columns) clearBySums(column, figures);
      for (const figure of figures) if (isOff(figure)) off.add(figure);
    }
    const commonest = off.size === 0 ? 0 : commonestOf(figures);
    if (commonest !== 0) return this.#judgeWhole(figures, commonest);
    this.#offBefore = 0;
    return off;
  }

  /** Adds a figure that was found sound to the recent values of its line. */
  learn(figure: Chosen): void {
    if (figure.value !== 0) recentOf(figure).add(sizeOf(figure));
  }

  /**
   * Judges a filing that is off as a whole: everything but per-share figures and figures that fit is off.
   * When the next filing is off by the same power, the earlier filings were the wrong ones; their values are
   * forgotten.
   */
  #judgeWhole(figures: readonly Chosen[], power: number): ReadonlySet<Chosen> {
    const isConfirmed = this.#offBefore === power;
    this.#offBefore = power;
    if (isConfirmed) {
      for (const history of this.histories) history.forgetRecent();
      return new Set();
    }
    // Net income that is itself off must not have cleared share counts: their first judgement stands.
    const isOffWith = (figure: Chosen) =>
      figure.spec.kind !== "per_share" &&
      (figure.deviation !== 0 || (figure.spec.kind === "shares" && deviationOf(figure) === power));
    return new Set(figures.filter(isOffWith));
  }
}
