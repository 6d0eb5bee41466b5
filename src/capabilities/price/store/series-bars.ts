// Stored bars out of the arrays of `bars_daily`, as the macros `bars(as_of)` and `bars_now()` have them: here
// rows are left out, multiplied and rounded, no more.
import { barsDaily, FINAL_BASIS } from "../../../datasets/bars-daily.ts";
import type { Calendar } from "../../../market/calendar.ts";
import { adjustedDigits, priceDigits, wholeShares } from "../../../market/float.ts";
import { basisDay } from "../../../market/known-at.ts";
import type { Services } from "../../../market/services.ts";
import type { DateRange } from "../../../market/time-span.ts";
import { type Batch, isValid, type TableColumn, type Vector } from "../../../platform/table.ts";
import { dayOf, type Factor, FactorReader, type Late, type PriceFactors } from "./price-factors.ts";

/** The columns of the batches. */
export const SERIES_COLUMNS: readonly TableColumn[] = [
  { name: "symbol", type: "VARCHAR" },
  { name: "date", type: "DATE" },
  { name: "open", type: "DOUBLE" },
  { name: "high", type: "DOUBLE" },
  { name: "low", type: "DOUBLE" },
  { name: "close", type: "DOUBLE" },
  { name: "volume", type: "DOUBLE" },
  { name: "adj_close", type: "DOUBLE" },
  { name: "source", type: "VARCHAR" },
  { name: "backfilled", type: "BOOLEAN" },
  { name: "recorded_at", type: "TIMESTAMPTZ" },
  { name: "basis_date", type: "DATE" },
];
const [SYMBOL, DATE, OPEN, CLOSE, VOLUME, ADJUSTED, KNOWN, BASIS] = [0, 1, 2, 5, 6, 7, 9, 10];
/** Its place among the columns: those of what is stored behind it are one less. */
const BACKFILLED = SERIES_COLUMNS.findIndex(({ name }) => name === "backfilled");
/** The stored columns behind them. */
const STORED = SERIES_COLUMNS.flatMap(({ name }) =>
  name === "backfilled" ? [] : [name === "recorded_at" ? "known_at" : name],
);

const FINAL = dayOf(FINAL_BASIS);

/** A moment shows bars before `settledBefore`, on the basis of `knownDay`. */
interface Moment {
  readonly knownDay: number;
  readonly settledBefore: number;
  readonly micros: number;
}
const PRESENT: Moment = { knownDay: Infinity, settledBefore: Infinity, micros: Infinity };

/** Null outside the days of the calendar, where SQL counts weekdays. */
function momentOf(asOf: Temporal.Instant | null, calendar: Calendar): Moment | null {
  if (asOf === null) return PRESENT;
  const day = basisDay(asOf);
  if (!calendar.covers(day)) return null;
  const micros = Number(asOf.epochNanoseconds / 1000n);
  return { knownDay: dayOf(day), settledBefore: dayOf(calendar.sessionOnOrBefore(day)), micros };
}

/** A column whose cells and nulls change. */
interface Column {
  values: Float64Array | BigInt64Array | Int32Array;
  valid: Uint8Array | null;
}

function setNull(column: Column, row: number): void {
  column.valid ??= new Uint8Array(Math.ceil(column.values.length / 8)).fill(255);
  column.valid[row >> 3] = (column.valid[row >> 3] ?? 0) & ~(1 << (row & 7));
}

/** Multiplies a price as `price_digits` does; an unknown factor makes it null. */
function scalePrice(column: Column, row: number, factor: number, rounded = priceDigits): void {
  if (!isValid(column.valid, row)) return;
  if (Number.isNaN(factor)) setNull(column, row);
  else column.values[row] = rounded((column.values[row] as number) * factor);
}

function scaleVolume(column: Column, row: number, split: number): void {
  if (split === 1 || !isValid(column.valid, row)) return;
  if (Number.isNaN(split)) setNull(column, row);
  else column.values[row] = wholeShares((column.values[row] as number) / split);
}

const unrounded = (price: number) => price;

/** Applies the actions that a bar lacks though its basis is on or after them. */
function complete(
  columns: readonly Column[],
  row: number,
  { split, total }: Pick<Factor, "split" | "total">,
) {
  for (let price = OPEN; price <= CLOSE; price++)
    if (split !== 1) scalePrice(columns[price] as Column, row, split);
  scaleVolume(columns[VOLUME] as Column, row, split);
  scalePrice(columns[ADJUSTED] as Column, row, total, unrounded);
}

