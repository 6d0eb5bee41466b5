import { expect, test } from "bun:test";
import { fakeClock } from "../../platform/clock.ts";
import { limited, within } from "./time-limit.ts";

const late = new Error("late");
const never = () => new Promise<never>(() => {});

test("work that ends in time gives its value and leaves no sleeper", async () => {
  const clock = fakeClock("2026-09-09T21:00:00Z");
  const signal = new AbortController().signal;
  expect(await within({ clock, ms: 1000, signal, late }, async () => 7)).toBe(7);
  clock.advance(5000);
});

test("within rejects at the limit though the work goes on; limited only ends its signal", async () => {
  const clock = fakeClock("2026-09-09T21:00:00Z");
  const signal = new AbortController().signal;
  const stuck = within({ clock, ms: 1000, signal, late }, never);
  clock.advance(999);
  expect(await Promise.race([stuck, Promise.resolve("waiting")])).toBe("waiting");
  clock.advance(1);
  await expect(stuck).rejects.toBe(late);
  const heeded = limited({ clock, ms: 1000, signal, late }, async (inner) => {
    clock.advance(1000);
    await Promise.resolve();
    return inner.reason;
  });
  expect(await heeded).toBe(late);
});

test("the request's own end comes through with its reason", async () => {
  const clock = fakeClock("2026-09-09T21:00:00Z");
  const gone = new AbortController();
  const stuck = within({ clock, ms: 1000, signal: gone.signal, late }, never);
  gone.abort(new Error("gone"));
  await expect(stuck).rejects.toThrow("gone");
});
