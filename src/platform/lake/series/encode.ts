// Makes arrays of the rows of Parquet files, out of the chunks in which the engine gives them.
import type { DuckDBResult, DuckDBVector } from "@duckdb/node-api";
import { isValid } from "../../table.ts";
import { type Dataset, quoted, storedColumns } from "../dataset.ts";
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
    .map((select, file) => `(SELECT ${file} AS file, ${names} FROM (${select})${order})`)
    .join(" UNION ALL ");
}

/** Rows of a chunk: from `start`, up to but without `end`. */
interface RowSpan {
  readonly start: number;
  readonly end: number;
}

/** Rows of one vector of the engine. */
interface VectorCells {
  readonly cells: Cells;
  /** A bit a row, 1 for a value; null where each has one. */
  readonly bits: Uint8Array | null;
}

/** The bytes behind a vector of the driver, which has no other way to them. */
function bitsOf(vector: DuckDBVector): Uint8Array | null {
  const data: unknown = Reflect.get(Reflect.get(vector, "validity") as object, "data");
  if (data === null) return null;
  const bits = data as BigUint64Array;
  return new Uint8Array(bits.buffer, bits.byteOffset, bits.byteLength);
}

/** Different texts in the order in which they came. */
class TextList {
  readonly all: string[] = [];
  readonly #places = new Map<string, number>();

  place(text: string): number {
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    this.#places.set(text, this.all.length);
    return this.all.push(text) - 1;
  }
}

/** The places of texts in a list that grows. Equal short texts that follow each other are decoded once. */
function textPlaces(vector: DuckDBVector, rows: RowSpan, known: TextList): VectorCells {
  const view = Reflect.get(vector, "dataView") as DataView;
  const words = new Uint32Array(view.buffer, view.byteOffset, rows.end * 4);
  const bits = bitsOf(vector);
  const cells = new Int32Array(rows.end);
  for (let row = rows.start, from = -1; row < rows.end; row++) {
    if (!isValid(bits, row)) continue;
    const [at, was] = [row * 4, from * 4];
    const isSame =
      from >= 0 &&
      (words[at] ?? 0) <= 12 &&
      words[at] === words[was] &&
      words[at + 1] === words[was + 1] &&
      words[at + 2] === words[was + 2] &&
      words[at + 3] === words[was + 3];
    if (isSame) cells[row] = cells[from] ?? 0;
    else {
      cells[row] = known.place(String(vector.getItem(row)));
    }
    from = row;
  }
  return { cells, bits };
}

/** A column of the rows that are not written yet. */
interface PendingColumn extends PieceColumn {
  readonly name: string;
  /** The places of its texts. */
  readonly texts: TextList;
}

const cellsOf = (vector: DuckDBVector, { type, texts }: PendingColumn, rows: RowSpan): VectorCells =>
  type === "VARCHAR"
    ? textPlaces(vector, rows, texts)
    : { cells: Reflect.get(vector, "items") as Cells, bits: bitsOf(vector) };

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
      texts: new TextList(),
    }));
  }

  /** Adds rows of a chunk. `symbols` has their symbols as places in a list. */
  add(vectors: readonly DuckDBVector[], symbols: Cells, names: readonly string[], rows: RowSpan): void {
    const read = vectors.map((vector, at) => cellsOf(vector, this.#columns[at] as PendingColumn, rows));
    let from = rows.start;
    for (let start = from, end = from; start < rows.end; start = end) {
      while (end < rows.end && symbols[end] === symbols[start]) end++;
      const symbol = names[symbols[start] as number] ?? "";
      this.#follow(symbol, read[this.#day]?.cells as Int32Array, start, end);
      // A symbol's rows stand in one piece where they fit.
      if (this.#count + end - from > PIECE_ROWS) {
        this.#take(read, from, start);
        if (this.#count + end - start > PIECE_ROWS) this.#flush();
        from = start;
      }
      if (symbol !== this.#last) this.#writer.symbol(symbol, this.#count + start - from);
      this.#last = symbol;
    }
    this.#take(read, from, rows.end);
  }

  /** Ends the file; gives the number of its rows. */
  finish(): number {
    this.#flush();
    const texts = this.#columns.filter(({ type }) => type === "VARCHAR");
    this.#writer.finish(Object.fromEntries(texts.map(({ name, texts }) => [name, texts.all])));
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

  #take(read: readonly VectorCells[], start: number, end: number): void {
    for (let from = start; from < end; ) {
      if (this.#count === PIECE_ROWS) this.#flush();
      const to = Math.min(end, from + PIECE_ROWS - this.#count);
      for (const [at, { cells, isValid: marks }] of this.#columns.entries()) {
        const { cells: own, bits } = read[at] as VectorCells;
        cells.set(own.subarray(from, to) as never, this.#count);
        for (let row = from; bits !== null && row < to; row++) {
          if (isValid(bits, row)) continue;
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
  const symbols = new TextList();
  const day = dataset.series?.day ?? "";
  const encoders = files.map(
    ({ sha256 }, at) => new FileEncoder(sha256, columns, day, (bytes) => sinks[at]?.write(bytes)),
  );
  for (
    let chunk = await result.fetchChunk();
    chunk && chunk.rowCount > 0;
    chunk = await result.fetchChunk()
  ) {
    const rows = chunk.rowCount;
    const places = Reflect.get(chunk.getColumnVector(0), "items") as Int32Array;
    const own = textPlaces(chunk.getColumnVector(1), { start: 0, end: rows }, symbols).cells;
    for (let start = 0, end = 0; start < rows; start = end) {
      const file = places[start] ?? 0;
      while (end < rows && places[end] === file) end++;
      const vectors = columns.map((_, at) => chunk?.getColumnVector(at + 2) as DuckDBVector);
      encoders[file]?.add(vectors, own, symbols.all, { start, end });
    }
    for (const { turn } of sinks) await turn();
  }
  for (const [at, { path, rows }] of files.entries()) {
    const found = encoders[at]?.finish();
    if (found !== rows) throw new Error(`${path} has ${found} rows instead of ${rows}`);
  }
}
