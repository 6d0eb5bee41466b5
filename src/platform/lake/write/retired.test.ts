// Replaced files stay for the retention time, whenever the process dies, and the manifest does not name them.

import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lakeYard, price, prices } from "../../../../test/faults/lake-support.ts";
import { fakeClock } from "../../../../test/support/fake-clock.ts";
import { type Disk, realDisk } from "../disk.ts";
import { batchOf, type Lake } from "../lake.ts";
import { type Manifest, readManifest } from "../manifest.ts";

const yard = lakeYard();
afterEach(yard.clear);

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = "2026-02-01T00:00:00Z";

const manifestOf = async (dir: string): Promise<Manifest> => readManifest(join(dir, "lake", "manifest.json"));
const livePaths = async (dir: string) => (await manifestOf(dir)).files.map(({ path }) => path).sort();
const areThere = (dir: string, paths: readonly string[]) =>
  paths.map((path) => existsSync(join(dir, "lake", path)));
const listed = (lake: Lake) =>
  lake
    .retired()
    .map(({ path }) => path)
    .sort();

async function appendThree(lake: Lake): Promise<void> {
  for (const symbol of ["A", "B", "C"]) await lake.append([batchOf(prices, [price(symbol, "2026-01-05")])]);
}

/** A disk whose `operation` fails, as if the process had died there, for paths that match. */
function failingAt(operation: "rename" | "remove", matches: RegExp): Disk & { isFailing: boolean } {
  const disk = {
    ...realDisk,
    isFailing: false,
    async [operation](path: string, to: string) {
      if (disk.isFailing && matches.test(to ?? path)) throw new Error("the process died here");
      await realDisk[operation](path, to);
    },
  };
  return disk;
}

test("replaced files are listed outside the manifest with time and size, and outlive restarts", async () => {
  const dir = await yard.folder();
  const clock = fakeClock(START);
  const lake = await yard.open({ dir, clock, retentionMs: DAY_MS });
  await appendThree(lake);
  const { files } = await manifestOf(dir);
  const deltas = files.map(({ path }) => path).sort();
  await lake.compact({ force: true });
  const { generation, retired } = await manifestOf(dir);
  expect(retired).toEqual([]);
  expect(listed(lake)).toEqual(deltas);
  for (const { path, bytes } of files)
    expect(lake.retired().find((file) => file.path === path)).toEqual({
      path,
      retired_at: START,
      generation,
      bytes,
    });
  await lake.close();
  clock.advance(DAY_MS - 1);
  const again = await yard.open({ dir, clock, retentionMs: DAY_MS });
  expect(areThere(dir, deltas)).toEqual([true, true, true]);
  expect((await again.check()).findings).toEqual([]);
  clock.advance(1);
  await again.compact();
  expect(areThere(dir, deltas)).toEqual([false, false, false]);
  expect(again.retired()).toEqual([]);
  // Deleting replaced files is no change of what is served.
  expect((await manifestOf(dir)).generation).toBe(generation);
});

test("dying between the list and the manifest leaves the files live, and they are never deleted", async () => {
  const dir = await yard.folder();
  const clock = fakeClock(START);
  const disk = failingAt("rename", /manifest\.json$/);
  const lake = await yard.open({ dir, clock, disk, retentionMs: HOUR_MS });
  await appendThree(lake);
  const live = await livePaths(dir);
  disk.isFailing = true;
  await expect(lake.compact({ force: true })).rejects.toThrow("the process died here");
  disk.isFailing = false;
  await lake.close();
  const again = await yard.open({ dir, clock, retentionMs: HOUR_MS });
  expect(again.retired()).toEqual([]);
  clock.advance(2 * HOUR_MS);
  await again.compact();
  expect(await livePaths(dir)).toEqual(live);
  expect(areThere(dir, live)).toEqual([true, true, true]);
  // Replaced in earnest, they stay for the whole time from then.
  await again.compact({ force: true });
  clock.advance(HOUR_MS - 1);
  await again.compact();
  expect(areThere(dir, live)).toEqual([true, true, true]);
  clock.advance(1);
  await again.compact();
  expect(areThere(dir, live)).toEqual([false, false, false]);
});

test("dying between the deletion of files and their entries is completed by the next sweep", async () => {
  const dir = await yard.folder();
  const clock = fakeClock(START);
  const disk = failingAt("remove", /delta-.*\.parquet$/);
  const lake = await yard.open({ dir, clock, disk, retentionMs: HOUR_MS });
  await appendThree(lake);
  const deltas = await livePaths(dir);
  await lake.compact({ force: true });
  clock.advance(HOUR_MS);
  await realDisk.remove(join(dir, "lake", deltas[0] ?? ""));
  disk.isFailing = true;
  await expect(lake.compact()).rejects.toThrow("the process died here");
  disk.isFailing = false;
  expect(listed(lake)).toEqual(deltas);
  await lake.close();
  const again = await yard.open({ dir, clock, retentionMs: HOUR_MS });
  expect(areThere(dir, deltas)).toEqual([false, false, false]);
  expect(again.retired()).toEqual([]);
  expect(await again.query("SELECT count(*) AS n FROM prices")).toEqual([{ n: 3 }]);
});

