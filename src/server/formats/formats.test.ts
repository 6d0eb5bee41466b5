import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { columnsOf, columnsOfPairs, tableOfRows } from "../../platform/cells.ts";
import { compress, encodingOf } from "../compress.ts";
import { takeStreamed } from "../streamed.ts";
import { formatOf, tableResponse } from "./index.ts";
import { numberText } from "./text.ts";

const COLUMNS = columnsOfPairs([
  ["symbol", "VARCHAR"],
  ["close", "DOUBLE"],
]);
const table = tableOfRows("x y/z", COLUMNS, function* () {
  yield ["=cmd()", -1.5];
  yield ['a"b,c', null];
  yield ["-x", 0];
});
const none = tableOfRows("none", COLUMNS, () => []);

describe("formats", () => {
  test.each([
    ["csv", null, "csv"],
    [undefined, null, "json"],
    [undefined, "*/*", "json"],
    [undefined, "text/csv", "csv"],
    [undefined, "text/html, application/x-ndjson;q=0.5", "ndjson"],
    [undefined, "application/vnd.apache.parquet", "parquet"],
    [undefined, "application/vnd.apache.arrow.stream", "arrow"],
    ["json", "text/csv", "json"],
    ["records", "text/csv", "records"],
  ] as const)("format=%p with Accept %p is %p", (query, accept, format) => {
    expect(formatOf(query, accept)).toBe(format);
  });

  test("csv quotes text, keeps numbers and neutralizes formulas; null is empty, 0 is 0", async () => {
    const response = await tableResponse(table, "csv");
    expect(await response.text()).toBe('symbol,close\r\n\'=cmd(),-1.5\r\n"a""b,c",\r\n\'-x,0\r\n');
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="x_y_z.csv"');
  });

  test("a short answer is sent as one, a long one as a stream of parts, of which no one is asked ahead", async () => {
    let made = 0;
    const counted = (count: number) =>
      tableOfRows("counted", columnsOf("DOUBLE", "n"), function* () {
        for (; made < count; made++) yield [Math.sin(made)];
      });
    for (const format of ["parquet", "arrow", "csv", "ndjson", "records"] as const) {
      made = 0;
      expect(takeStreamed((await tableResponse(counted(2_049), format)).headers)).toBe(false);
      made = 0;
      const long = await tableResponse(counted(1_000_000), format);
      expect([format, takeStreamed(long.headers)]).toEqual([format, true]);
      // A megabyte, and the batches that fill it up.
      expect([format, made < 1_000_000]).toEqual([format, true]);
      await long.body?.cancel();
    }
  });

  test("an error before the first part is an error, a later one ends the answer with it", async () => {
    const failing = (after: number) =>
      tableOfRows("failing", columnsOf("BIGINT", "n"), function* () {
        for (let n = 0; n < after; n++) yield [n];
        throw new Error("the disk does not answer");
      });
    await expect(tableResponse(failing(10), "ndjson")).rejects.toThrow("the disk");
    const begun = await tableResponse(failing(400_000), "ndjson");
    await expect(begun.text()).rejects.toThrow("the disk");
  });

  test("ndjson has one object per line", async () => {
    const response = await tableResponse(table, "ndjson");
    const lines = (await response.text()).trimEnd().split("\n");
    expect(lines.map((l) => JSON.parse(l))).toEqual([
      { symbol: "=cmd()", close: -1.5 },
      { symbol: 'a"b,c', close: null },
      { symbol: "-x", close: 0 },
    ]);
  });
});

describe("records", () => {
  test("a table is an array of flat objects, one a line", async () => {
    const response = await tableResponse(table, "records");
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("content-disposition")).toBeNull();
    const text = await response.text();
    expect(JSON.parse(text)).toEqual([
      { symbol: "=cmd()", close: -1.5 },
      { symbol: 'a"b,c', close: null },
      { symbol: "-x", close: 0 },
    ]);
    expect(text.split("\n")).toHaveLength(4);
  });

  test("a table without rows is an empty array", async () => {
    expect(await (await tableResponse(none, "records")).text()).toBe("[]\n");
    expect(await (await tableResponse(none, "csv")).text()).toBe("symbol,close\r\n");
    expect(await (await tableResponse(none, "ndjson")).text()).toBe("");
  });
});

