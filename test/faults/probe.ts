// A made-up provider and its client, for tests of how the client treats any provider.
import { systemClock } from "../../src/platform/clock.ts";
import type { Classify, UpstreamPolicy } from "../../src/platform/upstream/policy.ts";
import { createUpstream, type UpstreamDeps } from "../../src/platform/upstream/upstream.ts";
import { captureLog } from "../support/capture-log.ts";
import { type Chaos, reply } from "./chaos.ts";

export const POLICY: UpstreamPolicy = {
  name: "probe",
  hosts: ["api.example", "www.example"],
  headers: { "User-Agent": "Asof-test", accept: "application/json" },
  spacingMsMin: 0,
  slots: 4,
  waitMsMax: 5_000,
  attemptMsMax: 5_000,
  bytesMax: 1_000_000,
  retriesMax: 2,
  breaker: { failuresMax: 5, openMs: [60_000, 300_000, 900_000] },
};

export const classify: Classify = ({ status, bytes }) => {
  const body = new TextDecoder().decode(bytes);
  if (status === 429) return { kind: "rate_limited", detail: "the probe refuses" };
  if (status === 404) return { kind: "answered" };
  if (status >= 500) return { kind: "failed", detail: `the probe answered with status ${status}` };
  if (body.startsWith("<")) return { kind: "failed", detail: "an HTML page instead of data" };
  if (body === "confuse") throw new TypeError("a bug in the judge");
  return { kind: "ok" };
};

export const connect = (
  chaos: Chaos,
  policy: Partial<UpstreamPolicy> = {},
  needs: Partial<UpstreamDeps> = {},
) =>
  createUpstream(
    { ...POLICY, ...policy },
    { clock: systemClock, log: captureLog(), gateway: chaos.gateway, classify, random: () => 0, ...needs },
  );

export const faultOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "it was answered",
    (error: unknown) => error,
  );
export const tick = () => new Promise<void>((resolve) => setTimeout(resolve, 1));
export const OK = reply(200, '{"a":1}');
export const URL_OF = (path: string) => `https://api.example/${path}`;
