// A piece of arrays in memory, and the columns of a batch that its rows are copied to.
import { isValid } from "../../table.ts";
import { storageUnavailable } from "../disk.ts";
import type { LakeFile } from "../manifest.ts";
import {
  type ArrayIndex,
  type ArrayType,
  type Cells,
  cellsFor,
  HEAD_BYTES,
  isSound,
  KIND,
  padded,
  type ReadBytes,
} from "./layout.ts";

/** The arrays of one Parquet file. */
export interface Arrays {
  readonly index: ArrayIndex;
  readonly read: ReadBytes;
}

/** Arrays that an answer reads, with the file whose rows they are. */
export interface Source {
  readonly file: LakeFile;
  arrays: Arrays;
  /** Bytes that are read into, again for each batch. */
  room?: ArrayBuffer;
}

/** A column of a batch that is being made. */
export class MadeColumn {
  readonly type: ArrayType;
  readonly cells: Cells;
  readonly words: Int32Array;
  readonly texts: readonly string[];
  valid: Uint8Array | null = null;

  constructor(type: ArrayType, rows: number, texts: readonly string[]) {
    this.type = type;
    this.cells = cellsFor(type, rows);
    this.words = new Int32Array(this.cells.buffer);
    this.texts = texts;
  }

  set(row: number, hasValue: boolean): void {
    this.valid ??= new Uint8Array(Math.ceil(this.cells.length / 8)).fill(255);
    const [at, bit] = [row >> 3, 1 << (row & 7)];
    this.valid[at] = hasValue ? (this.valid[at] ?? 0) | bit : (this.valid[at] ?? 0) & ~bit;
  }
}

/** One buffer as numbers of each width. */
interface Views {
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
  readonly doubles: Float64Array;
}

const viewsOf = ({ buffer, byteLength, byteOffset }: Uint8Array): Views => ({
  bytes: new Uint8Array(buffer),
  words: new Int32Array(buffer, 0, (byteOffset + byteLength) >> 2),
  doubles: new Float64Array(buffer, 0, (byteOffset + byteLength) >> 3),
});

/** Fewer cells than this are copied one by one: a view of them takes longer. */
const FEW = 8;

export class Piece {
  readonly #views: Views;
  readonly #at: number;
  readonly first: number;
  readonly rows: number;

  constructor(views: Views, at: number, first: number, rows: number) {
    this.#views = views;
    this.#at = at;
    this.first = first;
    this.rows = rows;
  }

  /** Where the facts about a column stand, in words. */
  #head(column: number): number {
    return (this.#at + column * HEAD_BYTES) >> 2;
  }

