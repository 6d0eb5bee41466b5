// What an answer of Nasdaq's lists means, by status and body: a list, a refusal, or a page in its place.
import { bodyStart } from "../../platform/upstream/body-start.ts";
import type { UpstreamAnswer, Verdict } from "../../platform/upstream/policy.ts";
import { classifyNasdaq } from "./classify.ts";
import { SCREENER_HOST } from "./listings-policy.ts";

/** How much of a body is looked at: a page says what it is in its first lines. */
const PEEK_BYTES = 512;

/** A whole file is recognised by its last line (symbol-directory.ts); here what can be no file at all is told apart. */
function classifyFile(answer: UpstreamAnswer): Verdict {
  const { status } = answer;
  const body = bodyStart(answer, PEEK_BYTES);
  if (status === 429) return { kind: "rate_limited", detail: "Nasdaq refuses further requests (429)" };
  if (status === 403) return { kind: "rate_limited", detail: "Nasdaq blocks this address (403)" };
  if (status !== 200) return { kind: "failed", detail: `Nasdaq answered with status ${status}` };
  if (body === "") return { kind: "failed", detail: "Nasdaq sent an empty answer" };
  if (body.startsWith("<")) return { kind: "failed", detail: "Nasdaq sent an HTML page instead of a list" };
  return { kind: "ok" };
}

export function classifyListings(answer: UpstreamAnswer): Verdict {
  if (new URL(answer.url).hostname !== SCREENER_HOST) return classifyFile(answer);
  const verdict = classifyNasdaq(answer);
  // There is no such thing as a list that is not there.
  return verdict.kind === "answered"
    ? { kind: "failed", detail: `Nasdaq answered with status ${answer.status}` }
    : verdict;
}
