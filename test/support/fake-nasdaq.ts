// A Nasdaq for tests.
import type { Clock } from "../../src/platform/clock.ts";
import type { Upstream, UpstreamRequest } from "../../src/platform/upstream/policy.ts";
import { classifyNasdaq, nasdaqPolicy } from "../../src/providers/nasdaq/index.ts";
import { type FakeReply, fakeUpstream } from "./fake-upstream.ts";

export type { FakeReply } from "./fake-upstream.ts";

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
