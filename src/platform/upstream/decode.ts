// Decodes what a provider sent. The upstream has taken such an answer for a good one, so an answer that cannot be decoded
// would show in no provider's health: here is where it is counted.
import { UpstreamMisread } from "../errors.ts";
import type { Upstream, UpstreamAnswer, UpstreamRequest } from "./policy.ts";

/**
 * Runs `decode`. An UpstreamMisread it throws is reported to the health of `upstream` (`last_misread`) and thrown on.
 * Wrap the whole of what may still succeed: an answer that another one makes up for does not count.
 */
export async function decoding<T>(
  upstream: Pick<Upstream, "misread">,
  decode: () => T | Promise<T>,
): Promise<T> {
  try {
    return await decode();
  } catch (error) {
    if (error instanceof UpstreamMisread) upstream.misread?.(error.message);
    throw error;
  }
}

/** Sends `request` and decodes its answer. Throws what `upstream.ask` throws and what `decode` throws. */
export async function fetchDecoded<T>(
  upstream: Pick<Upstream, "ask" | "misread">,
  request: UpstreamRequest,
  decode: (answer: UpstreamAnswer) => T | Promise<T>,
): Promise<T> {
  const answer = await upstream.ask(request);
  return decoding(upstream, () => decode(answer));
}
