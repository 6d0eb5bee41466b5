// A Yahoo for tests.
import type { Clock } from "../../platform/clock.ts";
import * as fake from "../../platform/fake-upstream.ts";
import type { UpstreamRequest } from "../../platform/upstream-policy.ts";
import { classifyYahoo } from "./classify.ts";
import { yahooPolicy } from "./policy.ts";

export { type FakeReply, fakeAnswer } from "../../platform/fake-upstream.ts";

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
