// Classifies answers of FINRA's file server, which sends 403 for a file that does not exist.
import { bodyStart } from "../../platform/upstream/body-start.ts";
import type { UpstreamAnswer, Verdict } from "../../platform/upstream/policy.ts";

const PEEK_BYTES = 2_048;

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** True for the storage's own error. An HTML page with the same status comes from a proxy that blocks us. */
const saysMissing = (body: string): boolean =>
  body === "" || /<Code>\s*(?:AccessDenied|NoSuchKey)\s*<\/Code>/.test(body);

/** `answered`: there is no such file. */
export function classifyFinra(answer: UpstreamAnswer): Verdict {
  const { status, bytes } = answer;
  const body = isGzip(bytes) ? "" : bodyStart(answer, PEEK_BYTES);
  if (status === 200) {
    if (bytes.byteLength === 0) return { kind: "failed", detail: "FINRA sent an empty file" };
    if (body.startsWith("<")) return { kind: "failed", detail: "FINRA sent a page instead of a file" };
    return { kind: "ok" };
  }
  if (status === 404) return { kind: "answered" };
  if (status === 403 && saysMissing(body)) return { kind: "answered" };
  if (status === 429) return { kind: "rate_limited", detail: "FINRA's rate limit is reached" };
  const what = status === 403 ? "FINRA refuses us" : "FINRA is not available";
  return { kind: "failed", detail: `${what} (${status})` };
}
