// Server-sent events: recognises a request for them, and makes a stream of bytes from texts that are made on demand.

export const EVENT_STREAM_TYPE = "text/event-stream";

/** Whether a request asks for events: by its Accept header, unless it names a format. */
export const asksForEvents = ({ headers, url }: Pick<Request, "headers" | "url">): boolean =>
  (headers.get("accept") ?? "").includes(EVENT_STREAM_TYPE) && !/[?&]format=/.test(url);

/**
 * Streams the texts that `make` yields, each once the reader has taken the one before. The stream ends, without an error,
 * when `signal` aborts; the signal that `make` gets aborts then and when the reader cancels.
 */
export function streamOfTexts(
  make: (signal: AbortSignal) => AsyncGenerator<string>,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const cancelled = new AbortController();
  const ending = AbortSignal.any([signal, cancelled.signal]);
  const texts = make(ending);
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await texts.next();
          if (done) controller.close();
          else controller.enqueue(encoder.encode(value));
        } catch (error) {
          if (ending.aborted) controller.close();
          else controller.error(error);
        }
      },
      async cancel() {
        cancelled.abort();
        // A text that is being made ends first; its error is that of the end.
        await texts.return(undefined).catch(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
