// Each deadline fires once, in order and never early; a cancelled one never fires.
import { expect, setDefaultTimeout, test } from "bun:test";
import { deadlines } from "./deadlines.ts";

setDefaultTimeout(1_200_000);

/**
 * Starts deadlines at one moment and gives what fell due, with the milliseconds it had, once the longest has.
 */
async function dueOf(lengthsMs: readonly number[], ended: readonly number[] = []) {
  const start = deadlines();
  const due: { name: number; afterMs: number }[] = [];
  const last = Promise.withResolvers<void>();
  for (const [name, ms] of lengthsMs.entries()) {
    const startedMs = performance.now();
    const end = start(ms / 1000, () => {
      due.push({ name, afterMs: performance.now() - startedMs });
      if (ms === Math.max(...lengthsMs)) last.resolve();
    });
    if (ended.includes(name)) end();
  }
  await last.promise;
  return due;
}

test("deadlines fire in the order of their ends, whatever their durations, and never early", async () => {
  const lengthsMs = [200, 20, 200, 20, 400];
  const due = await dueOf(lengthsMs);
  expect(due.map(({ name }) => name)).toEqual([1, 3, 0, 2, 4]);
  expect(due.filter(({ name, afterMs }) => afterMs < (lengthsMs[name] ?? 0))).toEqual([]);
});

test("a cancelled deadline never fires, the others do", async () => {
  const due = await dueOf([20, 20, 20, 200], [0, 2]);
  expect(due.map(({ name }) => name)).toEqual([1, 3]);
});

test("a duration can be used again after all its deadlines fired", async () => {
  const start = deadlines();
  const due: number[] = [];
  for (const round of [1, 2, 3])
    await new Promise<void>((resolve) =>
      start(0.01, () => {
        due.push(round);
        resolve();
      }),
    );
  expect(due).toEqual([1, 2, 3]);
});
