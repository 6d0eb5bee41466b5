// Classifies answers of Nasdaq's lists by status and body.
import { bodyStart } from "../../platform/upstream/body-start.ts";
import type { UpstreamAnswer, Verdict } from "../../platform/upstream/policy.ts";
import { classifyNasdaq } from "./classify.ts";
import { SCREENER_HOST } from "./listings-policy.ts";

/** How much of the body is examined; a page is recognisable by its first lines. */
const PEEK_BYTES = 512;

/**
 * Classifies a file answer by its start. symbol-directory.ts checks by the last line that the file is
 * complete.
 */
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
  // The lists always exist, so a refusal is a failure.
  return verdict.kind === "answered"
    ? { kind: "failed", detail: `Nasdaq answered with status ${answer.status}` }
    : verdict;
}
