// Recognises figures a thousand or a million times off: by what the company reported before, never by what came later.
import type { Chosen } from "./facts-choose.ts";
import type { StatementLine } from "./facts-records.ts";

/** Lines that do not change a thousandfold while the rest of the statement stays. Others may come near zero, or leave it. */
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
/** Neighbours further apart than this say nothing about a next one. */
const NEIGHBOUR_SPREAD_MAX = 20;
const POWERS = [3, -3, 6, -6] as const;
/** In powers of ten, around the neighbours' median. */
const POWER_SLACK = 0.5;
/** Of two reports of the same period. */
const EXACT_SLACK = 0.005;
const DAYS_PER_MONTH = 30.44;

/** Sums of a statement: the whole and what it is made of. What a filing does not tell counts as nothing. */
const SUMS: readonly { readonly whole: StatementLine; readonly parts: readonly StatementLine[] }[] = [
  { whole: "total_assets", parts: ["total_liabilities", "temporary_equity", "total_equity"] },
  { whole: "liabilities_and_equity", parts: ["total_liabilities", "temporary_equity", "total_equity"] },
  { whole: "revenue", parts: ["cost_of_revenue", "gross_profit"] },
  { whole: "revenue", parts: ["operating_expenses", "operating_income"] },
  { whole: "revenue", parts: ["cost_of_revenue", "operating_expenses", "operating_income"] },
];
/** Sums of rounded figures may be off by as much as this many units. */
const SUM_SLACK_UNITS = 2;

const powerOf = (ratio: number, slack: number): number =>
  POWERS.find((power) => Math.abs(Math.log10(ratio) - power) <= slack) ?? 0;

/** Size of a figure, of flows per month, so that quarters and years can be held against each other. */
function sizeOf({ value, period, spec }: Chosen): number {
  if (spec.kind !== "flow" || period.startDay === null) return Math.abs(value);
  return Math.abs(value) / ((period.endDay - period.startDay + 1) / DAYS_PER_MONTH);
}

/** The newest sound sizes of a line. */
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

  /** True when there are enough of them, near enough to each other, to tell what a next one should be. */
  get areSteady(): boolean {
    const [least = 0, most = Infinity] = [this.#inOrder[0], this.#inOrder.at(-1)];
    return this.#sizes.length >= RECENT_VALUES_MIN && most <= NEIGHBOUR_SPREAD_MAX * least;
  }
}

/** Neighbours of one line in one currency. */
const placeOf = ({ spec, unit }: Chosen): string => `${spec.line} ${unit}`;

/** How a figure stands to what was known: a power of ten it is off by, 0 when it fits, null when nothing can be said. */
type Deviation = number | null;

/** True when `value` lies farther from its neighbours than what the earlier report had for the same period. */
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

/** Net income over earnings per share over shares, of one filing and period; null where one of them is missing. */
function shareIdentity(shares: Chosen, figures: readonly Chosen[]): number | null {
  const of = (line: StatementLine) =>
    figures.find((f) => f.spec.line === line && f.period.index === shares.period.index)?.value;
  const [income, perShare] = [of("net_income"), of("eps_basic") ?? of("eps_diluted")];
  if (!income || !perShare || shares.value === 0) return null;
  return Math.abs(income / perShare / shares.value);
}

/**
 * Figures that really grew a thousandfold (a blank cheque company after its offering, a first licence sold): the
 * statement still adds up, and others of its amounts stayed in place. A filing off as a whole has none that did.
 */
function clearBySums(figures: readonly Chosen[], deviations: Map<Chosen, Deviation>): void {
  for (const own of Map.groupBy(figures, ({ period }) => period.index).values()) {
    const of = (line: StatementLine) => own.find(({ spec }) => spec.line === line);
    for (const { whole, parts } of SUMS) {
      const total = of(whole);
      if (!total || !deviations.get(total)) continue;
      const told = parts.flatMap((line) => of(line) ?? []);
      const sum = told.reduce((before, { value }) => before + value, 0);
      if (told.length < 2 || Math.abs(sum - total.value) > SUM_SLACK_UNITS * total.filing.rounding) continue;
      // Money alone bears witness: a filing whose money is off may count its shares rightly.
      const isInPlace = (figure: Chosen) =>
        figure.spec.statement === total.spec.statement &&
        figure.spec.kind === total.spec.kind &&
        deviations.get(figure) === 0;
      if (!own.some(isInPlace)) continue;
      for (const figure of [total, ...told]) deviations.set(figure, 0);
    }
  }
}

