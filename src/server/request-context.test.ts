// The signal of a request is made on first use and reflects what happened before.
import { expect, test } from "bun:test";
import { openRequestContext } from "./request-context.ts";

const START = { requestId: "r", peer: "127.0.0.1", path: "/" };

test("a deadline that passed before the first use of the signal aborts it", () => {
  const context = openRequestContext(new Request("http://localhost/"), START);
  context.abort("late");
  expect([context.signal.aborted, context.signal.reason]).toEqual([true, "late"]);
});

test("a disconnecting client aborts the signal, whether it was used before or after", () => {
  for (const wantedBefore of [true, false]) {
    const client = new AbortController();
    const context = openRequestContext(new Request("http://localhost/", { signal: client.signal }), START);
    if (wantedBefore) expect(context.signal.aborted).toBe(false);
    client.abort("gone");
    expect([context.signal.aborted, context.signal.reason]).toEqual([true, "gone"]);
  }
});

test("the abort listener on the client is removed once the request has ended", () => {
  const client = new AbortController();
  const context = openRequestContext(new Request("http://localhost/", { signal: client.signal }), START);
  const { signal } = context;
  context.end();
  client.abort("gone");
  expect(signal.aborted).toBe(false);
});
