// Cells of rows, and the batches of columns that hold them.
import {
  type Batch,
  isValid,
  type Table,
  type TableColumn,
  type TableColumnType,
  type Validity,
  type Vector,
} from "./table.ts";

/** A cell that does not fit its column: a bug in the code that made it. */
export class CellRefused extends Error {
  override readonly name = "CellRefused";
}

const DAY_MS = 86_400_000;
/** The engine's days without end, which have no date. */
const INFINITY_DAYS = 2_147_483_647;
const INFINITY_MICROS = 9_223_372_036_854_775_807n;

/** Days by text and texts by day: rows of any table have the same ten thousand. */
const knownDays = new Map<string, number>();
const knownDates = new Map<number, string>();
const KNOWN_MAX = 50_000;

function keep<K, V>(known: Map<K, V>, key: K, value: V): V {
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(key, value);
  return value;
}

/** Days since 1970 of "YYYY-MM-DD"; undefined where there is no such day. */
export function daysOf(text: string): number | undefined {
  const known = knownDays.get(text);
  if (known !== undefined) return known;
  if (text === "infinity" || text === "-infinity")
    return text === "infinity" ? INFINITY_DAYS : -INFINITY_DAYS;
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // "2026-02-30" is read as March by some parsers.
  const exists = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
  return exists ? keep(knownDays, text, ms / DAY_MS) : undefined;
}

/** "YYYY-MM-DD" of days since 1970. */
export function dateText(days: number): string {
  const known = knownDates.get(days);
  if (known !== undefined) return known;
  const date = new Date(days * DAY_MS);
  if (Number.isNaN(date.getTime())) return days > 0 ? "infinity" : "-infinity";
  return keep(knownDates, days, date.toISOString().slice(0, 10));
}

/** Microseconds since 1970 of an RFC 3339 instant; undefined where it is none. */
export function microsOf(text: string): bigint | undefined {
  if (text === "infinity" || text === "-infinity")
    return text === "infinity" ? INFINITY_MICROS : -INFINITY_MICROS;
  if (!/^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/.test(text)) return undefined;
  const ms = /\.\d{4,}/.test(text) ? Number.NaN : Date.parse(text);
  if (!Number.isNaN(ms)) return BigInt(ms) * 1_000n;
  try {
    return Temporal.Instant.from(text).epochNanoseconds / 1_000n;
  } catch {
    return undefined;
  }
}

/** RFC 3339 in UTC of microseconds since 1970, with milliseconds only where they are not zero. */
export function instantText(micros: bigint | number): string {
  const date = new Date(Math.floor(Number(micros) / 1_000));
  if (Number.isNaN(date.getTime())) return micros > 0 ? "infinity" : "-infinity";
  const text = date.toISOString();
  return text.endsWith(".000Z") ? `${text.slice(0, -5)}Z` : text;
}

/** Converts a cell to what a column stores; undefined where it does not fit. */
const STORED: Readonly<Record<TableColumnType, (cell: unknown) => number | bigint | string | undefined>> = {
  DOUBLE: (cell) => (typeof cell === "number" ? cell : undefined),
  BIGINT: (cell) =>
    typeof cell === "bigint" || (typeof cell === "number" && Number.isSafeInteger(cell))
      ? BigInt(cell)
      : undefined,
  DATE: (cell) => (typeof cell === "string" ? daysOf(cell) : undefined),
  TIMESTAMPTZ: (cell) => (typeof cell === "string" ? microsOf(cell) : undefined),
  BOOLEAN: (cell) => (typeof cell === "boolean" ? Number(cell) : undefined),
  VARCHAR: (cell) => (typeof cell === "string" ? cell : undefined),
};

/** Whether a cell is null, or a value of the type. */
export const fits = (type: TableColumnType, cell: unknown): boolean =>
  cell === null || cell === undefined || STORED[type](cell) !== undefined;

const isWide = (type: TableColumnType) => type === "BIGINT" || type === "TIMESTAMPTZ";

/** A bit a row, all 0. */
export const bitsFor = (rows: number): Uint8Array => new Uint8Array((rows + 7) >> 3);

export function setBit(bits: Uint8Array, row: number): void {
  bits[row >> 3] = (bits[row >> 3] ?? 0) | (1 << (row & 7));
}

