// The many-symbol answer: rows are read only for an answer that may be sent.
import { expect, test } from "bun:test";
import { JSON_BARS_MAX } from "../../../limits.ts";
import { JsonParts, JsonStream } from "../../../platform/answer.ts";
import type { InvalidRequest } from "../../../platform/errors.ts";
import { type PriceParts, priceAnswers } from "./answers.ts";

/** Answers over a store with the given number of bars, and what was read of it. */
function answersOver(stored: number, count: number, asked: object = {}) {
  const read: string[] = [];
  const daily = {
    checkSpan() {},
    mayExceed: (_: unknown, __: unknown, most: number) => stored > most,
    countAbove: async () => stored,
    async many() {
      read.push("rows");
      return { count, json: new JsonParts([`{"count":${count}}`]) };
    },
    async manyRows() {
      read.push("series");
      return { interval: "1d", adjustment: "split", notes: {}, series: () => [] };
    },
    async plainRows() {
      read.push("rows");
      return {
        open: () => Promise.reject(new Error("not opened")),
        openJson: async () => new Blob(["{}"]).stream(),
      };
    },
  };
  const answers = priceAnswers({ daily } as unknown as PriceParts);
  const query = { tickers: "A,B", start_date: "2026-01-02", end_date: "2026-01-05", ...asked };
  return { read, answer: () => answers.bars(query, new AbortController().signal) };
}

test("JSON above the limit that is made as a whole is refused before rows are read", async () => {
  const { read, answer } = answersOver(JSON_BARS_MAX + 1, 0, { adjustment: "all" });
  const refusal = await Promise.resolve(answer().body()).catch((error: InvalidRequest) => error);
  expect(refusal).toMatchObject({ code: "bad_request", facts: { hint: expect.stringContaining("parquet") } });
  expect(read).toEqual([]);
});

test("JSON of plain daily bars that may be above the limit is written while it is read", async () => {
  const { read, answer } = answersOver(JSON_BARS_MAX + 1, 0);
  const body = await answer().body();
  expect(body).toBeInstanceOf(JsonStream);
  expect(read).toEqual([]);
  expect(body instanceof JsonStream && (await new Response(await body.open()).text())).toBe("{}");
  expect(read).toEqual(["rows"]);
});

test("row formats have no limit, and are read when they are requested", async () => {
  const { read, answer } = answersOver(JSON_BARS_MAX + 1, 0);
  const { table } = answer().facts;
  expect(read).toEqual([]);
  expect(typeof table === "function" && (await table("parquet")).name).toBe("bars_1d");
  expect(read).toEqual(["rows"]);
});

test("a small answer in a row format is made of its series; as text its numbers are the engine's", async () => {
  const { read, answer } = answersOver(500, 0);
  const { table } = answer().facts;
  if (typeof table !== "function") throw new Error("the table is made when it is asked for");
  const volumeOf = (made: Awaited<ReturnType<typeof table>>) =>
    "columns" in made ? [made.columns.find(({ name }) => name === "volume")?.type, made.decimals] : [];
  expect(volumeOf(await table("parquet"))).toEqual(["DOUBLE", undefined]);
  for (const format of ["csv", "ndjson", "records"] as const)
    expect(volumeOf(await table(format))).toEqual(["BIGINT", true]);
  expect(read).toEqual(["series", "series", "series", "series"]);
});

test("bars that were fetched only for this answer count too", async () => {
  const { answer } = answersOver(0, JSON_BARS_MAX + 1);
  await expect(Promise.resolve(answer().body())).rejects.toMatchObject({ code: "bad_request" });
  expect(await answersOver(0, JSON_BARS_MAX).answer().body()).toMatchObject({
    parts: [`{"count":${JSON_BARS_MAX}}`],
  });
});
