// The rows of daily bars: their columns, and how bars become cells of them.
import type { ProviderBar } from "../../../market/bar.ts";
import { adjustedDigits } from "../../../market/float.ts";
import { bitsFor, columnsOf, copyBits, dateText, daysOf, setBit } from "../../../platform/cells.ts";
import { type Batch, isValid, type TableColumn, type Vector } from "../../../platform/table.ts";
import type { MultiBarsResponse, PriceDataResponse } from "../schema.ts";
import { type BarRun, daysIn, vectorOf } from "../store/bar-columns.ts";

export const OHLCV = columnsOf("DOUBLE", "open", "high", "low", "close", "volume");

/** The columns of a daily bar, after those that name its symbol. */
const DAILY_COLUMNS: readonly TableColumn[] = [
  ...columnsOf("DATE", "date"),
  ...OHLCV,
  ...columnsOf("DOUBLE", "adjusted_close", "dividend", "split_ratio"),
  ...columnsOf("BOOLEAN", "provisional", "backfilled"),
  // The last day whose actions the prices include: equal in all rows of a symbol, it shows whether rows of
  // several answers are on one basis.
  ...columnsOf("DATE", "adjusted_through"),
  ...columnsOf("DOUBLE", "capital_gain"),
  ...columnsOf("BOOLEAN", "outlier"),
];

/** The cells of one bar, in the order of `DAILY_COLUMNS`. */
const dailyCells = (
  b: Omit<PriceDataResponse["data"][number], "timestamp">,
  adjustedThrough: string | null,
) => [
  b.date,
  b.open,
  b.high,
  b.low,
  b.close,
  b.volume,
  b.adjusted_close,
  b.dividend ?? null,
  b.split_ratio ?? null,
  b.provisional ?? false,
  b.backfilled ?? false,
  adjustedThrough,
  b.capital_gain ?? null,
  b.outlier ?? false,
];

const DAILY = { columns: DAILY_COLUMNS, cells: dailyCells };

/** Of bars longer than a session rows also say whether one covers only a part of its period. */
const LONGER: typeof DAILY = {
  columns: [...DAILY_COLUMNS, ...columnsOf("BOOLEAN", "partial")],
  cells: (b, adjustedThrough) => [...dailyCells(b, adjustedThrough), b.partial ?? false],
};

/** How the bars of an interval are written as rows. */
export const barRows = (interval: string) => (interval === "1d" || interval === "1h" ? DAILY : LONGER);

/** Part of a file name for prices adjusted otherwise than by default. */
export const adjustmentSuffix = ({ adjustment = "split" }: { readonly adjustment?: string | undefined }) =>
  adjustment === "split" ? "" : `_${adjustment}`;

/** The columns of rows on many symbols. */
export const manyColumns = (interval: string) => [
  ...columnsOf("VARCHAR", "symbol"),
  ...barRows(interval).columns,
];

type MultiBar = MultiBarsResponse["bars"][string][number];

/** The payments, split ratio and outlier of a day. */
export interface Marks {
  readonly date: string;
  dividend?: number | null;
  capital_gain?: number | null;
  split_ratio?: number;
  outlier?: true;
}

/** The rows of a symbol of daily bars on the basis of splits, beside its stored bars. */
export interface SymbolRows {
  readonly symbol: string;
  readonly marks: readonly Marks[];
  /** Bars of days that have no stored one, oldest first. */
  readonly provisional: readonly ProviderBar[];
  readonly adjustedThrough: string | null;
}

/** Figures of rows that are added one after the other; each is null until it is set. */
class Figures {
  readonly values: Float64Array;
  readonly valid: Uint8Array;

  constructor(rows: number) {
    this.values = new Float64Array(rows);
    this.valid = bitsFor(rows);
  }

  set(row: number, value: number | null | undefined): void {
    if (value === null || value === undefined) return;
    this.values[row] = value;
    setBit(this.valid, row);
  }

  copy(to: number, { values, valid }: Vector, { start, end }: BarRun): void {
    this.values.set((values as Float64Array).subarray(start, end), to);
    copyBits(this.valid, to, valid, start, end);
  }

  vector(): Vector {
    return { type: "DOUBLE", values: this.values, valid: this.valid };
  }
}

const STORED = ["open", "high", "low", "close", "volume", "adj_close"] as const;

/** Makes one batch of the rows of some symbols. */
class RowsBatch {
  readonly #symbols: Int32Array;
  readonly #texts: string[] = [];
  readonly #days: Int32Array;
  readonly #through: Int32Array;
  readonly #knowsThrough: Uint8Array;
  readonly #provisional: Uint8Array;
  readonly #backfilled: Uint8Array;
  readonly #outlier: Uint8Array;
  readonly #stored: readonly Figures[];
  readonly #dividend: Figures;
  readonly #split: Figures;
  readonly #gain: Figures;
  #rows = 0;

