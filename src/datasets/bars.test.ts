// One basis: a series fetched in several parts across a split and a dividend equals the series fetched at once.
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expectPrice } from "../../test/support/price-digits.ts";
import { priceDigits } from "../market/float.ts";
import { systemClock } from "../platform/clock.ts";
import type { RowOf } from "../platform/lake/dataset.ts";
import { batchOf, type Lake, openLake } from "../platform/lake/lake.ts";
import { barsDaily, corporateActions, DATASETS, MACROS } from "./index.ts";

setDefaultTimeout(300_000);

type BarRow = RowOf<typeof barsDaily>;
type ActionRow = RowOf<typeof corporateActions>;

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function lakeHere(): Promise<Lake> {
  const dir = await mkdtemp(join(tmpdir(), "bars-"));
  const lake = await openLake({ dir, datasets: DATASETS, macros: MACROS, clock: systemClock });
  open.push(async () => {
    await lake.close();
    await rm(dir, { recursive: true });
  });
  return lake;
}

// Prices as traded on each day: a dividend of 0.9 goes ex on 2024-03-06 and a 4:1 split on 2024-03-08.
const PRINTED = [
  { date: "2024-03-04", open: 396, high: 404, low: 392, close: 400, volume: 1001 },
  { date: "2024-03-05", open: 401, high: 411, low: 399.6, close: 405, volume: 1500 },
  { date: "2024-03-06", open: 403, high: 408, low: 402, close: 406, volume: 900 },
  { date: "2024-03-07", open: 406, high: 413, low: 405, close: 412, volume: 1100 },
  { date: "2024-03-08", open: 103, high: 105, low: 102, close: 104, volume: 5001 },
  { date: "2024-03-11", open: 104, high: 106, low: 103, close: 105, volume: 4400 },
] as const;
const DIVIDEND = { ex_date: "2024-03-06", factor: 1 - 0.9 / 405 };
const SPLIT = { ex_date: "2024-03-08", factor: 1 / 4 };

/** The bars as a source shows them on `basis_date`: everything adjusted up to that day. */
function fetched(basis_date: string, from: string, to: string, symbol = "ABC"): BarRow[] {
  return PRINTED.filter(({ date }) => date >= from && date <= to).map((bar) => {
    const applies = ({ ex_date, factor }: typeof SPLIT) =>
      bar.date < ex_date && ex_date <= basis_date ? factor : 1;
    const split = applies(SPLIT);
    const adjusted = {
      open: bar.open * split,
      high: bar.high * split,
      low: bar.low * split,
      close: bar.close * split,
    };
    return {
      symbol,
      date: bar.date,
      ...adjusted,
      volume: Math.round(bar.volume / split),
      adj_close: bar.close * split * applies(DIVIDEND),
      currency: "USD",
      basis_date,
      known_at: `${basis_date}T22:00:00Z`,
      source: "test",
    };
  });
}

const action = (
  row: Partial<ActionRow> & Pick<ActionRow, "ex_date" | "kind" | "price_factor">,
): ActionRow => ({
  symbol: "ABC",
  amount: null,
  currency: null,
  numerator: null,
  denominator: null,
  basis_date: row.ex_date,
  known_at: `${row.ex_date}T22:00:00Z`,
  source: "test",
  ...row,
});
const dividend = action({
  ex_date: DIVIDEND.ex_date,
  kind: "dividend",
  amount: 0.9,
  price_factor: DIVIDEND.factor,
});
const split = action({
  ex_date: SPLIT.ex_date,
  kind: "split",
  numerator: 4,
  denominator: 1,
  price_factor: SPLIT.factor,
});

const series = (lake: Lake, as_of: string | null, symbol = "ABC") =>
  lake.query<BarRow>("SELECT * FROM bars($as_of) WHERE symbol = $symbol ORDER BY date", { as_of, symbol });

const FIGURES = ["open", "high", "low", "close", "volume", "adj_close"] as const;
function expectSame(found: BarRow[], wanted: BarRow[]): void {
  expect(found.map((row) => row.date)).toEqual(wanted.map((row) => row.date));
  for (const [index, row] of wanted.entries())
    for (const figure of FIGURES) {
      const [a, b] = [found[index]?.[figure] ?? Number.NaN, row[figure] ?? Number.NaN];
      expectPrice(a, b, `${figure} of ${row.date}`);
    }
}

test("bars fetched in three parts across a dividend and a split equal the series fetched at once", async () => {
  const lake = await lakeHere();
  await lake.append([batchOf(barsDaily, fetched("2024-03-05", "2024-03-04", "2024-03-05"))]);
  await lake.append([
    batchOf(barsDaily, fetched("2024-03-07", "2024-03-06", "2024-03-07")),
    batchOf(corporateActions, [dividend]),
  ]);
  await lake.append([
    batchOf(barsDaily, fetched("2024-03-11", "2024-03-08", "2024-03-11")),
    batchOf(corporateActions, [split]),
  ]);
  expectSame(await series(lake, null), fetched("2024-03-11", "2024-03-04", "2024-03-11"));
  await lake.compact({ force: true });
  expectSame(await series(lake, null), fetched("2024-03-11", "2024-03-04", "2024-03-11"));
});

