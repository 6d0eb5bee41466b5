// What an answer of Nasdaq's means, by status and body: served, refused with a reason, blocked, or broken.
import { bodyStart } from "../../platform/upstream/body-start.ts";
import type { UpstreamAnswer, Verdict } from "../../platform/upstream/policy.ts";

/** How much of a body is looked at: a page says what it is in its first lines. */
const PEEK_BYTES = 1_024;

/** The API says no in JSON, mostly with status 200: what its envelope means is read by envelope.ts. */
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