/** Sets the bits from `to` on that are set from `start` to `end` of others, which are null where all are. */
export function copyBits(bits: Uint8Array, to: number, from: Validity, start: number, end: number): void {
  if (from === null) {
    const last = to + end - start;
    let row = to;
    while (row < last && (row & 7) !== 0) setBit(bits, row++);
    // Whole bytes at once.
    const whole = Math.max(row, last & ~7);
    bits.fill(255, row >> 3, whole >> 3);
    for (row = whole; row < last; row++) setBit(bits, row);
    return;
  }
  for (let row = start; row < end; row++) if (isValid(from, row)) setBit(bits, to + row - start);
}

/** Cells of one column, to which rows are added. */
export class ColumnCells {
  readonly #values: (number | bigint)[] = [];
  readonly #places = new Map<string, number>();
  readonly #nulls: number[] = [];
  /** The cell that was added last and what is stored of it: most repeat the row above. */
  #last: unknown;
  #stored: number | bigint = 0;

  constructor(readonly column: TableColumn) {}

  add(cell: unknown): void {
    // JSON has no text for a number without bounds: it is unknown in every format.
    if (cell === null || cell === undefined || (typeof cell === "number" && !Number.isFinite(cell))) {
      this.#nulls.push(this.#values.length);
      this.#values.push(isWide(this.column.type) ? 0n : 0);
      return;
    }
    if (cell !== this.#last) {
      this.#stored = this.#storedOf(cell);
      this.#last = cell;
    }
    this.#values.push(this.#stored);
  }

