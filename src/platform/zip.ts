// Files out of a ZIP archive, one at a time: the list of contents first, then each entry's bytes when they are wanted.
import { type FileHandle, open } from "node:fs/promises";
import { crc32, inflateRawSync } from "node:zlib";

/** The file is no ZIP archive, is cut off, or an entry is not what the list of contents says. */
export class BrokenArchive extends Error {
  override readonly name = "BrokenArchive";
}

export interface ZipEntry {
  readonly name: string;
  /** Decoded bytes. */
  readonly size: number;
}

export interface ZipArchive {
  /** Files, no folders, in the order of the archive. */
  readonly entries: readonly ZipEntry[];
  /** An entry's bytes. Throws BrokenArchive for one larger than `bytesMax`, damaged, or packed in an unknown way. */
  read(entry: ZipEntry, bytesMax: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

interface Listed extends ZipEntry {
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly offset: number;
}

const END = 0x06054b50;
const END64 = 0x06064b50;
const LOCATOR64 = 0x07064b50;
const LISTED = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const LOCATOR64_BYTES = 20;
const END64_BYTES = 56;
const LISTED_BYTES = 46;
const LOCAL_BYTES = 30;
const COMMENT_BYTES_MAX = 65_535;
/** A list of contents longer than this is none we read: 64 MB are some 500,000 files. */
const LIST_BYTES_MAX = 64_000_000;
const STORED = 0;
const DEFLATED = 8;
/** In this place the true number stands in the ZIP64 field. */
const FULL16 = 0xffff;
const FULL32 = 0xffffffff;
const ENCRYPTED = 1;

/** Where the archive lies: a file, read piece by piece, or bytes in memory. */
interface Place {
  readonly size: number;
  bytesAt(position: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

async function bytesOfFile(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) throw new BrokenArchive("the archive ends in the middle");
    filled += bytesRead;
  }
  return buffer;
}

async function placeOf(source: string | Uint8Array): Promise<Place> {
  if (typeof source === "string") {
    const file = await open(source, "r");
    const { size } = await file.stat();
    return {
      size,
      bytesAt: (position, length) => bytesOfFile(file, position, length),
      close: () => file.close(),
    };
  }
  const all = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  return {
    size: all.length,
    async bytesAt(position, length) {
      if (position + length > all.length) throw new BrokenArchive("the archive ends in the middle");
      return all.subarray(position, position + length);
    },
    close: async () => {},
  };
}

const long = (buffer: Buffer, at: number): number => Number(buffer.readBigUInt64LE(at));

/** Where the list of contents lies, and how many entries it has. */
async function contentsOf(place: Place): Promise<{ offset: number; length: number; count: number }> {
  const { size } = place;
  const tailLength = Math.min(size, END_BYTES + COMMENT_BYTES_MAX);
  const tail = await place.bytesAt(size - tailLength, tailLength);
  let at = tail.length - END_BYTES;
  // A comment may hold the same four bytes: the true end says how long the comment behind it is.
  const isEnd = () =>
    tail.readUInt32LE(at) === END && at + END_BYTES + tail.readUInt16LE(at + 20) === tail.length;
  while (at >= 0 && !isEnd()) at--;
  if (at < 0) throw new BrokenArchive("it is no ZIP archive, or its end is missing");
  const plain = {
    count: tail.readUInt16LE(at + 10),
    length: tail.readUInt32LE(at + 12),
    offset: tail.readUInt32LE(at + 16),
  };
  if (plain.count !== FULL16 && plain.length !== FULL32 && plain.offset !== FULL32) return plain;
  const locator = await place.bytesAt(size - tailLength + at - LOCATOR64_BYTES, LOCATOR64_BYTES);
  if (locator.readUInt32LE(0) !== LOCATOR64) return plain;
  const end = await place.bytesAt(long(locator, 8), END64_BYTES);
  if (end.readUInt32LE(0) !== END64) throw new BrokenArchive("its list of contents is not found");
  return { count: long(end, 32), length: long(end, 40), offset: long(end, 48) };
}

/** Sizes and place of an entry, from its ZIP64 field where the plain ones are full. */
function sizesOf(list: Buffer, at: number): Pick<Listed, "size" | "packed" | "offset"> {
  const plain = {
    size: list.readUInt32LE(at + 24),
    packed: list.readUInt32LE(at + 20),
    offset: list.readUInt32LE(at + 42),
  };
  let field = at + LISTED_BYTES + list.readUInt16LE(at + 28);
  const end = field + list.readUInt16LE(at + 30);
  for (; field + 4 <= end; field += 4 + list.readUInt16LE(field + 2)) {
    if (list.readUInt16LE(field) !== 1) continue;
    let next = field + 4;
    for (const name of ["size", "packed", "offset"] as const)
      if (plain[name] === FULL32) {
        plain[name] = long(list, next);
        next += 8;
      }
  }
  return plain;
}

function readList(list: Buffer, count: number): Listed[] {
  const entries: Listed[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + LISTED_BYTES > list.length || list.readUInt32LE(at) !== LISTED)
      throw new BrokenArchive("its list of contents is damaged");
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) =>
      list.readUInt16LE(at + field),
    );
    const name = list.toString("utf8", at + LISTED_BYTES, at + LISTED_BYTES + (nameLength ?? 0));
    const isEncrypted = (list.readUInt16LE(at + 8) & ENCRYPTED) !== 0;
    const method = isEncrypted ? -1 : list.readUInt16LE(at + 10);
    if (!name.endsWith("/"))
      entries.push({ name, method, crc: list.readUInt32LE(at + 16), ...sizesOf(list, at) });
    at += LISTED_BYTES + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return entries;
}

function unpack(bytes: Buffer, { name, method, size }: Listed): Uint8Array {
  if (method === STORED) return bytes;
  if (method !== DEFLATED) throw new BrokenArchive(`${name} is packed in a way that is not read here`);
  try {
    return inflateRawSync(bytes, { maxOutputLength: Math.max(1, size) });
  } catch (cause) {
    throw new BrokenArchive(`${name} is damaged`, { cause });
  }
}

/**
 * Opens an archive, a file by its path or bytes in memory, and reads its list of contents. Throws BrokenArchive, and
 * what the file system says.
 */
export async function openZip(source: string | Uint8Array): Promise<ZipArchive> {
  const place = await placeOf(source);
  try {
    const { offset, length, count } = await contentsOf(place);
    if (length > LIST_BYTES_MAX) throw new BrokenArchive("its list of contents is too long");
    const entries = readList(await place.bytesAt(offset, length), count);
    const listed = new Map<ZipEntry, Listed>(entries.map((entry) => [entry, entry]));
    return {
      entries,
      async read(wanted, bytesMax) {
        const entry = listed.get(wanted);
        if (!entry) throw new BrokenArchive(`${wanted.name} is not of this archive`);
        if (entry.size > bytesMax || entry.packed > bytesMax)
          throw new BrokenArchive(`${entry.name} is larger than ${bytesMax} bytes`);
        const head = await place.bytesAt(entry.offset, LOCAL_BYTES);
        if (head.readUInt32LE(0) !== LOCAL)
          throw new BrokenArchive(`${entry.name} is not where it should be`);
        const start = entry.offset + LOCAL_BYTES + head.readUInt16LE(26) + head.readUInt16LE(28);
        const bytes = unpack(await place.bytesAt(start, entry.packed), entry);
        if (bytes.length !== entry.size || crc32(bytes) !== entry.crc)
          throw new BrokenArchive(`${entry.name} is damaged`);
        return bytes;
      },
      close: () => place.close(),
    };
  } catch (error) {
    await place.close();
    throw error;
  }
}