test("as_of before a fetch excludes its rows; a date as as_of means its end in New York", async () => {
  const lake = await lakeHere();
  await lake.append([batchOf(barsDaily, fetched("2024-03-05", "2024-03-04", "2024-03-05"))]);
  await lake.append([
    batchOf(barsDaily, fetched("2024-03-11", "2024-03-06", "2024-03-11")),
    batchOf(corporateActions, [dividend, split]),
  ]);
  expectSame(await series(lake, "2024-03-05"), fetched("2024-03-05", "2024-03-04", "2024-03-05"));
  expectSame(await series(lake, "2024-03-05T22:00:00Z"), fetched("2024-03-05", "2024-03-04", "2024-03-05"));
  expect(await series(lake, "2024-03-05T21:59:59.999Z")).toEqual([]);
  expect(await series(lake, "2024-03-04")).toEqual([]);
  expect((await series(lake, "2024-03-11")).length).toBe(6);
  // 03:59:59 UTC on the 6th is still the 5th in New York (EST, UTC-5), and the row of 22:00 UTC on the 5th is known.
  const [edge] = await lake.query<{ known: string }>("SELECT known_by('2024-03-05') AS known");
  expect(edge?.known).toBe("2024-03-06T04:59:59.999Z");
  const [summer] = await lake.query<{ known: string }>("SELECT known_by('2024-07-05') AS known");
  expect(summer?.known).toBe("2024-07-06T03:59:59.999Z");
});

test("an action is applied from its ex date on, not from the day it was announced", async () => {
  const lake = await lakeHere();
  await lake.append([
    batchOf(barsDaily, fetched("2024-03-05", "2024-03-04", "2024-03-05")),
    batchOf(corporateActions, [{ ...split, known_at: "2024-03-01T12:00:00Z" }]),
  ]);
  expect((await series(lake, "2024-03-07"))[0]?.close).toBe(400);
  expect((await series(lake, "2024-03-08"))[0]?.close).toBe(100);
});

test("the newest report of an action known by as_of is used", async () => {
  const lake = await lakeHere();
  await lake.append([batchOf(barsDaily, fetched("2024-03-05", "2024-03-04", "2024-03-05"))]);
  const wrong = { ...split, price_factor: 0.5, numerator: 2 };
  await lake.append([batchOf(corporateActions, [wrong, { ...split, known_at: "2024-03-10T12:00:00Z" }])]);
  expect((await series(lake, "2024-03-09"))[0]?.close).toBe(200);
  expect((await series(lake, null))[0]?.close).toBe(100);
  expect((await lake.query("SELECT * FROM actions(NULL)")).length).toBe(1);
  expect((await lake.query("SELECT * FROM corporate_actions")).length).toBe(2);
});

test("an unknown factor makes a value null, never an unadjusted number; other values and symbols are unaffected", async () => {
  const lake = await lakeHere();
  await lake.append([
    batchOf(barsDaily, fetched("2024-03-05", "2024-03-04", "2024-03-05")),
    batchOf(barsDaily, fetched("2024-03-05", "2024-03-04", "2024-03-05", "XYZ")),
    batchOf(corporateActions, [split, { ...dividend, price_factor: null }]),
  ]);
  const [bar] = await series(lake, null);
  expect([bar?.close, bar?.adj_close, bar?.volume]).toEqual([100, null, 4004]);
  const [other] = await series(lake, null, "XYZ");
  expect([other?.close, other?.adj_close, other?.volume]).toEqual([400, 400, 1001]);
  await lake.append([
    batchOf(corporateActions, [{ ...split, price_factor: null, known_at: "2024-03-12T00:00:00Z" }]),
  ]);
  const [unknown] = await series(lake, null);
  expect([unknown?.open, unknown?.close, unknown?.volume]).toEqual([null as never, null as never, null]);
});

test("nulls stay null, and a basis on the ex date itself is not scaled", async () => {
  const lake = await lakeHere();
  const [bar] = fetched("2024-03-08", "2024-03-04", "2024-03-04");
  if (!bar) throw new Error("no bar");
  const gaps = { ...bar, open: null, high: null, low: null, volume: null, adj_close: null, currency: null };
  await lake.append([batchOf(barsDaily, [gaps]), batchOf(corporateActions, [split])]);
  expect(await series(lake, null)).toEqual([gaps]);
});

interface World {
  bases: number[];
  actions: {
    ex: number;
    known: number;
    kind: "split" | "dividend" | "capital_gain";
    factor: number | null;
  }[];
}

