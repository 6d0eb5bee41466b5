// Lost files that are put back: their rows are served again, each key once, and versions are as before.

import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lakeYard, price, prices, threeYears } from "../../../../test/faults/lake-support.ts";
import { Reading } from "../../reading.ts";
import { batchOf, type Lake } from "../lake.ts";

setDefaultTimeout(1_200_000);

const yard = lakeYard();
afterEach(yard.clear);

const closes = async (lake: Lake) =>
  (await lake.query<{ close: number }>("SELECT close FROM prices WHERE symbol = 'A' ORDER BY date")).map(
    (r) => r.close,
  );

/** Operation, symbol and close of each change of the prices. */
const ledgerOf = async (lake: Lake) => {
  const range = { from: 0, to: await lake.generation(), datasets: [prices] };
  return (await lake.ledger({ ...range, limit: 100 } as never)).map(({ op, after }) => [
    op,
    after?.symbol,
    after?.close,
  ]);
};

test("a file that is put back is served again, each key once, and its versions are as before", async () => {
  for (const isRepaired of [false, true]) {
    const { dir, fileOf } = await threeYears(yard);
    const path = await fileOf(2025);
    const bytes = await readFile(path);
    await rm(path);
    const lake = await yard.open({ dir });
    const version = await lake.generation();
    await lake.append([batchOf(prices, [price("A", "2025-03-04", 7)])]);
    const without = await lake.generation();
    if (isRepaired) await lake.check({ repair: true });
    expect(lake.problems()).toMatchObject([{ description: "is missing; its 2 rows are not served" }]);
    await expect(ledgerOf(lake)).rejects.toMatchObject({ code: "damaged" });
    await writeFile(path, bytes);
    // The next change, start or check looks for it.
    expect(await lake.losses()).toEqual([]);
    const of2025 = (at?: number) =>
      lake.query(
        "SELECT symbol, close FROM prices WHERE year(date) = 2025 ORDER BY symbol",
        {},
        { version: at },
      );
    const [before, after] = [7, 2025].map((close) => [
      { symbol: "A", close },
      { symbol: "B", close: 2025 },
    ]);
    expect([await of2025(), await of2025(version), await of2025(2)]).toEqual([before, after, after] as never);
    const isDamaged = async (at: number) => {
      const reading = new Reading();
      await reading.run(() => of2025(at));
      return reading.damage.size > 0;
    };
    expect([await isDamaged(version), await isDamaged(without)]).toEqual([false, true]);
    expect(await ledgerOf(lake)).toEqual([
      ["insert", "A", 2024],
      ["insert", "B", 2024],
      ["insert", "A", 2025],
      ["insert", "B", 2025],
      ["insert", "A", 2026],
      ["insert", "B", 2026],
      ["reread", "A", 7],
    ]);
    expect((await lake.check()).findings).toEqual([]);
    await lake.close();
    const again = await yard.open({ dir });
    expect([await closes(again), (await again.check()).findings]).toEqual([[2024, 7, 2026], []]);
    await again.close();
  }
});

test("of two lost files with one key that are put back, the key is served once", async () => {
  for (const isTogether of [true, false]) {
    const { dir, fileOf } = await threeYears(yard);
    const lake = await yard.open({ dir });
    const lost: [string, Buffer][] = [];
    for (const close of [7, 8]) {
      const path = await fileOf(2025);
      lost.push([path, await readFile(path)]);
      await rm(path);
      await lake.append([batchOf(prices, [price("A", "2025-03-04", close)])]);
    }
    await rm(await fileOf(2025));
    await lake.inspect();
    for (const [path, bytes] of lost) {
      await writeFile(path, bytes);
      if (!isTogether) await lake.losses();
    }
    await lake.append([batchOf(prices, [price("C", "2025-03-04", 9)])]);
    expect((await lake.losses()).length).toBe(1);
    // Alone, the older file comes back first, and its key is then the stored one.
    expect(await closes(lake)).toEqual([2024, isTogether ? 7 : 2025, 2026]);
    expect((await lake.check()).findings).toMatchObject([
      { description: "is missing; its 1 rows are not served" },
    ]);
    await lake.close();
  }
});

test("a lost file of replaced rows that is put back is history again", async () => {
  const { dir } = await threeYears(yard);
  const lake = await yard.open({ dir });
  const by = { by: ["symbol"], groups: [["A"]] };
  await lake.append([batchOf(prices, [price("A", "2025-03-04", 7)], by)]);
  const [path = ""] = await Array.fromAsync(new Bun.Glob("lake/_history/**/year=2025/*").scan(dir));
  const bytes = await readFile(join(dir, path));
  await rm(join(dir, path));
  expect((await lake.check({ repair: true })).ok).toBe(false);
  await writeFile(join(dir, path), bytes);
  expect((await lake.check()).ok).toBe(true);
  const before = await lake.query(
    "SELECT close FROM prices WHERE symbol = 'A' ORDER BY date",
    {},
    { version: 3 },
  );
  expect(before).toEqual([2024, 2025, 2026].map((close) => ({ close })));
  expect(await closes(lake)).toEqual([7]);
});

test("a file that is put back before its partition is written is served again without a start", async () => {
  const { dir, fileOf } = await threeYears(yard);
  const path = await fileOf(2025);
  const whole = await readFile(path);
  await writeFile(path, Buffer.from(whole).fill(0, 20, 30));
  const lake = await yard.open({ dir });
  expect(await closes(lake)).toEqual([2024, 2026]);
  await lake.inspect();
  expect(lake.problems()).toMatchObject([{ description: "has other bytes than were written" }]);
  await writeFile(path, whole);
  expect([await closes(lake), lake.problems()]).toEqual([[2024, 2025, 2026], []]);
});
