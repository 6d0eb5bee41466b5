// Pieces are sent as one file of their format, in order, and none is left behind when its reader stops.
import { afterEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lakeYard, price, prices } from "../../../../test/faults/lake-support.ts";
import type { CopyFormat, Lake } from "../lake.ts";
import { batchOf } from "../lake.ts";
import { streamOfPieces } from "./piece-stream.ts";

const yard = lakeYard();
afterEach(yard.clear);

const COUNTS: readonly number[] = [3, 0, 2_500, 1];
const ROWS = COUNTS.reduce((sum, count) => sum + count, 0);
/** Rows with text, null, and values that repeat, so that columns have dictionaries and none. */
const select = (from: number, count: number) =>
  `SELECT i::INTEGER AS i, CASE WHEN i % 7 > 0 THEN 'é' || i % 5 END AS name, i / 8 AS share, DATE '2026-01-01' + i::INTEGER AS day,
     i % 2 = 0 AS even FROM range(${from}, ${from + count}) rows(i) ORDER BY i`;

function piecesOf(lake: Lake, format: CopyFormat) {
  const starts = COUNTS.map((_, at) => COUNTS.slice(0, at).reduce((sum, count) => sum + count, 0));
  return {
    count: COUNTS.length,
    write: (at: number) =>
      lake.copyOut(select(starts[at] ?? 0, COUNTS[at] ?? 0), {}, format, { rowsOnly: at > 0 }),
  };
}

test("the pieces of each format are the file of all rows", async () => {
  const dir = await yard.folder();
  const lake = await yard.open({ dir });
  for (const format of ["csv", "ndjson"] as const) {
    const whole = await lake.copyOut(select(0, ROWS), {}, format);
    const joined = await new Response(await streamOfPieces(format, piecesOf(lake, format))).text();
    expect(joined).toBe(await Bun.file(whole.path).text());
    await whole.discard();
  }
  const path = join(dir, "joined.parquet");
  await Bun.write(
    path,
    await new Response(await streamOfPieces("parquet", piecesOf(lake, "parquet"))).bytes(),
  );
  const read = (where: string) => lake.query(`SELECT * FROM read_parquet($path) ${where}`, { path });
  const made = await lake.query(select(0, ROWS));
  expect(await read("")).toEqual(made);
  // The values that the file states of its row groups decide which of them are read.
  expect(await read("WHERE i = 2501")).toEqual(made.slice(2_501, 2_502));
  expect(await read("WHERE i > 2502 ORDER BY i")).toEqual(made.slice(2_503));
  const groups = await lake.query<{ id: number; rows: number }>(
    `SELECT DISTINCT row_group_id AS id, row_group_num_rows AS rows FROM parquet_metadata($path) ORDER BY id`,
    { path },
  );
  expect(groups.map(({ rows }) => rows)).toEqual([3, 2_500, 1]);
  expect([...new Bun.Glob("**/answer-*").scanSync(join(dir, "_staging"))]).toEqual([]);
});

test("files of other columns are not joined", async () => {
  const lake = await yard.open();
  const sql = ["SELECT 1 AS a", "SELECT 'b' AS a"];
  const write = (at: number) => lake.copyOut(sql[at] ?? "", {}, "parquet");
  const stream = await streamOfPieces("parquet", { count: 2, write });
  await expect(new Response(stream).bytes()).rejects.toThrow("cannot be joined");
});

/** Pieces of text whose files, writing and removal are seen. */
async function seenPieces(count: number, text: (at: number) => string) {
  const dir = await mkdtemp(join(tmpdir(), "pieces-"));
  const paths: string[] = [];
  const ended = { finished: 0 };
  const write = async (at: number) => {
    const path = join(dir, `piece-${at}`);
    await Bun.write(path, text(at));
    paths.push(path);
    return { path, discard: () => rm(path, { force: true }) };
  };
  const finish = async () => void ended.finished++;
  const left = () => paths.filter((path) => existsSync(path));
  return { pieces: { count, write, finish }, paths, left, ended, remove: () => rm(dir, { recursive: true }) };
}

test("a reader that stops leaves no file, whether it has begun or not", async () => {
  for (const reads of [0, 1]) {
    const { pieces, paths, left, ended, remove } = await seenPieces(5, () => "x".repeat(5_000_000));
    const reader = (await streamOfPieces("ndjson", pieces)).getReader();
    for (let n = 0; n < reads; n++) expect((await reader.read()).done).toBe(false);
    await reader.cancel();
    expect(left()).toEqual([]);
    // For one that takes less than half of the first, the second is not written.
    expect(paths.length).toBe(1);
    expect(ended.finished).toBe(1);
    await remove();
  }
});

test("a piece that fails after the first ends the stream with its error; before, nothing is sent", async () => {
  for (const failing of [0, 2]) {
    const { pieces, left, ended, remove } = await seenPieces(4, (at) => {
      if (at === failing) throw new Error("the disk is full");
      return `line ${at}\n`;
    });
    const opened = streamOfPieces("csv", pieces);
    if (failing === 0) await expect(opened).rejects.toThrow("the disk is full");
    else {
      const [seen, decoder] = [[] as string[], new TextDecoder()];
      const reading = (async () => {
        for await (const chunk of await opened) seen.push(decoder.decode(chunk));
      })();
      await expect(reading).rejects.toThrow("the disk is full");
      expect(seen.join("")).toBe("line 0\nline 1\n");
    }
    expect(left()).toEqual([]);
    expect(ended.finished).toBe(1);
    await remove();
  }
});

test("rows kept in memory stay as they were when they were read, and their table is dropped", async () => {
  const lake = await yard.open();
  await lake.append([batchOf(prices, [price("A", "2026-01-05", 1)])]);
  const staged = await lake.stage("SELECT symbol, close FROM prices WHERE close >= $least", { least: 0 });
  await lake.append([batchOf(prices, [price("B", "2026-01-05", 2)])]);
  expect(await lake.query(`SELECT * FROM ${staged.table}`)).toEqual([{ symbol: "A", close: 1 }]);
  await staged.drop();
  await expect(lake.query(`SELECT * FROM ${staged.table}`)).rejects.toThrow("does not exist");
  await expect(lake.stage("SELECT nothing FROM prices", {})).rejects.toThrow("nothing");
});
