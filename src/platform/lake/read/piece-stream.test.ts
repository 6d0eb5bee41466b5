// Pieces are sent as one file of their format, in order, and none is left behind when its reader stops.
import { afterEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lakeYard } from "../../../../test/faults/lake-support.ts";
import { streamOfPieces } from "./piece-stream.ts";

const yard = lakeYard();
afterEach(yard.clear);

const COUNTS: readonly number[] = [3, 0, 2_500, 1];
const ROWS = COUNTS.reduce((sum, count) => sum + count, 0);
/** Rows with text, null, and values that repeat, so that columns have dictionaries and none. */
const select = (from: number, count: number) =>
  `SELECT i::INTEGER AS i, CASE WHEN i % 7 > 0 THEN 'é' || i % 5 END AS name, i / 8 AS share, DATE '2026-01-01' + i::INTEGER AS day,
     i % 2 = 0 AS even FROM range(${from}, ${from + count}) rows(i) ORDER BY i`;

test("the pieces of lines are the file of all rows", async () => {
  const dir = await yard.folder();
  const lake = await yard.open({ dir });
  const starts = COUNTS.map((_, at) => COUNTS.slice(0, at).reduce((sum, count) => sum + count, 0));
  for (const format of ["csv", "ndjson"] as const) {
    const whole = await lake.copyOut(select(0, ROWS), {}, format);
    const write = async (at: number) =>
      COUNTS[at] === undefined
        ? undefined
        : lake.copyOut(select(starts[at] ?? 0, COUNTS[at]), {}, format, { rowsOnly: at > 0 });
    expect(await new Response(await streamOfPieces({ write })).text()).toBe(
      await Bun.file(whole.path).text(),
    );
    await whole.discard();
  }
  expect([...new Bun.Glob("**/answer-*").scanSync(join(dir, "_staging"))]).toEqual([]);
  expect(await streamOfPieces({ write: async () => undefined })).toBeNull();
});

/** Pieces of text whose files, writing and removal are seen. */
async function seenPieces(count: number, text: (at: number) => string) {
  const dir = await mkdtemp(join(tmpdir(), "pieces-"));
  const paths: string[] = [];
  const write = async (at: number) => {
    if (at === count) return undefined;
    const path = join(dir, `piece-${at}`);
    await Bun.write(path, text(at));
    paths.push(path);
    return { path, discard: () => rm(path, { force: true }) };
  };
  const left = () => paths.filter((path) => existsSync(path));
  return { pieces: { write }, paths, left, remove: () => rm(dir, { recursive: true }) };
}

test("a reader that stops leaves no file, whether it has begun or not", async () => {
  for (const reads of [0, 1]) {
    const { pieces, paths, left, remove } = await seenPieces(5, () => "x".repeat(5_000_000));
    const reader = ((await streamOfPieces(pieces)) as ReadableStream<Uint8Array>).getReader();
    for (let n = 0; n < reads; n++) expect((await reader.read()).done).toBe(false);
    await reader.cancel();
    expect(left()).toEqual([]);
    // For one that takes less than half of the first, the second is not written.
    expect(paths.length).toBe(1);
    await remove();
  }
});

test("a piece that fails after the first ends the stream with its error; before, nothing is sent", async () => {
  for (const failing of [0, 2]) {
    const { pieces, left, remove } = await seenPieces(4, (at) => {
      if (at === failing) throw new Error("the disk is full");
      return `line ${at}\n`;
    });
    const opened = streamOfPieces(pieces);
    if (failing === 0) await expect(opened).rejects.toThrow("the disk is full");
    else {
      const [seen, decoder] = [[] as string[], new TextDecoder()];
      const reading = (async () => {
        for await (const chunk of (await opened) ?? []) seen.push(decoder.decode(chunk));
      })();
      await expect(reading).rejects.toThrow("the disk is full");
      expect(seen.join("")).toBe("line 0\nline 1\n");
    }
    expect(left()).toEqual([]);
    await remove();
  }
});