  /** Where its cells stand, in bytes; its bits stand before them. */
  #cells(head: number): number {
    const { words } = this.#views;
    const bits = words[head] === KIND.withNulls ? padded(Math.ceil(this.rows / 8)) : 0;
    return this.#at + (words[head + 1] ?? 0) + bits;
  }

  /** The first row of a span whose day is at least `day`. */
  rowFrom(column: number, start: number, end: number, day: number): number {
    if (day === -Infinity || day === Infinity) return day > 0 ? end : start;
    const { words } = this.#views;
    const head = this.#head(column);
    if (words[head] === KIND.constant) return (words[head + 2] ?? 0) >= day ? start : end;
    const cells = this.#cells(head) >> 2;
    let [low, high] = [start, end];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((words[cells + middle] ?? 0) < day) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** A whole number of 64 bits. */
  whole(column: number, row: number): number {
    const { words } = this.#views;
    const head = this.#head(column);
    if (words[head] === KIND.whole) return words[(this.#cells(head) >> 2) + row] ?? 0;
    const at = words[head] === KIND.constant ? head + 2 : (this.#cells(head) >> 2) + 2 * row;
    return (words[at + 1] ?? 0) * 4_294_967_296 + ((words[at] ?? 0) >>> 0);
  }

  /** Copies rows of a column behind those that are made. `places` are those of its texts. */
  copy(
    column: number,
    from: number,
    to: number,
    made: MadeColumn,
    at: number,
    places: Int32Array | undefined,
  ): void {
    const { words } = this.#views;
    const head = this.#head(column);
    const kind = words[head];
    if (kind === KIND.nulls || kind === KIND.withNulls) this.#copyNulls(head, from, to, made, at);
    if (kind === KIND.nulls) return;
    const isWide = made.cells.BYTES_PER_ELEMENT === 8;
    if (kind === KIND.constant) this.#fill(head + 2, made, at, at + to - from, places);
    else if (kind === KIND.whole) this.#widen(head, from, to, made, at);
    else if (places) {
      const cells = this.#cells(head) >> 2;
      for (let row = from; row < to; row++)
        made.words[at + row - from] = places[words[cells + row] ?? 0] ?? 0;
    } else if (to - from >= FEW) this.#copyMany(this.#cells(head), from, to, made, at);
    else {
      const scale = isWide ? 2 : 1;
      const cells = (this.#cells(head) >> 2) + from * scale;
      for (let word = 0; word < (to - from) * scale; word++)
        made.words[at * scale + word] = words[cells + word] ?? 0;
    }
  }

  #copyNulls(head: number, from: number, to: number, made: MadeColumn, at: number): void {
    const { bytes, words } = this.#views;
    const start = this.#at + (words[head + 1] ?? 0);
    const bits =
      words[head] === KIND.nulls
        ? new Uint8Array(padded(this.rows))
        : bytes.subarray(start, start + padded(this.rows));
    for (let row = from; row < to; row++) if (!isValid(bits, row)) made.set(at + row - from, false);
  }

  /** Copies whole numbers of 32 bits to cells of 64, divided by their scale. */
  #widen(head: number, from: number, to: number, made: MadeColumn, at: number): void {
    const { words, doubles } = this.#views;
    const cells = (this.#cells(head) >> 2) - at + from;
    const out = made.cells;
    const end = at + to - from;
    if (out instanceof Float64Array) {
      const scale = doubles[(head + 2) >> 1] ?? 1;
      for (let row = at; row < end; row++) out[row] = (words[cells + row] ?? 0) / scale;
    } else
      for (let row = at; row < end; row++) {
        const low = words[cells + row] ?? 0;
        made.words[2 * row] = low;
        made.words[2 * row + 1] = low >> 31;
      }
  }

  #fill(value: number, made: MadeColumn, start: number, end: number, places: Int32Array | undefined): void {
    const { words, doubles } = this.#views;
    const { cells } = made;
    if (cells instanceof Int32Array) {
      const cell = words[value] ?? 0;
      cells.fill(places ? (places[cell] ?? 0) : cell, start, end);
    } else if (cells instanceof Float64Array) cells.fill(doubles[value >> 1] ?? 0, start, end);
    else
      for (let row = start; row < end; row++) {
        made.words[2 * row] = words[value] ?? 0;
        made.words[2 * row + 1] = words[value + 1] ?? 0;
      }
  }

  #copyMany(start: number, from: number, to: number, made: MadeColumn, at: number): void {
    const { words, doubles } = this.#views;
    const { cells } = made;
    if (cells instanceof Float64Array)
      cells.set(doubles.subarray((start >> 3) + from, (start >> 3) + to), at);
    else {
      const scale = cells.BYTES_PER_ELEMENT / 4;
      made.words.set(words.subarray((start >> 2) + from * scale, (start >> 2) + to * scale), at * scale);
    }
  }
}

/** Bytes that are read at once at most, where pieces stand one after the other. */
const READ_BYTES = 1_048_576;

/** Consecutive pieces of which some stand one after the other in the file. */
function* runsOf({ offsets }: ArrayIndex, wanted: readonly number[]): Generator<readonly number[]> {
  for (let at = 0, end = 1; at < wanted.length; at = end++) {
    const start = offsets[wanted[at] ?? 0] ?? 0;
    const isNext = (piece: number) =>
      piece === (wanted[end - 1] ?? 0) + 1 && (offsets[piece + 1] ?? 0) - start <= READ_BYTES;
    while (end < wanted.length && isNext(wanted[end] ?? 0)) end++;
    yield wanted.slice(at, end);
  }
}

/** Makes the arrays of a source again. Null where that cannot be done. */
export type Remake = (source: Source) => Promise<Arrays | null>;

/**
 * Reads pieces of a source, which are good until the next call. Arrays that are damaged or gone are made
 * again.
 */
export async function readPieces(
  source: Source,
  wanted: readonly number[],
  remake: Remake,
): Promise<Map<number, Piece>> {
  const pieces = new Map<number, Piece>();
  const { index, read } = source.arrays;
  const { offsets, pieceRows, hashes } = index;
  const bytesOf = (piece: number) => (offsets[piece + 1] ?? 0) - (offsets[piece] ?? 0);
  const needed = wanted.reduce((sum, piece) => sum + bytesOf(piece), 0);
  if ((source.room?.byteLength ?? 0) < needed) source.room = new ArrayBuffer(needed);
  let used = 0;
  for (const run of runsOf(index, wanted)) {
    const start = offsets[run[0] ?? 0] ?? 0;
    const length = (offsets[(run.at(-1) ?? 0) + 1] ?? 0) - start;
    const into = new Uint8Array(source.room ?? new ArrayBuffer(0), used, length);
    const bytes = await read(start, length, into).catch(() => new Uint8Array(0));
    const views = viewsOf(bytes);
    for (const piece of run) {
      const from = (offsets[piece] ?? 0) - start;
      if (!isSound(bytes.subarray(from, from + bytesOf(piece)), hashes[piece])) {
        const remade = await remake(source);
        if (remade === null) throw storageUnavailable(`Arrays of ${source.file.path} are damaged.`);
        source.arrays = remade;
        return readPieces(source, wanted, remake);
      }
      const first = pieceRows[piece] ?? 0;
      pieces.set(
        piece,
        new Piece(views, bytes.byteOffset + from, first, (pieceRows[piece + 1] ?? 0) - first),
      );
    }
    used += length;
  }
  return pieces;
}
