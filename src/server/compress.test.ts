// A streamed answer is compressed without a change of its bytes; its failure and its reader's leaving reach
// both ends.
import { expect, setDefaultTimeout, test } from "bun:test";
import { compress } from "./compress.ts";

setDefaultTimeout(1_200_000);

const CSV = { headers: { "content-type": "text/csv" } };
const streamed = (body: ReadableStream<Uint8Array>) =>
  compress(new Response(body, CSV), "gzip", true) as Response;

/** Chunks of some sizes, then what `last` does. */
function source(sizes: readonly number[], last: (controller: ReadableStreamDefaultController) => void) {
  let at = 0;
  const seen = { cancelled: undefined as unknown };
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const size = sizes[at++];
      if (size === undefined) return last(controller);
      // Of a size-dependent text, so that an exchanged chunk shows.
      controller.enqueue(new Uint8Array(size).map((_, n) => 32 + ((n * at) % 90)));
    },
    cancel(reason) {
      seen.cancelled = reason;
    },
  });
  return { stream, seen };
}

const plainOf = (sizes: readonly number[]) => new Response(source(sizes, (to) => to.close()).stream).bytes();

test.each([
  ["no chunk", []],
  ["an empty chunk", [0]],
  ["one byte", [1]],
  ["chunks of different sizes", [1, 0, 5, 700_000, 3, 65_536]],
  ["many small chunks", Array.from({ length: 200 }, (_, n) => n * 50)],
])("the bytes of %s are those that were given", async (_, sizes) => {
  const response = streamed(source(sizes, (to) => to.close()).stream);
  expect(response.headers.get("content-encoding")).toBe("gzip");
  const bytes = Bun.gunzipSync(await response.bytes());
  expect(Buffer.from(bytes).equals(Buffer.from(await plainOf(sizes)))).toBe(true);
});

test("a stream that fails is never a whole answer", async () => {
  const { stream } = source([700_000, 700_000], (to) => to.error(new Error("the rest is missing")));
  await expect(streamed(stream).bytes()).rejects.toThrow("the rest is missing");
});

test("a reader that stops ends the stream behind it", async () => {
  const { stream, seen } = source(new Array(1_000).fill(500_000), (to) => to.close());
  const reader = streamed(stream).body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  await reader?.cancel("enough");
  expect(seen.cancelled).toBe("enough");
});

test("other work has its turn while a chunk is compressed", async () => {
  const chunk = new Uint8Array(20_000_000).map((_, n) => (n * n) % 251);
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(chunk);
      controller.close();
    },
  });
  let isOver = false;
  let turns = 0;
  const compressing = streamed(body)
    .bytes()
    .then((bytes) => {
      isOver = true;
      return bytes;
    });
  while (!isOver) {
    turns++;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(Bun.gunzipSync(await compressing).length).toBe(chunk.length);
  expect(turns).toBeGreaterThan(10);
});
