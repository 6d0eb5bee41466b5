// A provider for tests: answers by a function, judged by the provider's real classification, every request
// kept.

import type { Clock } from "../../src/platform/clock.ts";
import { UpstreamFailed, UpstreamRateLimited } from "../../src/platform/errors.ts";
import { BodyTooLarge } from "../../src/platform/upstream/body-limit.ts";
import type {
  Classify,
  Upstream,
  UpstreamAnswer,
  UpstreamPolicy,
  UpstreamRequest,
} from "../../src/platform/upstream/policy.ts";

/** A reply of the fake; objects are sent as JSON. */
export interface FakeReply {
  readonly status?: number;
  readonly body?: string | Uint8Array | object;
  readonly headers?: Readonly<Record<string, string>> | readonly (readonly [string, string])[];
  /** Where redirects ended; default: the address asked. */
  readonly url?: string;
}

export interface FakeUpstream extends Upstream {
  readonly requests: UpstreamRequest[];
}

/** An answer as the real Upstream would hand it over. */
export function fakeAnswer(url: string, reply: FakeReply, clock: Clock): UpstreamAnswer {
  const { status = 200, body = "" } = reply;
  const text = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const headers = new Headers();
  const given = reply.headers ?? [];
  for (const [name, value] of Array.isArray(given) ? given : Object.entries(given))
    headers.append(name, value);
  return { url: reply.url ?? url, status, headers, bytes, receivedAt: clock.now() };
}

export function fakeUpstream(
  { policy, classify }: { readonly policy: UpstreamPolicy; readonly classify: Classify },
  clock: Clock,
  reply: (url: URL, request: UpstreamRequest) => FakeReply | Promise<FakeReply>,
): FakeUpstream {
  const { name } = policy;
  const requests: UpstreamRequest[] = [];
  return {
    policy,
    requests,
    async ask(request) {
      request.signal?.throwIfAborted();
      requests.push(request);
      const answer = fakeAnswer(request.url, await reply(new URL(request.url), request), clock);
      request.signal?.throwIfAborted();
      if (answer.bytes.byteLength > (request.bytesMax ?? policy.bytesMax))
        throw new UpstreamFailed(name, "too large", { cause: new BodyTooLarge() });
      const verdict = classify(answer);
      if (verdict.kind === "failed") throw new UpstreamFailed(name, verdict.detail);
      if (verdict.kind === "rate_limited")
        throw new UpstreamRateLimited(name, verdict.detail, { retryAfterS: verdict.retryAfterS });
      return answer;
    },
    health: () => ({
      name,
      status: "unknown",
      breaker: "closed",
      breakerOpenUntil: null,
      lastSuccessAt: null,
      lastErrorAt: null,
      lastError: null,
      lastMisread: null,
      activeRequests: 0,
      waitingRequests: 0,
      requestsTotal: requests.length,
      failuresTotal: 0,
    }),
  };
}
