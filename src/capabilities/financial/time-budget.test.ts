import { expect, test } from "bun:test";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import { UpstreamFailed, UpstreamTimeout } from "../../platform/errors.ts";
import { timeBudget } from "./time-budget.ts";

const late = () => new UpstreamTimeout("price", "The time is over.");
const request = () => new AbortController();
const never = (signal: AbortSignal) =>
  new Promise<null>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

test("work of a budget that is used up is not begun, and what is under way when it ends is aborted", async () => {
  const clock = fakeClock("2026-09-01T12:00:00Z");
  const budget = timeBudget(20_000, late, clock);
  expect(await budget.within(request().signal, async () => null)).toBeNull();
  // Time in which no work is under way does not count, and pieces at the same moment count once.
  clock.advance(60_000);
  const both = Promise.all([
    budget.within(request().signal, never),
    budget.within(request().signal, () => new Promise(() => {})),
  ]);
  clock.advance(19_999);
  expect(await Promise.race([both, Promise.resolve("under way")])).toBe("under way");
  clock.advance(1);
  const ended = await both;
  expect(ended.map((error) => error?.message)).toEqual(["The time is over.", "The time is over."]);
  let begun = false;
  const refused = await budget.within(request().signal, async () => {
    begun = true;
    return null;
  });
  expect([refused?.code, begun]).toEqual(["upstream_timeout", false]);
});

test("the failure of the work is its outcome, other errors and the request's own end are thrown", async () => {
  const budget = timeBudget(60_000, late);
  const failure = new UpstreamFailed("yahoo", "It is down.");
  expect(await budget.within(request().signal, async () => failure)).toBe(failure);
  expect(await budget.within(request().signal, () => Promise.reject(failure))).toBe(failure);
  expect(budget.within(request().signal, () => Promise.reject(new TypeError("a fault")))).rejects.toThrow(
    "a fault",
  );
  const gone = request();
  const waiting = budget.within(gone.signal, never);
  gone.abort(new Error("the client is gone"));
  expect(waiting).rejects.toThrow("the client is gone");
});
