// The clock of whole-service tests: waits that keep a pace move it, and never undo what a test has set.
import { expect, test } from "bun:test";
import { movableClock } from "./clock.ts";

test("a wait that keeps a pace puts the clock forward by its length", async () => {
  const clock = movableClock("2026-11-20T15:00:00Z");
  await clock.sleep(5_000);
  expect(clock.nowMs()).toBeGreaterThanOrEqual(Date.parse("2026-11-20T15:00:05Z"));
});

test("a wait that began before the clock was set back leaves it as set", async () => {
  const clock = movableClock("2026-11-21T15:00:00Z");
  const wait = clock.sleep(500);
  clock.set("2026-11-20T16:00:00Z");
  await wait;
  expect(clock.now().toString().slice(0, 16)).toBe("2026-11-20T16:00");
});
