// What one request to a provider came to, and how a fault is told: for people, without query or secrets. Pure.

import { type AsofError, Busy, UpstreamFailed, UpstreamRateLimited, UpstreamTimeout } from "../errors.ts";
import { oneLine } from "../redact.ts";
import { isRedirect, redirectTarget } from "./address.ts";
import { BodyTooLarge } from "./body-limit.ts";
import type { BreakerOpen } from "./breaker.ts";
import type { Classify, UpstreamAnswer, UpstreamPolicy, UpstreamRequest } from "./policy.ts";
import { retryAfterS } from "./retry-after.ts";

export type Final =
  | { readonly kind: "answer"; readonly answer: UpstreamAnswer }
  /** `again`: another attempt may help. */
  | { readonly kind: "fault"; readonly fault: AsofError; readonly again: boolean };
export type Outcome = Final | { readonly kind: "redirect"; readonly to: URL };

export const faulty = (error: AsofError, again: boolean): Final => ({ kind: "fault", fault: error, again });

/** The attempt took longer than the policy allows. */
export class AttemptTimeout extends Error {
  override readonly name = "AttemptTimeout";
}

/** The policy with what the request changes of it. */
export const attemptMsMaxOf = (policy: UpstreamPolicy, request: UpstreamRequest): number =>
  request.attemptMsMax ?? policy.attemptMsMax;
export const bytesMaxOf = (policy: UpstreamPolicy, request: UpstreamRequest): number =>
  request.bytesMax ?? policy.bytesMax;
export const methodOf = (request: UpstreamRequest): "GET" | "POST" => request.method ?? "GET";

/** What it means that no whole answer came. */
export function withoutAnswer(
  policy: UpstreamPolicy,
  request: UpstreamRequest,
  label: string,
  cause: unknown,
): Final {
  const { name } = policy;
  if (cause instanceof AttemptTimeout) {
    const text = `${name} did not answer within ${attemptMsMaxOf(policy, request) / 1000} s (${label})`;
    return faulty(new UpstreamTimeout(name, text), true);
  }
  if (cause instanceof BodyTooLarge) {
    const text = `${name}'s answer is larger than ${bytesMaxOf(policy, request)} bytes (${label})`;
    return faulty(new UpstreamFailed(name, text, { cause }), false);
  }
  const text = `${name} could not be reached or broke off its answer (${label})`;
  return faulty(new UpstreamFailed(name, text, { cause }), true);
}

function judgeRedirect(
  policy: UpstreamPolicy,
  request: UpstreamRequest,
  label: string,
  answer: UpstreamAnswer,
): Outcome {
  const to =
    methodOf(request) === "GET"
      ? redirectTarget(policy, answer.headers.get("location"), new URL(answer.url))
      : "a redirect of a request that is not a GET";
  if (typeof to !== "string") return { kind: "redirect", to };
  const text = `${policy.name} answered with ${to} (${label})`;
  return faulty(new UpstreamFailed(policy.name, text, { upstreamStatus: answer.status }), false);
}

/** What a whole answer means, by status and body. */
export function judge(
  policy: UpstreamPolicy,
  classify: Classify,
  request: UpstreamRequest,
  label: string,
  answer: UpstreamAnswer,
): Outcome {
  const { status } = answer;
  if (isRedirect(status) && request.redirects !== "return")
    return judgeRedirect(policy, request, label, answer);
  let verdict: ReturnType<typeof classify>;
  try {
    verdict = isRedirect(status) ? { kind: "ok" } : classify(answer);
  } catch (cause) {
    const text = `${policy.name} sent an answer that cannot be understood (${label})`;
    return faulty(new UpstreamFailed(policy.name, text, { upstreamStatus: status, cause }), false);
  }
  if (verdict.kind === "ok" || verdict.kind === "answered") return { kind: "answer", answer };
  const text = `${oneLine(verdict.detail).slice(0, 300)} (${label})`;
  const said = retryAfterS(answer.headers.get("retry-after"), answer.receivedAt.epochMilliseconds);
  if (verdict.kind === "failed") {
    const facts = { upstreamStatus: status, retryAfterS: said };
    return faulty(new UpstreamFailed(policy.name, text, facts), status >= 500);
  }
  const facts = { upstreamStatus: status, retryAfterS: verdict.retryAfterS ?? said };
  return faulty(new UpstreamRateLimited(policy.name, text, facts), false);
}

/** The breaker kept the request from being made. */
export function notAsked(policy: UpstreamPolicy, open: BreakerOpen): AsofError {
  const { name } = policy;
  const facts = { retryAfterS: open.retryAfterS };
  return open.because === "rate_limit"
    ? new UpstreamRateLimited(
        name,
        `${name} refused us for asking too often and is left alone for now`,
        facts,
      )
    : new UpstreamFailed(name, `${name} failed repeatedly and is left alone for now`, facts);
}

const BUSY_RETRY_S_MAX = 60;

/** Our own queue towards the provider is too long; `queued` of us are waiting. */
export function queueTooLong(policy: UpstreamPolicy, queued: number): Busy {
  const drainS = Math.ceil(((queued + 1) * policy.spacingMsMin) / 1000);
  const retry = Math.min(BUSY_RETRY_S_MAX, Math.max(1, drainS));
  const text = `Too many requests to ${policy.name} are waiting already; try again in ${retry} s`;
  return new Busy("upstream_busy", text, { upstream: policy.name, retryAfterS: retry });
}
