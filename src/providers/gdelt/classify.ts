// Classifies answers of the news archive, which refuses in plain text, usually with status 200.
import { bodyStart } from "../../platform/upstream/body-start.ts";
import type { UpstreamAnswer, Verdict } from "../../platform/upstream/policy.ts";

const PEEK_BYTES = 2_048;
const TOO_OFTEN = /limit requests to one every/i;

/** Classifies an answer. `answered` means a sentence on what is wrong with the query. */
export function classifyGdelt(answer: UpstreamAnswer): Verdict {
  const { status } = answer;
  const body = bodyStart(answer, PEEK_BYTES);
  if (status === 429 || TOO_OFTEN.test(body))
    return { kind: "rate_limited", detail: "the news archive's rate limit is reached" };
  if (status !== 200) return { kind: "failed", detail: `the news archive answered with status ${status}` };
  if (body === "") return { kind: "failed", detail: "the news archive sent an empty answer" };
  if (body.startsWith("{")) return { kind: "ok" };
  if (body.startsWith("<")) return { kind: "failed", detail: "the news archive sent a page instead of data" };
  return { kind: "answered" };
}
