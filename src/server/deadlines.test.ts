// Each deadline fires once, in order and never early; a cancelled one never fires.
import { expect, test } from "bun:test";
import { fakeClock } from "../../test/support/fake-clock.ts";
import { deadlines } from "./deadlines.ts";

/** Starts deadlines at one moment, cancels some, and gives which fired in each step of a clock. */
function firedIn(steps: readonly number[], lengthsMs: readonly number[], cancelled: readonly number[] = []) {
  const clock = fakeClock("2026-09-01T12:00:00Z");
  const start = deadlines(clock);
  let fired: number[] = [];
  for (const [name, ms] of lengthsMs.entries()) {
    const cancel = start(ms / 1000, () => void fired.push(name));
    if (cancelled.includes(name)) cancel();
  }
  return steps.map((step) => {
    fired = [];
    clock.advance(step);
    return fired;
  });
}

test("deadlines fire in the order of their ends, whatever their durations, and never early", () => {
  expect(firedIn([19, 1, 179, 1, 199, 1, 900], [200, 20, 200, 20, 400])).toEqual([
    [],
    [1, 3],
    [],
    [0, 2],
    [],
    [4],
    [],
  ]);
  expect(firedIn([1_000], [200, 20, 400])).toEqual([[1, 0, 2]]);
});

test("a cancelled deadline never fires, the others do", () => {
  expect(firedIn([20, 180, 900], [20, 20, 20, 200], [0, 2])).toEqual([[1], [3], []]);
});

test("a deadline that began later than others of its duration is due later", () => {
  const clock = fakeClock("2026-09-01T12:00:00Z");
  const start = deadlines(clock);
  const fired: string[] = [];
  start(0.02, () => fired.push("first"));
  clock.advance(15);
  start(0.02, () => fired.push("second"));
  clock.advance(5);
  expect(fired).toEqual(["first"]);
  clock.advance(14);
  expect(fired).toEqual(["first"]);
  clock.advance(1);
  expect(fired).toEqual(["first", "second"]);
});

test("a duration can be used again after all its deadlines fired", () => {
  const clock = fakeClock("2026-09-01T12:00:00Z");
  const start = deadlines(clock);
  const fired: number[] = [];
  for (const round of [1, 2, 3]) {
    start(0.01, () => fired.push(round));
    clock.advance(10);
  }
  expect(fired).toEqual([1, 2, 3]);
});