test("the text of a number is JSON's, of cents and of any other", () => {
  const cents = fc.integer({ min: -2_000_000_000, max: 2_000_000_000 }).map((each) => each / 100);
  fc.assert(
    fc.property(fc.oneof(cents, fc.double({ noNaN: true, noDefaultInfinity: true })), (value) => {
      expect(numberText(value)).toBe(JSON.stringify(value));
    }),
    { numRuns: 2_000 },
  );
});

test("a number has JSON's own text in every format; one without bounds is null", async () => {
  const given = [410, -0, 0.1, 1e-7, 1e21, 123456789.125, Number.NaN, Number.POSITIVE_INFINITY];
  const texts = ["410", "0", "0.1", "1e-7", "1e+21", "123456789.125", "null", "null"];
  const numbers = tableOfRows("n", columnsOf("DOUBLE", "n"), () => given.map((n) => [n]));
  const text = async (format: "csv" | "ndjson" | "records") => (await tableResponse(numbers, format)).text();
  expect(await text("ndjson")).toBe(texts.map((n) => `{"n":${n}}\n`).join(""));
  expect(await text("records")).toBe(`[${texts.map((n) => `{"n":${n}}`).join(",\n")}]\n`);
  expect(await text("csv")).toBe(["n", ...texts].map((n) => `${n === "null" ? "" : n}\r\n`).join(""));
});

describe("compression", () => {
  test.each([
    [null, null],
    ["identity", null],
    ["gzip", "gzip"],
    ["gzip, zstd", "zstd"],
    ["zstd;q=0, gzip", "gzip"],
    ["*", "zstd"],
    ["gzip;q=0", null],
    ["br", null],
  ] as const)("Accept-Encoding %p → %p", (accept, encoding) => {
    expect(encodingOf(accept)).toBe(encoding);
  });

  const json = (text: string) => new Response(text, { headers: { "content-type": "application/json" } });

  test("a body above 1 KB is compressed without loss, a smaller one is not compressed", async () => {
    const text = JSON.stringify({ a: "x".repeat(5_000) });
    const packed = await compress(json(text), "gzip", false);
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(new TextDecoder().decode(Bun.gunzipSync(await packed.bytes()))).toBe(text);
    const zstd = await compress(json(text), "zstd", false);
    expect(zstd.headers.get("content-encoding")).toBe("zstd");
    expect(new TextDecoder().decode(Bun.zstdDecompressSync(await zstd.bytes()))).toBe(text);
    const small = await compress(json("{}"), "gzip", false);
    expect(small.headers.get("content-encoding")).toBeNull();
    expect(await small.text()).toBe("{}");
  });

  test("a large body is compressed off the event loop with the same result", async () => {
    const text = JSON.stringify(Array.from({ length: 20_000 }, (_, i) => i));
    const packed = await compress(json(text), "gzip", false);
    expect(new TextDecoder().decode(Bun.gunzipSync(await packed.bytes()))).toBe(text);
  });

  test("a streamed body is compressed while it is sent; parquet is not compressed", async () => {
    const streamed = await compress(json("x".repeat(3_000)), "zstd", true);
    expect(streamed.headers.get("content-encoding")).toBe("gzip");
    expect(new TextDecoder().decode(Bun.gunzipSync(await streamed.bytes()))).toBe("x".repeat(3_000));
    const parquet = new Response("x".repeat(3_000), {
      headers: { "content-type": "application/vnd.apache.parquet" },
    });
    expect((await compress(parquet, "gzip", true)).headers.get("content-encoding")).toBeNull();
  });
});
