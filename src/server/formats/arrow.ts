// Arrow IPC streams: a message with the schema, then one for each batch, whose buffers are the columns as
// they stand in memory.
import { Builder } from "flatbuffers";
import { regrouped } from "../../platform/cells.ts";
import { type Batch, isValid, type Table, type TableColumnType, type Vector } from "../../platform/table.ts";

const VERSION_5 = 4;
const SCHEMA = 1;
const RECORD_BATCH = 3;
const CONTINUED = 0xffffffff;
const ALIGNED = 8;
/** Batches of fewer rows are joined: each costs its reader as much as some thousand rows. */
const BATCH_ROWS_MIN = 16_384;

/** Makes the table of a type, and says which one it is in Arrow's union of types. */
const TYPES: Readonly<Record<TableColumnType, readonly [union: number, make: (to: Builder) => number]>> = {
  BIGINT: [
    2,
    (to) => {
      to.startObject(2);
      to.addFieldInt32(0, 64, 0);
      to.addFieldInt8(1, 1, 0);
      return to.endObject();
    },
  ],
  DOUBLE: [3, (to) => unit(to, 1, 2, 0)],
  VARCHAR: [5, (to) => unit(to, 0, 0, 0)],
  BOOLEAN: [6, (to) => unit(to, 0, 0, 0)],
  // In days; Arrow's default is milliseconds.
  DATE: [8, (to) => unit(to, 1, 0, 1)],
  TIMESTAMPTZ: [
    10,
    (to) => {
      const zone = to.createString("UTC");
      to.startObject(2);
      to.addFieldInt16(0, 2, 0);
      to.addFieldOffset(1, zone, 0);
      return to.endObject();
    },
  ],
};

/** A table of `fields` fields, of which the first, where there is one, is a word of 16 bits. */
function unit(to: Builder, fields: number, value: number, ofDefault: number): number {
  to.startObject(fields);
  if (fields > 0) to.addFieldInt16(0, value, ofDefault);
  return to.endObject();
}

function offsets(to: Builder, made: readonly number[]): number {
  to.startVector(4, made.length, 4);
  for (const each of made.toReversed()) to.addOffset(each);
  return to.endVector();
}

/** A message: its length, the header in a multiple of eight bytes, and room for a body of `bodyBytes`. */
function message(
  kind: number,
  header: (to: Builder) => number,
  bodyBytes: number,
): { readonly bytes: Uint8Array<ArrayBuffer>; readonly bodyAt: number } {
  const to = new Builder(1_024);
  const made = header(to);
  to.startObject(5);
  to.addFieldInt64(3, BigInt(bodyBytes), 0n);
  to.addFieldOffset(2, made, 0);
  to.addFieldInt16(0, VERSION_5, 0);
  to.addFieldInt8(1, kind, 0);
  to.finish(to.endObject());
  const head = to.asUint8Array();
  const padded = aligned(head.length);
  const bytes = new Uint8Array(8 + padded + bodyBytes);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, CONTINUED, true);
  view.setInt32(4, padded, true);
  bytes.set(head, 8);
  return { bytes, bodyAt: 8 + padded };
}

const aligned = (bytes: number) => Math.ceil(bytes / ALIGNED) * ALIGNED;

