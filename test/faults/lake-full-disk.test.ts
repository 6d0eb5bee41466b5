// A disk that is full or lets itself only be read: the write fails by name, nothing half done stays, old rows
// are served.

import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StorageUnavailable } from "../../src/platform/errors.ts";
import { batchOf, type Lake } from "../../src/platform/lake/lake.ts";
import { drawnFor } from "../support/seed.ts";
import { canMount, events, failingDisk, lakeYard, type PriceRow, price, prices } from "./lake-support.ts";

setDefaultTimeout(1_200_000);

const yard = lakeYard();
afterEach(yard.clear);

const closes = async (lake: Lake) =>
  (await lake.query<{ close: number }>("SELECT close FROM prices ORDER BY symbol, date")).map(
    (row) => row.close,
  );

/**
 * Lets each act of the disk fail in turn while `work` runs, with a newly opened lake each time, until it
 * needs no more acts.
 */
async function failEachAct(work: (lake: Lake) => Promise<unknown>, wanted: number[]): Promise<number> {
  for (let act = 1; ; act++) {
    const dir = await yard.folder();
    const broken = failingDisk("ENOSPC");
    const lake = await yard.open({ dir, disk: broken.disk, publishDelayMs: 60_000 });
    for (const n of [1, 2, 3, 4]) await lake.append([batchOf(prices, [price(`A${n}`, "2026-01-05", n)])]);
    broken.failFrom(act, 1);
    const failure = await work(lake).then(
      () => undefined,
      (error: unknown) => error,
    );
    broken.failFrom(Number.POSITIVE_INFINITY, 0);
    if (failure === undefined) return act - 1;
    expect(failure).toBeInstanceOf(StorageUnavailable);
    expect((failure as StorageUnavailable).code).toBe("database_unavailable");
    expect((await closes(lake)).slice(0, 4)).toEqual([1, 2, 3, 4]);
    expect((await lake.check()).findings).toEqual([]);
    expect(
      (await readdir(join(dir, "_staging"), { recursive: true })).filter((name) => name.endsWith(".part")),
    ).toEqual([]);
    await work(lake);
    expect(await closes(lake)).toEqual(wanted);
    await lake.close();
    const again = await yard.open({ dir });
    expect(await closes(again)).toEqual(wanted);
    expect((await again.check()).findings).toEqual([]);
    await again.close();
  }
}

test("an append that fails at any act of the disk leaves the old rows, and succeeds when tried again", async () => {
  const rows: PriceRow[] = [price("B", "2025-12-31", 5), price("B", "2026-01-05", 6)];
  const event = { symbol: "B", date: "2026-01-05", amount: 1, known_at: "2026-01-05T12:00:00Z" };
  const acts = await failEachAct(
    (lake) => lake.append([batchOf(prices, rows), batchOf(events, [event])]),
    [1, 2, 3, 4, 5, 6],
  );
  expect(acts).toBeGreaterThan(10);
});

test("a merge that fails at any act of the disk leaves the old files, and succeeds when tried again", async () => {
  expect(await failEachAct((lake) => lake.compact(), [1, 2, 3, 4])).toBeGreaterThan(4);
});

test("a catalogue that cannot be published leaves the rows as they are", async () => {
  expect(await failEachAct((lake) => lake.publish(), [1, 2, 3, 4])).toBeGreaterThan(2);
});

