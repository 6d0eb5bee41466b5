// Replacing rows: removal and append happen in one commit, whatever file the old rows are in.

import { afterEach, expect, test } from "bun:test";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { lakeYard, type PriceRow, price, prices } from "../../../../test/faults/lake-support.ts";
import { realDisk } from "../disk.ts";
import { batchOf, type Lake } from "../lake.ts";
import { RowRefused } from "./rows.ts";

const yard = lakeYard();
afterEach(yard.clear);

const closes = (lake: Lake) =>
  lake
    .query<PriceRow>("SELECT * EXCLUDE (recorded) FROM prices ORDER BY symbol, date")
    .then((rows) => rows.map(({ symbol, date, close }) => `${symbol} ${date} ${close}`));
const of = (...symbols: string[]) => ({ by: ["symbol"], groups: symbols.map((symbol) => [symbol]) });

const STORED = [
  ...[price("A", "2025-03-03"), price("A", "2026-03-03"), price("B", "2026-03-03")],
  ...[price("C", "2024-03-01"), price("C", "2026-03-03")],
];

test("selected rows are removed from every file and new rows added in one commit; repeating it changes nothing", async () => {
  const dir = await yard.folder();
  const lake = await yard.open({ dir });
  await lake.append([batchOf(prices, STORED.slice(0, 3))]);
  await lake.compact({ force: true });
  await lake.append([batchOf(prices, STORED.slice(3))]);
  const other = await yard.open({ dir });
  const replace = () =>
    lake.append([batchOf(prices, [price("A", "2025-03-03", 2), price("C", "2026-03-04", 3)], of("A", "C"))]);
  expect(await replace()).toEqual([{ dataset: "prices", written: 2, skipped: 0 }]);
  const after = ["A 2025-03-03 2", "B 2026-03-03 1", "C 2026-03-04 3"];
  expect(await closes(lake)).toEqual(after);
  expect(await closes(other)).toEqual(after);
  await replace();
  expect(await closes(other)).toEqual(after);
  // A glob over the folder of the dataset never reads them.
  const globbed = await lake.query<{ n: number }>(
    "SELECT count(*) AS n FROM glob($pattern) WHERE contains(file, 'history')",
    { pattern: join(dir, "lake", "prices", "**", "*.parquet") },
  );
  expect(globbed).toEqual([{ n: 0 }]);
  // Removed rows may be written again like any new rows.
  await lake.append([batchOf(prices, STORED)]);
  expect(await closes(lake)).toEqual([
    ...["A 2025-03-03 2", "A 2026-03-03 1", "B 2026-03-03 1"],
    ...["C 2024-03-01 1", "C 2026-03-03 1", "C 2026-03-04 3"],
  ]);
  expect((await lake.check()).findings).toEqual([]);
});

test("rows can be removed without new rows", async () => {
  const lake = await yard.open();
  await lake.append([batchOf(prices, STORED)]);
  await lake.append([batchOf(prices, [], of("A", "B", "C", "D"))]);
  expect(await closes(lake)).toEqual([]);
  expect(lake.stats().find(({ dataset }) => dataset === "prices")?.rows).toBe(0);
});

test("calls that wait together keep their order", async () => {
  const lake = await yard.open();
  await Promise.all([
    lake.append([batchOf(prices, [price("A", "2026-03-03", 1)])]),
    lake.append([batchOf(prices, [price("A", "2026-03-03", 2)], of("A"))]),
    lake.append([batchOf(prices, [price("A", "2026-03-03", 3), price("B", "2026-03-03", 4)])]),
  ]);
  expect(await closes(lake)).toEqual(["A 2026-03-03 2", "B 2026-03-03 4"]);
});

test("a disk error leaves everything unchanged", async () => {
  const dir = await yard.folder();
  const calm = await yard.open({ dir });
  await calm.append([batchOf(prices, STORED)]);
  const before = await closes(calm);
  await calm.close();
  let renames = 0;
  const lake = await yard.open({
    dir,
    disk: {
      ...realDisk,
      rename: (from, to) => {
        renames += 1;
        return to.endsWith("manifest.json")
          ? Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" }))
          : realDisk.rename(from, to);
      },
    },
  });
  await expect(lake.append([batchOf(prices, [price("A", "2026-03-03", 2)], of("A"))])).rejects.toMatchObject({
    code: "database_unavailable",
  });
  expect(renames).toBeGreaterThan(0);
  expect(await closes(lake)).toEqual(before);
  const next = await yard.open({ dir });
  expect(await closes(next)).toEqual(before);
  expect((await next.check()).findings).toEqual([]);
});

test("a damaged file of a written partition is not served again", async () => {
  const dir = await yard.folder();
  const lake = await yard.open({ dir });
  await lake.append([batchOf(prices, [price("A", "2026-03-03", 1)])]);
  const [file] = JSON.parse(await Bun.file(join(dir, "lake", "manifest.json")).text()).files;
  await appendFile(join(dir, "lake", file.path), "x");
  const next = await yard.open({ dir });
  await next.append([batchOf(prices, [price("A", "2026-03-03", 2)], of("A"))]);
  expect(await closes(next)).toEqual(["A 2026-03-03 2"]);
});

test("a row outside the replaced groups is refused", async () => {
  const lake = await yard.open();
  await expect(lake.append([batchOf(prices, [price("B", "2026-03-03")], of("A"))])).rejects.toBeInstanceOf(
    RowRefused,
  );
  await expect(
    lake.append([batchOf(prices, [], { by: ["date"], groups: [["2026-03-03"]] })]),
  ).rejects.toThrow("prices cannot be replaced by date");
});
