// Streams the rows of one answer piece by piece, as one file of its format: neither memory nor disk grows
// with the answer.
import type { CopyFormat } from "./copy.ts";
import type { TemporaryFile } from "./file-stream.ts";
import { parquetJoin } from "./parquet-join.ts";

/** The rows of an answer in pieces of one format. */
export interface Pieces {
  /** How many there are at most. */
  readonly count: number;
  /**
   * Writes a piece; called in order, never twice at once. CSV has its header line in the first piece only.
   * Returns undefined where there is none any more.
   */
  write(at: number): Promise<TemporaryFile | undefined>;
  /** Called once, when no piece is written any more. */
  finish?(): Promise<void>;
}

/** The bytes sent for one file: those before it, and the range of its own. */
interface Sent {
  readonly before: Uint8Array;
  readonly start: number;
  readonly end: number | undefined;
}

interface Joining {
  take(path: string): Promise<Sent>;
  end(): Uint8Array;
}

const NOTHING = new Uint8Array();

/** Lines follow lines as they are. */
const lineJoin = (): Joining => ({
  take: async () => ({ before: NOTHING, start: 0, end: undefined }),
  end: () => NOTHING,
});

/** Writes one piece ahead of the one that is sent. */
class PieceWriter {
  private made: Promise<TemporaryFile | undefined> | undefined;
  private begun = -1;
  private ending: Promise<void> | undefined;

  constructor(private readonly pieces: Pieces) {}

  /** Begins to write a piece, once; a failure shows when it is awaited as `ready`. */
  begin(at: number): void {
    if (at === this.begun) return;
    this.begun = at;
    const isMore = at < this.pieces.count && this.ending === undefined;
    this.made = isMore ? this.pieces.write(at) : undefined;
    this.made?.catch(() => {});
  }

  /** The piece that was begun last. */
  get ready(): Promise<TemporaryFile | undefined> {
    return Promise.resolve(this.made);
  }

  private async release(): Promise<void> {
    const file = await this.ready.catch(() => undefined);
    await file?.discard();
    await this.pieces.finish?.();
  }

  /** Removes a piece that was written and not taken, and writes no more. */
  end(): Promise<void> {
    this.ending ??= this.release();
    return this.ending;
  }
}

/** The bytes of all pieces; a file is removed when its bytes were sent. */
async function* bytesOf(writer: PieceWriter, joining: Joining, count: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < count; at++) {
    const file = await writer.ready;
    if (file === undefined) break;
    try {
      const { before, start, end } = await joining.take(file.path);
      const rows = Bun.file(file.path).slice(start, end);
      if (before.length > 0) yield before;
      let untilNext = rows.size / 2;
      for await (const chunk of rows.stream()) {
        yield chunk;
        untilNext -= chunk.length;
        // Not before the client has taken half: for one that reads nothing, no more is written.
        if (untilNext <= 0) writer.begin(at + 1);
      }
      writer.begin(at + 1);
    } finally {
      await file.discard();
    }
  }
  const rest = joining.end();
  if (rest.length > 0) yield rest;
}

/**
 * Streams the pieces one after the other; the next is written while one is sent. Resolves when the first is
 * written, so that an error until then can still become an error answer. Files are removed when they were
 * sent or the reader cancels.
 */
export async function streamOfPieces(
  format: CopyFormat,
  pieces: Pieces,
): Promise<ReadableStream<Uint8Array>> {
  const writer = new PieceWriter(pieces);
  writer.begin(0);
  try {
    await writer.ready;
  } catch (error) {
    await writer.end();
    throw error;
  }
  const chunks = bytesOf(writer, format === "parquet" ? parquetJoin() : lineJoin(), pieces.count);
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (!done) return controller.enqueue(value);
        await writer.end();
        controller.close();
      } catch (error) {
        await writer.end();
        controller.error(error);
      }
    },
    async cancel() {
      // The file that is being sent is removed by the generator, one that is ready or being written by `end`.
      await chunks.return(undefined);
      await writer.end();
    },
  });
}
