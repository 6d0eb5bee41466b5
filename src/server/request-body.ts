// Reads the body of a request before it counts towards the concurrency limit, so that slow senders block no
// one else.
import { BODIES_READ_MAX, BODY_READ_S, REQUEST_BODY_BYTES_MAX, SERVER_BUSY_RETRY_S } from "../limits.ts";
import { systemTimers, type Timers } from "../platform/clock.ts";
import { Busy, InvalidRequest } from "../platform/errors.ts";
import { BodyTooLarge, readBody } from "../platform/upstream/body-limit.ts";

/** The client disconnected while it was sending. */
export class ClientGone extends Error {
  override readonly name = "ClientGone";
}

/** Reads all bytes of a body. Throws InvalidRequest (payload_too_large, request_timeout) and ClientGone. */
async function readWithin(
  body: ReadableStream<Uint8Array>,
  seconds: number,
  timers: Timers,
): Promise<Uint8Array> {
  const late = new AbortController();
  const cancel = timers.after(seconds * 1000, () => late.abort());
  try {
    return await readBody(body, REQUEST_BODY_BYTES_MAX, late.signal);
  } catch (error) {
    if (error instanceof BodyTooLarge)
      throw new InvalidRequest(
        "payload_too_large",
        `The body is larger than ${REQUEST_BODY_BYTES_MAX} bytes.`,
      );
    if (late.signal.aborted)
      throw new InvalidRequest("request_timeout", `The body did not arrive within ${seconds} s.`);
    throw new ClientGone("the client disconnected while it was sending", { cause: error });
  } finally {
    cancel();
  }
}

/** Reads a limited number of bodies at once, since each may take its full size in memory. */
export function bodyReader(seconds = BODY_READ_S, timers = systemTimers) {
  let reading = 0;
  return async (request: Request): Promise<Uint8Array | null> => {
    const { method } = request;
    if (method === "GET" || method === "HEAD" || request.body === null) return null;
    if (reading >= BODIES_READ_MAX)
      throw new Busy("server_busy", `The server is already reading ${BODIES_READ_MAX} request bodies.`, {
        retryAfterS: SERVER_BUSY_RETRY_S,
      });
    reading += 1;
    try {
      return await readWithin(request.body, seconds, timers);
    } finally {
      reading -= 1;
    }
  };
}
