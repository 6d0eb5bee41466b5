// Results that are kept are those of the newest rows, whichever process stored them, and take bounded memory.
import { afterEach, expect, test } from "bun:test";
import { lakeYard, price, prices, ticks } from "../../../../test/faults/lake-support.ts";
import { fakeClock } from "../../../../test/support/fake-clock.ts";
import { yieldToEventLoop } from "../../event-loop.ts";
import { Reading } from "../../reading.ts";
import type { ColumnsResult } from "../duckdb-read.ts";
import { batchOf, type Lake } from "../lake.ts";
import type { Snapshot } from "../snapshot.ts";
import { filesOfDatasets, keptResults } from "./kept-results.ts";

const yard = lakeYard({ publishes: false });
afterEach(yard.clear);

const SQL = "SELECT date, close FROM prices WHERE symbol = 'A' ORDER BY date";
const KEPT = { keptOf: [prices] };
const closes = async (lake: Lake, sql = SQL) => (await lake.columns(sql, {}, KEPT)).columns[1];
const tick = { symbol: "A", interval: "5m", at: "2026-01-05T15:00:00Z", close: 1 };

test("what is asked again is the same result, until rows of its datasets are stored", async () => {
  const lake = await yard.open();
  await lake.append([batchOf(prices, [price("A", "2026-01-05", 1)])]);
  const first = await lake.columns(SQL, {}, KEPT);
  expect(await lake.columns(SQL, {}, KEPT)).toBe(first);
  await lake.append([batchOf(ticks, [tick])]);
  expect(await lake.columns(SQL, {}, KEPT)).toBe(first);
  expect(await lake.columns(SQL)).not.toBe(first);
  await lake.append([batchOf(prices, [price("A", "2026-01-06", 2)])]);
  expect(await closes(lake)).toEqual([1, 2]);
  expect(first.columns[1]).toEqual([1]);
  expect(await lake.query(SQL, {}, KEPT)).toEqual([
    { date: "2026-01-05", close: 1 },
    { date: "2026-01-06", close: 2 },
  ]);
});

test("other values are another question", async () => {
  const lake = await yard.open();
  await lake.append([batchOf(prices, [price("A", "2026-01-05", 1), price("B", "2026-01-05", 3)])]);
  const closeOf = async (symbol: string) =>
    (await lake.columns("SELECT close FROM prices WHERE symbol = $symbol", { symbol }, KEPT)).columns;
  expect([await closeOf("A"), await closeOf("B"), await closeOf("A")]).toEqual([[[1]], [[3]], [[1]]]);
});

test("rows that another process stores are seen at once", async () => {
  const dir = await yard.folder();
  const [mine, others] = [await yard.open({ dir }), await yard.open({ dir })];
  for (let n = 1; n <= 5; n++) {
    await others.append([batchOf(prices, [price("A", `2026-01-0${n}`, n)])]);
    expect(await closes(mine)).toHaveLength(n);
    expect(await closes(others)).toHaveLength(n);
  }
});

