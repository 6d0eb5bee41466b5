// A body is made once per cached value and variant, and never used for another.
import { expect, test } from "bun:test";
import { Answer, type AnswerFacts, ListsBody } from "../platform/answer.ts";
import { type RenderDeps, render } from "./render.ts";
import { takeStreamed } from "./streamed.ts";

const deps: RenderDeps = { nowMs: () => 0 };

/** Renders as the server does, counting how often the body is made. */
function rendering() {
  let made = 0;
  const text = async (content: unknown, facts: AnswerFacts, headers: Record<string, string> = {}) => {
    const body = () => {
      made += 1;
      return content;
    };
    const response = await render(
      new Answer(body, facts),
      {
        request: new Request("http://localhost/", { headers }),
        params: {},
        format: undefined,
        tabular: false,
        rows: null,
      },
      deps,
    );
    if (!response) throw new Error("nothing was rendered");
    return { status: response.status, etag: response.headers.get("etag"), text: await response.text() };
  };
  return { text, made: () => made };
}

test("the same value and variant is serialized once; another variant or value again", async () => {
  const { text, made } = rendering();
  const [one, other] = [{ price: 1 }, { price: 1 }];
  const ask = async (value: object, variant: string, content: unknown) =>
    (await text(content, { derivedFrom: { value, variant } })).text;
  expect(await ask(one, "a", { t: "a" })).toBe('{"t":"a"}');
  expect(await ask(one, "a", { t: "not made" })).toBe('{"t":"a"}');
  expect(made()).toBe(1);
  expect(await ask(one, "b", { t: "b" })).toBe('{"t":"b"}');
  expect(await ask(one, "a", { t: "a again" })).toBe('{"t":"a again"}');
  expect(await ask(other, "a", { t: "other" })).toBe('{"t":"other"}');
  expect(made()).toBe(4);
});

test("an answer that is not derived from a cached value is serialized each time", async () => {
  const { text, made } = rendering();
  expect((await text({ n: 1 }, {})).text).toBe('{"n":1}');
  expect((await text(Promise.resolve({ n: 2 }), {})).text).toBe('{"n":2}');
  expect(made()).toBe(2);
});

test("a reused body has the same ETag, and is not sent to a client that has it", async () => {
  const { text, made } = rendering();
  const facts = { etag: true, derivedFrom: { value: {}, variant: "" } };
  const first = await text([1, 2], facts);
  expect([first.status, first.text]).toEqual([200, "[1,2]"]);
  const again = await text([], facts, { "if-none-match": `W/${first.etag}` });
  expect([again.status, again.text, again.etag]).toEqual([304, "", first.etag]);
  expect((await text([], facts, { "if-none-match": '"x"' })).text).toBe("[1,2]");
  expect(made()).toBe(1);
});

test("another body of the same length has another ETag, and is sent", async () => {
  const { text } = rendering();
  const first = await text([1, 2], { etag: true });
  const other = await text([1, 3], { etag: true }, { "if-none-match": String(first.etag) });
  expect([other.status, other.text, other.etag === first.etag]).toEqual([200, "[1,3]", false]);
});

test("a body of lists is one text: a short one at once, a long one as a stream", async () => {
  const rendered = async (lists: Readonly<Record<string, readonly object[]>>) => {
    const facts = {
      request: new Request("http://localhost/"),
      params: {},
      format: undefined,
      tabular: false,
      rows: null,
    };
    const body = new ListsBody(async () => ({
      opening: '{"count":1,"lists":{',
      closing: '},"end":true}',
      async *lists() {
        yield* Object.entries(lists);
      },
    }));
    const response = await render(new Answer(() => body), facts, deps);
    if (!response) throw new Error("nothing was rendered");
    const isStreamed = takeStreamed(response.headers);
    let chunks = 0;
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of response.body ?? []) {
      chunks += 1;
      text += decoder.decode(chunk, { stream: true });
    }
    return { isStreamed, chunks, value: JSON.parse(text), type: response.headers.get("content-type") };
  };
  const entry = [{ text: "é".repeat(30_000) }];
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`n${at}`, entry]));
  const long = await rendered(many);
  expect(long).toMatchObject({ isStreamed: true, type: "application/json" });
  expect(long.value).toEqual({ count: 1, lists: many, end: true });
  expect(long.chunks).toBeGreaterThan(9);
  expect(await rendered({ a: [{ b: 1 }], c: [] })).toMatchObject({
    isStreamed: false,
    value: { lists: { a: [{ b: 1 }], c: [] } },
  });
});
