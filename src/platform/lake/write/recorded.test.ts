// The store's own clock: each row names the generation of the commit that wrote it, whatever file it moves
// to.

import { afterEach, expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { lakeYard, price, prices } from "../../../../test/faults/lake-support.ts";
import { dataset } from "../dataset.ts";
import { batchOf, type Lake } from "../lake.ts";
import { readManifest } from "../manifest.ts";

const yard = lakeYard();
afterEach(yard.clear);

const recorded = async (lake: Lake) =>
  (
    await lake.query<{ symbol: string; recorded: number }>(
      "SELECT symbol, recorded FROM prices ORDER BY symbol",
    )
  ).map((row) => `${row.symbol} ${row.recorded}`);

const manifestOf = async (dir: string) => readManifest(join(dir, "lake", "manifest.json"));

/** Makes the lake one of a release that had no column `recorded`. */
async function withoutRecorded(dir: string): Promise<void> {
  const manifest = await manifestOf(dir);
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  for (const file of manifest.files) {
    const path = join(dir, "lake", file.path);
    await connection.run(
      `CREATE OR REPLACE TABLE stored AS SELECT * EXCLUDE (recorded) FROM read_parquet('${path}', hive_partitioning = false)`,
    );
    await connection.run(`COPY stored TO '${path}' (FORMAT parquet, COMPRESSION zstd)`);
    const bytes = await readFile(path);
    file.bytes = bytes.length;
    file.sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    delete file.recorded;
  }
  connection.disconnectSync();
  instance.closeSync();
  for (const schemas of Object.values(manifest.schemas)) for (const schema of schemas) delete schema.recorded;
  await writeFile(join(dir, "lake", "manifest.json"), JSON.stringify(manifest));
}

test("a row keeps the generation of its commit through compaction and through the removal of its neighbours", async () => {
  const dir = await yard.folder();
  const lake = await yard.open({ dir });
  await lake.append([batchOf(prices, [price("A", "2026-03-03"), price("B", "2026-03-03")])]);
  await lake.append([batchOf(prices, [price("A", "2026-03-03", 7), price("C", "2026-03-03")])]);
  expect(await recorded(lake)).toEqual(["A 1", "B 1", "C 2"]);
  await lake.compact({ force: true });
  expect(await recorded(lake)).toEqual(["A 1", "B 1", "C 2"]);
  expect((await manifestOf(dir)).files.map((file) => file.recorded)).toEqual([[1, 2]]);
  const removed = { by: ["symbol"], groups: [["A"]] };
  await lake.append([batchOf(prices, [price("A", "2026-03-03", 8)], removed)]);
  // Generation 3 is the compaction.
  expect(await recorded(lake)).toEqual(["A 4", "B 1", "C 2"]);
  expect((await lake.check()).findings).toEqual([]);
});

test("rows of a release without generations are of generation 0, also once they are compacted", async () => {
  const dir = await yard.folder();
  const before = await yard.open({ dir });
  await before.append([batchOf(prices, [price("A", "2026-03-03")])]);
  await before.close();
  await withoutRecorded(dir);
  const lake = await yard.open({ dir });
  expect(await recorded(lake)).toEqual(["A 0"]);
  await lake.append([batchOf(prices, [price("B", "2026-03-03")])]);
  expect(await recorded(lake)).toEqual(["A 0", "B 2"]);
  await lake.compact({ force: true });
  expect(await recorded(lake)).toEqual(["A 0", "B 2"]);
  expect((await manifestOf(dir)).files.map((file) => file.recorded)).toEqual([[0, 2]]);
  expect((await lake.check()).findings).toEqual([]);
});

test("the check finds rows whose generation the manifest does not state", async () => {
  const dir = await yard.folder();
  const before = await yard.open({ dir });
  await before.append([batchOf(prices, [price("A", "2026-03-03")])]);
  await before.close();
  const manifest = await manifestOf(dir);
  for (const file of manifest.files) file.recorded = [2, 3];
  await writeFile(join(dir, "lake", "manifest.json"), JSON.stringify(manifest));
  const lake = await yard.open({ dir });
  expect((await lake.check()).findings).toMatchObject([
    { severity: "error", description: "recorded ranges from 1 to 1, outside of 2 to 3" },
  ]);
});

test("a dataset cannot declare the column that the lake adds", () => {
  const symbol = { type: "VARCHAR", description: "Symbol." } as const;
  const own = { type: "BIGINT", description: "Mine." } as const;
  expect(() =>
    dataset({
      name: "own",
      description: "A dataset with a column of that name.",
      columns: { symbol, recorded: own },
      key: ["symbol"],
      partition: { by: "none" },
      sort: ["symbol"],
      fill: "first",
    }),
  ).toThrow('declares "recorded", which the lake adds');
});
