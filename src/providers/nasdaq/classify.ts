// Classifies Nasdaq's answers by status and body.
import { bodyStart } from "../../platform/upstream/body-start.ts";
import type { UpstreamAnswer, Verdict } from "../../platform/upstream/policy.ts";

/** How much of the body is examined; a page is recognisable by its first lines. */
const PEEK_BYTES = 1_024;

/**
 * Classifies an answer. The API refuses in JSON, mostly with status 200; envelope.ts reads those refusals.
 */
export function classifyNasdaq(answer: UpstreamAnswer): Verdict {
  const { status } = answer;
  const body = bodyStart(answer, PEEK_BYTES);
  const isJson = body.startsWith("{") || body.startsWith("[");
  if (status === 429) return { kind: "rate_limited", detail: "Nasdaq refuses further requests (429)" };
  if (status >= 500) return { kind: "failed", detail: `Nasdaq answered with status ${status}` };
  if (status === 403 && !isJson) return { kind: "rate_limited", detail: "Nasdaq blocks this address (403)" };
  if (body === "") return { kind: "failed", detail: `Nasdaq sent an empty answer (status ${status})` };
  // "Access Denied" also comes with status 200.
  if (body.startsWith("<"))
    return { kind: "failed", detail: `Nasdaq sent an HTML page instead of data (status ${status})` };
  if (!isJson) return { kind: "failed", detail: `Nasdaq sent something other than data (status ${status})` };
  if (status >= 200 && status < 300) return { kind: "ok" };
  return status >= 400
    ? { kind: "answered" }
    : { kind: "failed", detail: `Nasdaq answered with status ${status}` };
}
