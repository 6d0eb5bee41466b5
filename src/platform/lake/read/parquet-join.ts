// Joins Parquet files of one schema into one file while they are sent: their row groups follow each other as
// they are, and one description of all of them follows the last.
import { open } from "node:fs/promises";
import { readThrift, type ThriftStruct, type ThriftValue, writeThrift } from "./thrift.ts";

const MAGIC = new TextEncoder().encode("PAR1");
/** The length of the description and the magic text, at the end of a file. */
const TAIL_BYTES = 8;

/** Fields of the format's own definition (parquet.thrift), by struct. */
const FILE = { schema: 2, rows: 3, rowGroups: 4 };
const ROW_GROUP = { columns: 1, fileOffset: 5, ordinal: 7 };
const COLUMN = { fileOffset: 2, metadata: 3, indexes: [4, 5, 6, 7] };
/** Where the data, index and dictionary pages and the Bloom filter of a column are. */
const COLUMN_OFFSETS = [9, 10, 11, 14];

/** Which bytes of a file are its row groups, and what it says of them. */
interface Described {
  readonly start: number;
  readonly end: number;
  readonly description: ThriftStruct;
}

/** Reads the description at the end of a file. */
async function describe(path: string): Promise<Described> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const tail = Buffer.alloc(TAIL_BYTES);
    await file.read(tail, 0, TAIL_BYTES, size - TAIL_BYTES);
    const length = tail.readUInt32LE(0);
    const bytes = Buffer.alloc(length);
    const end = size - TAIL_BYTES - length;
    await file.read(bytes, 0, length, end);
    return { start: MAGIC.length, end, description: readThrift(bytes) };
  } finally {
    await file.close();
  }
}

const listAt = (fields: ThriftStruct, id: number): ThriftValue[] => {
  const found = fields.get(id);
  return found?.type === 9 ? found.values : [];
};

function move(fields: ThriftStruct, id: number, by: bigint): void {
  const found = fields.get(id);
  // Nought stands for "not given".
  if (found?.type === 6 && found.value > 0n) found.value += by;
}

const structsAt = (fields: ThriftStruct, id: number): ThriftStruct[] =>
  listAt(fields, id).map((each) => {
    if (each.type !== 12) throw new Error("a Parquet file describes itself in another form");
    return each.fields;
  });

/** Says of row groups that they lie `by` bytes further on, and which place among all of them they have. */
function moveRowGroups(rowGroups: readonly ThriftStruct[], by: bigint, place: number): void {
  for (const [at, rowGroup] of rowGroups.entries()) {
    move(rowGroup, ROW_GROUP.fileOffset, by);
    const ordinal = rowGroup.get(ROW_GROUP.ordinal);
    if (ordinal?.type === 4) ordinal.value = BigInt(place + at);
    for (const column of structsAt(rowGroup, ROW_GROUP.columns)) {
      move(column, COLUMN.fileOffset, by);
      // The optional page indexes hold offsets of their own.
      for (const id of COLUMN.indexes) column.delete(id);
      const metadata = column.get(COLUMN.metadata);
      if (metadata?.type === 12) for (const id of COLUMN_OFFSETS) move(metadata.fields, id, by);
    }
  }
}

const schemaBytes = (description: ThriftStruct) =>
  Buffer.from(writeThrift(new Map([...description].filter(([id]) => id === FILE.schema))));

const rowsIn = (description: ThriftStruct): bigint => {
  const rows = description.get(FILE.rows);
  return rows?.type === 6 ? rows.value : 0n;
};

/**
 * Joins files one after the other; `take` gives the bytes to send of each, `end` those that follow the last.
 */
export function parquetJoin() {
  let sent = 0;
  let whole: ThriftStruct | undefined;
  return {
    /** Returns the bytes to send before the file's own, and which of the file's bytes to send. */
    async take(path: string): Promise<{ before: Uint8Array; start: number; end: number }> {
      const { start, end, description } = await describe(path);
      const before = whole === undefined ? MAGIC : new Uint8Array();
      sent += before.length;
      if (whole !== undefined && !schemaBytes(whole).equals(schemaBytes(description)))
        throw new Error("Parquet files of different columns cannot be joined");
      const rowGroups = structsAt(description, FILE.rowGroups);
      const place = whole === undefined ? 0 : listAt(whole, FILE.rowGroups).length;
      moveRowGroups(rowGroups, BigInt(sent - start), place);
      sent += end - start;
      if (whole === undefined) whole = description;
      else {
        listAt(whole, FILE.rowGroups).push(...listAt(description, FILE.rowGroups));
        whole.set(FILE.rows, { type: 6, value: rowsIn(whole) + rowsIn(description) });
      }
      return { before, start, end };
    },
    /** The description of all files that were taken, and the end of the joined one. */
    end(): Uint8Array {
      if (whole === undefined) throw new Error("no Parquet file was joined");
      const description = writeThrift(whole);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(description.length);
      return Buffer.concat([description, length, MAGIC]);
    },
  };
}
