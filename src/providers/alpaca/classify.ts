// What an answer of the brokerage feed means, by status and body.
import { bodyStart } from "../../platform/upstream/body-start.ts";
import type { UpstreamAnswer, Verdict } from "../../platform/upstream/policy.ts";

const PEEK_BYTES = 64;

/** Seconds until the count of requests begins anew; undefined where the answer does not say it. */
function secondsToReset({ headers, receivedAt }: UpstreamAnswer): number | undefined {
  const reset = Number(headers.get("x-ratelimit-reset") ?? Number.NaN);
  if (!Number.isFinite(reset) || reset <= 0) return undefined;
  return Math.max(1, Math.ceil(reset - receivedAt.epochMilliseconds / 1000));
}

/** Refusals of keys, plans and symbols are answers with a reason; they are worded by the endpoint that met them. */
export function classifyAlpaca(answer: UpstreamAnswer): Verdict {
  const { status } = answer;
  if (status === 429)
    return {
      kind: "rate_limited",
      retryAfterS: secondsToReset(answer),
      detail: "The brokerage feed's limit of requests a minute is reached",
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
