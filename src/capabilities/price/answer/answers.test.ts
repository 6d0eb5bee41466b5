// The many-symbol answer: rows are read only for an answer that may be sent.
import { expect, test } from "bun:test";
import { JSON_BARS_MAX } from "../../../limits.ts";
import { ListsBody } from "../../../platform/answer.ts";
import type { InvalidRequest } from "../../../platform/errors.ts";
import { type PriceParts, priceAnswers } from "./answers.ts";

/** Answers over a store with the given number of bars, and what was read of it. */
function answersOver(stored: number, count: number, asked: object = {}) {
  const read: string[] = [];
  const daily = {
    checkSpan() {},
    countAbove: async () => stored,
    async many() {
      read.push("rows");
      return { count, table: { name: "bars_1d" }, json: { opening: "{", closing: "}" } };
    },
  };
  const answers = priceAnswers({ daily } as unknown as PriceParts);
  const query = { tickers: "A,B", start_date: "2026-01-02", end_date: "2026-01-05", ...asked };
  return { read, answer: () => answers.bars(query, new AbortController().signal) };
}

/** The JSON of an answer, which is read when it is sent. */
async function jsonOf({ answer }: ReturnType<typeof answersOver>) {
  const body = await answer().body();
  if (!(body instanceof ListsBody)) throw new Error("the bars are written as they are read");
  return body.read();
}

test("JSON above the limit that is made bar by bar is refused before rows are read", async () => {
  const over = answersOver(JSON_BARS_MAX + 1, 0, { adjustment: "all" });
  const refusal = await jsonOf(over).catch((error: InvalidRequest) => error);
  expect(refusal).toMatchObject({ code: "bad_request", facts: { hint: expect.stringContaining("parquet") } });
  expect(over.read).toEqual([]);
});

test("JSON of plain daily bars has no limit, and is read when it is sent", async () => {
  const over = answersOver(JSON_BARS_MAX + 1, JSON_BARS_MAX + 1);
  const body = await over.answer().body();
  expect([body instanceof ListsBody, over.read]).toEqual([true, []]);
  expect(await jsonOf(over)).toMatchObject({ opening: "{" });
  expect(over.read).toEqual(["rows"]);
});

test("row formats have no limit, and are read when they are requested", async () => {
  const { read, answer } = answersOver(JSON_BARS_MAX + 1, 0, { adjustment: "all" });
  const { table } = answer().facts;
  expect(read).toEqual([]);
  expect(typeof table === "function" && (await table()).name).toBe("bars_1d");
  expect(read).toEqual(["rows"]);
});

test("bars that were fetched only for this answer count too", async () => {
  const made = { adjustment: "raw" };
  await expect(jsonOf(answersOver(0, JSON_BARS_MAX + 1, made))).rejects.toMatchObject({
    code: "bad_request",
  });
  expect(await jsonOf(answersOver(0, JSON_BARS_MAX, made))).toMatchObject({ closing: "}" });
});
