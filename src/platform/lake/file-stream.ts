// A file of one answer as a stream of bytes: gone once it was read to its end, or nobody wants it any more.

/** What the lake writes for one answer. */
export interface PassingFile {
  readonly path: string;
  discard(): Promise<void>;
}

/** The bytes of `file`, read as they are wanted. */
export function streamOfFile(file: PassingFile): ReadableStream<Uint8Array> {
  const source = Bun.file(file.path).stream().getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await source.read();
        if (!done) return controller.enqueue(value);
        await file.discard();
        controller.close();
      } catch (error) {
        await file.discard();
        controller.error(error);
      }
    },
    async cancel() {
      await source.cancel();
      await file.discard();
    },
  });
}