test("no read that begins after a commit gets rows from before it, while many read and another stores", async () => {
  const lake = await yard.open();
  let [stored, isOpen] = [0, true];
  const readers = Array.from({ length: 4 }, async () => {
    while (isOpen) {
      await yieldToEventLoop();
      const least = stored;
      expect((await closes(lake))?.length ?? 0).toBeGreaterThanOrEqual(least);
    }
  });
  const first = Date.parse("2026-01-01");
  for (let n = 0; n < 40; n++) {
    const date = new Date(first + n * 86_400_000).toISOString().slice(0, 10);
    await lake.append([batchOf(prices, [price("A", date, n + 1)])]);
    stored = n + 1;
  }
  isOpen = false;
  await Promise.all(readers);
  expect(await closes(lake)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
});

test("equal questions at once have one answer", async () => {
  const lake = await yard.open();
  await lake.append([batchOf(prices, [price("A", "2026-01-05", 1)])]);
  const found = await Promise.all(Array.from({ length: 20 }, () => closes(lake)));
  expect(found).toEqual(Array.from({ length: 20 }, () => [1]));
});

test("an earlier version has its own rows, and the newest keeps its own", async () => {
  const lake = await yard.open();
  await lake.append([batchOf(prices, [price("A", "2026-01-05", 1)])]);
  const version = await lake.generation();
  await lake.append([batchOf(prices, [price("A", "2026-01-06", 2)])]);
  expect(await closes(lake)).toEqual([1, 2]);
  const now = Temporal.Instant.from("2026-01-07T00:00:00Z");
  expect(await new Reading({ version, now }).run(() => closes(lake))).toEqual([1]);
  const sending = new Reading();
  sending.pinned = version;
  expect(await sending.run(() => closes(lake))).toEqual([1]);
  expect(await closes(lake)).toEqual([1, 2]);
});

test("a read of a kept result is noted as one of the newest version", async () => {
  const lake = await yard.open();
  await lake.append([batchOf(prices, [price("A", "2026-01-05", 1)])]);
  await closes(lake);
  const reading = new Reading();
  await reading.run(() => closes(lake));
  expect(reading.version(() => false)).toBe(await lake.generation());
});

const snapshot = (stamp: string, ...paths: string[]) =>
  ({ stamp, files: paths.map((path) => ({ path, dataset: prices.name })) }) as unknown as Snapshot;
const result = (rows: number, text = "x"): ColumnsResult => ({
  names: ["text"],
  types: ["VARCHAR"],
  columns: [Array.from({ length: rows }, (_, n) => `${text}${n}`)],
  rowCount: rows,
});
const ask = (sql: string) => ({ sql, params: {}, datasets: [prices] });

function keptWith(sizes?: Parameters<typeof keptResults>[2]) {
  const clock = fakeClock("2026-01-05T15:00:00Z");
  let newest = snapshot("1", "a");
  const kept = keptResults({ snapshots: { last: () => newest }, clock }, filesOfDatasets(), sizes);
  let runs = 0;
  return {
    clock,
    kept,
    become: (next: Snapshot) => (newest = next),
    /** How often the engine was asked for it: 0 or 1. */
    async asks(sql: string, rows = 1, during = () => {}) {
      const before = runs;
      await kept.read(newest, ask(sql), async () => {
        runs += 1;
        during();
        return result(rows);
      });
      return runs - before;
    },
  };
}

test("a result counts until the hour ends, in which a day may begin", async () => {
  const { asks, clock } = keptWith();
  expect([await asks("q"), await asks("q")]).toEqual([1, 0]);
  await clock.advance(3_599_999);
  expect(await asks("q")).toBe(0);
  await clock.advance(1);
  expect([await asks("q"), await asks("q")]).toEqual([1, 0]);
});

test("nothing is kept of a read during which rows were stored, or before their views are in place", async () => {
  const { asks, become } = keptWith();
  expect(await asks("q", 1, () => become(snapshot("2", "a", "b")))).toBe(1);
  expect([await asks("q"), await asks("q")]).toEqual([1, 0]);
  become(snapshot("", "a", "b", "c"));
  expect([await asks("q"), await asks("q")]).toEqual([1, 1]);
  become(snapshot("3", "a", "b", "c"));
  expect([await asks("q"), await asks("q")]).toEqual([1, 0]);
});

test("results take bounded memory: large ones are not kept, and those used longest ago are dropped", async () => {
  const sizes = { bytesMax: 100_000, resultBytesMax: 40_000 };
  const { asks, kept } = keptWith(sizes);
  expect([await asks("large", 1_000), await asks("large", 1_000)]).toEqual([1, 1]);
  for (let n = 0; n < 50; n++) await asks(`q${n}`, 400);
  expect(kept.bytes()).toBeGreaterThan(sizes.bytesMax / 2);
  expect(kept.bytes()).toBeLessThanOrEqual(sizes.bytesMax);
  expect([await asks("q49", 400), await asks("q0", 400)]).toEqual([0, 1]);
});