export class ScaleDetector {
  readonly #lines = new Map<string, RecentValues>();
  #offBefore = 0;

  /** Figures that are off. `earlierOf` is the figure of the newest earlier report for the same line and period. */
  judge(figures: readonly Chosen[], earlierOf: (figure: Chosen) => number | undefined): ReadonlySet<Chosen> {
    const deviations = new Map(figures.map((f) => [f, this.#standingOf(f, earlierOf(f))] as const));
    const byRecentValues = new Map(deviations);
    this.#clearByShares(figures, deviations);
    clearBySums(figures, deviations);
    const compared = [...deviations.values()].filter((deviation) => deviation !== null);
    const commonest = POWERS.find((p) => compared.filter((s) => s === p).length * 2 > compared.length) ?? 0;
    if (commonest !== 0 && compared.length >= RECENT_VALUES_MIN) {
      // Profit that is off itself clears no shares.
      for (const [figure, deviation] of byRecentValues)
        if (figure.spec.kind === "shares" && deviation === commonest) deviations.set(figure, deviation);
      return this.#judgeWhole(commonest, deviations);
    }
    this.#offBefore = 0;
    return new Set(figures.filter((figure) => deviations.get(figure)));
  }

  /** Takes in what was found sound. */
  learn(figures: readonly Chosen[]): void {
    for (const figure of figures)
      if (figure.value !== 0)
        this.#lines.getOrInsertComputed(placeOf(figure), () => new RecentValues()).add(sizeOf(figure));
  }

  #standingOf(figure: Chosen, earlier: number | undefined): Deviation {
    const { value, spec } = figure;
    if (value === 0) return null;
    if (earlier === value) return 0;
    const recentValues = this.#lines.get(placeOf(figure));
    if (earlier !== undefined && earlier !== 0) {
      const power = powerOf(Math.abs(value / earlier), EXACT_SLACK);
      return power !== 0 && isFarther(value, earlier, figure, recentValues) ? power : 0;
    }
    if (!STEADY.has(spec.line) || !recentValues?.areSteady) return null;
    return powerOf(sizeOf(figure) / recentValues.median, POWER_SLACK);
  }

  /** Share counts that fit net income and earnings per share are right, however far they moved: a great reverse split. */
  #clearByShares(figures: readonly Chosen[], deviations: Map<Chosen, Deviation>): void {
    const fits = (ratio: number | null) => ratio !== null && ratio > 0.5 && ratio < 2;
    const weighted = figures.filter((f) => f.spec.line.startsWith("weighted_average_shares"));
    const sound = weighted.filter((f) => fits(shareIdentity(f, figures)));
    for (const figure of sound) deviations.set(figure, 0);
    for (const figure of figures)
      if (figure.spec.line === "shares_outstanding" && deviations.get(figure))
        if (sound.some((f) => f.value / figure.value < 10 && figure.value / f.value < 10))
          deviations.set(figure, 0);
    this.#doubtIncome(figures, weighted, deviations);
  }

  /** Net income a thousand times what earnings per share and a share count that fits its neighbours make it. */
  #doubtIncome(
    figures: readonly Chosen[],
    weighted: readonly Chosen[],
    deviations: Map<Chosen, Deviation>,
  ): void {
    for (const shares of weighted) {
      const ratio = shareIdentity(shares, figures);
      if (ratio === null || deviations.get(shares) !== 0) continue;
      const power = powerOf(ratio, 0.1);
      const income = figures.find(
        (f) => f.spec.line === "net_income" && f.period.index === shares.period.index,
      );
      if (power !== 0 && income) deviations.set(income, power);
    }
  }

  /** A whole filing off its scale. When the next one is off alike, it was the earlier ones that were wrong. */
  #judgeWhole(power: number, deviations: ReadonlyMap<Chosen, Deviation>): ReadonlySet<Chosen> {
    const again = this.#offBefore === power;
    this.#offBefore = power;
    if (again) {
      this.#lines.clear();
      return new Set();
    }
    const doubtful = [...deviations].filter(([f, s]) => s !== 0 && f.spec.kind !== "per_share");
    return new Set(doubtful.map(([figure]) => figure));
  }
}
