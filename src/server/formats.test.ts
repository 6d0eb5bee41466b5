import { describe, expect, test } from "bun:test";
import type { Table } from "../platform/answer.ts";
import { compress, encodingOf } from "./compress.ts";
import { formatOf, type ParquetWriter, streamResponse, tableResponse } from "./formats.ts";

const table: Table = {
  name: "x y/z",
  columns: [
    { name: "symbol", type: "VARCHAR" },
    { name: "close", type: "DOUBLE" },
  ],
  *rows() {
    yield ["=cmd()", -1.5];
    yield ['a"b,c', null];
    yield ["-x", 0];
  },
};

const noParquet: ParquetWriter = { copyRows: () => Promise.reject(new Error("not asked")) };

describe("formats", () => {
  test.each([
    ["csv", null, "csv"],
    [undefined, null, "json"],
    [undefined, "*/*", "json"],
    [undefined, "text/csv", "csv"],
    [undefined, "text/html, application/x-ndjson;q=0.5", "ndjson"],
    [undefined, "application/vnd.apache.parquet", "parquet"],
    ["json", "text/csv", "json"],
    ["records", "text/csv", "records"],
  ] as const)("format=%p with Accept %p is %p", (query, accept, format) => {
    expect(formatOf(query, accept)).toBe(format);
  });

  test("csv quotes text, keeps numbers and neutralizes formulas; null is empty, 0 is 0", async () => {
    const response = await tableResponse(table, "csv", noParquet);
    expect(await response.text()).toBe('symbol,close\r\n\'=cmd(),-1.5\r\n"a""b,c",\r\n\'-x,0\r\n');
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="x_y_z.csv"');
  });

  test("Parquet of up to 2,048 rows is made in memory, of more by the engine, which gets all of them", async () => {
    const asked: number[] = [];
    const writer: ParquetWriter = {
      async copyRows(_, rows) {
        asked.push(...Array.from(rows, ({ n }) => Number(n)));
        return { path: import.meta.path, bytes: 0, discard: async () => {} };
      },
    };
    const counted = (count: number): Table => ({
      name: "counted",
      columns: [{ name: "n", type: "BIGINT" }],
      *rows() {
        for (let n = 0; n < count; n++) yield [n];
      },
    });
    const small = await tableResponse(counted(2_048), "parquet", writer);
    expect(small.headers.get("content-type")).toBe("application/vnd.apache.parquet");
    expect(small.headers.get("content-disposition")).toBe('attachment; filename="counted.parquet"');
    const bytes = new TextDecoder("latin1").decode(await small.bytes());
    expect([bytes.slice(0, 4), bytes.slice(-4), asked]).toEqual(["PAR1", "PAR1", []]);
    await (await tableResponse(counted(2_049), "parquet", writer)).body?.cancel();
    expect(asked).toEqual(Array.from({ length: 2_049 }, (_, n) => n));
  });

  test("ndjson has one object per line", async () => {
    const response = await tableResponse(table, "ndjson", noParquet);
    const lines = (await response.text()).trimEnd().split("\n");
    expect(lines.map((l) => JSON.parse(l))).toEqual([
      { symbol: "=cmd()", close: -1.5 },
      { symbol: 'a"b,c', close: null },
      { symbol: "-x", close: 0 },
    ]);
  });
});

describe("records", () => {
  const sent = async (chunks: readonly string[]) => {
    const open = async () =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
          controller.close();
        },
      });
    return (await streamResponse({ name: "rows", open }, "records")).text();
  };

  test("a table is an array of flat objects, one a line", async () => {
    const response = await tableResponse(table, "records", noParquet);
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
    const none: Table = { ...table, *rows() {} };
    expect(await (await tableResponse(none, "records", noParquet)).text()).toBe("[]\n");
    expect(await sent([])).toBe("[]\n");
  });

  test("a stream is an array wherever its chunks end", async () => {
    const rows = [{ a: "one\ntwo" }, { a: "Zürich, 東京" }, { a: null }];
    const text = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
    for (let at = 0; at <= text.length; at++)
      expect(JSON.parse(await sent([text.slice(0, at), text.slice(at)]))).toEqual(rows);
    expect(JSON.parse(await sent([...text]))).toEqual(rows);
  });
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
