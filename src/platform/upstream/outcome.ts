// The outcome of one request to a provider, and its error text: for operators and clients, without query or
// secrets. Pure.
import { type AsofError, Busy, UpstreamFailed, UpstreamRateLimited, UpstreamTimeout } from "../errors.ts";
import { oneLine } from "../redact.ts";
import { isRedirect, redirectTarget } from "./address.ts";
import { BodyTooLarge } from "./body-limit.ts";
import type { BreakerOpen } from "./breaker.ts";
import type { Classify, UpstreamAnswer, UpstreamPolicy, UpstreamRequest } from "./policy.ts";
import { retryAfterS } from "./retry-after.ts";

export type Final =
  | { readonly kind: "answer"; readonly answer: UpstreamAnswer }
  /** `mayRetry`: another attempt may help. */
  | { readonly kind: "error"; readonly error: AsofError; readonly mayRetry: boolean };
export type Outcome = Final | { readonly kind: "redirect"; readonly to: URL };

export const errorOutcome = (error: AsofError, mayRetry: boolean): Final => ({
  kind: "error",
  error,
  mayRetry,
});

/** The attempt took longer than the policy allows. */
export class AttemptTimeout extends Error {
  override readonly name = "AttemptTimeout";
}

/** Limits of the policy, unless the request sets its own. */
export const attemptMsMaxOf = (policy: UpstreamPolicy, request: UpstreamRequest): number =>
  request.attemptMsMax ?? policy.attemptMsMax;
export const bytesMaxOf = (policy: UpstreamPolicy, request: UpstreamRequest): number =>
  request.bytesMax ?? policy.bytesMax;
export const methodOf = (request: UpstreamRequest): "GET" | "POST" => request.method ?? "GET";

/** The outcome when no complete answer came. */
export function withoutAnswer(
  policy: UpstreamPolicy,
  request: UpstreamRequest,
  label: string,
  cause: unknown,
): Final {
  const { name } = policy;
  if (cause instanceof AttemptTimeout) {
    const text = `${name} did not answer within ${attemptMsMaxOf(policy, request) / 1000} s (${label})`;
    return errorOutcome(new UpstreamTimeout(name, text), true);
  }
  if (cause instanceof BodyTooLarge) {
    const text = `${name}'s answer is larger than ${bytesMaxOf(policy, request)} bytes (${label})`;
    return errorOutcome(new UpstreamFailed(name, text, { cause }), false);
  }
  const text = `${name} could not be reached or broke off its answer (${label})`;
  return errorOutcome(new UpstreamFailed(name, text, { cause }), true);
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
  return errorOutcome(new UpstreamFailed(policy.name, text, { upstreamStatus: answer.status }), false);
}

/** The outcome of a complete answer, by status and body. */
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
    return errorOutcome(new UpstreamFailed(policy.name, text, { upstreamStatus: status, cause }), false);
  }
  if (verdict.kind === "ok" || verdict.kind === "answered") return { kind: "answer", answer };
  const text = `${oneLine(verdict.detail).slice(0, 300)} (${label})`;
  const retryAfter = retryAfterS(answer.headers.get("retry-after"), answer.receivedAt.epochMilliseconds);
  if (verdict.kind === "failed") {
    const facts = { upstreamStatus: status, retryAfterS: retryAfter };
    return errorOutcome(new UpstreamFailed(policy.name, text, facts), status >= 500);
  }
  const facts = { upstreamStatus: status, retryAfterS: verdict.retryAfterS ?? retryAfter };
  return errorOutcome(new UpstreamRateLimited(policy.name, text, facts), false);
}

/** The error for a request that the open breaker refused. */
export function refusedByBreaker(policy: UpstreamPolicy, open: BreakerOpen): AsofError {
  const { name } = policy;
  const facts = { retryAfterS: open.retryAfterS };
  return open.because === "rate_limit"
    ? new UpstreamRateLimited(name, `${name} is rate limiting us; no request is sent for now`, facts)
    : new UpstreamFailed(name, `${name} failed repeatedly; no request is sent for now`, facts);
}

// 99 requests waiting at 250 ms each: come again in 25 s. 1,000 waiting take 251 s: the client hears 60.
const BUSY_RETRY_S_MAX = 60;

/** The error when our own queue for the provider is too long; `queued` requests are waiting. */
export function queueTooLong(policy: UpstreamPolicy, queued: number): Busy {
  const drainS = Math.ceil(((queued + 1) * policy.spacingMsMin) / 1000);
  const retry = Math.min(BUSY_RETRY_S_MAX, Math.max(1, drainS));
  const text = `Too many requests to ${policy.name} are waiting already; try again in ${retry} s`;
  return new Busy("upstream_busy", text, { upstream: policy.name, retryAfterS: retry });
}
