import { expect, test } from "bun:test";
import type { Fetched } from "../fetched.ts";
import { batchedSave } from "./batched-save.ts";

const fetched = (symbol: string) => ({ symbol }) as Fetched;

function store() {
  const writes: string[][] = [];
  return {
    writes,
    save: (batch: readonly Fetched[]) => {
      writes.push(batch.map((f) => f.symbol));
      return Promise.resolve(batch);
    },
  };
}

test("a lone fetch is stored at once", async () => {
  const s = store();
  const save = batchedSave(s);
  expect(await save.after(() => Promise.resolve(fetched("A")))).toEqual(fetched("A"));
  expect(s.writes).toEqual([["A"]]);
});

test("fetches that run together are stored together, at most 25 at once; a failed one delays none", async () => {
  const s = store();
  const save = batchedSave(s);
  const symbols = Array.from({ length: 60 }, (_, i) => `S${i}`);
  const failing = save.after(() => Promise.reject(new Error("no"))).catch((error: Error) => error.message);
  await Promise.all(symbols.map((symbol) => save.after(() => Promise.resolve(fetched(symbol)))));
  expect(await failing).toBe("no");
  expect(s.writes.flat().sort()).toEqual([...symbols].sort());
  expect(Math.max(...s.writes.map((w) => w.length))).toBeLessThanOrEqual(25);
  expect(s.writes.length).toBeLessThanOrEqual(4);
});

test("a failed write fails each fetch of its batch", async () => {
  const save = batchedSave({ save: () => Promise.reject(new Error("disk full")) });
  const outcomes = await Promise.allSettled(
    ["A", "B"].map((symbol) => save.after(() => Promise.resolve(fetched(symbol)))),
  );
  expect(outcomes.map((o) => o.status)).toEqual(["rejected", "rejected"]);
});
