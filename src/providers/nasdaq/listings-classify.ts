// What an answer of Nasdaq's lists means, by status and body: a list, a refusal, or a page in its place.
import type { UpstreamAnswer, Verdict } from "../../platform/upstream-policy.ts";

/** How much of a body is looked at: a page says what it is in its first lines. */
const PEEK_BYTES = 512;
const decoder = new TextDecoder();

/** A whole list is recognised by the endpoints: here only what can be no list at all is told apart. */
export function classifyListings({ status, bytes }: UpstreamAnswer): Verdict {
  const body = decoder.decode(bytes.subarray(0, PEEK_BYTES)).trimStart();
  if (status === 429) return { kind: "rate_limited", detail: "Nasdaq refuses further requests (429)" };
  // The edge in front of the website answers a client it takes for a robot with 403 and a page.
  if (status === 403) return { kind: "rate_limited", detail: "Nasdaq refuses to answer this address (403)" };
  if (status !== 200) return { kind: "failed", detail: `Nasdaq answered with status ${status}` };
  if (body === "") return { kind: "failed", detail: "Nasdaq sent an empty answer" };
  if (body.startsWith("<")) return { kind: "failed", detail: "Nasdaq sent a page instead of a list" };
  return { kind: "ok" };
}
