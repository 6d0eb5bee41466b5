// The engine's results as batches of columns: copies of the typed arrays behind its vectors.
import { type DuckDBResult, DuckDBTypeId, type DuckDBVector } from "@duckdb/node-api";
import { bitsFor, setBit } from "../cells.ts";
import { type Batch, isValid, type Validity, type Vector } from "../table.ts";

/** Longest text that the engine keeps inside its slot of 16 bytes. */
const INLINE_BYTES_MAX = 12;
/** Places for short texts: more than the market has symbols. */
const HASH_BITS = 15;
const HASHES = 1 << HASH_BITS;

/** The fields of the driver's vectors that are read past its slower `getItem`. */
interface Inside {
  readonly items?: unknown;
  readonly dataView?: DataView;
  readonly validity: { readonly data: BigUint64Array | null };
}

function validityOf({ validity: { data } }: Inside, rows: number): Validity {
  if (data === null) return null;
  const bits = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return bits.slice(0, (rows + 7) >> 3);
}

/**
 * The texts of one column of a result: each stands once, whatever chunk it is in. Short ones are found by the
 * words of their slots, without being decoded again.
 */
class ColumnTexts {
  readonly #texts: string[] = [];
  readonly #places = new Map<string, number>();
  /** The place of the text behind the words that were last found under a hash, and these words. */
  readonly #found = new Int32Array(HASHES).fill(-1);
  readonly #words = new Uint32Array(HASHES * 4);

  vector(vector: DuckDBVector, { dataView: view }: Inside, rows: number, valid: Validity): Vector {
    const words = view && new Uint32Array(view.buffer, view.byteOffset, rows * 4);
    const values = new Int32Array(rows);
    for (let row = 0; row < rows; row++) {
      if (!isValid(valid, row)) continue;
      const isShort = words !== undefined && (words[row * 4] ?? 0) <= INLINE_BYTES_MAX;
      values[row] = isShort ? this.#short(vector, words, row) : this.#placeOf(String(vector.getItem(row)));
    }
    return { type: "VARCHAR", values, texts: this.#texts, valid };
  }

  #short(vector: DuckDBVector, words: Uint32Array, row: number): number {
    const at = row * 4;
    const [a = 0, b = 0, c = 0, d = 0] = [words[at], words[at + 1], words[at + 2], words[at + 3]];
    const mixed = Math.imul(a ^ Math.imul(b ^ Math.imul(c ^ Math.imul(d, 31), 31), 31), 0x9e3779b1);
    const hash = mixed >>> (32 - HASH_BITS);
    const known = this.#words;
    const to = hash * 4;
    const place = this.#found[hash] ?? -1;
    if (place >= 0 && known[to] === a && known[to + 1] === b && known[to + 2] === c && known[to + 3] === d)
      return place;
    known.set([a, b, c, d], to);
    const found = this.#placeOf(String(vector.getItem(row)));
    this.#found[hash] = found;
    return found;
  }

  #placeOf(text: string): number {
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    this.#places.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }
}

function vectorOf(vector: DuckDBVector, type: DuckDBTypeId, rows: number, texts: () => ColumnTexts): Vector {
  const inside = vector as unknown as Inside;
  const valid = validityOf(inside, rows);
  const { items } = inside;
  if (type === DuckDBTypeId.DOUBLE && items instanceof Float64Array)
    return { type: "DOUBLE", values: items.slice(0, rows), valid };
  if (type === DuckDBTypeId.BIGINT && items instanceof BigInt64Array)
    return { type: "BIGINT", values: items.slice(0, rows), valid };
  if (type === DuckDBTypeId.TIMESTAMP_TZ && items instanceof BigInt64Array)
    return { type: "TIMESTAMPTZ", values: items.slice(0, rows), valid };
  if (type === DuckDBTypeId.DATE && items instanceof Int32Array)
    return { type: "DATE", values: items.slice(0, rows), valid };
  if (type === DuckDBTypeId.INTEGER && items instanceof Int32Array)
    return { type: "BIGINT", values: BigInt64Array.from(items.subarray(0, rows), BigInt), valid };
  if (type === DuckDBTypeId.VARCHAR) return texts().vector(vector, inside, rows, valid);
  if (type !== DuckDBTypeId.BOOLEAN || !inside.dataView)
    throw new Error(`no column of a table has the type ${DuckDBTypeId[type]}`);
  const bits = bitsFor(rows);
  for (let row = 0; row < rows; row++) if (inside.dataView.getUint8(row) === 1) setBit(bits, row);
  return { type: "BOOLEAN", values: bits, valid };
}

/** Reads a whole result. */
export const readBatches = (result: DuckDBResult): Promise<Batch[]> => Array.fromAsync(eachBatch(result));

/** Reads a result batch by batch. Throws where a column has a type that no table has. */
export async function* eachBatch(result: DuckDBResult): AsyncGenerator<Batch> {
  const types = result.columnTypes().map(({ typeId }) => typeId);
  const texts: ColumnTexts[] = [];
  const textsOf = (at: number) => () => {
    texts[at] ??= new ColumnTexts();
    return texts[at];
  };
  for (;;) {
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) return;
    const { rowCount: rows } = chunk;
    yield {
      rows,
      vectors: types.map((type, at) => vectorOf(chunk.getColumnVector(at), type, rows, textsOf(at))),
    };
  }
}