  #storedOf(cell: unknown): number | bigint {
    const { name, type } = this.column;
    const stored = STORED[type](cell);
    if (stored === undefined) throw new CellRefused(`answer.${name}: ${JSON.stringify(cell)} is no ${type}`);
    if (typeof stored !== "string") return stored;
    const place = this.#places.get(stored) ?? this.#places.size;
    this.#places.set(stored, place);
    return place;
  }

  /** The cells that were added. */
  vector(): Vector {
    const values = this.#values as number[];
    const { type } = this.column;
    const valid = this.#validity();
    switch (type) {
      case "DOUBLE":
        return { type, values: Float64Array.from(values), valid };
      case "DATE":
        return { type, values: Int32Array.from(values), valid };
      case "VARCHAR":
        return { type, values: Int32Array.from(values), texts: [...this.#places.keys()], valid };
      case "BOOLEAN": {
        const bits = bitsFor(values.length);
        for (let row = 0; row < values.length; row++) if (values[row] === 1) setBit(bits, row);
        return { type, values: bits, valid };
      }
      default:
        return { type, values: BigInt64Array.from(this.#values as bigint[]), valid };
    }
  }

  #validity(): Validity {
    if (this.#nulls.length === 0) return null;
    const bits = bitsFor(this.#values.length).fill(255);
    for (const row of this.#nulls) bits[row >> 3] = (bits[row >> 3] ?? 0) & ~(1 << (row & 7));
    return bits;
  }
}

/** The bits of several vectors one after the other. */
function joinedBits(parts: readonly { readonly bits: Validity; readonly rows: number }[], rows: number) {
  const all = bitsFor(rows);
  let at = 0;
  for (const { bits, rows: own } of parts) {
    copyBits(all, at, bits, 0, own);
    at += own;
  }
  return all;
}

function joinedTexts(
  vectors: readonly (Vector & { type: "VARCHAR" })[],
  counts: readonly number[],
  rows: number,
) {
  const places = new Map<string, number>();
  const values = new Int32Array(rows);
  let at = 0;
  const [first] = vectors;
  if (first && vectors.every(({ texts }) => texts === first.texts)) {
    for (const [part, { values: own }] of vectors.entries()) {
      values.set(own.subarray(0, counts[part]), at);
      at += counts[part] ?? 0;
    }
    return { values, texts: first.texts };
  }
  for (const [part, { values: own, texts }] of vectors.entries()) {
    const moved = texts.map((text) => {
      const place = places.get(text) ?? places.size;
      places.set(text, place);
      return place;
    });
    for (let row = 0; row < (counts[part] ?? 0); row++) values[at++] = moved[own[row] ?? 0] ?? 0;
  }
  return { values, texts: [...places.keys()] };
}

/** The vectors of one column in several batches as one. */
function joinedVector(vectors: readonly Vector[], counts: readonly number[], rows: number): Vector {
  const bitsOf = (bits: (vector: Vector) => Validity) =>
    joinedBits(
      vectors.map((vector, part) => ({ bits: bits(vector), rows: counts[part] ?? 0 })),
      rows,
    );
  const valid = vectors.every((each) => each.valid === null) ? null : bitsOf((each) => each.valid);
  const [first] = vectors;
  if (first === undefined || first.type === "BOOLEAN")
    return { type: "BOOLEAN", values: bitsOf((each) => each.values as Uint8Array), valid };
  if (first.type === "VARCHAR")
    return { type: "VARCHAR", ...joinedTexts(vectors as (typeof first)[], counts, rows), valid };
  const values = new (first.values.constructor as Float64ArrayConstructor)(rows);
  let at = 0;
  for (const [part, vector] of vectors.entries()) {
    values.set((vector.values as Float64Array).subarray(0, counts[part]), at);
    at += counts[part] ?? 0;
  }
  return { type: first.type, values, valid } as Vector;
}

/** Consecutive batches of one table as one. */
export function joined(batches: readonly Batch[]): Batch {
  const [first] = batches;
  if (first !== undefined && batches.length === 1) return first;
  const counts = batches.map(({ rows }) => rows);
  const rows = counts.reduce((sum, each) => sum + each, 0);
  const columns = first?.vectors.length ?? 0;
  return {
    rows,
    vectors: Array.from({ length: columns }, (_, at) =>
      joinedVector(
        batches.flatMap(({ vectors }) => vectors[at] ?? []),
        counts,
        rows,
      ),
    ),
  };
}

/** Joins the batches of a table to ones of at least `rowsMin` rows, but for the last. */
export async function* regrouped(
  batches: ReturnType<Table["batches"]>,
  rowsMin: number,
): AsyncGenerator<Batch> {
  let held: Batch[] = [];
  let rows = 0;
  for await (const batch of batches) {
    held.push(batch);
    rows += batch.rows;
    if (rows < rowsMin) continue;
    yield joined(held);
    [held, rows] = [[], 0];
  }
  if (rows > 0) yield joined(held);
}

/**
 * Maps the texts of dictionaries. Batches that share one share its result too: where it has grown since, the
 * further texts are mapped.
 */
export function textMapper(by: (text: string) => string) {
  const known = new WeakMap<readonly string[], string[]>();
  return (texts: readonly string[]): readonly string[] => {
    const made = known.get(texts) ?? [];
    known.set(texts, made);
    for (let at = made.length; at < texts.length; at++) made.push(by(texts[at] ?? ""));
    return made;
  };
}

/** Columns of one type. */
export const columnsOf = (type: TableColumnType, ...names: readonly string[]): TableColumn[] =>
  names.map((name) => ({ name, type }));

/** Columns given by name and type. */
export const columnsOfPairs = (pairs: readonly (readonly [string, TableColumnType])[]): TableColumn[] =>
  pairs.map(([name, type]) => ({ name, type }));

/** Rows of one batch: others have their turn between two. */
export const BATCH_ROWS = 2_048;

/** Rows, with a cell for each column, as batches. Throws CellRefused where a cell does not fit its column. */
export function* batchesOf(
  columns: readonly TableColumn[],
  rows: Iterable<readonly unknown[]>,
): Generator<Batch> {
  const empty = () => columns.map((column) => new ColumnCells(column));
  let [cells, count] = [empty(), 0];
  for (const row of rows) {
    for (let at = 0; at < cells.length; at++) cells[at]?.add(row[at]);
    if (++count < BATCH_ROWS) continue;
    yield { rows: count, vectors: cells.map((each) => each.vector()) };
    [cells, count] = [empty(), 0];
  }
  if (count > 0) yield { rows: count, vectors: cells.map((each) => each.vector()) };
}

/** A table of rows in memory, with a cell for each column. */
export const tableOfRows = (
  name: string,
  columns: readonly TableColumn[],
  rows: () => Iterable<readonly unknown[]>,
): Table => ({ name, columns, batches: () => batchesOf(columns, rows()) });

/** A table of objects whose fields have the names of the columns; a field that is absent is null. */
export const tableOfObjects = (
  name: string,
  columns: readonly TableColumn[],
  objects: readonly object[],
): Table =>
  tableOfRows(name, columns, function* () {
    for (const each of objects)
      yield columns.map((column) => (each as Readonly<Record<string, unknown>>)[column.name]);
  });

/** The cell of a row: null, or the value as JSON has it. */
export function cellOf(vector: Vector, row: number): string | number | bigint | boolean | null {
  if (!isValid(vector.valid, row)) return null;
  switch (vector.type) {
    case "VARCHAR":
      return vector.texts[vector.values[row] ?? 0] ?? null;
    case "DATE":
      return dateText(vector.values[row] ?? 0);
    case "TIMESTAMPTZ":
      return instantText(vector.values[row] ?? 0n);
    case "BOOLEAN":
      return isValid(vector.values, row);
    default:
      return vector.values[row] ?? null;
  }
}
