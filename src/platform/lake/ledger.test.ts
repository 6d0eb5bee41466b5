// The ledger: what each commit changed, and that folding it gives the tables again.

import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { DATASETS, events, lakeYard, price, prices } from "../../../test/faults/lake-support.ts";
import { batchOf, type Change, type Lake } from "./lake.ts";

setDefaultTimeout(1_200_000);

const yard = lakeYard();
afterEach(yard.clear);

const of = (symbol: string) => ({ by: ["symbol"], groups: [[symbol]] });
const event = (symbol: string, amount: number | null, known_at: string) => ({
  symbol,
  date: "2026-03-03",
  amount,
  known_at,
});
const ledger = (lake: Lake, after = 0, rows = 1_000_000, symbol?: string) =>
  lake.ledger({ after, rows, datasets: DATASETS, symbol });
const shown = ({ generation, dataset, op, before, after }: Change) =>
  `${generation} ${dataset} ${op} ${before?.close ?? before?.amount ?? "-"} > ${after?.close ?? after?.amount ?? "-"}`;

test("rows are inserted, revised, read again and withdrawn; an equal new reading is no change", async () => {
  const lake = await yard.open();
  await lake.append([batchOf(prices, [price("A", "2026-03-03", 5), price("B", "2026-03-03", 6)])]);
  await lake.append([batchOf(events, [event("A", 1, "2026-03-04T00:00:00Z")])]);
  await lake.append([batchOf(events, [event("A", 2, "2026-03-05T00:00:00Z")])]);
  const reread = [price("A", "2026-03-03", 7), price("B", "2026-03-03", 6)];
  await lake.append([batchOf(prices, reread, { by: ["symbol"], groups: [["A"], ["B"]] })]);
  await lake.append([batchOf(prices, [], of("B"))]);
  await lake.compact({ force: true });
  const { changes, to, newest } = await ledger(lake);
  expect(changes.map(shown)).toEqual([
    "1 prices insert - > 5",
    "1 prices insert - > 6",
    "2 events insert - > 1",
    "3 events revise 1 > 2",
    "4 prices reread 5 > 7",
    "5 prices withdraw 6 > -",
  ]);
  expect([to, newest]).toEqual([await lake.generation(), await lake.generation()]);
  expect(changes[0]).toMatchObject({
    key: { symbol: "A", date: "2026-03-03" },
    after: {
      symbol: "A",
      date: "2026-03-03",
      close: 5,
      volume: null,
      final: null,
      rank: null,
      known_at: "2026-01-05T12:00:00Z",
    },
    known_at: "2026-01-05T12:00:00Z",
  });
  expect((await ledger(lake, 3)).changes.map(shown)).toEqual([
    "4 prices reread 5 > 7",
    "5 prices withdraw 6 > -",
  ]);
  expect((await ledger(lake, 0, 1_000_000, "B")).changes.map(shown)).toEqual([
    "1 prices insert - > 6",
    "5 prices withdraw 6 > -",
  ]);
});

test("a page ends with a whole commit, and the pages together are the ledger", async () => {
  const lake = await yard.open();
  await lake.append([batchOf(prices, [price("A", "2026-03-03"), price("B", "2026-03-03")])]);
  await lake.append([batchOf(prices, [price("C", "2026-03-03")])]);
  await lake.append([batchOf(prices, [price("D", "2026-03-03")])]);
  const first = await ledger(lake, 0, 1);
  expect([first.changes.length, first.to, first.newest]).toEqual([2, 1, 3]);
  const second = await ledger(lake, first.to, 1);
  expect([second.changes.length, second.to]).toEqual([1, 2]);
  expect((await ledger(lake, 3)).changes).toEqual([]);
  // Commits without a row of the symbol do not end a page.
  const ofLast = await ledger(lake, 0, 1, "D");
  expect([ofLast.changes.length, ofLast.to]).toEqual([1, 3]);
  expect((await lake.ledger({ after: 0, upTo: 2, rows: 100, datasets: [prices] })).changes.length).toBe(3);
});

test("each change has the time of its commit, also after a line was cut off by a crash", async () => {
  const dir = await yard.folder();
  const lake = await yard.open({ dir });
  const before = Date.now();
  await lake.append([batchOf(prices, [price("A", "2026-03-03")])]);
  await appendFile(join(dir, "lake", "commits.csv"), "2,2026-0");
  await lake.append([batchOf(prices, [price("B", "2026-03-03")])]);
  const { changes } = await ledger(lake);
  expect(changes.map(({ generation }) => generation)).toEqual([1, 2]);
  for (const { recorded_at } of changes) {
    expect(Date.parse(recorded_at ?? "")).toBeGreaterThanOrEqual(before);
    expect(Date.parse(recorded_at ?? "")).toBeLessThanOrEqual(Date.now());
  }
});

const step = fc.record({
  kind: fc.constantFrom("append", "replace", "event", "compact"),
  symbol: fc.constantFrom("A", "B", "C"),
  year: fc.constantFrom("2024", "2025"),
  day: fc.integer({ min: 1, max: 4 }),
});

/** The rows that a ledger leaves, by dataset and key. */
function folded(changes: readonly Change[]): Map<string, Change["after"]> {
  const rows = new Map<string, Change["after"]>();
  for (const { dataset, key, before, after } of changes) {
    const name = `${dataset} ${JSON.stringify(key)}`;
    expect(before).toEqual(rows.get(name) ?? null);
    if (after === null) rows.delete(name);
    else rows.set(name, after);
  }
  return rows;
}

test("folding the ledger from zero gives every table, whatever was replaced and merged", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 16 }), async (script) => {
      const lake = await yard.open();
      for (const [n, { kind, symbol, year, day }] of script.entries()) {
        const row = price(symbol, `${year}-03-0${day}`, n + 1);
        if (kind === "append") await lake.append([batchOf(prices, [row])]);
        if (kind === "replace") await lake.append([batchOf(prices, day > 1 ? [row] : [], of(symbol))]);
        if (kind === "event") {
          const known_at = `2026-01-01T00:00:${String(n).padStart(2, "0")}Z`;
          await lake.append([batchOf(events, [event(symbol, n, known_at)])]);
        }
        if (kind === "compact") await lake.compact({ force: true });
      }
      const changes: Change[] = [];
      for (let after = 0; ; ) {
        const page = await ledger(lake, after, 1);
        changes.push(...page.changes);
        after = page.to;
        if (page.to === page.newest) break;
      }
      const rows = [...folded(changes).values()];
      const table = async (name: string) =>
        lake.query(`SELECT * EXCLUDE (recorded) FROM ${name} ORDER BY ALL`);
      const newest = await lake.query(
        "SELECT * EXCLUDE (recorded) FROM events QUALIFY row_number() OVER (PARTITION BY symbol, date ORDER BY known_at DESC) = 1",
      );
      expect(rows.length).toBe((await table("prices")).length + newest.length);
      for (const row of [...(await table("prices")), ...newest]) expect(rows).toContainEqual(row);
      await lake.close();
    }),
    { numRuns: 12 },
  );
});
