// The signal of a request is made when it is wanted, and tells of what happened before that as well.
import { expect, test } from "bun:test";
import { openRequestContext } from "./request-context.ts";

const START = { requestId: "r", peer: "127.0.0.1", path: "/" };

test("a deadline that passes before anybody wants the signal aborts it all the same", () => {
  const facts = openRequestContext(new Request("http://localhost/"), START);
  facts.abort("late");
  expect([facts.signal.aborted, facts.signal.reason]).toEqual([true, "late"]);
});

test("a client that goes aborts the signal, whether it was wanted before or after", () => {
  for (const wantedBefore of [true, false]) {
    const client = new AbortController();
    const facts = openRequestContext(new Request("http://localhost/", { signal: client.signal }), START);
    if (wantedBefore) expect(facts.signal.aborted).toBe(false);
    client.abort("gone");
    expect([facts.signal.aborted, facts.signal.reason]).toEqual([true, "gone"]);
  }
});

test("once the request has ended its client is no longer listened to", () => {
  const client = new AbortController();
  const facts = openRequestContext(new Request("http://localhost/", { signal: client.signal }), START);
  const { signal } = facts;
  facts.end();
  client.abort("gone");
  expect(signal.aborted).toBe(false);
});
