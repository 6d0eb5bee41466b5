// A stream of bytes of texts that are made while it is read.

/**
 * Streams texts, each made once the reader has taken the one before. Resolves when the first is made, so that
 * an error until then can still become an error answer; a later one ends the stream with that error, never as
 * if it were whole.
 */
export async function streamOfTexts(texts: AsyncGenerator<string>): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  let ready: IteratorResult<string> | undefined = await texts.next();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = ready ?? (await texts.next());
        ready = undefined;
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await texts.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