const dayText = (n: number) => new Date(Date.UTC(2024, 0, 1 + n)).toISOString().slice(0, 10);

/** What bars(as_of) must say of one bar, computed the long way. */
function factorsOf(
  base: number,
  { actions }: World,
  asOf: number,
): { split: number | null; total: number | null } {
  const newest = new Map<string, World["actions"][number]>();
  for (const each of actions.filter(({ known }) => known <= asOf)) {
    const key = `${each.kind} ${each.ex}`;
    const before = newest.get(key);
    if (!before || before.known < each.known) newest.set(key, each);
  }
  const due = [...newest.values()].filter(({ ex }) => ex > base && ex <= asOf);
  const product = (some: typeof due) =>
    some.reduce<number | null>(
      (all, { factor }) => (all === null || factor === null ? null : all * factor),
      1,
    );
  return { split: product(due.filter(({ kind }) => kind === "split")), total: product(due) };
}

test("for any bases and actions, each bar is scaled by the product of the actions after its basis", async () => {
  const day = fc.integer({ min: 0, max: 12 });
  const act = fc.record({
    ex: day,
    known: day,
    kind: fc.constantFrom("split" as const, "dividend" as const, "capital_gain" as const),
    factor: fc.option(fc.constantFrom(0.25, 0.5, 0.99, 10, 1), { freq: 8 }),
  });
  const world = fc.record({
    bases: fc.array(day, { minLength: 1, maxLength: 5 }),
    actions: fc.uniqueArray(act, {
      maxLength: 8,
      selector: ({ kind, ex, known }) => `${kind} ${ex} ${known}`,
    }),
  });
  const property = fc.asyncProperty(
    fc.array(world, { minLength: 1, maxLength: 30 }),
    day,
    async (worlds, asOf) => {
      const lake = await lakeHere();
      const bars = worlds.flatMap(({ bases }, n) =>
        bases.map(
          (base, b): BarRow => ({
            symbol: `W${n}`,
            date: dayText(b - 10),
            open: 8,
            high: 8,
            low: 8,
            close: 8,
            volume: 1000,
            adj_close: 4,
            currency: null,
            basis_date: dayText(base),
            known_at: "2023-12-01T00:00:00Z",
            source: "test",
          }),
        ),
      );
      const reports = worlds.flatMap(({ actions }, n) =>
        actions.map(({ ex, known, kind, factor }) =>
          action({
            symbol: `W${n}`,
            ex_date: dayText(ex),
            kind,
            price_factor: factor,
            known_at: `${dayText(known)}T12:00:00Z`,
          }),
        ),
      );
      await lake.append([batchOf(barsDaily, bars), batchOf(corporateActions, reports)]);
      const found = await lake.query<BarRow>("SELECT * FROM bars($as_of)", { as_of: dayText(asOf) });
      expect(found.length).toBe(bars.length);
      for (const row of found) {
        const n = Number(row.symbol.slice(1));
        const b = Math.round((Date.parse(row.date) - Date.UTC(2024, 0, 1)) / 86_400_000) + 10;
        const { split, total } = factorsOf(
          worlds[n]?.bases[b] ?? 0,
          worlds[n] ?? { bases: [], actions: [] },
          asOf,
        );
        const near = (value: number | null, wanted: number | null) =>
          wanted === null ? expect(value).toBeNull() : expectPrice(value ?? Number.NaN, wanted);
        near(row.close, split === null ? null : 8 * split);
        near(row.adj_close, total === null ? null : 4 * total);
        expect(row.volume).toBe(split === null ? null : Math.round(1000 / split));
      }
      // One lake at a time: closing all of them at the end would exceed the time limit of a hook.
      await open.pop()?.();
    },
  );
  await fc.assert(property, { numRuns: 15 });
});

test("filters reach the Parquet scan on both sides of the adjustment", async () => {
  const lake = await lakeHere();
  await lake.append([
    batchOf(barsDaily, fetched("2024-03-05", "2024-03-04", "2024-03-05")),
    batchOf(corporateActions, [split]),
  ]);
  const plan = JSON.stringify(
    await lake.query("EXPLAIN SELECT * FROM bars(NULL) WHERE symbol = 'ABC' AND date >= DATE '2024-03-05'"),
  );
  expect(plan.match(/symbol='ABC'/g)?.length).toBe(2);
  expect(plan).toContain("date>='2024-03-05'");
});

test("a scaled price has the digits of the providers' prices, in SQL as in code", async () => {
  const lake = await lakeHere();
  const values = [600.9000000000001, 33.333332 * 3, 0.1925 * 4, 0.000123456789, 628930.256, 0, 1e-12];
  const rows = await lake.query<{ price: number }>(
    "SELECT price_digits(x) AS price FROM (SELECT unnest($values::DOUBLE[]) AS x)",
    { values },
  );
  expect(rows.map(({ price }) => price)).toEqual(values.map(priceDigits));
});