test("files that the manifest of an earlier release names as retired move to the list with their size", async () => {
  const dir = await yard.folder();
  const clock = fakeClock(START);
  const lake = await yard.open({ dir, clock });
  await appendThree(lake);
  await lake.close();
  const path = "prices/year=2026/base-1.parquet";
  await writeFile(join(dir, "lake", path), "replaced by an earlier release");
  const manifest = { ...(await manifestOf(dir)), retired: [{ path, retired_at: START, generation: 1 }] };
  await writeFile(join(dir, "lake", "manifest.json"), JSON.stringify(manifest));
  const again = await yard.open({ dir, clock, retentionMs: HOUR_MS });
  expect(again.retired()).toEqual([{ path, retired_at: START, generation: 1, bytes: 30 }]);
  expect((await manifestOf(dir)).retired).toEqual([]);
  expect(areThere(dir, [path])).toEqual([true]);
  clock.advance(HOUR_MS);
  await again.compact();
  expect(areThere(dir, [path])).toEqual([false]);
});

test("an unknown file with the lake's own name that no list has goes at the start, as unpublished", async () => {
  const dir = await yard.folder();
  const clock = fakeClock(START);
  const lake = await yard.open({ dir, clock, retentionMs: DAY_MS });
  await appendThree(lake);
  await lake.compact({ force: true });
  const deltas = listed(lake);
  await lake.close();
  const [unknown, foreign] = ["prices/year=2026/base-99.parquet", "prices/year=2026/mine.parquet"];
  for (const path of [unknown, foreign]) await writeFile(join(dir, "lake", path), "unknown");
  await yard.open({ dir, clock, retentionMs: DAY_MS });
  expect(areThere(dir, [unknown, foreign, ...deltas])).toEqual([false, true, true, true, true]);
});

test("what a killed writer left half-done in the list is rolled back, and is no damage", async () => {
  const dir = await yard.folder();
  const clock = fakeClock(START);
  const lake = await yard.open({ dir, clock, retentionMs: DAY_MS });
  await appendThree(lake);
  await lake.compact({ force: true });
  const deltas = listed(lake);
  await lake.close();
  const list = join(dir, "lake", "retired.sqlite");
  // The files of a transaction that has begun to write, without the process that holds its locks.
  const [half, journal] = [join(dir, "half.sqlite"), join(dir, "half.sqlite-journal")];
  await copyFile(list, half);
  const writer = new Database(half);
  writer.run("PRAGMA cache_size = 1");
  writer.run("BEGIN");
  const insert = writer.prepare("INSERT INTO retired VALUES (?, ?, 1, 1)");
  for (let n = 0; n < 2_000; n++) insert.run(`half-done-${n}`, START);
  await copyFile(half, list);
  await copyFile(journal, `${list}-journal`);
  writer.close();
  const again = await yard.open({ dir, clock, retentionMs: DAY_MS });
  expect((await again.check()).findings).toEqual([]);
  expect(listed(again)).toEqual(deltas);
});

test("a damaged list is named by the check, and its repair deletes no replaced file early", async () => {
  const dir = await yard.folder();
  const clock = fakeClock(START);
  const lake = await yard.open({ dir, clock, retentionMs: HOUR_MS });
  await appendThree(lake);
  const deltas = await livePaths(dir);
  await lake.compact({ force: true });
  await lake.close();
  const list = join(dir, "lake", "retired.sqlite");
  await writeFile(list, "no database".repeat(1_000));

  const damaged = await yard.open({ dir, clock, retentionMs: HOUR_MS });
  const live = await livePaths(dir);
  await damaged.append([batchOf(prices, [price("D", "2026-01-05")])]);
  await expect(damaged.compact({ force: true })).rejects.toThrow("cannot be read or written");
  const { ok, findings } = await damaged.check();
  expect([ok, findings]).toEqual([
    false,
    [
      {
        severity: "error",
        dataset: "",
        path: "retired.sqlite",
        description:
          "the list of replaced files is damaged (file is not a database), so writes that replace files fail; stop the service and run doctor --repair",
      },
    ],
  ]);
  const repaired = await damaged.check({ repair: true });
  expect([repaired.ok, repaired.findings.map((finding) => finding.repaired)]).toEqual([
    true,
    ["moved to _quarantine/retired.sqlite; 3 replaced files are listed again, as of now"],
  ]);
  expect(await readFile(join(dir, "lake", "_quarantine", "retired.sqlite"), "utf8")).toStartWith(
    "no database",
  );
  expect(listed(damaged)).toEqual(deltas);
  expect((await damaged.check()).findings).toEqual([]);
  await damaged.compact({ force: true });
  await damaged.close();

  // From the repair they stay for the whole retention time, through a restart.
  const again = await yard.open({ dir, clock, retentionMs: HOUR_MS });
  clock.advance(HOUR_MS - 1);
  await again.compact();
  expect(areThere(dir, [...deltas, ...live])).toEqual([true, true, true, true]);
  clock.advance(1);
  await again.compact();
  expect(areThere(dir, deltas)).toEqual([false, false, false]);
});
