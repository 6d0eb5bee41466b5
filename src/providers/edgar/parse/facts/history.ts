// The figures of the reports so far for one line: the newest sound figure of each period, and their recent
// size.
import type { Period } from "./period.ts";

/** Fewer recent values do not predict the next one. */
export const RECENT_VALUES_MIN = 3;
const RECENT_VALUES_MAX = 8;
/**
 * When the largest recent value is more than this many times the smallest, they do not predict the next one.
 */
const RECENT_SPREAD_MAX = 20;

/** Sorts a few numbers into `sorted` by insertion: faster than a sort with a comparison. */
function sortInto(sorted: number[], numbers: readonly number[]): void {
  sorted.length = 0;
  for (const number of numbers) {
    let at = sorted.length;
    for (; at > 0 && (sorted[at - 1] ?? 0) > number; at--) sorted[at] = sorted[at - 1] ?? 0;
    sorted[at] = number;
  }
}

/** The sizes of the newest figures of a line that were found sound. */
export class RecentValues {
  readonly #sizes: number[] = [];
  /** Where the next size goes: once there are enough, it replaces the oldest. */
  #next = 0;
  readonly #sorted: number[] = [];
  #isSorted = true;

  add(size: number): void {
    this.#isSorted = false;
    this.#sizes[this.#next] = size;
    this.#next = (this.#next + 1) % RECENT_VALUES_MAX;
  }

  get #inOrder(): readonly number[] {
    if (!this.#isSorted) sortInto(this.#sorted, this.#sizes);
    this.#isSorted = true;
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

const newRecent = () => new RecentValues();

/** The figures of earlier reports for one line and period. */
export class Past {
  /** The reports with a figure for it. */
  count = 0;
  /** The newest sound figure, and the unit to which its filing rounds. */
  value: number | undefined = undefined;
  rounding = 1;

  constructor(
    readonly line: LineHistory,
    readonly period: Period,
  ) {}

  learn(value: number, rounding: number): void {
    if (this.value === undefined) this.line.known.push(this);
    if (this.value !== value && this.line.isAdditive) this.line.numbers.add(value);
    this.value = value;
    this.rounding = rounding;
  }
}

/** The history of one line. Grows with each report. */
export class LineHistory {
  readonly #periods: Past[] = [];
  /** The periods with a sound figure, in the order in which they became known. */
  readonly known: Past[] = [];
  /**
   * Every number that was ever the sound figure of a period; none where figures of periods are not summed.
   */
  readonly numbers = new Set<number>();
  /** Recent values by unit. */
  readonly #recent = new Map<string, RecentValues>();
  /** Recent values of the unit that was requested last: nearly every line has one unit only. */
  #last: { readonly unit: string; readonly values: RecentValues } | null = null;

  constructor(readonly isAdditive: boolean) {}

  of(period: Period): Past {
    this.#periods[period.index] ??= new Past(this, period);
    return this.#periods[period.index] as Past;
  }

  /** The recent values in a unit, which are kept apart from those in others. */
  recentIn(unit: string): RecentValues {
    if (this.#last?.unit !== unit)
      this.#last = { unit, values: this.#recent.getOrInsertComputed(unit, newRecent) };
    return this.#last.values;
  }

  forgetRecent(): void {
    this.#recent.clear();
    this.#last = null;
  }
}
