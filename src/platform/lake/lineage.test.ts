// Lines of history: each has numbers of its own, and a number of a lost one is known as such.
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lakeYard, price, prices } from "../../../test/faults/lake-support.ts";
import { batchOf } from "./lake.ts";
import { forked, lineOf } from "./lineage.ts";
import { type Manifest, readManifest } from "./manifest.ts";

setDefaultTimeout(1_200_000);

const yard = lakeYard({ publishes: false });
afterEach(yard.clear);

const manifestOf = (generation: number): Manifest => ({
  format: 1,
  generation,
  schemas: {},
  files: [],
  retired: [],
  set_aside: [],
});

test("a line begins at whole thousands beyond the next full million, and the line before it ends", () => {
  for (const [generation, million] of [
    [0, 1_000_000],
    [243, 1_000_000],
    [999_999, 1_000_000],
    [1_000_000, 2_000_000],
  ] as const)
    for (let tried = 0; tried < 50; tried++) {
      const next = forked(manifestOf(generation));
      expect(next.generation % 1_000).toBe(0);
      expect(next.generation).toBeGreaterThan(million);
      expect(next.generation).toBeLessThan(million + 1_000_000_000);
      expect(next.lines).toEqual([
        { id: expect.any(String), from: 0, to: generation },
        { id: expect.any(String), from: next.generation },
      ]);
    }
  const [one, other] = [forked(manifestOf(243)), forked(manifestOf(243))];
  expect(one.lines[1]?.id).not.toBe(other.lines[1]?.id);
});

test("a number between two lines, or beyond the newest, is of none", () => {
  const lines = [
    { id: "a", from: 0, to: 243 },
    { id: "b", from: 5_000_000 },
  ];
  const manifest = { generation: 5_000_007, lines };
  expect([0, 243, 5_000_000, 5_000_007].map((each) => lineOf(manifest, each))).toEqual(["a", "a", "b", "b"]);
  expect([244, 4_999_999, 5_000_008].map((each) => lineOf(manifest, each))).toEqual([null, null, null]);
});

test("a fork is a commit without rows, and the log lists no number between", async () => {
  const dir = await yard.folder();
  const lake = await yard.open({ dir, deltaLogs: true });
  await lake.append([batchOf(prices, [price("A", "2024-03-04", 1)])]);
  const first = await lake.generation();
  const former = lake.lineOf();
  // As a crash leaves it: the line of a commit that never was.
  const log = join(dir, "lake", "commits.csv");
  await writeFile(log, `${await readFile(log, "utf8")}${first + 1},2026-01-02T00:00:00Z,,\n`);
  const lines = await lake.fork();
  const forkedAt = await lake.generation();
  expect(lines).toEqual([
    { id: former ?? "", from: 0, to: first },
    { id: lake.lineOf() ?? "", from: forkedAt },
  ]);
  expect(lake.isRowless(forkedAt)).toBe(true);
  await lake.append([batchOf(prices, [price("A", "2024-03-05", 2)])]);
  const { commits, total } = await lake.commits({ limit: 10 });
  expect(commits.map(({ generation, rows }) => [generation, rows])).toEqual([
    [forkedAt + 1, { prices: 1 }],
    [forkedAt, {}],
    [first, { prices: 1 }],
  ]);
  expect(total).toBe(3);
  expect(await lake.commits({ limit: 1, offset: 9 })).toEqual({ commits: [], total: 3 });
  const rows = (version: number) => lake.query("SELECT * FROM prices", {}, { version });
  expect([
    (await rows(first)).length,
    (await rows(forkedAt)).length,
    (await rows(forkedAt + 1)).length,
  ]).toEqual([1, 1, 2]);
  const ledger = await lake.ledger({ from: first, to: forkedAt + 1, datasets: [prices] });
  expect(ledger.map(({ cursor, data_version }) => [cursor, data_version])).toEqual([
    [forkedAt + 1, forkedAt + 1],
  ]);
  const entries = await Array.fromAsync(new Bun.Glob("lake/prices/_delta_log/*.json").scan(dir));
  const stores = await Promise.all(
    entries.sort().map(async (path) => {
      const [info = ""] = (await readFile(join(dir, path), "utf8")).split("\n");
      return (JSON.parse(info) as { commitInfo: { store: string } }).commitInfo.store;
    }),
  );
  expect(stores).toEqual([former ?? "", lake.lineOf() ?? ""]);
  await lake.close();
});

test("the lake of an earlier release is given a line at its start, which stays", async () => {
  const dir = await yard.folder();
  const lake = await yard.open({ dir });
  await lake.append([batchOf(prices, [price("A", "2024-03-04", 1)])]);
  await lake.close();
  const path = join(dir, "lake", "manifest.json");
  const { lines: _, ...earlier } = await readManifest(path);
  await writeFile(path, JSON.stringify(earlier));
  const again = await yard.open({ dir });
  const line = again.lineOf(1);
  expect(line).toMatch(/^[0-9a-f-]{36}$/);
  await again.close();
  const third = await yard.open({ dir });
  expect([third.lineOf(0), await third.generation()]).toEqual([line, 2]);
  await third.close();
});
