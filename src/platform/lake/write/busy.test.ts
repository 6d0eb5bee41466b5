// The lake under load: writes wait neither for queued readers nor for the catalogue being built.

import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { DATASETS, lakeYard, price, prices } from "../../../../test/faults/lake-support.ts";
import { systemClock } from "../../clock.ts";
import { publishCatalogue } from "../catalogue.ts";
import { batchOf } from "../lake.ts";
import { openParts } from "../parts.ts";
import { copyLedger, countChanges, ledgerEnd, readLedger } from "../versions/ledger.ts";
import { openWriter } from "./write.ts";

setDefaultTimeout(1_200_000);

const yard = lakeYard();
let closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.reverse()) await close();
  closing = [];
  await yard.clear();
});

async function openBare() {
  const dir = await realpath(await yard.folder());
  await mkdir(join(dir, "lake"));
  const options = { dir, datasets: DATASETS, macros: [], clock: systemClock, threads: 2 };
  const { parts } = await openParts(options, dir);
  closing.push(async () => {
    await parts.db.close();
    parts.lock.close();
    parts.publishing.close();
  });
  return { parts, writer: openWriter(parts) };
}

/** Holds the connection or lock that `take` lends until the test is over. */
function hold(take: (work: () => Promise<void>) => Promise<void>): Promise<void> {
  const over = Promise.withResolvers<void>();
  return new Promise((held) => {
    const done = take(async () => {
      held();
      await over.promise;
    });
    closing.push(async () => {
      over.resolve();
      await done;
    });
  });
}

const rows = (n: number) => [batchOf(prices, [price("A", `2026-01-0${n}`, n)])];
const WRITTEN = [{ dataset: "prices", written: 1, skipped: 0 }];

test("rows are written and visible while every reader connection is in use and more readers wait", async () => {
  const { parts, writer } = await openBare();
  for (let n = 0; n < 6; n++) await hold((work) => parts.db.use(work, { heavy: n < 2 }));
  let waiting = 3;
  for (let n = 0; n < 3; n++)
    void parts.db.use(async () => {
      waiting -= 1;
    });
  expect(await writer.append(rows(5))).toEqual(WRITTEN);
  expect(await writer.append(rows(6))).toEqual(WRITTEN);
  expect(parts.snapshots.last().files.map((file) => [file.dataset, file.rows])).toEqual([
    ["prices", 1],
    ["prices", 1],
  ]);
  expect(waiting).toBe(3);
});

test("rows are written while a catalogue is built, and a catalogue is built while rows are written", async () => {
  const { parts, writer } = await openBare();
  expect(await writer.append(rows(5))).toEqual(WRITTEN);
  await hold((work) => parts.publishing.hold(work));
  expect(await writer.append(rows(6))).toEqual(WRITTEN);
  await closing.pop()?.();
  await hold((work) => parts.lock.hold(work));
  await publishCatalogue(parts, []);
  expect(await Bun.file(join(parts.dataDir, "catalog.duckdb")).exists()).toBe(true);
});

test("a catalogue is built while every reader and writer connection is in use, and takes none from reads", async () => {
  const { parts, writer } = await openBare();
  await writer.append(rows(5));
  await parts.snapshots.current();
  for (let n = 0; n < 6; n++) await hold((work) => parts.db.use(work, { heavy: n < 2 }));
  for (let n = 0; n < 2; n++) await hold((work) => parts.db.useToWrite(work));
  await publishCatalogue(parts, []);
  expect(await Bun.file(join(parts.dataDir, "catalog.duckdb")).exists()).toBe(true);
});

test("a cheap read waits for no heavy one, however many of these are running and waiting", async () => {
  const { parts } = await openBare();
  for (let n = 0; n < 2; n++) await hold((work) => parts.db.use(work, { heavy: true }));
  let waiting = 3;
  for (let n = 0; n < 3; n++)
    void parts.db.use(
      async () => {
        waiting -= 1;
      },
      { heavy: true },
    );
  expect((await parts.db.read("SELECT 7 AS n")).columns).toEqual([[7]]);
  expect(waiting).toBe(3);
  await closing.pop()?.();
  await parts.db.read("SELECT 8 AS n", {}, { heavy: true });
  expect(waiting).toBe(0);
});

test("cheap reads do not wait for large ranges of the ledger, nor small ranges for heavy reads", async () => {
  const { parts, writer } = await openBare();
  await writer.append(rows(5));
  const many = Array.from({ length: 20_000 }, (_, n) => price(`S${n}`, "2026-01-06", n + 1));
  await writer.append([batchOf(prices, many)]);
  const snapshot = await parts.snapshots.current();
  const small = { from: 0, to: 1, datasets: [prices] };
  const large = { from: 1, to: 2, datasets: [prices] };
  const read = async (range: typeof small) => {
    const file = await copyLedger(parts, snapshot, range, { format: "csv", objects: "VARCHAR" });
    await file?.discard();
    const counts = await countChanges(parts, snapshot, range);
    const end = await ledgerEnd(parts, snapshot, { ...range, rows: 1 });
    const { changes } = await readLedger(parts, snapshot, range);
    return [file?.rows, counts.reduce((sum, { changes }) => sum + changes, 0), end.to, changes.length];
  };
  const endHeavy = [1, 2].map(() => Promise.withResolvers<void>());
  const heavy = endHeavy.map(({ promise }) => parts.db.use(() => promise, { heavy: true }));
  expect(await read(small)).toEqual([1, 1, 1, 1]);
  for (const { resolve } of endHeavy) resolve();
  await Promise.all(heavy);
  for (let n = 0; n < 4; n++) await hold((work) => parts.db.use(work));
  expect(await read(large)).toEqual([20_000, 20_000, 2, 20_000]);
});
