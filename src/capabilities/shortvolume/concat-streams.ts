// Concatenates streams, opening each one only when it is needed.

/** One stream after the other. Each is opened only when the one before has ended. */
export function concatStreams<T, Chunk>(
  first: ReadableStream<Chunk>,
  rest: readonly T[],
  open: (next: T) => Promise<ReadableStream<Chunk>>,
): ReadableStream<Chunk> {
  const left = [...rest];
  let reader = first.getReader();
  // `cancel` may be called while `pull` waits for a read or for `open`. `pull` then stops by itself.
  let isCancelled = false;
  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read();
        if (isCancelled) return;
        if (!done) return controller.enqueue(value);
        const next = left.shift();
        if (next === undefined) return controller.close();
        const stream = await open(next);
        if (isCancelled) return stream.cancel();
        reader = stream.getReader();
      }
    },
    cancel(reason) {
      isCancelled = true;
      return reader.cancel(reason);
    },
  });
}
