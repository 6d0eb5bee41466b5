// Result files contain the rows of the query.

import { afterEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { lakeYard, price, prices } from "../../../../test/faults/lake-support.ts";
import { batchOf } from "../lake.ts";

const yard = lakeYard();
afterEach(yard.clear);

test("Parquet, CSV and NDJSON files contain the same rows", async () => {
  const lake = await yard.open();
  const rows = [
    price("=1+1", "2026-01-05", 1.5, { volume: 7, final: true, known_at: "2026-01-05T12:00:00.250Z" }),
    price('say "hi", é\nthere', "2026-01-06", 2),
  ];
  await lake.append([batchOf(prices, rows)]);
  const sql = "SELECT symbol, date, close, volume, known_at FROM prices WHERE close >= $least ORDER BY date";
  const copy = (format: "parquet" | "csv" | "ndjson") => lake.copyOut(sql, { least: 1 }, format);
  const [parquet, csv, ndjson] = [await copy("parquet"), await copy("csv"), await copy("ndjson")];
  expect(parquet.bytes).toBe((await stat(parquet.path)).size);
  expect(await lake.query("SELECT * FROM read_parquet($path)", { path: parquet.path })).toEqual(
    rows.map(({ symbol, date, close, volume, known_at }) => ({ symbol, date, close, volume, known_at })),
  );
  expect(await readFile(csv.path, "utf8")).toBe(
    `symbol,date,close,volume,known_at\r\n'=1+1,2026-01-05,1.5,7,2026-01-05T12:00:00.250Z\r\n"say ""hi"", é\nthere",2026-01-06,2.0,,2026-01-05T12:00:00Z\r\n`,
  );
  const lines = (await readFile(ndjson.path, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toEqual(
    rows.map(({ symbol, date, close, volume, known_at }) => ({ symbol, date, close, volume, known_at })),
  );
  for (const file of [parquet, csv, ndjson]) await file.discard();
  await expect(stat(csv.path)).rejects.toThrow("ENOENT");
  await expect(lake.copyOut("SELECT nothing FROM prices", {}, "csv")).rejects.toThrow("nothing");
});

test("a file that the data folder has no room for is written elsewhere, and goes with the answer", async () => {
  const lake = await yard.open();
  await lake.append([batchOf(prices, [price("A", "2026-01-05", 1)])]);
  const sql = "SELECT symbol, close FROM prices";
  const { path } = await lake.copyOut(sql, {}, "csv");
  // As on a full disk the engine can make no file there.
  await rm(dirname(path), { recursive: true });
  const copied = await lake.copyOut(sql, {}, "csv");
  expect(dirname(copied.path)).not.toBe(dirname(path));
  expect(await readFile(copied.path, "utf8")).toBe("symbol,close\r\nA,1.0\r\n");
  await copied.discard();
  expect(existsSync(copied.path)).toBe(false);
  await expect(lake.copyOut("SELECT nothing FROM prices", {}, "csv")).rejects.toThrow("nothing");
  await lake.close();
  expect(existsSync(dirname(copied.path))).toBe(false);
});

test("instants are written to the millisecond, those before 1970 and those without end included", async () => {
  const lake = await yard.open();
  const instants = {
    "1969-12-31 23:59:59.9995+00": "1969-12-31T23:59:59.999Z",
    "1969-12-31 23:59:59.5+00": "1969-12-31T23:59:59.500Z",
    "0001-01-01 00:00:00+00": "0001-01-01T00:00:00Z",
    "2026-01-01 00:00:00.0005+00": "2026-01-01T00:00:00Z",
    "2026-01-01 06:00:00.0015+05": "2026-01-01T01:00:00.001Z",
    "9999-12-31 23:59:59.999+00": "9999-12-31T23:59:59.999Z",
    infinity: "infinity",
  };
  const list = Object.keys(instants).map((text) => `'${text}'::TIMESTAMPTZ`);
  const csv = await lake.copyOut(`SELECT unnest([${list}, NULL]) AS at`, {}, "csv");
  expect((await readFile(csv.path, "utf8")).split("\r\n")).toEqual([
    "at",
    ...Object.values(instants),
    "",
    "",
  ]);
  await csv.discard();
});

test("rows that several threads write keep their order, and texts that look like formulas are marked", async () => {
  const lake = await yard.open();
  // Three row groups, and each first character that a spreadsheet would run.
  const count = 300_000;
  const sql = `SELECT n, ['=', '+', '-', '@', chr(9), chr(13), 'A', ''][n % 8 + 1] || 'x' AS text
    FROM (SELECT (i * 7919) % ${count} AS n FROM range(${count}) numbers(i)) ORDER BY n`;
  const expected = Array.from({ length: count }, (_, n) => n);
  const csv = await lake.copyOut(sql, {}, "csv");
  const text = await readFile(csv.path, "utf8");
  const numbers = [...text.matchAll(/^(\d+),/gm)].map(([, n]) => Number(n));
  expect(numbers).toEqual(expected);
  expect(text.slice(0, 80)).toStartWith(
    `n,text\r\n0,'=x\r\n1,'+x\r\n2,'-x\r\n3,'@x\r\n4,'\tx\r\n5,"'\rx"\r\n6,Ax\r\n7,x\r\n`,
  );
  const ndjson = await lake.copyOut(sql, {}, "ndjson");
  const lines = (await readFile(ndjson.path, "utf8")).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).n)).toEqual(expected);
  const parquet = await lake.copyOut(sql, {}, "parquet");
  const rows = await lake.columns("SELECT n FROM read_parquet($path)", { path: parquet.path });
  expect(rows.columns[0]?.map(Number)).toEqual(expected);
  for (const file of [csv, ndjson, parquet]) await file.discard();
});

test("a file whose request is aborted as it is finished is removed", async () => {
  const dir = await yard.folder();
  const lake = await yard.open({ dir });
  const files = () => [...new Bun.Glob("**/answer-*").scanSync(join(dir, "_staging"))];
  const { signal } = new AbortController();
  let met = 0;
  signal.throwIfAborted = () => {
    if (files().length === 0) return;
    met++;
    throw new Error("gone");
  };
  await expect(lake.copyOut("SELECT 1 AS n", {}, "csv", { signal })).rejects.toThrow("gone");
  expect([met, files()]).toEqual([1, []]);
});
