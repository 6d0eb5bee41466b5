// Decodes answers of providers. An answer that cannot be decoded is reported to the provider's health
// (health.ts, `last_misread`), because the request itself counts as a success: it arrived complete.
import { UpstreamMisread } from "../errors.ts";
import type { Upstream, UpstreamAnswer, UpstreamRequest } from "./policy.ts";

/**
 * Runs `decode`. An UpstreamMisread it throws is reported to the health of `upstream` (`last_misread`) and
 * thrown on. Where a second answer can replace the first, `decode` covers both: only a final failure counts.
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
