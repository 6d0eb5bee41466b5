// A Yahoo for tests: answers by a function, judged by the real classification, every request kept.
import type { Clock } from "../../platform/clock.ts";
import { UpstreamFailed, UpstreamRateLimited } from "../../platform/errors.ts";
import type { Upstream, UpstreamAnswer, UpstreamRequest } from "../../platform/upstream-policy.ts";
import { classifyYahoo } from "./classify.ts";
import { yahooPolicy } from "./policy.ts";

/** What the fake says; objects are sent as JSON. */
export interface FakeReply {
  readonly status?: number;
  readonly body?: string | Uint8Array | object;
  readonly headers?: readonly (readonly [string, string])[];
}

export interface FakeUpstream extends Upstream {
  readonly requests: UpstreamRequest[];
  /** Hosts and paths asked, in order, with the method where it is not GET. */
  asked(): string[];
}

/** An answer as the real Upstream would hand it over. */
export function fakeAnswer(url: string, reply: FakeReply, clock: Clock): UpstreamAnswer {
  const { status = 200, body = "" } = reply;
  const text = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const headers = new Headers();
  for (const [name, value] of reply.headers ?? []) headers.append(name, value);
  return { url, status, headers, bytes, receivedAt: clock.now() };
}

export function fakeUpstream(
  clock: Clock,
  reply: (url: URL, request: UpstreamRequest) => FakeReply | Promise<FakeReply>,
): FakeUpstream {
  const requests: UpstreamRequest[] = [];
  return {
    policy: yahooPolicy,
    requests,
    asked: () =>
      requests.map(({ url, method }) => {
        const { hostname, pathname } = new URL(url);
        return `${method === "POST" ? "POST " : ""}${hostname}${pathname}`;
      }),
    async ask(request) {
      requests.push(request);
      const answer = fakeAnswer(request.url, await reply(new URL(request.url), request), clock);
      request.signal?.throwIfAborted();
      const verdict = classifyYahoo(answer);
      if (verdict.kind === "failed") throw new UpstreamFailed("yahoo", verdict.detail);
      if (verdict.kind === "rate_limited") {
        throw new UpstreamRateLimited("yahoo", verdict.detail, { retryAfterS: verdict.retryAfterS });
      }
      return answer;
    },
    health: () => ({
      name: "yahoo",
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
