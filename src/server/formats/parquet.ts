// Parquet files, written while they are sent: a row group at a time, each column of it one page.
import { ByteWriter, ParquetWriter, type SchemaElement } from "hyparquet-writer";
import { writePageHeader } from "hyparquet-writer/src/datapage.js";
import { writeRleBitPackedHybrid } from "hyparquet-writer/src/encoding.js";
import { bitsFor, regrouped, setBit } from "../../platform/cells.ts";
import { isValid, type Table, type TableColumnType, type Vector } from "../../platform/table.ts";

/** Half of the engine's own rows in a row group: they take half the memory. */
const GROUP_ROWS_MIN = 61_440;
const ZSTD_LEVEL = 1;

/** How the engine's files store a type. */
const STORED: Readonly<Record<TableColumnType, Omit<SchemaElement, "name">>> = {
  BOOLEAN: { type: "BOOLEAN" },
  DATE: { type: "INT32", converted_type: "DATE" },
  BIGINT: { type: "INT64", converted_type: "INT_64" },
  TIMESTAMPTZ: {
    type: "INT64",
    converted_type: "TIMESTAMP_MICROS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" },
  },
  DOUBLE: { type: "DOUBLE" },
  VARCHAR: { type: "BYTE_ARRAY", converted_type: "UTF8" },
};

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);

/** Which cells have a value, as Parquet has it: one run where all have. */
function levelsOf({ valid }: Vector, rows: number): Uint8Array {
  const to = new ByteWriter();
  const groups = (rows + 7) >> 3;
  to.appendVarInt(valid === null ? rows << 1 : (groups << 1) | 1);
  if (valid === null) to.appendUint8(1);
  else to.appendBytes(valid.subarray(0, groups));
  return to.getBytes();
}

/** The rows that have a value; null where all have. */
function rowsWithValue({ valid }: Vector, rows: number): Int32Array | null {
  if (valid === null) return null;
  const found = new Int32Array(rows);
  let count = 0;
  for (let row = 0; row < rows; row++) if (isValid(valid, row)) found[count++] = row;
  return found.subarray(0, count);
}

/** The values of a column without its nulls. */
function valuesOf<V extends Exclude<Vector, { type: "BOOLEAN" }>["values"]>(
  values: V,
  rows: number,
  kept: Int32Array | null,
): V {
  const all = values.subarray(0, rows) as V;
  if (kept === null) return all;
  const found = all.slice(0, kept.length) as V;
  for (let at = 0; at < kept.length; at++) found[at] = all[kept[at] ?? 0] as never;
  return found;
}

function bitsOf(values: Uint8Array, rows: number, kept: Int32Array | null): Uint8Array {
  if (kept === null) return values.subarray(0, (rows + 7) >> 3);
  const bits = bitsFor(kept.length);
  for (let at = 0; at < kept.length; at++) if (isValid(values, kept[at] ?? 0)) setBit(bits, at);
  return bits;
}

/** Texts one after the other, each behind its length. */
function textBytes(texts: Iterable<string>): Uint8Array {
  const to = new ByteWriter();
  for (const text of texts) {
    const bytes = Buffer.from(text);
    to.appendUint32(bytes.length);
    to.appendBytes(bytes);
  }
  return to.getBytes();
}

interface Cells {
  readonly encoding: "PLAIN" | "RLE_DICTIONARY";
  readonly bytes: Uint8Array;
  /** The texts that the cells name by their places. */
  readonly dictionary?: readonly string[];
}

/** The cells of a column. Texts that repeat stand once, in a dictionary. */
function cellsOf(vector: Vector, rows: number, kept: Int32Array | null): Cells {
  if (vector.type === "BOOLEAN") return { encoding: "PLAIN", bytes: bitsOf(vector.values, rows, kept) };
  if (vector.type !== "VARCHAR")
    return { encoding: "PLAIN", bytes: bytesOf(valuesOf(vector.values, rows, kept)) };
  const [places, { texts }] = [valuesOf(vector.values, rows, kept), vector];
  if (texts.length * 2 > places.length)
    return { encoding: "PLAIN", bytes: textBytes(Array.from(places, (place) => texts[place] ?? "")) };
  const to = new ByteWriter();
  const width = Math.ceil(Math.log2(texts.length));
  to.appendUint8(width);
  writeRleBitPackedHybrid(to, places, width);
  return { encoding: "RLE_DICTIONARY", bytes: to.getBytes(), dictionary: texts };
}

