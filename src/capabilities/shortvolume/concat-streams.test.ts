// Pieces of a stream come one after the other, and none is left open when the reader goes.
import { expect, test } from "bun:test";
import { concatStreams } from "./concat-streams.ts";

/** A stream of numbers that tells when it was let go of. */
function piece(numbers: readonly number[], gone: number[]) {
  const left = [...numbers];
  return new ReadableStream<number>({
    pull(controller) {
      const next = left.shift();
      if (next === undefined) controller.close();
      else controller.enqueue(next);
    },
    cancel: () => void gone.push(numbers[0] ?? 0),
  });
}

test("one after the other, the last one to its end", async () => {
  const opened: number[] = [];
  const stream = concatStreams(piece([1, 2], []), [3, 5], async (n) => {
    opened.push(n);
    return piece([n, n + 1], []);
  });
  expect(await Array.fromAsync(stream)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(opened).toEqual([3, 5]);
});

test("who goes while the next piece is made leaves none behind", async () => {
  const gone: number[] = [];
  const making = Promise.withResolvers<void>();
  const made = Promise.withResolvers<void>();
  const stream = concatStreams(piece([1], gone), [3, 9], async (n) => {
    making.resolve();
    await made.promise;
    return piece([n, 4, 5, 6, 7], gone);
  });
  const reader = stream.getReader();
  expect(await reader.read()).toEqual({ done: false, value: 1 });
  await making.promise;
  await reader.cancel();
  made.resolve();
  await Bun.sleep(5);
  expect(gone).toEqual([3]);
});
