// Streams put together to one, made as they are wanted.

/** One stream after the other; each is only made when the one before was read to its end. */
export function concatStreams<T, Chunk>(
  first: ReadableStream<Chunk>,
  rest: readonly T[],
  open: (next: T) => Promise<ReadableStream<Chunk>>,
): ReadableStream<Chunk> {
  const left = [...rest];
  let reader = first.getReader();
  // Who goes while a piece is being read or made leaves `pull` to its end.
  let isUnwanted = false;
  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read();
        if (isUnwanted) return;
        if (!done) return controller.enqueue(value);
        const next = left.shift();
        if (next === undefined) return controller.close();
        const stream = await open(next);
        if (isUnwanted) return stream.cancel();
        reader = stream.getReader();
      }
    },
    cancel(reason) {
      isUnwanted = true;
      return reader.cancel(reason);
    },
  });
}