const compressed = (bytes: Uint8Array) =>
  Bun.zstdCompressSync(bytes as Uint8Array<ArrayBuffer>, { level: ZSTD_LEVEL });

/** Writes one column of a row group. */
function writeColumn(to: ByteWriter, { name, type }: Table["columns"][number], vector: Vector, rows: number) {
  const start = to.offset;
  const kept = rowsWithValue(vector, rows);
  const { encoding, bytes, dictionary } = cellsOf(vector, rows, kept);
  let whole = 0;
  if (dictionary) {
    const texts = textBytes(dictionary);
    const packed = compressed(texts);
    writePageHeader(to, {
      type: "DICTIONARY_PAGE",
      uncompressed_page_size: texts.length,
      compressed_page_size: packed.length,
      dictionary_page_header: { num_values: dictionary.length, encoding: "PLAIN" },
    });
    whole += to.offset - start + texts.length;
    to.appendBytes(packed);
  }
  const [page, levels, packed] = [to.offset, levelsOf(vector, rows), compressed(bytes)];
  writePageHeader(to, {
    type: "DATA_PAGE_V2",
    uncompressed_page_size: levels.length + bytes.length,
    compressed_page_size: levels.length + packed.length,
    data_page_header_v2: {
      num_values: rows,
      num_nulls: rows - (kept?.length ?? rows),
      num_rows: rows,
      encoding,
      definition_levels_byte_length: levels.length,
      repetition_levels_byte_length: 0,
      is_compressed: true,
    },
  });
  whole += to.offset - page + levels.length + bytes.length;
  to.appendBytes(levels);
  to.appendBytes(packed);
  return {
    meta_data: {
      type: STORED[type].type as NonNullable<SchemaElement["type"]>,
      encodings: dictionary ? (["PLAIN", encoding] as const).slice() : [encoding],
      path_in_schema: [name],
      codec: "ZSTD" as const,
      num_values: BigInt(rows),
      total_compressed_size: BigInt(to.offset - start),
      total_uncompressed_size: BigInt(whole),
      data_page_offset: BigInt(page),
      ...(dictionary ? { dictionary_page_offset: BigInt(start) } : {}),
    },
    file_offset: BigInt(start),
  };
}

/** The bytes that were written since the last call. */
function taken(to: ByteWriter): Uint8Array<ArrayBuffer> {
  const bytes = to.getBytes().slice() as Uint8Array<ArrayBuffer>;
  to.index = 0;
  return bytes;
}

/** The table as one Parquet file. */
export async function* parquetChunks({ columns, batches }: Table): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const to = new ByteWriter();
  const file = new ParquetWriter({
    writer: to,
    schema: [
      { name: "table", num_children: columns.length },
      ...columns.map(
        ({ name, type }): SchemaElement => ({ name, repetition_type: "OPTIONAL", ...STORED[type] }),
      ),
    ],
    createdBy: "Asof",
  });
  for await (const { rows, vectors } of regrouped(batches(), GROUP_ROWS_MIN)) {
    const start = to.offset;
    const written = columns.flatMap((column, at) => {
      const vector = vectors[at];
      return vector ? [writeColumn(to, column, vector, rows)] : [];
    });
    file.row_groups.push({
      columns: written,
      total_byte_size: written.reduce((sum, { meta_data }) => sum + meta_data.total_uncompressed_size, 0n),
      num_rows: BigInt(rows),
      total_compressed_size: BigInt(to.offset - start),
    });
    file.num_rows += BigInt(rows);
    yield taken(to);
  }
  file.finish();
  yield taken(to);
}
