// The layout of a file of arrays: rows in pieces of a few hundred, each with its columns one after the other,
// then an index of symbols and pieces. A year of a symbol is one or two pieces, so reading it is one read of
// some 15 KB with one hash to check; whole columns of a file would have it in twelve places.

/** Types of columns that arrays can have. */
export type ArrayType = "DOUBLE" | "BIGINT" | "TIMESTAMPTZ" | "DATE" | "VARCHAR";
/** Cells of a column: of text their places in the column's list. */
export type Cells = Float64Array | BigInt64Array | Int32Array;

export interface ArrayColumn {
  readonly name: string;
  readonly type: ArrayType;
}

/** Changes with the bytes: a file of another layout counts as missing. */
const MAGIC = Buffer.from("ASOFROW2");
const TAIL_BYTES = 32;
/** Rows of one piece: two years of a symbol's days would not fit, one does. */
export const PIECE_ROWS = 384;
/** How the cells of a column stand in a piece. */
export const KIND = { plain: 0, withNulls: 1, constant: 2, nulls: 3, whole: 4 } as const;
/** Bytes of a piece's facts about a column: kind, place, and the value of a constant. */
export const HEAD_BYTES = 16;

export const padded = (bytes: number) => Math.ceil(bytes / 8) * 8;

/** An array for cells of a type. */
export function cellsFor(type: ArrayType, rows: number): Cells {
  if (type === "DOUBLE") return new Float64Array(rows);
  return type === "DATE" || type === "VARCHAR" ? new Int32Array(rows) : new BigInt64Array(rows);
}

/** Cells of a type over bytes of a piece. */
function cellsOver(type: ArrayType, bytes: Uint8Array, at: number, rows: number): Cells {
  const start = bytes.byteOffset + at;
  if (type === "DOUBLE") return new Float64Array(bytes.buffer, start, rows);
  if (type === "DATE" || type === "VARCHAR") return new Int32Array(bytes.buffer, start, rows);
  return new BigInt64Array(bytes.buffer, start, rows);
}

/** The rows of some columns that are written as a piece. A row without a value has 0 in `isValid`. */
export interface PieceColumn {
  readonly type: ArrayType;
  readonly cells: Cells;
  readonly isValid: Uint8Array;
}

/** Decimals with which prices are tried as whole numbers of 32 bits: cents first, then computed ones. */
const DECIMALS = [2, 4, 6];
const INT_MAX = 2_147_483_647;

/** The cells as whole numbers of 32 bits, divided by a power of ten; null where that is not exact. */
// 12.34 is 1234 with two decimals. 0.1 + 0.2 is no such number, and 21474837 has too many cents.
function wholeCells(
  cells: Cells,
  rows: number,
): { readonly whole: Int32Array; readonly scale: number } | null {
  if (cells instanceof Int32Array) return null;
  if (cells instanceof BigInt64Array) {
    const words = new Int32Array(cells.buffer, 0, rows * 2);
    const whole = new Int32Array(rows);
    for (let row = 0; row < rows; row++) {
      const low = words[2 * row] ?? 0;
      if (words[2 * row + 1] !== low >> 31) return null;
      whole[row] = low;
    }
    return { whole, scale: 1 };
  }
  const fits = (scale: number, whole: Int32Array) => {
    for (let row = 0; row < rows; row++) {
      const cell = cells[row] ?? 0;
      // The sum makes -0, which no whole number stands for, a 0.
      const number = Math.round(cell * scale) + 0;
      if (number > INT_MAX || number < -INT_MAX || !Object.is(number / scale, cell)) return false;
      whole[row] = number;
    }
    return true;
  };
  const whole = new Int32Array(rows);
  const decimals = DECIMALS.find((digits) => fits(10 ** digits, whole));
  return decimals === undefined ? null : { whole, scale: 10 ** decimals };
}

/** Whether all cells have the same bytes: -0 and 0 have others. */
function hasOne(cells: Cells, rows: number): boolean {
  const words = new Int32Array(cells.buffer, 0, (rows * cells.BYTES_PER_ELEMENT) / 4);
  const step = cells.BYTES_PER_ELEMENT / 4;
  for (let word = step; word < words.length; word++) if (words[word] !== words[word - step]) return false;
  return true;
}

/** The bytes of a piece. */
export function pieceOf(columns: readonly PieceColumn[], rows: number): Uint8Array {
  const bytes = new Uint8Array(columns.length * (HEAD_BYTES + padded(rows * 9) + 8));
  const head = new DataView(bytes.buffer);
  let end = columns.length * HEAD_BYTES;
  for (const [at, { type, cells, isValid }] of columns.entries()) {
    const marks = isValid.subarray(0, rows);
    const hasNulls = marks.includes(0);
    const isConstant = !hasNulls && hasOne(cells, rows);
    const whole = hasNulls || isConstant ? null : wholeCells(cells, rows);
    const filled = whole === null ? KIND.plain : KIND.whole;
    const kind = isConstant
      ? KIND.constant
      : !hasNulls
        ? filled
        : marks.includes(1)
          ? KIND.withNulls
          : KIND.nulls;
    head.setUint32(at * HEAD_BYTES, kind, true);
    head.setUint32(at * HEAD_BYTES + 4, end, true);
    if (kind === KIND.nulls) continue;
    if (isConstant) {
      cellsOver(type, bytes, at * HEAD_BYTES + 8, 1).set(cells.subarray(0, 1) as never);
      continue;
    }
    if (whole) head.setFloat64(at * HEAD_BYTES + 8, whole.scale, true);
    if (hasNulls) {
      for (let row = 0; row < rows; row++)
        if (marks[row] === 1) bytes[end + (row >> 3)] = (bytes[end + (row >> 3)] ?? 0) | (1 << (row & 7));
      end += padded(Math.ceil(rows / 8));
    }
    const own = whole ? new Int32Array(bytes.buffer, end, rows) : cellsOver(type, bytes, end, rows);
    own.set((whole?.whole ?? cells.subarray(0, rows)) as never);
    end += padded(own.byteLength);
  }
  return bytes.subarray(0, end);
}

