import { expect, test } from "bun:test";
import { fakeClock } from "../../../test/support/fake-clock.ts";
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

test("consecutive failures open it; a success in between resets the count", () => {
  const { guard } = make();
  guard.acquire().fail();
  guard.acquire().fail();
  guard.acquire().succeed();
  guard.acquire().fail();
  guard.acquire().fail();
  expect(guard.state()).toBe("closed");
  guard.acquire().fail();
  expect(guard.state()).toBe("open");
  expect(guard.openUntil()?.toString()).toBe("2026-11-20T15:01:00Z");
  const refused = refusal(() => guard.acquire());
  expect([refused.because, refused.retryAfterS]).toEqual(["failures", 60]);
});

test("the seconds left count down and are never 0 while it refuses", () => {
  const { clock, guard } = make();
  guard.acquire().refuse();
  clock.advance(59_001);
  expect(refusal(() => guard.check()).retryAfterS).toBe(1);
  clock.advance(998);
  expect(refusal(() => guard.check()).retryAfterS).toBe(1);
  clock.advance(1);
  guard.check();
});

test("one rate-limit refusal opens it at once, for Retry-After where that is longer", () => {
  const { guard } = make();
  guard.acquire().refuse(30);
  expect(guard.openUntil()?.toString()).toBe("2026-11-20T15:01:00Z");
  const other = make();
  other.guard.acquire().refuse(600);
  expect(other.guard.openUntil()?.toString()).toBe("2026-11-20T15:10:00Z");
  expect(refusal(() => other.guard.check()).because).toBe("rate_limit");
  const absurd = make();
  absurd.guard.acquire().refuse(1e9);
  expect(absurd.guard.openUntil()?.toString()).toBe("2026-11-20T16:00:00Z");
});

test("half open lets exactly one probe through", () => {
  const { clock, guard } = make();
  guard.acquire().refuse();
  clock.advance(60_000);
  expect([guard.state(), guard.openUntil()]).toEqual(["half_open", null]);
  const probe = guard.acquire();
  expect(refusal(() => guard.acquire()).retryAfterS).toBe(1);
  probe.succeed();
  expect(guard.state()).toBe("closed");
  guard.acquire().succeed();
});

test("each failed probe keeps it open longer, up to the last step; a success starts again at the first", () => {
  const { clock, guard } = make();
  const waits: number[] = [];
  guard.acquire().refuse();
  for (let i = 0; i < 4; i++) {
    const leftS = refusal(() => guard.check()).retryAfterS;
    waits.push(leftS);
    clock.advance(leftS * 1000);
    guard.acquire().fail();
  }
  expect(waits).toEqual([60, 300, 900, 900]);
  clock.advance(900_000);
  guard.acquire().succeed();
  guard.acquire().refuse();
  expect(refusal(() => guard.check()).retryAfterS).toBe(60);
});

test("a probe without an outcome leaves its place to the next", () => {
  const { clock, guard } = make();
  guard.acquire().refuse();
  clock.advance(60_000);
  guard.acquire().release();
  guard.acquire().succeed();
  expect(guard.state()).toBe("closed");
});

test("outcomes of requests from an earlier state change nothing", () => {
  const { clock, guard } = make();
  const slowFail = guard.acquire();
  const slowRefuse = guard.acquire();
  const slowSuccess = guard.acquire();
  guard.acquire().refuse();
  slowFail.fail();
  slowRefuse.refuse(3_000);
  slowSuccess.succeed();
  expect(guard.openUntil()?.toString()).toBe("2026-11-20T15:01:00Z");
  clock.advance(60_000);
  slowSuccess.succeed();
  expect(guard.state()).toBe("half_open");
});

test("a permit takes one outcome", () => {
  const { guard } = make();
  const permit = guard.acquire();
  for (let i = 0; i < 5; i++) permit.fail();
  expect(guard.state()).toBe("closed");
});

test("a machine clock set back by an hour does not keep it open for an hour more", () => {
  const { clock, guard } = make();
  guard.acquire().refuse();
  clock.set("2026-11-20T14:00:00Z");
  expect(refusal(() => guard.check()).retryAfterS).toBe(60);
  expect(guard.openUntil()?.toString()).toBe("2026-11-20T14:01:00Z");
  clock.advance(60_000);
  guard.acquire().succeed();
  expect(guard.state()).toBe("closed");
});

test("a stored opening far in the future stays open for an hour at most", () => {
  const clock = fakeClock("2026-11-20T15:00:00Z");
  const openUntilMs = Temporal.Instant.from("2027-11-20T15:00:00Z").epochMilliseconds;
  const mark = { openings: 1, openUntilMs, because: "rate_limit" as const };
  const guard = breaker(LIMITS, clock, { load: () => mark, save: () => {} });
  expect(refusal(() => guard.check()).retryAfterS).toBe(3_600);
});
