import { expect, test } from "bun:test";
import { singleFlight } from "./single-flight.ts";

test("fifty callers of one key share one piece of work and its value", async () => {
  const flights = singleFlight<number>();
  let runs = 0;
  const gate = Promise.withResolvers<number>();
  const all = Array.from({ length: 50 }, () =>
    flights.run("k", undefined, () => {
      runs++;
      return gate.promise;
    }),
  );
  expect(flights.has("k")).toBe(true);
  gate.resolve(7);
  expect(await Promise.all(all)).toEqual(Array(50).fill(7));
  expect(runs).toBe(1);
  expect(flights.size()).toBe(0);
});

test("different keys do not share; a later call with the same key works again", async () => {
  const flights = singleFlight<string>();
  let runs = 0;
  const work = async () => `run ${++runs}`;
  expect(
    await Promise.all([flights.run("a", undefined, work), flights.run("__proto__", undefined, work)]),
  ).toEqual(["run 1", "run 2"]);
  expect(await flights.run("a", undefined, work)).toBe("run 3");
});

test("an error reaches every caller once and is not stored", async () => {
  const flights = singleFlight<number>();
  let runs = 0;
  const work = async () => {
    if (++runs === 1) throw new Error("broken");
    return 5;
  };
  const both = await Promise.allSettled([
    flights.run("k", undefined, work),
    flights.run("k", new AbortController().signal, work),
  ]);
  expect(both.map((r) => r.status === "rejected" && (r.reason as Error).message)).toEqual([
    "broken",
    "broken",
  ]);
  expect(await flights.run("k", undefined, work)).toBe(5);
});

test("work that throws before its first await is an error like any other", async () => {
  const flights = singleFlight<number>();
  const thrower = () => {
    throw new Error("at once");
  };
  await expect(flights.run("k", undefined, thrower)).rejects.toThrow("at once");
  expect(flights.size()).toBe(0);
});

test("a caller's abort rejects only that caller and leaves the work alone", async () => {
  const flights = singleFlight<number>();
  const gate = Promise.withResolvers<number>();
  let workSignal: AbortSignal | undefined;
  const work = (signal: AbortSignal) => {
    workSignal = signal;
    return gate.promise;
  };
  const one = new AbortController();
  const gone = flights.run("k", one.signal, work);
  const stays = flights.run("k", new AbortController().signal, work);
  await Promise.resolve();
  one.abort(new Error("client went"));
  await expect(gone).rejects.toThrow("client went");
  expect(workSignal?.aborted).toBe(false);
  gate.resolve(9);
  expect(await stays).toBe(9);
});

test("when every caller has aborted the work is aborted, and the next caller starts new work", async () => {
  const flights = singleFlight<string>();
  const seen: AbortSignal[] = [];
  const hang = (signal: AbortSignal) => {
    seen.push(signal);
    return new Promise<string>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  };
  const a = new AbortController();
  const b = new AbortController();
  const first = flights.run("k", a.signal, hang);
  const second = flights.run("k", b.signal, hang);
  await Promise.resolve();
  a.abort(new Error("a"));
  b.abort(new Error("b"));
  await expect(first).rejects.toThrow("a");
  await expect(second).rejects.toThrow("b");
  expect(seen.map((s) => s.aborted)).toEqual([true]);
  expect(await flights.run("k", undefined, async () => "fresh")).toBe("fresh");
});

test("a caller without a signal keeps the work alive", async () => {
  const flights = singleFlight<number>();
  const gate = Promise.withResolvers<number>();
  let aborted = false;
  const keeps = flights.run("k", undefined, (signal) => {
    signal.addEventListener("abort", () => {
      aborted = true;
    });
    return gate.promise;
  });
  const leaver = new AbortController();
  const leaves = flights.run("k", leaver.signal, () => gate.promise);
  leaver.abort(new Error("gone"));
  await expect(leaves).rejects.toThrow("gone");
  gate.resolve(3);
  expect(await keeps).toBe(3);
  expect(aborted).toBe(false);
});

test("a signal that is already aborted starts nothing", async () => {
  const flights = singleFlight<number>();
  let runs = 0;
  const refused = flights.run("k", AbortSignal.abort(new Error("late")), async () => ++runs);
  await expect(refused).rejects.toThrow("late");
  expect(runs).toBe(0);
});