/** Where the rows of a file stand. */
export interface ArrayIndex {
  readonly columns: readonly ArrayColumn[];
  readonly rows: number;
  /** The texts of each column of text, by its name. */
  readonly texts: Readonly<Record<string, readonly string[]>>;
  /** The place of each symbol in the list, which is ascending. */
  readonly places: ReadonlyMap<string, number>;
  /** The first row of each symbol, and at the end the number of rows. */
  readonly firstRows: Uint32Array;
  /** The first row of each piece, and at the end the number of rows. */
  readonly pieceRows: Uint32Array;
  /** Where each piece begins, and at the end where the last one ends. */
  readonly offsets: Float64Array;
  readonly hashes: BigUint64Array;
}

/** The facts of the index that are text. */
interface IndexText extends Pick<ArrayIndex, "columns" | "rows" | "texts"> {
  /** The SHA-256 of the Parquet file. */
  readonly of: string;
  readonly symbols: readonly string[];
  readonly pieces: number;
}

const hashOf = (bytes: Uint8Array) => BigInt.asUintN(64, Bun.hash.xxHash3(bytes));

/** Whether the bytes are those that were written. */
export const isSound = (bytes: Uint8Array, hash: bigint | undefined) => hashOf(bytes) === hash;

/** Writes a file of arrays: pieces as they come, then the index. `write` must use the bytes at once. */
export function arrayWriter(of: string, columns: readonly ArrayColumn[], write: (bytes: Uint8Array) => void) {
  const [symbols, firstRows, pieceRows, offsets, hashes]: [string[], number[], number[], number[], bigint[]] =
    [[], [], [], [0], []];
  let rows = 0;
  return {
    /** Notes that the rows of a symbol begin so many rows after those that are written. */
    symbol(symbol: string, after: number) {
      symbols.push(symbol);
      firstRows.push(rows + after);
    },
    piece(bytes: Uint8Array, count: number) {
      write(bytes);
      hashes.push(hashOf(bytes));
      offsets.push((offsets.at(-1) ?? 0) + bytes.byteLength);
      pieceRows.push(rows);
      rows += count;
    },
    finish(texts: IndexText["texts"]) {
      const facts: IndexText = { of, columns, rows, texts, symbols, pieces: hashes.length };
      const text = Buffer.from(JSON.stringify(facts));
      const parts = [
        new Float64Array([text.byteLength]),
        new Float64Array(offsets),
        new BigUint64Array(hashes),
        new Uint32Array([...firstRows, rows, ...pieceRows, rows]),
        text,
      ];
      const index = Buffer.concat(
        parts.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)),
      );
      const tail = Buffer.alloc(TAIL_BYTES);
      tail.writeDoubleLE(offsets.at(-1) ?? 0, 0);
      tail.writeDoubleLE(index.byteLength, 8);
      tail.writeBigUInt64LE(hashOf(index), 16);
      MAGIC.copy(tail, 24);
      write(index);
      write(tail);
    },
  };
}

/**
 * Reads bytes of a file of arrays, into the given ones where that saves a copy; fewer where the file ends
 * before. They begin at a multiple of eight.
 */
export type ReadBytes = (offset: number, bytes: number, into?: Uint8Array) => Promise<Uint8Array>;

/** Reads the index of a file of so many bytes. Null where it was not written of this Parquet file. */
export async function readIndex(read: ReadBytes, size: number, of: string): Promise<ArrayIndex | null> {
  const end = size < TAIL_BYTES ? null : Buffer.from(await read(size - TAIL_BYTES, TAIL_BYTES));
  if (end === null || end.length !== TAIL_BYTES || !end.subarray(24).equals(MAGIC)) return null;
  const [start, length] = [end.readDoubleLE(0), end.readDoubleLE(8)];
  if (start + length + TAIL_BYTES !== size) return null;
  const bytes = await read(start, length);
  if (!isSound(bytes, end.readBigUInt64LE(16))) return null;
  const [textBytes = 0] = new Float64Array(bytes.buffer, bytes.byteOffset, 1);
  const facts: IndexText = JSON.parse(Buffer.from(bytes.subarray(length - textBytes)).toString());
  if (facts.of !== of) return null;
  const { columns, rows, texts, symbols, pieces } = facts;
  let at = bytes.byteOffset + 8;
  const next = <T extends { byteLength: number }>(
    Make: new (buffer: ArrayBufferLike, offset: number, length: number) => T,
    count: number,
  ): T => {
    const made = new Make(bytes.buffer, at, count);
    at += made.byteLength;
    return made;
  };
  return {
    columns,
    rows,
    texts,
    places: new Map(symbols.map((symbol, place) => [symbol, place])),
    offsets: next(Float64Array, pieces + 1),
    hashes: next(BigUint64Array, pieces),
    firstRows: next(Uint32Array, symbols.length + 1),
    pieceRows: next(Uint32Array, pieces + 1),
  };
}

/** Whether each piece of a file of arrays, and its index, are those that were written. */
export async function isWhole(read: ReadBytes, size: number, of: string): Promise<boolean> {
  const index = await readIndex(read, size, of).catch(() => null);
  if (index === null) return false;
  for (const [piece, hash] of index.hashes.entries()) {
    const [start = 0, end = 0] = index.offsets.subarray(piece, piece + 2);
    if (!isSound(await read(start, end - start), hash)) return false;
  }
  return true;
}