test("calls made at once on a full disk all fail, and each can be tried again", async () => {
  const broken = failingDisk("ENOSPC");
  const lake = await yard.open({ disk: broken.disk, publishDelayMs: 60_000 });
  const append = (n: number) => lake.append([batchOf(prices, [price(`A${n}`, "2026-01-05", n)])]);
  broken.failFrom(1, 1_000);
  const outcomes = await Promise.allSettled([append(1), append(2), append(3)]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  broken.failFrom(Number.POSITIVE_INFINITY, 0);
  expect(await closes(lake)).toEqual([]);
  await Promise.all([append(1), append(2), append(3)]);
  expect(await closes(lake)).toEqual([1, 2, 3]);
});

test("a lake on a disk that refuses every write opens, serves, and refuses to write", async () => {
  const dir = await yard.folder();
  const lake = await yard.open({ dir });
  await lake.append([batchOf(prices, [price("A", "2026-01-05", 1)])]);
  await lake.close();
  const broken = failingDisk("EROFS");
  broken.failFrom(1, 1_000_000);
  const faults: string[] = [];
  const served = await yard.open({ dir, disk: broken.disk, onError: (what) => faults.push(what) });
  expect(await closes(served)).toEqual([1]);
  expect(faults).toEqual(["opening the lake for writing"]);
  await expect(served.append([batchOf(prices, [price("B", "2026-01-05", 2)])])).rejects.toBeInstanceOf(
    StorageUnavailable,
  );
  expect(await closes(served)).toEqual([1]);
});

/** Closes that do not compress. */
const drawn = drawnFor("closes");
const many = (symbol: string, count: number) =>
  Array.from({ length: count }, (_, n) =>
    price(symbol, new Date(Date.UTC(2026, 0, 1 + (n % 300))).toISOString().slice(0, 10), drawn() + 1, {
      rank: n,
      symbol: `${symbol}${Math.floor(n / 300)}`,
    }),
  );

const onRealDisk = test.skipIf(!canMount());
if (!canMount())
  test.skip("skipped: no disk can be mounted here; the simulated disk failures above take its place", () => {});

onRealDisk(
  "a real disk that runs full: the write is refused by name, the rest served, and room heals it",
  async () => {
    const dir = await yard.smallDisk();
    const lake = await yard.open({ dir, publishDelayMs: 60_000 });
    await lake.append([batchOf(prices, many("OLD", 300))]);
    const before = await closes(lake);
    await writeFile(join(dir, "room"), Buffer.alloc(500_000));
    let failure: unknown;
    for (let n = 0; n < 200 && failure === undefined; n++)
      failure = await lake.append([batchOf(prices, many(`N${n}-`, 3000))]).then(
        () => undefined,
        (error: unknown) => error,
      );
    expect(failure).toBeInstanceOf(StorageUnavailable);
    await writeFile(join(dir, "filler"), Buffer.alloc(2_000_000)).catch(() => undefined);
    await expect(lake.append([batchOf(prices, many("NEW", 300))])).rejects.toBeInstanceOf(StorageUnavailable);
    await expect(lake.compact({ force: true })).rejects.toBeInstanceOf(StorageUnavailable);
    expect(await lake.query("SELECT count(*) AS n FROM prices WHERE symbol = 'OLD0'")).toEqual([{ n: 300 }]);
    expect((await lake.check()).findings).toEqual([]);
    for (const name of ["filler", "room"]) await rm(join(dir, name));
    await lake.append([batchOf(prices, [price("SMALL", "2026-01-05", 1)])]);
    expect(
      (await lake.query("SELECT close FROM prices WHERE symbol = 'OLD0' ORDER BY date")).map(
        (row) => row.close,
      ),
    ).toEqual(before);
    await lake.close();
  },
);

onRealDisk("a real disk remounted read-only: served, and refused by name", async () => {
  const dir = await yard.smallDisk();
  const lake = await yard.open({ dir });
  await lake.append([batchOf(prices, [price("A", "2026-01-05", 1)])]);
  await lake.close();
  expect(Bun.spawnSync(["mount", "-o", "remount,ro", dir]).exitCode).toBe(0);
  const served = await yard.open({ dir });
  expect(await closes(served)).toEqual([1]);
  await expect(served.append([batchOf(prices, [price("B", "2026-01-05", 2)])])).rejects.toBeInstanceOf(
    StorageUnavailable,
  );
  await served.close();
});
