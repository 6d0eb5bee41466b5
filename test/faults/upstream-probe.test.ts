// The one request that an open breaker lets through to find out whether the provider is back.
import { expect, setDefaultTimeout, test } from "bun:test";
import { type AsofError, UpstreamFailed } from "../../src/platform/errors.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { reply, silence, startChaos } from "./chaos.ts";
import { connect, faultOf, OK, tick, URL_OF } from "./probe.ts";

setDefaultTimeout(1_200_000);

test("a probe whose caller goes away leaves its place to the next at once", async () => {
  const clock = fakeClock("2026-11-20T15:00:00Z");
  using chaos = await startChaos({
    "api.example/bad": reply(500, "oops"),
    "api.example/slow": silence,
    "api.example/y": OK,
  });
  const breaker = { failuresMax: 1, openMs: [60_000] };
  const upstream = connect(chaos, { retriesMax: 0, breaker }, { clock });
  expect(await faultOf(upstream.ask({ url: URL_OF("bad") }))).toBeInstanceOf(UpstreamFailed);
  clock.advance(60_000);
  const leave = new AbortController();
  const probe = faultOf(upstream.ask({ url: URL_OF("slow"), signal: leave.signal }));
  while (chaos.requests.length < 2) await tick();
  expect(((await faultOf(upstream.ask({ url: URL_OF("y") }))) as AsofError).facts.retryAfterS).toBe(1);
  leave.abort(new Error("the caller went"));
  const next = faultOf(upstream.ask({ url: URL_OF("y") }));
  expect(await probe).toEqual(new Error("the caller went"));
  expect(await next).toBe("it was answered");
  expect(upstream.health()).toMatchObject({ status: "healthy", breaker: "closed" });
});
