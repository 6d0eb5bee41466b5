// Detects figures that are a thousand or a million times too large or too small. It compares each filing with what the
// company reported before it, never with later filings.
import type { Chosen } from "./facts-choose.ts";
import type { StatementLine } from "./facts-records.ts";
import { type Verdicts, weighWitnesses } from "./facts-witnesses.ts";

/**
 * Lines that do not change a thousandfold while the rest of the statement stays the same. All other lines may truly come
 * near zero, or grow from near zero.
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
const RECENT_VALUES_MIN = 3;
const RECENT_VALUES_MAX = 8;
/** When the largest recent value is more than this many times the smallest, they do not predict the next one. */
const RECENT_SPREAD_MAX = 20;
const POWERS = [3, -3, 6, -6] as const;
/** Tolerance, in powers of ten, when a figure is compared with the median of recent values. */
const POWER_SLACK = 0.5;
/** The same tolerance when two reports of one period are compared. */
const EXACT_SLACK = 0.005;
/** A figure this near the median of recent values, in powers of ten, is predicted by them; this far, it is off. */
const [HISTORY_SLACK, HISTORY_OFF_MIN] = [1, 2.2];
/** The deviation of a figure that other figures of its filing contradict. */
const WITNESSED = 9;
const DAYS_PER_MONTH = 30.44;

/** Sums of a statement: a total and its parts. A part that the filing does not report counts as zero. */
const SUMS: readonly { readonly whole: StatementLine; readonly parts: readonly StatementLine[] }[] = [
  { whole: "total_assets", parts: ["total_liabilities", "temporary_equity", "total_equity"] },
  { whole: "liabilities_and_equity", parts: ["total_liabilities", "temporary_equity", "total_equity"] },
  { whole: "revenue", parts: ["cost_of_revenue", "gross_profit"] },
  { whole: "revenue", parts: ["operating_expenses", "operating_income"] },
  { whole: "revenue", parts: ["cost_of_revenue", "operating_expenses", "operating_income"] },
];
/** A sum of rounded figures may differ from its total by this many rounding units. */
const SUM_SLACK_UNITS = 2;

const powerOf = (ratio: number, slack: number): number =>
  POWERS.find((power) => Math.abs(Math.log10(ratio) - power) <= slack) ?? 0;

/** The absolute value of a figure. Flows are divided by the months of their period, so that quarters and years compare. */
function sizeOf({ value, period, spec }: Chosen): number {
  if (spec.kind !== "flow" || period.startDay === null) return Math.abs(value);
  return Math.abs(value) / ((period.endDay - period.startDay + 1) / DAYS_PER_MONTH);
}

/** The sizes of the newest figures of a line that were found sound. */
class RecentValues {
  readonly #sizes: number[] = [];
  #sorted: readonly number[] | null = null;

  add(size: number): void {
    this.#sorted = null;
    if (this.#sizes.push(size) > RECENT_VALUES_MAX) this.#sizes.shift();
  }

  get #inOrder(): readonly number[] {
    this.#sorted ??= this.#sizes.toSorted((a, b) => a - b);
    return this.#sorted;
  }

  get median(): number {
    return this.#inOrder[this.#sizes.length >> 1] ?? 0;
  }

  /** True when there are enough values, close enough to each other, to predict the next one. */
  get areSteady(): boolean {
    const [least = 0, most = Infinity] = [this.#inOrder[0], this.#inOrder.at(-1)];
    return this.#sizes.length >= RECENT_VALUES_MIN && most <= RECENT_SPREAD_MAX * least;
  }
}

/** Recent values are separate for each line and currency. */
const seriesKey = ({ spec, unit }: Chosen): string => `${spec.line} ${unit}`;

/** The power of ten by which a figure is off; 0 when it fits earlier figures, null when nothing can be compared. */
type Deviation = number | null;

/** True when `value` lies farther from the line's recent values than the earlier report's figure for the same period. */
function isFarther(
  value: number,
  earlier: number,
  figure: Chosen,
  recentValues: RecentValues | undefined,
): boolean {
  const median = recentValues?.median ?? 0;
  if (median === 0) return false;
  const size = sizeOf(figure);
  const before = size * Math.abs(earlier / value);
  return Math.abs(Math.log10(size / median)) > Math.abs(Math.log10(before / median));
}

/**
 * Clears figures that truly grew a thousandfold, as after a blank cheque company's offering or the sale of a first
 * licence. The evidence: the statement's sum still adds up, and another of its amounts stayed in place. When a whole
 * filing is off, no amount stays in place.
 */
function clearBySums(figures: readonly Chosen[], deviations: Map<Chosen, Deviation>): void {
  for (const own of Map.groupBy(figures, ({ period }) => period.index).values()) {
    const of = (line: StatementLine) => own.find(({ spec }) => spec.line === line);
    for (const { whole, parts } of SUMS) {
      const total = of(whole);
      if (!total || !deviations.get(total)) continue;
      const reported = parts.flatMap((line) => of(line) ?? []);
      const sum = reported.reduce((before, { value }) => before + value, 0);
      if (reported.length < 2) continue;
      if (Math.abs(sum - total.value) > SUM_SLACK_UNITS * total.filing.rounding) continue;
      // The evidence must be of the total's own kind: a filing whose money is off may still count its shares correctly.
      const isInPlace = (figure: Chosen) =>
        figure.spec.statement === total.spec.statement &&
        figure.spec.kind === total.spec.kind &&
        deviations.get(figure) === 0;
      if (!own.some(isInPlace)) continue;
      for (const figure of [total, ...reported]) deviations.set(figure, 0);
    }
  }
}

export class ScaleDetector {
  readonly #lines = new Map<string, RecentValues>();
  /** The power of ten by which the whole previous filing was off; 0 when it was not. */
  #offBefore = 0;