/** The product of the actions that a bar lacks; null where it lacks none. */
function lateFactor(
  late: readonly Late[],
  day: number,
  basis: number,
): Pick<Factor, "split" | "total"> | null {
  const factors = new Map<string, Late>();
  for (const action of late) {
    if (day >= action.exDate || basis < action.exDate || basis > action.through) continue;
    const key = `${action.exDate} ${action.kind}`;
    const first = factors.get(key);
    if (first === undefined || Number.isNaN(first.factor)) factors.set(key, action);
  }
  if (factors.size === 0) return null;
  let [split, total] = [1, 1];
  for (const { kind, factor } of factors.values()) {
    if (kind === "split") split *= factor;
    total *= factor;
  }
  return { split, total };
}

/** Of three factors the engine's product depends on their order. */
const LATE_MAX = 2;
const hasManyLate = (late: readonly Late[]) =>
  new Set(late.map(({ kind, exDate }) => `${exDate} ${kind}`)).size > LATE_MAX;

/** A batch while its rows are brought to the basis of a moment. */
interface Rows {
  readonly columns: readonly Column[];
  /** When each was fetched. */
  readonly knowns: Float64Array;
  /** 1 for a row that the moment does not show. */
  readonly hidden: Uint8Array;
}

/** Brings the rows of a symbol to the basis of the moment, and marks those that it does not show. */
function scaleRows(
  { columns, knowns, hidden }: Rows,
  start: number,
  end: number,
  moment: Moment,
  factors: readonly Factor[],
  late: readonly Late[],
): void {
  const [dates, bases] = [columns[DATE]?.values as Int32Array, columns[BASIS]?.values as Int32Array];
  const [adjusted, volume] = [columns[ADJUSTED] as Column, columns[VOLUME] as Column];
  let [lastBasis, lastKnown] = [Number.NaN, Number.NaN];
  let factor: Factor | undefined;
  for (let row = start; row < end; row++) {
    const [date, basis, known] = [dates[row] ?? 0, bases[row] ?? 0, knowns[row] ?? 0];
    if (basis !== lastBasis || known !== lastKnown) {
      factor = factors.find(
        ({ since, exDate, from, before }) =>
          basis < exDate && basis >= since && known >= from && known < before,
      );
      [lastBasis, lastKnown] = [basis, known];
    }
    if (basis >= FINAL || date >= moment.settledBefore || (basis > moment.knownDay && factor === undefined)) {
      hidden[row] = 1;
      continue;
    }
    const lacking = late.length > 0 ? lateFactor(late, date, basis) : null;
    if (lacking) complete(columns, row, lacking);
    if (factor === undefined) {
      const close = adjusted.values[row] as number;
      if (isValid(adjusted.valid, row)) adjusted.values[row] = adjustedDigits(close);
      continue;
    }
    for (let price = OPEN; price <= CLOSE; price++) scalePrice(columns[price] as Column, row, factor.split);
    scaleVolume(volume, row, factor.split);
    scalePrice(adjusted, row, factor.total);
  }
}

/** The rows that are shown, of cells and of bits. */
function shown(column: Column, rows: Int32Array): Column {
  const values = column.values.slice(0, rows.length);
  for (const [at, row] of rows.entries()) values[at] = column.values[row] as never;
  return { values, valid: column.valid && bitsOf(rows.length, (at) => isValid(column.valid, rows[at] ?? 0)) };
}

function bitsOf(rows: number, has: (row: number) => boolean): Uint8Array {
  const bits = new Uint8Array(Math.ceil(rows / 8));
  for (let row = 0; row < rows; row++)
    if (has(row)) bits[row >> 3] = (bits[row >> 3] ?? 0) | (1 << (row & 7));
  return bits;
}

/** Whole numbers of 64 bits, without making a bigint of each. */
function numbersOf(values: BigInt64Array): Float64Array {
  const words = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
  const numbers = new Float64Array(values.length);
  for (let at = 0; at < numbers.length; at++)
    numbers[at] = (words[2 * at + 1] ?? 0) * 4_294_967_296 + ((words[2 * at] ?? 0) >>> 0);
  return numbers;
}

