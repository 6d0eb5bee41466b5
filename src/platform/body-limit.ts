// Reads a body as it comes and stops at a limit: what counts is the decoded size, which no header tells beforehand.

/** The body is larger than was allowed; reading has stopped. */
export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
}

/** All bytes of `body`. Throws BodyTooLarge past `bytesMax`, after cancelling the rest. */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  bytesMax: number,
): Promise<Uint8Array> {
  if (!body) return new Uint8Array();
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > bytesMax) {
      // Not awaited: a stream that ignores cancelling must not hold up the refusal.
      reader.cancel().catch(() => {});
      throw new BodyTooLarge(`more than ${bytesMax} bytes`);
    }
    chunks.push(value);
  }
  const [only] = chunks;
  if (only && chunks.length === 1) return only;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