  /**
   * Returns the figures of one filing that are off. `earlierOf` gives the value that the newest earlier report has for
   * the same line and period.
   */
  judge(figures: readonly Chosen[], earlierOf: (figure: Chosen) => number | undefined): ReadonlySet<Chosen> {
    const deviations = new Map(figures.map((f) => [f, this.#deviationOf(f, earlierOf(f))] as const));
    const byRecentValues = new Map(deviations);
    const verdicts = weighWitnesses(figures, (f) => this.#fitsHistory(f, earlierOf(f)));
    this.#applyWitnesses(figures, verdicts, deviations);
    clearBySums(figures, deviations);
    const compared = [...deviations.values()].filter((deviation) => deviation !== null);
    const commonest = POWERS.find((p) => compared.filter((s) => s === p).length * 2 > compared.length) ?? 0;
    if (commonest !== 0 && compared.length >= RECENT_VALUES_MIN) {
      // Restores share counts to their first judgement: net income that is itself off must not have cleared them.
      for (const [figure, deviation] of byRecentValues)
        if (figure.spec.kind === "shares" && deviation === commonest) deviations.set(figure, deviation);
      return this.#judgeWhole(commonest, deviations);
    }
    this.#offBefore = 0;
    return new Set(figures.filter((figure) => deviations.get(figure)));
  }

  /** Adds figures that were found sound to the recent values of their lines. */
  learn(figures: readonly Chosen[]): void {
    for (const figure of figures)
      if (figure.value !== 0)
        this.#lines.getOrInsertComputed(seriesKey(figure), () => new RecentValues()).add(sizeOf(figure));
  }

  /** Compares with the earlier report of the same period where there is one, else with the line's recent values. */
  #deviationOf(figure: Chosen, earlier: number | undefined): Deviation {
    const { value, spec } = figure;
    if (value === 0) return null;
    if (earlier === value) return 0;
    const recentValues = this.#lines.get(seriesKey(figure));
    if (earlier !== undefined && earlier !== 0) {
      const power = powerOf(Math.abs(value / earlier), EXACT_SLACK);
      return power !== 0 && isFarther(value, earlier, figure, recentValues) ? power : 0;
    }
    if (!STEADY.has(spec.line) || !recentValues?.areSteady) return null;
    return powerOf(sizeOf(figure) / recentValues.median, POWER_SLACK);
  }

  /** True when earlier filings predict the figure, false when it is off them, null when nothing can be compared. */
  #fitsHistory(figure: Chosen, earlier: number | undefined): boolean | null {
    if (earlier === figure.value) return true;
    const recentValues = this.#lines.get(seriesKey(figure));
    if (!recentValues?.areSteady || figure.value === 0) return null;
    const size = Math.abs(Math.log10(sizeOf(figure) / recentValues.median));
    return size <= HISTORY_SLACK ? true : size >= HISTORY_OFF_MIN ? false : null;
  }

  /**
   * Applies what the filing's own figures say about each other. Share counts that agree with net income and earnings per
   * share are cleared, however far they moved, as after a large reverse split. Shares outstanding are cleared when they
   * are within a factor of ten of such a count.
   */
  #applyWitnesses(
    figures: readonly Chosen[],
    { doubted, confirmed }: Verdicts,
    deviations: Map<Chosen, Deviation>,
  ): void {
    for (const figure of confirmed) deviations.set(figure, 0);
    for (const figure of figures)
      if (figure.spec.line === "shares_outstanding" && deviations.get(figure))
        if (confirmed.values().some((f) => f.value / figure.value < 10 && figure.value / f.value < 10))
          deviations.set(figure, 0);
    for (const figure of doubted) if (!deviations.get(figure)) deviations.set(figure, WITNESSED);
  }

  /**
   * Judges a filing that is off as a whole: everything but per-share figures and figures that fit is off. When the next
   * filing is off by the same power, the earlier filings were the wrong ones; their values are forgotten.
   */
  #judgeWhole(power: number, deviations: ReadonlyMap<Chosen, Deviation>): ReadonlySet<Chosen> {
    const isConfirmed = this.#offBefore === power;
    this.#offBefore = power;
    if (isConfirmed) {
      this.#lines.clear();
      return new Set();
    }
    const doubtful = [...deviations].filter(
      ([figure, deviation]) => deviation !== 0 && figure.spec.kind !== "per_share",
    );
    return new Set(doubtful.map(([figure]) => figure));
  }
}
