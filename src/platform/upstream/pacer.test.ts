import { expect, test } from "bun:test";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import { PacerTimeout, pacer } from "./pacer.ts";

const START = "2026-11-20T15:00:00Z";
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Advances the clock in small steps and runs everything that is ready after each. */
async function pass(clock: ReturnType<typeof fakeClock>, ms: number, stepMs = 10) {
  for (let done = 0; done < ms; done += stepMs) {
    clock.advance(stepMs);
    await settle();
  }
}

test("turns of one host are at least the spacing apart, first come first served", async () => {
  const clock = fakeClock(START);
  const pace = pacer({ spacingMsMin: 250, waitMsMax: 60_000 }, clock);
  const t0 = clock.nowMs();
  const turns: [number, number][] = [];
  const all = [0, 1, 2, 3, 4].map(async (i) => {
    await pace.turn("query1.example");
    turns.push([i, clock.nowMs() - t0]);
  });
  await settle();
  await pass(clock, 1_100);
  await Promise.all(all);
  expect(turns).toEqual([
    [0, 0],
    [1, 250],
    [2, 500],
    [3, 750],
    [4, 1000],
  ]);
});

test("hosts do not wait for each other", async () => {
  const clock = fakeClock(START);
  const pace = pacer({ spacingMsMin: 1000, waitMsMax: 5000 }, clock);
  await pace.turn("a");
  await pace.turn("b");
  const again = pace.turn("a");
  await settle();
  expect(pace.waiting()).toBe(1);
  clock.advance(1000);
  await again;
});

test("after an idle time the next turn is immediate", async () => {
  const clock = fakeClock(START);
  const pace = pacer({ spacingMsMin: 250, waitMsMax: 0 }, clock);
  await pace.turn("a");
  clock.advance(250);
  await pace.turn("a");
  await expect(pace.turn("a")).rejects.toBeInstanceOf(PacerTimeout);
});

test("a turn that would come too late is refused at once, with the wait it would take", async () => {
  const clock = fakeClock(START);
  const pace = pacer({ spacingMsMin: 100, waitMsMax: 250 }, clock);
  const taken = [pace.turn("a"), pace.turn("a"), pace.turn("a")];
  const fourth = await pace.turn("a").catch((e: unknown) => e);
  expect(fourth).toBeInstanceOf(PacerTimeout);
  expect((fourth as PacerTimeout).waitMs).toBe(300);
  await settle();
  await pass(clock, 200);
  await Promise.all(taken);
});

test("a caller that aborts while waiting leaves its turn to the next", async () => {
  const clock = fakeClock(START);
  const pace = pacer({ spacingMsMin: 100, waitMsMax: 60_000 }, clock);
  const t0 = clock.nowMs();
  await pace.turn("a");
  const client = new AbortController();
  const gone = pace.turn("a", client.signal).catch((error: unknown) => error);
  const middle = new AbortController();
  const goneToo = pace.turn("a", middle.signal).catch((error: unknown) => error);
  let at = -1;
  const next = pace.turn("a").then(() => {
    at = clock.nowMs() - t0;
  });
  await settle();
  middle.abort(new Error("middle"));
  client.abort(new Error("client"));
  expect([await gone, await goneToo]).toEqual([new Error("client"), new Error("middle")]);
  await pass(clock, 100);
  await next;
  expect(at).toBe(100);
  expect(pace.waiting()).toBe(0);
});

test("a caller that leaves the middle of the queue does not let the next overtake the first", async () => {
  const clock = fakeClock(START);
  const pace = pacer({ spacingMsMin: 100, waitMsMax: 60_000 }, clock);
  await pace.turn("a");
  const order: string[] = [];
  const first = pace.turn("a").then(() => order.push("first"));
  const middle = new AbortController();
  const gone = pace.turn("a", middle.signal);
  const last = pace.turn("a").then(() => order.push("last"));
  await settle();
  middle.abort(new Error("gone"));
  await expect(gone).rejects.toThrow("gone");
  await pass(clock, 100);
  expect(order).toEqual(["first"]);
  await pass(clock, 100);
  await Promise.all([first, last]);
  expect(order).toEqual(["first", "last"]);
});

test("a hold delays every turn of its host, and refuses those that become too late", async () => {
  const clock = fakeClock(START);
  const pace = pacer({ spacingMsMin: 100, waitMsMax: 1000 }, clock);
  await pace.turn("sec");
  const waiting = pace.turn("sec");
  const refused = waiting.catch((error: unknown) => error);
  await settle();
  pace.holdUntil("sec", 600_000);
  pace.holdUntil("sec", 5);
  await pass(clock, 100);
  expect(await refused).toBeInstanceOf(PacerTimeout);
  await expect(pace.turn("sec")).rejects.toMatchObject({ waitMs: 599_900 });
  await pace.turn("other");
  clock.advance(599_900);
  await pace.turn("sec");
});

test("a clock set back never lengthens the spacing", async () => {
  const clock = fakeClock(START);
  const pace = pacer({ spacingMsMin: 250, waitMsMax: 250 }, clock);
  await pace.turn("a");
  clock.set("2026-11-20T14:00:00Z");
  let turned = false;
  const next = pace.turn("a").then(() => {
    turned = true;
  });
  await settle();
  clock.advance(249);
  await settle();
  expect(turned).toBe(false);
  clock.advance(1);
  await next;
});

test("a clock set back never lengthens a hold", async () => {
  const clock = fakeClock(START);
  const pace = pacer({ spacingMsMin: 100, waitMsMax: 60_000 }, clock);
  pace.holdUntil("a", 60_000);
  clock.set("2026-11-20T14:00:00Z");
  const next = pace.turn("a");
  await settle();
  clock.advance(60_000);
  await next;
});
