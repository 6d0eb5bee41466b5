// Many items at once: order, concurrency, failures.
import { describe, expect, test } from "bun:test";
import { NotFound, UpstreamFailed } from "../platform/errors.ts";
import { forEachSequential, inBatches, mapSettled } from "./bulk.ts";

describe("mapSettled", () => {
  test("keeps the order of the items, and a failure stays with its item", async () => {
    const gates = new Map<string, () => void>();
    const running = mapSettled(
      ["a", "b", "c"],
      (item) =>
        new Promise<string>((resolve, reject) => {
          gates.set(item, () => (item === "b" ? reject(new Error("no b")) : resolve(item.toUpperCase())));
        }),
      { concurrency: 3 },
    );
    for (const item of ["c", "b", "a"]) gates.get(item)?.();
    expect(await running).toEqual([
      { item: "a", ok: true, value: "A" },
      { item: "b", ok: false, error: new Error("no b") },
      { item: "c", ok: true, value: "C" },
    ]);
  });

  test("runs all items, never more than `concurrency` at a time", async () => {
    let now = 0;
    let most = 0;
    const results = await mapSettled(
      Array.from({ length: 50 }, (_, i) => i),
      async (i) => {
        most = Math.max(most, ++now);
        await Promise.resolve();
        now--;
        return i * 2;
      },
      { concurrency: 4 },
    );
    expect(most).toBe(4);
    expect(results.map((r) => (r.ok ? r.value : -1))).toEqual(Array.from({ length: 50 }, (_, i) => i * 2));
  });

  test("a synchronous throw and a thrown non-Error are outcomes too", async () => {
    const results = await mapSettled(
      [1, 2],
      (i): number => {
        if (i === 1) throw "odd";
        return i;
      },
      { concurrency: 9 },
    );
    expect(results).toEqual([
      { item: 1, ok: false, error: "odd" },
      { item: 2, ok: true, value: 2 },
    ]);
  });

  test("runs equal items separately; an empty list gives no outcomes", async () => {
    expect(await mapSettled(["x", "x"], (_, index) => index, { concurrency: 1 })).toEqual([
      { item: "x", ok: true, value: 0 },
      { item: "x", ok: true, value: 1 },
    ]);
    expect(await mapSettled([], () => 1, { concurrency: 1 })).toEqual([]);
  });

  test("starts no further item after an abort", async () => {
    const controller = new AbortController();
    const begun: number[] = [];
    const results = await mapSettled(
      [1, 2, 3],
      (i) => {
        begun.push(i);
        controller.abort(new Error("gone"));
        return i;
      },
      { concurrency: 1, signal: controller.signal },
    );
    expect(begun).toEqual([1]);
    expect(results).toEqual([
      { item: 1, ok: true, value: 1 },
      { item: 2, ok: false, error: new Error("gone") },
      { item: 3, ok: false, error: new Error("gone") },
    ]);
  });

  test.each([0, -1, Number.NaN])(
    "refuses a concurrency of %d instead of waiting forever",
    async (concurrency) => {
      await expect(mapSettled([1], (i) => i, { concurrency })).rejects.toThrow(RangeError);
    },
  );
});

describe("inBatches", () => {
  test("splits in order; the last batch may be smaller", () => {
    expect(inBatches([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
    expect(inBatches([1, 2], 2)).toEqual([[1, 2]]);
    expect(inBatches([], 2)).toEqual([]);
    expect(inBatches([1], 100)).toEqual([[1]]);
  });
  test.each([0, -1, 1.5, Number.NaN])("a size of %d is refused", (size) => {
    expect(() => inBatches([1], size)).toThrow(RangeError);
  });
});

describe("forEachSequential", () => {
  const down = new UpstreamFailed("zed", "down");
  const run = async (outcomes: readonly (Error | null)[], signal = new AbortController().signal) => {
    const done: number[] = [];
    const failed: number[] = [];
    const work = async (i: number) => {
      const error = outcomes[i];
      if (error) throw error;
      done.push(i);
    };
    const how = { failuresMax: 2, signal, failed: (i: number) => void failed.push(i) };
    const thrown = await forEachSequential([...outcomes.keys()], work, how).catch((error: unknown) => error);
    return { done, failed, thrown };
  };

  test("skips single failures and throws the last of several in a row", async () => {
    expect(await run([null, down, null, down, null])).toEqual({
      done: [0, 2, 4],
      failed: [1, 3],
      thrown: undefined,
    });
    expect(await run([null, down, down, null])).toEqual({ done: [0], failed: [1, 2], thrown: down });
  });

  test("throws when no item has succeeded, however few there are", async () => {
    const missing = new NotFound("unknown_ticker", "none");
    expect(await run([down, missing])).toEqual({ done: [], failed: [0, 1], thrown: down });
    expect((await run([missing])).thrown).toBeUndefined();
    expect((await run([])).thrown).toBeUndefined();
  });

  test("NotFound does not count as a failure; an unexpected error is thrown at once", async () => {
    const missing = new NotFound("unknown_ticker", "none");
    expect((await run([missing, missing, missing, null])).done).toEqual([3]);
    const bug = new TypeError("bug");
    expect(await run([bug, null])).toEqual({ done: [], failed: [], thrown: bug });
  });

  test("stops on abort", async () => {
    expect((await run([null], AbortSignal.abort(down))).thrown).toBe(down);
  });
});
