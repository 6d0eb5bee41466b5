// FINRA's file server for tests.

import type { Clock } from "../../src/platform/clock.ts";
import { classifyFinra, type Finra, finra, finraPolicy } from "../../src/providers/finra/index.ts";
import { fakeClock } from "./fake-clock.ts";
import { type FakeReply, fakeUpstream } from "./fake-upstream.ts";

export type { FakeReply } from "./fake-upstream.ts";

/** The storage saying that there is no such file. */
export const NO_FILE: FakeReply = { status: 403, body: "<Error><Code>AccessDenied</Code></Error>" };

/** `reply` is asked by the file's name; `asked` fills with the addresses. */
export function fakeFinra(
  reply: (name: string) => FakeReply,
  clock: Clock = fakeClock("2026-09-09T23:00:00Z"),
): { provider: Finra; asked: string[] } {
  const asked: string[] = [];
  const upstream = fakeUpstream({ policy: finraPolicy, classify: classifyFinra }, clock, (_, { url }) => {
    asked.push(url);
    return reply(url.slice(url.lastIndexOf("/") + 1));
  });
  return { provider: finra(upstream), asked };
}
