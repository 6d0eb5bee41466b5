// FINRA's file server for tests: answers by a function, judged by the real classification, every address kept.
import { type Clock, fakeClock } from "../../platform/clock.ts";
import { UpstreamFailed, UpstreamRateLimited } from "../../platform/errors.ts";
import type { Upstream, UpstreamAnswer } from "../../platform/upstream-policy.ts";
import { classifyFinra } from "./classify.ts";
import { type Finra, finra } from "./index.ts";
import { finraPolicy } from "./policy.ts";

export interface FakeReply {
  readonly status?: number;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The storage saying that there is no such file. */
export const NO_FILE: FakeReply = { status: 403, body: "<Error><Code>AccessDenied</Code></Error>" };

export function fakeFinra(
  reply: (name: string) => FakeReply,
  clock: Clock = fakeClock("2026-09-09T23:00:00Z"),
): { provider: Finra; asked: string[] } {
  const asked: string[] = [];
  const upstream: Upstream = {
    policy: finraPolicy,
    async ask({ url, signal }) {
      signal?.throwIfAborted();
      asked.push(url);
      const { status = 200, body = "", headers = {} } = reply(url.slice(url.lastIndexOf("/") + 1));
      const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
      const answer: UpstreamAnswer = {
        url,
        status,
        bytes,
        headers: new Headers(headers),
        receivedAt: clock.now(),
      };
      const verdict = classifyFinra(answer);
      if (verdict.kind === "failed") throw new UpstreamFailed("finra", verdict.detail);
      if (verdict.kind === "rate_limited") throw new UpstreamRateLimited("finra", verdict.detail);
      return answer;
    },
    health: () => ({
      ...{ name: "finra", status: "unknown", breaker: "closed", breakerOpenUntil: null },
      ...{
        lastSuccessAt: null,
        lastErrorAt: null,
        lastError: null,
        lastMisread: null,
        activeRequests: 0,
        waitingRequests: 0,
      },
      ...{ requestsTotal: asked.length, failuresTotal: 0 },
    }),
  };
  return { provider: finra(upstream), asked };
}
