// Packs texts into a ZIP archive, as providers hand out what they have in bulk.
import { crc32, deflateRawSync } from "node:zlib";

export interface PackedText {
  readonly name: string;
  readonly text: string;
}

const DEFLATED = 8;
const VERSION = 20;

/** Writes the fields that the local head and the list of contents both have of an entry. */
function describe(raw: Buffer, packed: Buffer, name: Buffer): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(VERSION, 0);
  fields.writeUInt16LE(DEFLATED, 4);
  fields.writeUInt32LE(crc32(raw), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(raw.length, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

const number32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

export function zipOf(files: readonly PackedText[]): Uint8Array {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  for (const { name, text } of files) {
    const [raw, nameBytes] = [Buffer.from(text), Buffer.from(name)];
    const packed = deflateRawSync(raw);
    const fields = describe(raw, packed, nameBytes);
    const local = Buffer.concat([number32(0x04034b50), fields, nameBytes, packed]);
    list.push(
      Buffer.concat([
        number32(0x02014b50),
        Buffer.from([VERSION, 0]),
        fields,
        Buffer.alloc(10),
        number32(offset),
        nameBytes,
      ]),
    );
    parts.push(local);
    offset += local.length;
  }
  const contents = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(contents.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, contents, end]);
}
