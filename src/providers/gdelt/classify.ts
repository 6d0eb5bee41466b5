// What an answer of the news archive means: it says no in plain text, with status 200 as a rule.
import type { UpstreamAnswer, Verdict } from "../../platform/upstream/policy.ts";

const PEEK_BYTES = 2_048;
const TOO_OFTEN = /limit requests to one every/i;
const decoder = new TextDecoder();

/** `answered`: a sentence that says what is wrong with the question. */
export function classifyGdelt({ status, bytes }: UpstreamAnswer): Verdict {
  const body = decoder.decode(bytes.subarray(0, PEEK_BYTES)).trimStart();
  if (status === 429 || TOO_OFTEN.test(body))
    return { kind: "rate_limited", detail: "the news archive says we ask too often" };
  if (status !== 200) return { kind: "failed", detail: `the news archive answered with status ${status}` };
  if (body === "") return { kind: "failed", detail: "the news archive sent an empty answer" };
  if (body.startsWith("{")) return { kind: "ok" };
  if (body.startsWith("<")) return { kind: "failed", detail: "the news archive sent a page instead of data" };
  return { kind: "answered" };
}
