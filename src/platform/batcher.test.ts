import { describe, expect, test } from "bun:test";
import { fakeClock } from "../../test/support/fake-clock.ts";
import { type BatcherOptions, batcher } from "./batcher.ts";

/** Doubles numbers; `batches` are those it was given. */
function doubling(options: Omit<BatcherOptions<number, number>, "run"> = {}) {
  const batches: number[][] = [];
  const double = batcher<number, number>({
    run: async (items) => {
      batches.push([...items]);
      return items.map((n) => 2 * n);
    },
    ...options,
  });
  return { batches, double };
}

describe("a batch", () => {
  test("takes the items of one turn of the event loop and gives each caller its own result", async () => {
    const { batches, double } = doubling();
    expect(await Promise.all([1, 2, 2].map((n) => double.add(n)))).toEqual([2, 4, 4]);
    expect(await double.add(3)).toBe(6);
    expect(batches).toEqual([[1, 2, 2], [3]]);
  });

  test("starts at once when it is full", async () => {
    const { batches, double } = doubling({ sizeMax: 2, waitMs: 60_000 });
    const three = [1, 2, 3].map((n) => double.add(n));
    expect(batches).toEqual([[1, 2]]);
    expect(double.waiting).toBe(1);
    double.flush();
    expect(double.waiting).toBe(0);
    expect(await Promise.all(three)).toEqual([2, 4, 6]);
    expect(batches).toEqual([[1, 2], [3]]);
  });

  test("holds items of one key only", async () => {
    const timers = fakeClock("2026-09-01T12:00:00Z");
    const { batches, double } = doubling({ keyOf: (n) => String(n % 2), waitMs: 50, timers });
    const four = [1, 2, 3, 4].map((n) => double.add(n));
    timers.advance(49);
    expect(double.waiting).toBe(4);
    timers.advance(1);
    expect(await Promise.all(four)).toEqual([2, 4, 6, 8]);
    expect(batches).toEqual([
      [1, 3],
      [2, 4],
    ]);
  });

  test("has nothing to flush when no item waits", () => {
    const { batches, double } = doubling();
    double.flush();
    expect(batches).toEqual([]);
  });
});

describe("a failure", () => {
  test("of the batch reaches each of its callers, and the next batch runs", async () => {
    let isDown = true;
    const one = batcher<string, string>({
      run: async (items) => {
        if (isDown) throw new Error("down");
        return items;
      },
    });
    const both = await Promise.allSettled([one.add("a"), one.add("b")]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    isDown = false;
    expect(await one.add("c")).toBe("c");
  });

  test("a wrong number of results is an error, not a lost caller", async () => {
    const one = batcher<string, string>({ run: async () => [] });
    await expect(one.add("a")).rejects.toThrow("a batch of 1 items had 0 results");
  });
});

describe("a caller that aborts", () => {
  /** Runs until its signal aborts or `finish` is called. */
  function pending() {
    const signals: AbortSignal[] = [];
    const finish = Promise.withResolvers<void>();
    const one = batcher<string, string>({
      run: async (items, signal) => {
        signals.push(signal);
        const aborted = new Promise<never>((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        });
        await Promise.race([finish.promise, aborted]);
        return items;
      },
    });
    return { one, signals, finish: finish.resolve };
  }

  test("leaves the others their results", async () => {
    const { one, signals, finish } = pending();
    const [gone, stays] = [new AbortController(), new AbortController()];
    const asked = Promise.allSettled([one.add("a", gone.signal), one.add("b", stays.signal)]);
    one.flush();
    gone.abort(new Error("gone"));
    finish();
    expect(await asked).toMatchObject([{ status: "rejected" }, { status: "fulfilled", value: "b" }]);
    expect(signals[0]?.aborted).toBe(false);
  });

  test("aborts the batch when it is the last, also when it aborted before the start", async () => {
    const { one, signals } = pending();
    const [early, late] = [new AbortController(), new AbortController()];
    const asked = Promise.allSettled([one.add("a", early.signal), one.add("b", late.signal)]);
    early.abort(new Error("early"));
    one.flush();
    expect(signals[0]?.aborted).toBe(false);
    late.abort(new Error("late"));
    expect(await asked).toMatchObject([{ reason: { message: "early" } }, { reason: { message: "late" } }]);
    expect(signals[0]?.aborted).toBe(true);
  });

  test("does not abort the batch of a caller without a signal", async () => {
    const { one, signals, finish } = pending();
    const gone = new AbortController();
    const asked = Promise.allSettled([one.add("a", gone.signal), one.add("b")]);
    one.flush();
    gone.abort(new Error("gone"));
    finish();
    expect(await asked).toMatchObject([{ status: "rejected" }, { status: "fulfilled" }]);
    expect(signals[0]?.aborted).toBe(false);
  });
});
