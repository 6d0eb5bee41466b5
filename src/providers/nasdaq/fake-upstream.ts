// A Nasdaq for tests.
import type { Clock } from "../../platform/clock.ts";
import { type FakeReply, fakeUpstream } from "../../platform/fake-upstream.ts";
import type { Upstream, UpstreamRequest } from "../../platform/upstream-policy.ts";
import { classifyNasdaq } from "./classify.ts";
import { nasdaqPolicy } from "./policy.ts";

export type { FakeReply } from "../../platform/fake-upstream.ts";

/** `asked` fills with the URLs as they are asked for. */
export function fakeNasdaq(
  clock: Clock,
  reply: (url: URL, request: UpstreamRequest) => FakeReply,
  asked: string[] = [],
): Upstream {
  return fakeUpstream({ policy: nasdaqPolicy, classify: classifyNasdaq }, clock, (url, request) => {
    asked.push(request.url);
    return reply(url, request);
  });
}
