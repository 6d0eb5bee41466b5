// Stored bars of many symbols, in the columns in which they were read: what they hold by symbol.
import type { DailyBar } from "../../../market/bar.ts";
import { cellOf, dateText } from "../../../platform/cells.ts";
import { type Batch, isValid, type Vector } from "../../../platform/table.ts";

/** The columns of the rows, in their order. */
export const BAR_COLUMNS = [
  "symbol",
  "date",
  "open",
  "high",
  "low",
  "close",
  "volume",
  "adj_close",
  "source",
  "backfilled",
] as const;
type BarColumn = (typeof BAR_COLUMNS)[number];

/** Consecutive rows of one symbol: from `start`, up to but without `end`. */
export interface BarRun {
  readonly batch: Batch;
  readonly start: number;
  readonly end: number;
}

export const vectorOf = ({ vectors }: Batch, name: BarColumn): Vector => {
  const vector = vectors[BAR_COLUMNS.indexOf(name)];
  if (vector === undefined) throw new Error(`the bars were read without ${name}`);
  return vector;
};

export const daysIn = (batch: Batch) => vectorOf(batch, "date").values as Int32Array;

/** How many bars have no adjusted close, and the first and last of them. */
export interface Unadjusted {
  readonly count: number;
  readonly first: string;
  readonly last: string;
}

const NONE: readonly BarRun[] = [];

export class BarColumns {
  readonly #runs = new Map<string, BarRun[]>();

  /** The rows are in the order of symbol and date. */
  constructor(batches: readonly Batch[]) {
    for (const batch of batches) {
      const { values, texts } = vectorOf(batch, "symbol") as Vector & { type: "VARCHAR" };
      for (let start = 0, end = 1; end <= batch.rows; end++) {
        if (end < batch.rows && values[end] === values[start]) continue;
        const symbol = texts[values[start] ?? 0] ?? "";
        const runs = this.#runs.get(symbol) ?? [];
        if (runs.length === 0) this.#runs.set(symbol, runs);
        runs.push({ batch, start, end });
        start = end;
      }
    }
  }

  runsOf(symbol: string): readonly BarRun[] {
    return this.#runs.get(symbol) ?? NONE;
  }

  count(symbol: string): number {
    return this.runsOf(symbol).reduce((sum, { start, end }) => sum + end - start, 0);
  }

  /** The days of its bars, since 1970 and ascending. */
  days(symbol: string): Int32Array {
    const [first, ...more] = this.runsOf(symbol);
    if (first === undefined) return new Int32Array();
    const own = ({ batch, start, end }: BarRun) => daysIn(batch).subarray(start, end);
    if (more.length === 0) return own(first);
    const days = new Int32Array(this.count(symbol));
    let at = 0;
    for (const run of [first, ...more]) {
      days.set(own(run), at);
      at += run.end - run.start;
    }
    return days;
  }

  /** The providers of its bars. */
  sources(symbol: string): string[] {
    const found: string[] = [];
    this.#each(symbol, "source", (vector, row) => {
      const { values, texts } = vector as Vector & { type: "VARCHAR" };
      const name = texts[values[row] ?? 0] ?? "";
      if (found.at(-1) !== name && !found.includes(name)) found.push(name);
    });
    return found;
  }

  /** Null where each bar has an adjusted close. */
  unadjusted(symbol: string): Unadjusted | null {
    let [count, first, last] = [0, 0, 0];
    for (const { batch, start, end } of this.runsOf(symbol)) {
      const { valid } = vectorOf(batch, "adj_close");
      if (valid === null) continue;
      for (let row = start; row < end; row++) {
        if (isValid(valid, row)) continue;
        last = daysIn(batch)[row] ?? 0;
        if (count === 0) first = last;
        count += 1;
      }
    }
    return count === 0 ? null : { count, first: dateText(first), last: dateText(last) };
  }

  /** Its lowest and highest price; infinite where it has none. */
  extremes(symbol: string): readonly [lowest: number, highest: number] {
    let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const least = (vector: Vector, row: number) => {
      const price = vector.values[row] as number;
      if (price < lowest && isValid(vector.valid, row)) lowest = price;
    };
    const most = (vector: Vector, row: number) => {
      const price = vector.values[row] as number;
      if (price > highest && isValid(vector.valid, row)) highest = price;
    };
    this.#each(symbol, "low", least);
    this.#each(symbol, "high", most);
    return [lowest, highest];
  }

  /** Its bars as objects. Each call makes new ones. */
  bars(symbol: string): DailyBar[] {
    return this.runsOf(symbol).flatMap(({ batch, start, end }) =>
      Array.from({ length: end - start }, (_, at): DailyBar => {
        const figure = (name: BarColumn) => cellOf(vectorOf(batch, name), start + at) as number | null;
        return {
          date: dateText(daysIn(batch)[start + at] ?? 0),
          open: figure("open"),
          high: figure("high"),
          low: figure("low"),
          close: figure("close"),
          volume: figure("volume"),
          adjusted_close: figure("adj_close"),
        };
      }),
    );
  }

  #each(symbol: string, name: BarColumn, visit: (vector: Vector, row: number) => void): void {
    for (const { batch, start, end } of this.runsOf(symbol)) {
      const vector = vectorOf(batch, name);
      for (let row = start; row < end; row++) visit(vector, row);
    }
  }
}
