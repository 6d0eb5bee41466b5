// Reads files from a ZIP archive one at a time: first the list of contents, then the bytes of an entry on
// request.
import { type FileHandle, open } from "node:fs/promises";
import { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from "yauzl";

/**
 * The file is not a ZIP archive, is cut off, or has an entry that differs from its description in the list of
 * contents.
 */
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
  /**
   * The bytes of an entry. Throws BrokenArchive when it is larger than `bytesMax`, damaged, encrypted, or
   * compressed in an unsupported way.
   */
  read(entry: ZipEntry, bytesMax: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

const END_SIGNATURE = Buffer.from("PK\u0005\u0006");
const END_BYTES = 22;
const LISTED_BYTES = 46;
/** Limits the list of contents: 64 MB hold some 500,000 files. */
const LIST_BYTES_MAX = 64_000_000;

/** An entry is read in pieces of this size. */
const PIECE_BYTES = 65_536;

const isFileSystemError = (error: unknown) => error instanceof Error && "syscall" in error;

/**
 * Makes a BrokenArchive of what yauzl reports about the archive; errors of the file system stay as they are.
 */
const asBroken = (message: string, cause: unknown) =>
  isFileSystemError(cause) || cause instanceof BrokenArchive ? cause : new BrokenArchive(message, { cause });

/**
 * Overwrites end signatures that belong to the archive's comment. yauzl would take the last one for the end
 * of the archive; the true end states the length of the comment that follows it.
 */
function hideFalseEnds(tail: Buffer): void {
  for (let at = tail.indexOf(END_SIGNATURE); at >= 0; at = tail.indexOf(END_SIGNATURE, at + 1)) {
    const isTrueEnd =
      at + END_BYTES <= tail.length && at + END_BYTES + tail.readUInt16LE(at + 20) === tail.length;
    if (!isTrueEnd) tail.fill(0, at, at + END_SIGNATURE.length);
  }
}

type ReadDone = (error: Error | null, bytesRead?: number) => void;

/** Hands yauzl the bytes of an archive in a file or in memory. */
class ArchiveReader extends RandomAccessReader {
  readonly #source: FileHandle | Buffer;
  readonly #size: number;

  constructor(source: FileHandle | Buffer, size: number) {
    super();
    this.#source = source;
    this.#size = size;
  }

  override read(buffer: Buffer, offset: number, length: number, position: number, done: ReadDone): void {
    this.#fill(buffer.subarray(offset, offset + length), position).then(
      (bytesRead) => {
        // Only the search for the archive's end reads up to the last byte.
        if (position + length === this.#size) hideFalseEnds(buffer.subarray(offset, offset + bytesRead));
        done(null, bytesRead);
      },
      (error: Error) => done(error),
    );
  }

  async #fill(buffer: Buffer, position: number): Promise<number> {
    if (Buffer.isBuffer(this.#source)) return this.#source.copy(buffer, 0, position);
    return (await this.#source.read(buffer, 0, buffer.length, position)).bytesRead;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#pieces(start, end));
  }

  async *#pieces(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end; ) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, end - at));
      const bytesRead = await this.#fill(piece, at);
      if (bytesRead === 0) return;
      yield piece.subarray(0, bytesRead);
      at += bytesRead;
    }
  }
}

/** Reads the list of contents. The keys of the map are what callers see. */
async function listEntries(zip: ZipFile): Promise<Map<ZipEntry, Entry>> {
  const listed = new Map<ZipEntry, Entry>();
  let listBytes = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      listBytes += LISTED_BYTES + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
      if (listBytes > LIST_BYTES_MAX) throw new BrokenArchive("its list of contents is too long");
      const name = entry.fileNameRaw.toString("utf8");
      if (!name.endsWith("/")) listed.set({ name, size: entry.uncompressedSize }, entry);
    }
  } catch (error) {
    throw asBroken("its list of contents is damaged", error);
  }
  return listed;
}

/** Decodes an entry. Stops as soon as it yields more bytes than the list of contents states. */
async function decode(zip: ZipFile, { name, size }: ZipEntry, entry: Entry): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(size);
  let filled = 0;
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      if (filled + chunk.length > size) throw new BrokenArchive(`${name} is damaged`);
      bytes.set(chunk, filled);
      filled += chunk.length;
    }
  } catch (error) {
    throw asBroken(`${name} is damaged`, error);
  }
  if (filled !== size || crc32(bytes) !== entry.crc32) throw new BrokenArchive(`${name} is damaged`);
  return bytes;
}

async function openSource(source: FileHandle | Buffer): Promise<ZipFile> {
  const size = Buffer.isBuffer(source) ? source.length : (await source.stat()).size;
  // Sizes are checked while an entry is decoded, so that one wrong entry does not make the others unreadable.
  const options = { autoClose: false, decodeStrings: false, validateEntrySizes: false };
  try {
    return await fromRandomAccessReaderPromise(new ArchiveReader(source, size), size, options);
  } catch (error) {
    throw asBroken("it is not a ZIP archive, or its end is missing", error);
  }
}

/**
 * Opens an archive, a file by its path or bytes in memory, and reads its list of contents. Throws
 * BrokenArchive and errors of the file system.
 */
export async function openZip(source: string | Uint8Array): Promise<ZipArchive> {
  const opened =
    typeof source === "string"
      ? await open(source, "r")
      : Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const close = async () => {
    if (!Buffer.isBuffer(opened)) await opened.close();
  };
  try {
    const zip = await openSource(opened);
    const listed = await listEntries(zip);
    return {
      entries: [...listed.keys()],
      async read(entry, bytesMax) {
        const found = listed.get(entry);
        if (!found) throw new BrokenArchive(`${entry.name} is not of this archive`);
        if (entry.size > bytesMax || found.compressedSize > bytesMax)
          throw new BrokenArchive(`${entry.name} is larger than ${bytesMax} bytes`);
        if (!found.canDecodeFileData())
          throw new BrokenArchive(`${entry.name} is encrypted, or compressed in a way that is not read here`);
        return decode(zip, entry, found);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
