// Streams the lines of one answer from files that are written one after the other: neither memory nor disk
// grows with the answer.
import type { TemporaryFile } from "../../table.ts";

/** The lines of an answer in pieces. */
export interface Pieces {
  /**
   * Writes a piece; called in order, never twice at once. CSV has its header line in the first piece only.
   * Returns undefined where there is none any more.
   */
  write(at: number): Promise<TemporaryFile | undefined>;
}

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
    this.made = this.ending === undefined ? this.pieces.write(at) : undefined;
    this.made?.catch(() => {});
  }

  /** The piece that was begun last. */
  get ready(): Promise<TemporaryFile | undefined> {
    return Promise.resolve(this.made);
  }

  private async release(): Promise<void> {
    const file = await this.ready.catch(() => undefined);
    await file?.discard();
  }

  /** Removes a piece that was written and not taken, and writes no more. */
  end(): Promise<void> {
    this.ending ??= this.release();
    return this.ending;
  }
}

/** The bytes of all pieces; a file is removed when its bytes were sent. */
async function* bytesOf(writer: PieceWriter): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; at++) {
    const file = await writer.ready;
    if (file === undefined) return;
    try {
      const rows = Bun.file(file.path);
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
}

/**
 * Streams the pieces one after the other, null where there are none; the next is written while one is sent.
 * Resolves when the first is
 * written, so that an error until then can still become an error answer. Files are removed when they were
 * sent or the reader cancels.
 */
export async function streamOfPieces(pieces: Pieces): Promise<ReadableStream<Uint8Array> | null> {
  const writer = new PieceWriter(pieces);
  writer.begin(0);
  try {
    if ((await writer.ready) === undefined) return null;
  } catch (error) {
    await writer.end();
    throw error;
  }
  const chunks = bytesOf(writer);
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
