// Makes arrays of the rows of Parquet files, out of the chunks in which the engine gives them.
import type { DuckDBResult } from "@duckdb/node-api";
import { isValid, type Vector } from "../../table.ts";
import { type Dataset, quoted, storedColumns } from "../dataset.ts";
import { eachBatch } from "../engine-batches.ts";
import type { LakeFile } from "../manifest.ts";
import type { Sink } from "./folder.ts";
import {
  type ArrayColumn,
  arrayWriter,
  type Cells,
  cellsFor,
  PIECE_ROWS,
  type PieceColumn,
  pieceOf,
} from "./layout.ts";

/** Columns of a dataset with arrays: the symbol stands in the index. */
export function arrayColumns(dataset: Dataset): ArrayColumn[] {
  return Object.entries(storedColumns(dataset))
    .filter(([name]) => name !== dataset.series?.by)
    .map(([name, { type }]) => {
      if (type === "BOOLEAN" || type === "INTEGER") throw new Error(`${dataset.name}.${name} has no arrays`);
      return { name, type };
    });
}

/** Selects the rows of files, each given as a SELECT, with the place of the file before their columns. */
export function selectRows(dataset: Dataset, files: readonly string[]): string {
  const { by = "", day = "" } = dataset.series ?? {};
  const names = [by, ...arrayColumns(dataset).map(({ name }) => name)].map(quoted).join(", ");
  const isOrdered = dataset.sort[0] === by && dataset.sort[1] === day;
  const order = isOrdered ? "" : ` ORDER BY ${quoted(by)}, ${quoted(day)}`;
  return files
    .map((select, file) => `(SELECT ${file}::DOUBLE AS file, ${names} FROM (${select})${order})`)
    .join(" UNION ALL ");
}

/** Rows of a chunk: from `start`, up to but without `end`. */
interface RowSpan {
  readonly start: number;
  readonly end: number;
}

type TextVector = Extract<Vector, { type: "VARCHAR" }>;

/** A column of the rows that are not written yet. */
interface PendingColumn extends PieceColumn {
  readonly name: string;
  /** Its texts, and the places in them of those of the result. */
  readonly texts: string[];
  readonly places: Map<number, number>;
}

/** The cells of a vector; of text the places among those of the file, which are fewer than the result's. */
function cellsOf(vector: Vector, { texts, places }: PendingColumn, { start, end }: RowSpan): Cells {
  if (vector.type !== "VARCHAR") return vector.values as Cells;
  const cells = new Int32Array(end);
  for (let row = start; row < end; row++) {
    if (!isValid(vector.valid, row)) continue;
    const place = vector.values[row] ?? 0;
    const known = places.get(place) ?? texts.push(vector.texts[place] ?? "") - 1;
    places.set(place, known);
    cells[row] = known;
  }
  return cells;
}

/** The arrays of one file while they are made. */
class FileEncoder {
  readonly #writer: ReturnType<typeof arrayWriter>;
  readonly #columns: readonly PendingColumn[];
  readonly #day: number;
  /** Rows of the piece that is being filled. */
  #count = 0;
  #rows = 0;
  #last = "";
  #lastDay = -Infinity;

