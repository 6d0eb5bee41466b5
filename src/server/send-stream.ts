// Sends a streamed answer in turns with all other work, and ends it when its client stops reading.
import { yieldToEventLoop } from "../platform/event-loop.ts";

export interface SendStream {
  /** Called once, when the stream was read to its end, failed, was cancelled or stalled. */
  release(): void;
  /** Called when the client took nothing for so long that the answer was ended. */
  stalled(): void;
  /** Called when the rest of the answer could not be made. */
  failed(error: unknown): void;
  /** Calls `late` when the client takes too long, unless the returned function is called first. */
  startDeadline(late: () => void): () => void;
}

/** The client took no part of a streamed answer within the time it has. */
export class SendStalled extends Error {
  override readonly name = "SendStalled";
}

/**
 * The stream with one chunk at a time: the next is made when the client has taken the last and others had
 * their turn. An answer that is ended early is aborted, never closed, so that no client takes a part for the
 * whole. It is aborted without an error: Bun would print one with its stack and source text into the log,
 * beside the line of the caller.
 */
export function sendStream(body: ReadableStream<Uint8Array>, send: SendStream): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let taken = () => {};
  let isOver = false;
  const end = () => {
    taken();
    if (isOver) return;
    isOver = true;
    send.release();
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      taken();
      try {
        await yieldToEventLoop();
        const { done, value } = await reader.read();
        if (isOver) return;
        if (done) {
          end();
          return controller.close();
        }
        controller.enqueue(value);
        taken = send.startDeadline(() => {
          const error = new SendStalled("the client stopped reading");
          end();
          send.stalled();
          controller.error();
          // Removes the temporary file behind the stream.
          reader.cancel(error).catch(() => {});
        });
      } catch (error) {
        if (!isOver) send.failed(error);
        end();
        controller.error();
      }
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
}