  constructor(rows: number) {
    const figures = () => new Figures(rows);
    [this.#symbols, this.#days, this.#through] = [
      new Int32Array(rows),
      new Int32Array(rows),
      new Int32Array(rows),
    ];
    [this.#knowsThrough, this.#provisional] = [bitsFor(rows), bitsFor(rows)];
    [this.#backfilled, this.#outlier] = [bitsFor(rows), bitsFor(rows)];
    this.#stored = STORED.map(figures);
    [this.#dividend, this.#split, this.#gain] = [figures(), figures(), figures()];
  }

  add({ symbol, marks, provisional, adjustedThrough }: SymbolRows, runs: readonly BarRun[]): void {
    const from = this.#rows;
    const left = [...provisional];
    for (const run of runs) this.#addRun(run, left);
    for (const bar of left) this.#addProvisional(bar);
    const [to, place] = [this.#rows, this.#texts.push(symbol) - 1];
    this.#symbols.fill(place, from, to);
    if (adjustedThrough !== null) {
      this.#through.fill(daysOf(adjustedThrough) ?? 0, from, to);
      copyBits(this.#knowsThrough, from, null, from, to);
    }
    for (const mark of marks) this.#mark(mark, rowOf(this.#days, daysOf(mark.date) ?? 0, from, to));
  }

  /** Adds stored rows, and before each the provisional ones of earlier days. */
  #addRun(run: BarRun, left: ProviderBar[]): void {
    let { start } = run;
    for (;;) {
      const next = left[0];
      const day = next && daysOf(next.date);
      const end = day === undefined ? run.end : firstFrom(daysIn(run.batch), day, start, run.end);
      this.#copy({ ...run, start, end });
      if (next === undefined || end === run.end) return;
      this.#addProvisional(next);
      left.shift();
      start = end;
    }
  }

  #copy(run: BarRun): void {
    const { batch, start, end } = run;
    const to = this.#rows;
    this.#days.set(daysIn(batch).subarray(start, end), to);
    for (const [at, name] of STORED.entries()) this.#stored[at]?.copy(to, vectorOf(batch, name), run);
    const backfilled = vectorOf(batch, "backfilled").values as Uint8Array;
    copyBits(this.#backfilled, to, backfilled, start, end);
    this.#rows += end - start;
  }

  #addProvisional({ date, open, high, low, close, volume, adj_close }: ProviderBar): void {
    const row = this.#rows++;
    this.#days[row] = daysOf(date) ?? 0;
    for (const [at, value] of [open, high, low, close, volume, adjustedDigits(adj_close)].entries())
      this.#stored[at]?.set(row, value);
    setBit(this.#provisional, row);
  }

  #mark({ dividend, split_ratio, capital_gain, outlier }: Marks, row: number | undefined): void {
    if (row === undefined) return;
    this.#dividend.set(row, dividend);
    this.#split.set(row, split_ratio);
    this.#gain.set(row, capital_gain);
    if (outlier) setBit(this.#outlier, row);
  }

  batch(): Batch {
    const bits = (values: Uint8Array): Vector => ({ type: "BOOLEAN", values, valid: null });
    return {
      rows: this.#rows,
      vectors: [
        { type: "VARCHAR", values: this.#symbols, texts: this.#texts, valid: null },
        { type: "DATE", values: this.#days, valid: null },
        ...this.#stored.map((figures) => figures.vector()),
        this.#dividend.vector(),
        this.#split.vector(),
        bits(this.#provisional),
        bits(this.#backfilled),
        { type: "DATE", values: this.#through, valid: this.#knowsThrough },
        this.#gain.vector(),
        bits(this.#outlier),
      ],
    };
  }
}

/** The first place between two whose day is at least `day`. */
export function firstFrom(days: Int32Array, day: number, start: number, end: number): number {
  let [low, high] = [start, end];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((days[middle] ?? 0) < day) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The place of a day; undefined where it is none of them. */
function rowOf(days: Int32Array, day: number, start: number, end: number): number | undefined {
  const at = firstFrom(days, day, start, end);
  return at < end && days[at] === day ? at : undefined;
}

/** The rows of some symbols as one batch, in the order of the symbols. */
export function batchOfBars(
  symbols: readonly SymbolRows[],
  runsOf: (symbol: string) => readonly BarRun[],
): Batch {
  const rows = symbols.reduce(
    (sum, { symbol, provisional }) =>
      runsOf(symbol).reduce((all, { start, end }) => all + end - start, sum + provisional.length),
    0,
  );
  const made = new RowsBatch(rows);
  for (const each of symbols) made.add(each, runsOf(each.symbol));
  return made.batch();
}

/** The rows of one symbol in a batch of `batchOfBars` as bars of the JSON on many symbols. */
export function barsOfBatch({ rows, vectors }: Batch): MultiBar[] {
  const [
    ,
    dates,
    open,
    high,
    low,
    close,
    volume,
    adjusted,
    dividend,
    split,
    provisional,
    backfilled,
    ,
    gain,
    outlier,
  ] = vectors;
  const figure = (vector: Vector | undefined, row: number) =>
    vector && isValid(vector.valid, row) ? (vector.values[row] as number) : null;
  const isSet = (vector: Vector | undefined, row: number) =>
    isValid((vector?.values ?? null) as Uint8Array, row);
  const bars: MultiBar[] = [];
  for (let row = 0; row < rows; row++) {
    const bar: MultiBar = {
      timestamp: dateText((dates?.values[row] ?? 0) as number),
      open: figure(open, row),
      high: figure(high, row),
      low: figure(low, row),
      close: figure(close, row),
      volume: figure(volume, row),
      adjusted_close: figure(adjusted, row),
    };
    const [paid, gained, ratio] = [figure(dividend, row), figure(gain, row), figure(split, row)];
    if (paid !== null) bar.dividend = paid;
    if (gained !== null) bar.capital_gain = gained;
    if (ratio !== null) bar.split_ratio = ratio;
    if (isSet(outlier, row)) bar.outlier = true;
    if (isSet(provisional, row)) bar.provisional = true;
    if (isSet(backfilled, row)) bar.backfilled = true;
    bars.push(bar);
  }
  return bars;
}
