import { expect, test } from "bun:test";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import { withHardTimeLimit, withTimeLimit } from "./time-limit.ts";

const timeoutError = new Error("late");
const never = () => new Promise<never>(() => {});

test("work that finishes in time returns its value and leaves no timer", async () => {
  const clock = fakeClock("2026-09-09T21:00:00Z");
  const signal = new AbortController().signal;
  expect(await withHardTimeLimit({ clock, ms: 1000, signal, timeoutError }, async () => 7)).toBe(7);
  clock.advance(5000);
});

test("withHardTimeLimit rejects at the limit although the work continues; withTimeLimit only aborts its signal", async () => {
  const clock = fakeClock("2026-09-09T21:00:00Z");
  const signal = new AbortController().signal;
  const stuck = withHardTimeLimit({ clock, ms: 1000, signal, timeoutError }, never);
  clock.advance(999);
  expect(await Promise.race([stuck, Promise.resolve("waiting")])).toBe("waiting");
  clock.advance(1);
  await expect(stuck).rejects.toBe(timeoutError);
  const heeded = withTimeLimit({ clock, ms: 1000, signal, timeoutError }, async (inner) => {
    clock.advance(1000);
    await Promise.resolve();
    return inner.reason;
  });
  expect(await heeded).toBe(timeoutError);
});

test("an abort of the request is passed on with its reason", async () => {
  const clock = fakeClock("2026-09-09T21:00:00Z");
  const gone = new AbortController();
  const stuck = withHardTimeLimit({ clock, ms: 1000, signal: gone.signal, timeoutError }, never);
  gone.abort(new Error("gone"));
  await expect(stuck).rejects.toThrow("gone");
});
