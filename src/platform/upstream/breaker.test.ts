import { expect, test } from "bun:test";
import { fakeClock } from "../clock.ts";
import { BreakerOpen, breaker } from "./breaker.ts";

const LIMITS = { failuresMax: 3, openMs: [60_000, 300_000, 900_000] };
const make = () => {
  const clock = fakeClock("2026-11-20T15:00:00Z");
  return { clock, guard: breaker(LIMITS, clock) };
};
const refusal = (act: () => unknown): BreakerOpen => {
  try {
    act();
  } catch (error) {
    if (error instanceof BreakerOpen) return error;
    throw error;
  }
  throw new Error("it was let through");
};

test("consecutive failures open it; a success between starts the count anew", () => {
  const { guard } = make();
  guard.enter().fail();
  guard.enter().fail();
  guard.enter().succeed();
  guard.enter().fail();
  guard.enter().fail();
  expect(guard.state()).toBe("closed");
  guard.enter().fail();
  expect(guard.state()).toBe("open");
  expect(guard.openUntil()?.toString()).toBe("2026-11-20T15:01:00Z");
  const refused = refusal(() => guard.enter());
  expect([refused.because, refused.retryAfterS]).toEqual(["failures", 60]);
});

test("the seconds left count down and never read 0 while it refuses", () => {
  const { clock, guard } = make();
  guard.enter().refuse();
  clock.advance(59_001);
  expect(refusal(() => guard.check()).retryAfterS).toBe(1);
  clock.advance(998);
  expect(refusal(() => guard.check()).retryAfterS).toBe(1);
  clock.advance(1);
  guard.check();
});

test("one refusal for asking too often opens it at once, for Retry-After where that is longer", () => {
  const { guard } = make();
  guard.enter().refuse(30);
  expect(guard.openUntil()?.toString()).toBe("2026-11-20T15:01:00Z");
  const other = make();
  other.guard.enter().refuse(600);
  expect(other.guard.openUntil()?.toString()).toBe("2026-11-20T15:10:00Z");
  expect(refusal(() => other.guard.check()).because).toBe("rate_limit");
  const absurd = make();
  absurd.guard.enter().refuse(1e9);
  expect(absurd.guard.openUntil()?.toString()).toBe("2026-11-20T16:00:00Z");
});

test("half open lets exactly one probe through", () => {
  const { clock, guard } = make();
  guard.enter().refuse();
  clock.advance(60_000);
  expect([guard.state(), guard.openUntil()]).toEqual(["half_open", null]);
  const probe = guard.enter();
  expect(refusal(() => guard.enter()).retryAfterS).toBe(1);
  probe.succeed();
  expect(guard.state()).toBe("closed");
  guard.enter().succeed();
});

test("each failed probe keeps it open longer, up to the last step; a success starts again at the first", () => {
  const { clock, guard } = make();
  const waits: number[] = [];
  guard.enter().refuse();
  for (let i = 0; i < 4; i++) {
    const leftS = refusal(() => guard.check()).retryAfterS;
    waits.push(leftS);
    clock.advance(leftS * 1000);
    guard.enter().fail();
  }
  expect(waits).toEqual([60, 300, 900, 900]);
  clock.advance(900_000);
  guard.enter().succeed();
  guard.enter().refuse();
  expect(refusal(() => guard.check()).retryAfterS).toBe(60);
});

test("a probe that learnt nothing gives its place to the next", () => {
  const { clock, guard } = make();
  guard.enter().refuse();
  clock.advance(60_000);
  guard.enter().leave();
  guard.enter().succeed();
  expect(guard.state()).toBe("closed");
});

test("answers to requests of an earlier state change nothing", () => {
  const { clock, guard } = make();
  const slowFail = guard.enter();
  const slowRefuse = guard.enter();
  const slowSuccess = guard.enter();
  guard.enter().refuse();
  slowFail.fail();
  slowRefuse.refuse(3_000);
  slowSuccess.succeed();
  expect(guard.openUntil()?.toString()).toBe("2026-11-20T15:01:00Z");
  clock.advance(60_000);
  slowSuccess.succeed();
  expect(guard.state()).toBe("half_open");
});

test("a pass is told once", () => {
  const { guard } = make();
  const pass = guard.enter();
  for (let i = 0; i < 5; i++) pass.fail();
  expect(guard.state()).toBe("closed");
});

test("a machine clock set back by an hour does not keep it open for an hour more", () => {
  const { clock, guard } = make();
  guard.enter().refuse();
  clock.set("2026-11-20T14:00:00Z");
  expect(refusal(() => guard.check()).retryAfterS).toBe(60);
  expect(guard.openUntil()?.toString()).toBe("2026-11-20T14:01:00Z");
  clock.advance(60_000);
  guard.enter().succeed();
  expect(guard.state()).toBe("closed");
});

test("what another life left open far in the future is open for an hour at most", () => {
  const clock = fakeClock("2026-11-20T15:00:00Z");
  const openUntilMs = Temporal.Instant.from("2027-11-20T15:00:00Z").epochMilliseconds;
  const mark = { openings: 1, openUntilMs, because: "rate_limit" as const };
  const guard = breaker(LIMITS, clock, { load: () => mark, save: () => {} });
  expect(refusal(() => guard.check()).retryAfterS).toBe(3_600);
});