  constructor(of: string, columns: readonly ArrayColumn[], day: string, write: (bytes: Uint8Array) => void) {
    this.#writer = arrayWriter(of, columns, write);
    this.#day = columns.findIndex(({ name }) => name === day);
    this.#columns = columns.map(({ name, type }) => ({
      name,
      type,
      cells: cellsFor(type, PIECE_ROWS),
      isValid: new Uint8Array(PIECE_ROWS).fill(1),
      texts: [],
      places: new Map(),
    }));
  }

  /** Adds rows of a batch. */
  add(vectors: readonly Vector[], symbols: TextVector, rows: RowSpan): void {
    const cells = vectors.map((vector, at) => cellsOf(vector, this.#columns[at] as PendingColumn, rows));
    const { values, texts } = symbols;
    const take = (from: number, to: number) => this.#take(cells, vectors, from, to);
    let from = rows.start;
    for (let start = from, end = from; start < rows.end; start = end) {
      while (end < rows.end && values[end] === values[start]) end++;
      const symbol = texts[values[start] ?? 0] ?? "";
      this.#follow(symbol, cells[this.#day] as Int32Array, start, end);
      // A symbol's rows stand in one piece where they fit.
      if (this.#count + end - from > PIECE_ROWS) {
        take(from, start);
        if (this.#count + end - start > PIECE_ROWS) this.#flush();
        from = start;
      }
      if (symbol !== this.#last) this.#writer.symbol(symbol, this.#count + start - from);
      this.#last = symbol;
    }
    take(from, rows.end);
  }

  /** Ends the file; gives the number of its rows. */
  finish(): number {
    this.#flush();
    const texts = this.#columns.filter(({ type }) => type === "VARCHAR");
    this.#writer.finish(Object.fromEntries(texts.map(({ name, texts }) => [name, texts])));
    return this.#rows;
  }

  /** Throws where the rows are not in order: arrays of them would be read wrongly. */
  #follow(symbol: string, days: Int32Array, start: number, end: number): void {
    if (symbol < this.#last) throw new Error(`the rows of ${symbol} come after those of ${this.#last}`);
    if (symbol !== this.#last) this.#lastDay = -Infinity;
    for (let row = start; row < end; row++) {
      const day = days[row] ?? 0;
      if (day < this.#lastDay) throw new Error(`the rows of ${symbol} are not ordered by day`);
      this.#lastDay = day;
    }
  }

  #take(read: readonly Cells[], vectors: readonly Vector[], start: number, end: number): void {
    for (let from = start; from < end; ) {
      if (this.#count === PIECE_ROWS) this.#flush();
      const to = Math.min(end, from + PIECE_ROWS - this.#count);
      for (const [at, { cells, isValid: marks }] of this.#columns.entries()) {
        cells.set(read[at]?.subarray(from, to) as never, this.#count);
        const valid = vectors[at]?.valid ?? null;
        for (let row = from; valid !== null && row < to; row++) {
          if (isValid(valid, row)) continue;
          const place = this.#count + row - from;
          marks[place] = 0;
          cells.fill((cells instanceof BigInt64Array ? 0n : 0) as never, place, place + 1);
        }
      }
      this.#count += to - from;
      from = to;
    }
  }

  #flush(): void {
    if (this.#count === 0) return;
    this.#writer.piece(pieceOf(this.#columns, this.#count), this.#count);
    for (const { isValid } of this.#columns) isValid.fill(1);
    this.#rows += this.#count;
    this.#count = 0;
  }
}

/** Encodes the result of `selectRows`, each file into its sink. Throws where a file lacks rows. */
export async function encodeRows(
  result: DuckDBResult,
  dataset: Dataset,
  files: readonly LakeFile[],
  sinks: readonly Sink[],
): Promise<void> {
  const columns = arrayColumns(dataset);
  const day = dataset.series?.day ?? "";
  const encoders = files.map(
    ({ sha256 }, at) => new FileEncoder(sha256, columns, day, (bytes) => sinks[at]?.write(bytes)),
  );
  for await (const { rows, vectors } of eachBatch(result)) {
    const [{ values: places }, symbols, ...own] = vectors as [Vector, TextVector, ...Vector[]];
    for (let start = 0, end = 0; start < rows; start = end) {
      const file = places[start];
      while (end < rows && places[end] === file) end++;
      encoders[Number(file)]?.add(own, symbols, { start, end });
    }
    for (const { turn } of sinks) await turn();
  }
  for (const [at, { path, rows }] of files.entries()) {
    const found = encoders[at]?.finish();
    if (found !== rows) throw new Error(`${path} has ${found} rows instead of ${rows}`);
  }
}
