// A Yahoo for tests.
import type { Clock } from "../../src/platform/clock.ts";
import type { UpstreamRequest } from "../../src/platform/upstream/policy.ts";
import { classifyYahoo, yahooPolicy } from "../../src/providers/yahoo/index.ts";
import * as fake from "./fake-upstream.ts";

export { type FakeReply, fakeAnswer } from "./fake-upstream.ts";

export interface FakeUpstream extends fake.FakeUpstream {
  /** Hosts and paths asked, in order, with the method where it is not GET. */
  asked(): string[];
}

export function fakeUpstream(
  clock: Clock,
  reply: (url: URL, request: UpstreamRequest) => fake.FakeReply | Promise<fake.FakeReply>,
): FakeUpstream {
  const upstream = fake.fakeUpstream({ policy: yahooPolicy, classify: classifyYahoo }, clock, reply);
  return {
    ...upstream,
    asked: () =>
      upstream.requests.map(({ url, method }) => {
        const { hostname, pathname } = new URL(url);
        return `${method === "POST" ? "POST " : ""}${hostname}${pathname}`;
      }),
  };
}
