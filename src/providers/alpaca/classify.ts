// Classifies the brokerage feed's answers by status and body.
import { bodyStart } from "../../platform/upstream/body-start.ts";
import type { UpstreamAnswer, Verdict } from "../../platform/upstream/policy.ts";

const PEEK_BYTES = 64;

/** Seconds until the feed's count of requests resets; undefined when the answer does not state it. */
function secondsToReset({ headers, receivedAt }: UpstreamAnswer): number | undefined {
  const reset = Number(headers.get("x-ratelimit-reset") ?? Number.NaN);
  if (!Number.isFinite(reset) || reset <= 0) return undefined;
  return Math.max(1, Math.ceil(reset - receivedAt.epochMilliseconds / 1000));
}

/** Classifies an answer. A 4xx for keys, plans or symbols is `answered`; client.ts turns it into an error. */
export function classifyAlpaca(answer: UpstreamAnswer): Verdict {
  const { status } = answer;
  if (status === 429)
    return {
      kind: "rate_limited",
      retryAfterS: secondsToReset(answer),
      detail: "The brokerage feed's limit of requests per minute is reached",
    };
  if (status >= 500) return { kind: "failed", detail: `The brokerage feed answered with status ${status}` };
  const start = bodyStart(answer, PEEK_BYTES);
  const isJson = start.startsWith("{") || start.startsWith("[");
  if (status >= 200 && status < 300)
    return isJson
      ? { kind: "ok" }
      : { kind: "failed", detail: "The brokerage feed sent something other than data" };
  if (status >= 400) return { kind: "answered" };
  return { kind: "failed", detail: `The brokerage feed answered with status ${status}` };
}
