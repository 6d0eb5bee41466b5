import { expect, test } from "bun:test";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import { withFairnessKey } from "./fairness.ts";
import { createSemaphore, SemaphoreTimeout } from "./semaphore.ts";

const START = "2026-11-20T15:00:00Z";
/** Runs everything that is ready. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

function busy() {
  const open = Promise.withResolvers<string>();
  return { work: () => open.promise, finish: open.resolve, fail: open.reject };
}

test("only as many run as there are slots, in order of arrival", async () => {
  const semaphore = createSemaphore({ slots: 2, waitMsMax: 1000 }, fakeClock(START));
  const works = [busy(), busy(), busy(), busy()];
  const started: number[] = [];
  const runs = works.map((w, i) =>
    semaphore.run(undefined, () => {
      started.push(i);
      return w.work();
    }),
  );
  await settle();
  expect([started, semaphore.active(), semaphore.waiting()]).toEqual([[0, 1], 2, 2]);
  works[1]?.finish("b");
  await settle();
  expect([started, semaphore.active(), semaphore.waiting()]).toEqual([[0, 1, 2], 2, 1]);
  works[0]?.finish("a");
  works[2]?.finish("c");
  works[3]?.finish("d");
  expect(await Promise.all(runs)).toEqual(["a", "b", "c", "d"]);
  expect([semaphore.active(), semaphore.waiting()]).toEqual([0, 0]);
});

test("a slot is released when the work fails", async () => {
  const semaphore = createSemaphore({ slots: 1, waitMsMax: 1000 }, fakeClock(START));
  await expect(semaphore.run(undefined, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await semaphore.run(undefined, async () => "next")).toBe("next");
});

test("a waiter past its time is refused, and running work keeps its slots", async () => {
  const clock = fakeClock(START);
  const semaphore = createSemaphore({ slots: 1, waitMsMax: 10_000 }, clock);
  const holder = busy();
  const held = semaphore.run(undefined, holder.work);
  const late = semaphore.run(undefined, async () => "never");
  const refused = late.catch((error: unknown) => error);
  await settle();
  clock.advance(9_999);
  await settle();
  expect(semaphore.waiting()).toBe(1);
  clock.advance(1);
  expect(await refused).toBeInstanceOf(SemaphoreTimeout);
  expect([semaphore.active(), semaphore.waiting()]).toEqual([1, 0]);
  holder.finish("held");
  expect(await held).toBe("held");
  expect(semaphore.active()).toBe(0);
});

test("with too many waiters the next one is refused at once", async () => {
  const semaphore = createSemaphore({ slots: 1, waitMsMax: 1000, waitersMax: 1 }, fakeClock(START));
  const holder = busy();
  const held = semaphore.run(undefined, holder.work);
  const waits = semaphore.run(undefined, async () => "second");
  await expect(semaphore.run(undefined, async () => "third")).rejects.toBeInstanceOf(SemaphoreTimeout);
  holder.finish("first");
  expect(await Promise.all([held, waits])).toEqual(["first", "second"]);
});

test("with waitersMax 0 or waitMsMax 0 a caller gets a slot now or never", async () => {
  const semaphore = createSemaphore({ slots: 1, waitMsMax: 0, waitersMax: 0 }, fakeClock(START));
  const holder = busy();
  const held = semaphore.run(undefined, holder.work);
  await expect(semaphore.run(undefined, async () => 1)).rejects.toBeInstanceOf(SemaphoreTimeout);
  holder.finish("x");
  expect(await held).toBe("x");
});

test("a waiter that aborts is removed and its turn goes to the next", async () => {
  const semaphore = createSemaphore({ slots: 1, waitMsMax: 1000 }, fakeClock(START));
  const holder = busy();
  const held = semaphore.run(undefined, holder.work);
  const client = new AbortController();
  let ran = false;
  const gone = semaphore.run(client.signal, async () => {
    ran = true;
  });
  const next = semaphore.run(undefined, async () => "next");
  await settle();
  client.abort(new Error("client went"));
  await expect(gone).rejects.toThrow("client went");
  expect(semaphore.waiting()).toBe(1);
  holder.finish("held");
  expect(await Promise.all([held, next])).toEqual(["held", "next"]);
  expect([ran, semaphore.active()]).toEqual([false, 0]);
});

test("a caller that has already aborted takes no slot", async () => {
  const semaphore = createSemaphore({ slots: 1, waitMsMax: 1000 }, fakeClock(START));
  await expect(semaphore.run(AbortSignal.abort(new Error("late")), async () => 1)).rejects.toThrow("late");
  expect(semaphore.active()).toBe(0);
});

test("a thousand pieces of work through three slots never exceed three and all finish", async () => {
  const semaphore = createSemaphore({ slots: 3, waitMsMax: 1000 }, fakeClock(START));
  let now = 0;
  let most = 0;
  const done = await Promise.all(
    Array.from({ length: 1000 }, (_, i) =>
      semaphore.run(undefined, async () => {
        most = Math.max(most, ++now);
        await settle();
        now--;
        return i;
      }),
    ),
  );
  expect([done.length, done[999], most, semaphore.active()]).toEqual([1000, 999, 3, 0]);
});

test("fairness keys take turns, each in its own order: a single request is not behind a bulk one", async () => {
  const semaphore = createSemaphore({ slots: 1, waitMsMax: 1000 }, fakeClock(START));
  const order: string[] = [];
  const come = (name: string) => semaphore.run(undefined, async () => void order.push(name));
  const holder = busy();
  const held = semaphore.run(undefined, holder.work);
  const many = withFairnessKey(() => ["a1", "a2", "a3", "a4", "a5"].map(come));
  const others = withFairnessKey(() => ["b1", "b2"].map(come));
  const alone = [come("c"), come("d")];
  await settle();
  expect(semaphore.waiting()).toBe(9);
  holder.finish("");
  await Promise.all([held, ...many, ...others, ...alone]);
  expect(order).toEqual(["a1", "b1", "c", "d", "a2", "b2", "a3", "a4", "a5"]);
  expect([semaphore.active(), semaphore.waiting()]).toEqual([0, 0]);
});

test("a waiter that leaves does not cost the others of its key their turns", async () => {
  const semaphore = createSemaphore({ slots: 1, waitMsMax: 1000 }, fakeClock(START));
  const order: string[] = [];
  const goes = new AbortController();
  const holder = busy();
  const held = semaphore.run(undefined, holder.work);
  const come = (name: string, signal?: AbortSignal) =>
    semaphore.run(signal, async () => void order.push(name));
  const [first, second] = withFairnessKey(() => [come("a1", goes.signal), come("a2")]);
  const gone = first?.catch((error: unknown) => error);
  const alone = come("b");
  goes.abort("went");
  expect(await gone).toBe("went");
  holder.finish("");
  await Promise.all([held, second, alone]);
  expect([order, semaphore.active(), semaphore.waiting()]).toEqual([["a2", "b"], 0, 0]);
});
