import { expect, test } from "bun:test";
import type { BarHistory } from "../../market/bar-history.ts";
import { NotFound } from "../../platform/errors.ts";
import { batchedDaily } from "./batched-daily.ts";
import type { DailyRequest } from "./daily.ts";

const SPAN = { start: "2026-09-01", end: "2026-09-02" };
const answer = (symbol: string) => ({ symbol }) as unknown as BarHistory;

function source(reply: (symbol: string) => BarHistory | NotFound = answer) {
  const asked: DailyRequest[] = [];
  const one = batchedDaily(async (request) => {
    asked.push(request);
    return new Map(request.symbols.map((symbol) => [symbol, reply(symbol)]));
  });
  return { asked, one };
}

test("requests of one moment are combined, a hundred symbols at a time, each span separately", async () => {
  const { asked, one } = source();
  const symbols = Array.from({ length: 150 }, (_, i) => `S${i}`);
  const answers = await Promise.all([
    ...symbols.map((symbol) => one({ symbol, ...SPAN })),
    one({ symbol: "S0", ...SPAN, end: "2026-09-03" }),
    one({ symbol: "S0", ...SPAN, asof: "2026-01-02" }),
    one({ symbol: "S0", ...SPAN }),
  ]);
  expect(asked.map((request) => [request.symbols.length, request.end, request.asof])).toEqual([
    [100, "2026-09-02", undefined],
    [51, "2026-09-02", undefined],
    [1, "2026-09-03", undefined],
    [1, "2026-09-02", "2026-01-02"],
  ]);
  expect(answers[7]).toEqual(answer("S7"));
  await one({ symbol: "LATER", ...SPAN });
  expect(asked.length).toBe(5);
});

test("an error of one symbol concerns only that symbol; a failed request concerns all", async () => {
  const { one } = source((symbol) => (symbol === "BAD" ? new NotFound("no_data", "none") : answer(symbol)));
  const [good, bad] = await Promise.allSettled([
    one({ symbol: "GOOD", ...SPAN }),
    one({ symbol: "BAD", ...SPAN }),
  ]);
  expect([good?.status, bad?.status]).toEqual(["fulfilled", "rejected"]);
  const down = batchedDaily(() => Promise.reject(new Error("down")));
  const all = await Promise.allSettled([down({ symbol: "A", ...SPAN }), down({ symbol: "B", ...SPAN })]);
  expect(all.map((one) => one.status)).toEqual(["rejected", "rejected"]);
});

test("an aborted caller does not affect the others; when all have aborted, so does the request", async () => {
  const signals: AbortSignal[] = [];
  const one = batchedDaily(
    (request) =>
      new Promise((resolve, reject) => {
        if (request.signal) signals.push(request.signal);
        request.signal?.addEventListener("abort", () => reject(request.signal?.reason));
        setTimeout(() => resolve(new Map(request.symbols.map((symbol) => [symbol, answer(symbol)]))), 30);
      }),
  );
  const [first, second] = [new AbortController(), new AbortController()];
  const asked = [
    one({ symbol: "A", ...SPAN, signal: first.signal }),
    one({ symbol: "B", ...SPAN, signal: second.signal }),
  ];
  await Bun.sleep(10);
  first.abort(new Error("gone"));
  const ended = await Promise.allSettled(asked);
  expect(ended.map((each) => each.status)).toEqual(["rejected", "fulfilled"]);
  expect(signals[0]?.aborted).toBe(false);
  const both = [
    one({ symbol: "A", ...SPAN, signal: second.signal }),
    one({ symbol: "B", ...SPAN, signal: second.signal }),
  ];
  await Bun.sleep(10);
  second.abort(new Error("gone too"));
  await Promise.allSettled(both);
  expect(signals[1]?.aborted).toBe(true);
});
