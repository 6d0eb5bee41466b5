// Classifies FRED's answers by status and body: JSON with 4xx is a refusal, anything but JSON is an outage.
import { bodyStart } from "../../platform/upstream/body-start.ts";
import type { UpstreamAnswer, Verdict } from "../../platform/upstream/policy.ts";

/** How much of the body is examined; the first character shows whether it is JSON. */
const PEEK_BYTES = 512;

function broken(body: string): string {
  if (body === "") return "an empty answer";
  if (body.startsWith("<?xml")) return "XML instead of JSON";
  return body.startsWith("<") ? "a page instead of data" : "something other than data";
}

/**
 * Classifies an answer. `answered` means that FRED understood the request and refused it with a reason (400,
 * 404).
 */
export function classifyFred(answer: UpstreamAnswer): Verdict {
  const { status } = answer;
  const body = bodyStart(answer, PEEK_BYTES);
  if (status === 429) return { kind: "rate_limited", detail: "FRED's rate limit is reached" };
  if (status === 423) return { kind: "failed", detail: "FRED has locked the requested resource (423)" };
  if (status >= 500) return { kind: "failed", detail: `FRED is not available (${status})` };
  const isJson = body.startsWith("{");
  if (!isJson) return { kind: "failed", detail: `FRED sent ${broken(body)} (status ${status})` };
  if (status === 200) return { kind: "ok" };
  if (status === 400 || status === 404) return { kind: "answered" };
  return { kind: "failed", detail: `FRED answered with status ${status}` };
}
