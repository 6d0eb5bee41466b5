// The beginning of an answer's body as text, by which a provider's `classify` recognises what kind of answer
// it is.
import type { UpstreamAnswer } from "./policy.ts";

const decoder = new TextDecoder();

/**
 * Decodes the first `length` bytes of the body as UTF-8, without a byte order mark and surrounding white
 * space. Never throws: a character cut in half at the end, or bytes that are not text, become U+FFFD.
 */
export function bodyStart({ bytes }: Pick<UpstreamAnswer, "bytes">, length: number): string {
  // `trim` also removes a byte order mark that follows white space or a first mark.
  return decoder.decode(bytes.subarray(0, length)).trim();
}