/** A batch of stored rows as the moment shows it. */
function batchAt(batch: Batch, moment: Moment, factors: PriceFactors): Batch {
  const symbols = batch.vectors[SYMBOL] as Extract<Vector, { type: "VARCHAR" }>;
  let columns = batch.vectors.map(
    ({ values, valid }): Column => ({
      values: values as Column["values"],
      valid: valid as Uint8Array | null,
    }),
  );
  const volume = columns[VOLUME] as Column;
  volume.values = numbersOf(volume.values as BigInt64Array);
  const knowns = numbersOf(columns[KNOWN]?.values as BigInt64Array);
  const hidden = new Uint8Array(batch.rows);
  const all = { columns, knowns, hidden };
  for (let start = 0, end = 0; start < batch.rows; start = end) {
    const place = symbols.values[start] ?? 0;
    while (end < batch.rows && symbols.values[end] === place) end++;
    const symbol = symbols.texts[place] ?? "";
    scaleRows(all, start, end, moment, factors.of(symbol), factors.late(symbol));
  }
  let { rows } = batch;
  if (hidden.includes(1)) {
    const kept = Int32Array.from({ length: rows }, (_, row) => row).filter((row) => hidden[row] === 0);
    rows = kept.length;
    columns = columns.map((column) => shown(column, kept));
  }
  const bases = columns[BASIS]?.values as Int32Array;
  for (let row = 0; row < rows; row++) if ((bases[row] ?? 0) > moment.knownDay) bases[row] = moment.knownDay;
  const fetched = rows === batch.rows ? knowns : numbersOf(columns[KNOWN]?.values as BigInt64Array);
  const isBackfilled = (row: number) => (fetched[row] ?? 0) > moment.micros;
  const backfilled = moment === PRESENT ? new Uint8Array(Math.ceil(rows / 8)) : bitsOf(rows, isBackfilled);
  const vectors = SERIES_COLUMNS.map(({ name, type }, at) => {
    if (name === "backfilled") return { type, values: backfilled, valid: null };
    const stored = at - Number(at > BACKFILLED);
    return Object.assign({ ...batch.vectors[stored] }, { type }, columns[stored]);
  });
  return { rows, vectors: vectors as Vector[] };
}

/** Rounds after which the engine answers, while others store actions all the time. */
const ROUNDS_MAX = 3;

/** Bars of one version of the stored actions. */
export interface SeriesBars {
  /** Ordered by symbol and day, with `SERIES_COLUMNS`. */
  readonly batches: AsyncIterable<Batch>;
  /** Whether any of the symbols may have an action. */
  readonly haveActions: boolean;
}

/** A read of the stored bars of symbols on the basis of a moment. Null where the engine has to answer. */
export type ReadSeriesBars = (
  symbols: readonly string[],
  ranges: readonly DateRange[],
  asOf: Temporal.Instant | null,
  signal?: AbortSignal,
) => Promise<SeriesBars | null>;

export function seriesBars({
  lake,
  calendar,
  clock,
}: Pick<Services, "lake" | "calendar" | "clock">): ReadSeriesBars {
  const reader = new FactorReader({ lake, clock });
  return async (symbols, ranges, asOf, signal) => {
    const moment = momentOf(asOf, calendar);
    if (moment === null) return null;
    for (let round = 0; round < ROUNDS_MAX; round++) {
      signal?.throwIfAborted();
      const version = await reader.version(symbols);
      const stored = await lake.series(barsDaily, { symbols, ranges, columns: STORED, signal });
      if (stored === null) return null;
      const factors = await reader.read(symbols, asOf, version);
      if ((await reader.version(symbols)) !== version) continue;
      if (symbols.some((symbol) => hasManyLate(factors.late(symbol)))) return null;
      return { batches: batchesAt(stored, moment, factors), haveActions: factors.haveActions };
    }
    return null;
  };
}

async function* batchesAt(
  stored: AsyncIterable<Batch>,
  moment: Moment,
  factors: PriceFactors,
): AsyncGenerator<Batch> {
  for await (const batch of stored) {
    const shownBatch = batchAt(batch, moment, factors);
    if (shownBatch.rows > 0) yield shownBatch;
  }
}