function schemaMessage(columns: Table["columns"]): Uint8Array<ArrayBuffer> {
  const header = (to: Builder) => {
    const fields = columns.map(({ name, type }) => {
      const [union, make] = TYPES[type];
      const [text, made, children] = [to.createString(name), make(to), offsets(to, [])];
      to.startObject(7);
      to.addFieldOffset(0, text, 0);
      to.addFieldInt8(1, 1, 0);
      to.addFieldInt8(2, union, 0);
      to.addFieldOffset(3, made, 0);
      to.addFieldOffset(5, children, 0);
      return to.endObject();
    });
    const all = offsets(to, fields);
    to.startObject(4);
    to.addFieldOffset(1, all, 0);
    return to.endObject();
  };
  return message(SCHEMA, header, 0).bytes;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Texts as Arrow has them: where each begins in the bytes of all, and these bytes. Most repeat the last. */
function textBuffers({ values, texts, valid }: Vector & { type: "VARCHAR" }, rows: number) {
  const encoded = texts.map((text) => Buffer.from(text));
  const starts = new Int32Array(rows + 1);
  let size = 0;
  for (let row = 0; row < rows; row++) {
    if (isValid(valid, row)) size += encoded[values[row] ?? 0]?.length ?? 0;
    starts[row + 1] = size;
  }
  const bytes = new Uint8Array(size);
  for (let row = 0; row < rows; ) {
    const [from, place] = [starts[row] ?? 0, values[row]];
    const text = encoded[place ?? 0];
    let end = row + 1;
    while (end < rows && values[end] === place) end++;
    if (text && starts[end] !== from) bytes.set(text, from);
    // The bytes of a run are doubled until all of its rows have them. Rows without a value have none.
    const to = starts[end] ?? 0;
    for (let have = text?.length ?? 0; have > 0 && from + have < to; have *= 2)
      bytes.copyWithin(from + have, from, Math.min(from + have, to - have));
    row = end;
  }
  return [bytesOf(starts), bytes];
}

/** The buffers of a column: which cells have a value, and the cells. */
function buffersOf(vector: Vector, rows: number): Uint8Array[] {
  const bits = (each: Uint8Array) => each.subarray(0, (rows + 7) >> 3);
  const valid = vector.valid === null ? new Uint8Array() : bits(vector.valid);
  if (vector.type === "VARCHAR") return [valid, ...textBuffers(vector, rows)];
  return [valid, vector.type === "BOOLEAN" ? bits(vector.values) : bytesOf(vector.values.subarray(0, rows))];
}

/** How many bits of a byte are set. */
const ONES = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll("0", "").length);

function nullsOf({ valid }: Vector, rows: number): number {
  if (valid === null) return 0;
  let values = 0;
  for (let at = 0; at < rows >> 3; at++) values += ONES[valid[at] ?? 0] ?? 0;
  for (let row = rows & ~7; row < rows; row++) if (isValid(valid, row)) values++;
  return rows - values;
}

function batchMessage({ rows, vectors }: Batch): Uint8Array<ArrayBuffer> {
  const buffers = vectors.flatMap((vector) => buffersOf(vector, rows));
  const starts: number[] = [];
  let size = 0;
  for (const { length } of buffers) {
    starts.push(size);
    size += aligned(length);
  }
  const header = (to: Builder) => {
    to.startVector(16, buffers.length, 8);
    for (const [at, { length }] of [...buffers.entries()].toReversed()) {
      to.prep(8, 16);
      to.writeInt64(BigInt(length));
      to.writeInt64(BigInt(starts[at] ?? 0));
    }
    const places = to.endVector();
    to.startVector(16, vectors.length, 8);
    for (const vector of vectors.toReversed()) {
      to.prep(8, 16);
      to.writeInt64(BigInt(nullsOf(vector, rows)));
      to.writeInt64(BigInt(rows));
    }
    const nodes = to.endVector();
    to.startObject(4);
    to.addFieldInt64(0, BigInt(rows), 0n);
    to.addFieldOffset(1, nodes, 0);
    to.addFieldOffset(2, places, 0);
    return to.endObject();
  };
  const { bytes, bodyAt } = message(RECORD_BATCH, header, size);
  for (const [at, buffer] of buffers.entries()) bytes.set(buffer, bodyAt + (starts[at] ?? 0));
  return bytes;
}

/** The table as an Arrow IPC stream. */
export async function* arrowChunks(table: Table): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield schemaMessage(table.columns);
  for await (const batch of regrouped(table.batches(), BATCH_ROWS_MIN)) yield batchMessage(batch);
  // The end of the stream: a message without a header.
  yield new Uint8Array(Uint32Array.of(CONTINUED, 0).buffer);
}
