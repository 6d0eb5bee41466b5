// Concatenated streams are read in order, and none is left open when the reader cancels.
import { expect, test } from "bun:test";
import { concatStreams } from "./concat-streams.ts";

/** A stream of numbers that records its cancellation. */
function piece(numbers: readonly number[], cancelled: number[]) {
  const left = [...numbers];
  return new ReadableStream<number>({
    pull(controller) {
      const next = left.shift();
      if (next === undefined) controller.close();
      else controller.enqueue(next);
    },
    cancel: () => void cancelled.push(numbers[0] ?? 0),
  });
}

test("streams are opened and read one after the other", async () => {
  const opened: number[] = [];
  const stream = concatStreams(piece([1, 2], []), [3, 5], async (n) => {
    opened.push(n);
    return piece([n, n + 1], []);
  });
  expect(await Array.fromAsync(stream)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(opened).toEqual([3, 5]);
});

test("a stream that is being opened during cancel is cancelled too", async () => {
  const cancelled: number[] = [];
  const making = Promise.withResolvers<void>();
  const made = Promise.withResolvers<void>();
  const stream = concatStreams(piece([1], cancelled), [3, 9], async (n) => {
    making.resolve();
    await made.promise;
    return piece([n, 4, 5, 6, 7], cancelled);
  });
  const reader = stream.getReader();
  expect(await reader.read()).toEqual({ done: false, value: 1 });
  await making.promise;
  await reader.cancel();
  made.resolve();
  await Bun.sleep(5);
  expect(cancelled).toEqual([3]);
});
