// Reads a body up to a limit of decoded bytes. No header states the decoded size beforehand.

/** The body is larger than allowed; reading has stopped. */
export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
}

/**
 * All bytes of `body`. Throws BodyTooLarge past `bytesMax`, and the signal's reason once it aborts, after
 * cancelling the rest.
 */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  bytesMax: number,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  if (!body) return new Uint8Array();
  const reader = body.getReader();
  // Not awaited, here and below: a stream that ignores cancelling must not hold up the refusal.
  const cancel = () => void reader.cancel().catch(() => {});
  if (!signal) return readAll(reader, bytesMax, cancel);
  const gone = Promise.withResolvers<never>();
  const onAbort = () => {
    cancel();
    gone.reject(signal.reason);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([readAll(reader, bytesMax, cancel), gone.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

async function readAll(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  bytesMax: number,
  cancel: () => void,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > bytesMax) {
      cancel();
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
