// A Nasdaq for tests: answers by a function, judged by the real classification, every request kept.
import type { Clock } from "../../platform/clock.ts";
import { UpstreamFailed, UpstreamRateLimited } from "../../platform/errors.ts";
import type { Upstream, UpstreamRequest } from "../../platform/upstream-policy.ts";
import { classifyNasdaq } from "./classify.ts";
import { nasdaqPolicy } from "./policy.ts";

export interface FakeReply {
  readonly status?: number;
  readonly body: string | object;
}

/** `asked` fills with the URLs as they are asked for. */
export function fakeNasdaq(
  clock: Clock,
  reply: (url: URL, request: UpstreamRequest) => FakeReply,
  asked: string[] = [],
): Upstream {
  return {
    policy: nasdaqPolicy,
    async ask(request) {
      asked.push(request.url);
      const { status = 200, body } = reply(new URL(request.url), request);
      const bytes = new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
      const answer = { url: request.url, status, headers: new Headers(), bytes, receivedAt: clock.now() };
      const verdict = classifyNasdaq(answer);
      if (verdict.kind === "failed") throw new UpstreamFailed("nasdaq", verdict.detail);
      if (verdict.kind === "rate_limited") throw new UpstreamRateLimited("nasdaq", verdict.detail);
      return answer;
    },
    health: () => ({
      name: "nasdaq",
      status: "unknown",
      breaker: "closed",
      breakerOpenUntil: null,
      lastSuccessAt: null,
      lastErrorAt: null,
      lastError: null,
      lastMisread: null,
      activeRequests: 0,
      waitingRequests: 0,
      requestsTotal: asked.length,
      failuresTotal: 0,
    }),
  };
}
