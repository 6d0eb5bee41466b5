// ZIP archives as tests need them: whole, stored or deflated, and with a damaged entry.
import { crc32, deflateRawSync } from "node:zlib";

export interface Packed {
  readonly name: string;
  readonly text: string;
  readonly stored?: boolean;
  /** Overrides the checksum that the list of contents gives. */
  readonly crc?: number;
  /** Overrides the size that the list of contents gives. */
  readonly size?: number;
  readonly encrypted?: boolean;
}

/** Bytes of an archive; `comment` stands at its end, `zip64` writes the list's numbers in the ZIP64 way. */
export function zipOf(
  files: readonly Packed[],
  options: { comment?: string; zip64?: boolean } = {},
): Uint8Array {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  for (const { name, text, stored = false, crc, size, encrypted = false } of files) {
    const raw = Buffer.from(text);
    const data = stored ? raw : deflateRawSync(raw);
    const nameBytes = Buffer.from(name);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(stored ? 0 : 8, 8);
    local.writeUInt16LE(nameBytes.length, 26);
    const extra = options.zip64 ? Buffer.alloc(28) : Buffer.alloc(0);
    if (options.zip64) {
      extra.writeUInt16LE(1, 0);
      extra.writeUInt16LE(24, 2);
      extra.writeBigUInt64LE(BigInt(size ?? raw.length), 4);
      extra.writeBigUInt64LE(BigInt(data.length), 12);
      extra.writeBigUInt64LE(BigInt(offset), 20);
    }
    const listed = Buffer.alloc(46);
    listed.writeUInt32LE(0x02014b50, 0);
    listed.writeUInt16LE(encrypted ? 1 : 0, 8);
    listed.writeUInt16LE(stored ? 0 : 8, 10);
    listed.writeUInt32LE(crc ?? crc32(raw), 16);
    listed.writeUInt32LE(options.zip64 ? 0xffffffff : data.length, 20);
    listed.writeUInt32LE(options.zip64 ? 0xffffffff : (size ?? raw.length), 24);
    listed.writeUInt16LE(nameBytes.length, 28);
    listed.writeUInt16LE(extra.length, 30);
    listed.writeUInt32LE(options.zip64 ? 0xffffffff : offset, 42);
    list.push(listed, nameBytes, extra);
    parts.push(local, nameBytes, data);
    offset += local.length + nameBytes.length + data.length;
  }
  const contents = Buffer.concat(list);
  const tail: Buffer[] = [];
  if (options.zip64) {
    const end64 = Buffer.alloc(56);
    end64.writeUInt32LE(0x06064b50, 0);
    end64.writeBigUInt64LE(BigInt(files.length), 32);
    end64.writeBigUInt64LE(BigInt(contents.length), 40);
    end64.writeBigUInt64LE(BigInt(offset), 48);
    const locator = Buffer.alloc(20);
    locator.writeUInt32LE(0x07064b50, 0);
    locator.writeBigUInt64LE(BigInt(offset + contents.length), 8);
    tail.push(end64, locator);
  }
  const comment = Buffer.from(options.comment ?? "");
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(options.zip64 ? 0xffff : files.length, 10);
  end.writeUInt32LE(options.zip64 ? 0xffffffff : contents.length, 12);
  end.writeUInt32LE(options.zip64 ? 0xffffffff : offset, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...parts, contents, ...tail, end, comment]);
}
