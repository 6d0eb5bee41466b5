// Streams a file made for one answer and removes it once it was read to its end or the reader cancelled.
import type { TemporaryFile } from "../../table.ts";

/** Streams the bytes of `file`, reading them on demand. */
export function streamOfFile(file: TemporaryFile): ReadableStream<Uint8Array> {
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
