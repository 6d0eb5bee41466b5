// Server-sent events: recognises a request for them, and makes a stream of bytes from parts that are made on
// demand.

export const EVENT_STREAM_TYPE = "text/event-stream";

/** Whether a request asks for events: by its Accept header, unless it names a format. */
export const asksForEvents = ({ headers, url }: Pick<Request, "headers" | "url">): boolean =>
  (headers.get("accept") ?? "").includes(EVENT_STREAM_TYPE) && !/[?&]format=/.test(url);

/**
 * Streams what `make` yields, each part once the reader has taken the one before. The stream ends, without an
 * error, when `signal` aborts; the signal that `make` gets aborts then and when the reader cancels.
 */
export function streamOfParts(
  make: (signal: AbortSignal) => AsyncGenerator<string | Uint8Array>,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const cancelled = new AbortController();
  const ending = AbortSignal.any([signal, cancelled.signal]);
  const parts = make(ending);
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await parts.next();
          if (done) controller.close();
          else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
        } catch (error) {
          if (ending.aborted) controller.close();
          else controller.error(error);
        }
      },
      async cancel() {
        cancelled.abort();
        // A part that is being made ends first; its error is that of the end.
        await parts.return(undefined).catch(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
