// One basis: a series fetched in several parts across a split and a dividend equals the series fetched at
// once.

import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expectPrice } from "../../test/support/price-digits.ts";
import { drawnRuns } from "../../test/support/seed.ts";
import { openWholeLake } from "../../test/support/whole-lake.ts";
import { adjustedDigits, priceDigits, wholeShares } from "../market/float.ts";
import type { RowOf } from "../platform/lake/dataset.ts";
import { batchOf, type Lake } from "../platform/lake/lake.ts";
import { actionCoverage, barsDaily, barsIntraday, corporateActions } from "./index.ts";

setDefaultTimeout(1_200_000);

type BarRow = RowOf<typeof barsDaily>;
type ActionRow = RowOf<typeof corporateActions>;

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function lakeHere(): Promise<Lake> {
  const dir = await mkdtemp(join(tmpdir(), "bars-"));
  const lake = await openWholeLake(dir);
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
      volume: wholeShares(bar.volume / split),
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
  missing_through: null,
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

/** The symbol's actions are complete from a day on. */
const covered = (from_date: string, symbol = "ABC", incomplete_through: string | null = null) =>
  batchOf(actionCoverage, [
    { symbol, from_date, incomplete_through, known_at: "2024-03-11T22:00:00Z", source: "test" },
  ]);

interface KnownBar extends BarRow {
  readonly recorded_at: string;
  readonly backfilled: boolean;
}

const series = (lake: Lake, as_of: string | null, symbol = "ABC") =>
  lake.query<KnownBar>("SELECT * FROM bars($as_of) WHERE symbol = $symbol ORDER BY date", { as_of, symbol });

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

test("a bar is known from the open of the next session, whenever it was fetched; a date means its end in New York", async () => {
  const lake = await lakeHere();
  await lake.append([batchOf(barsDaily, fetched("2024-03-05", "2024-03-04", "2024-03-04"))]);
  // 09:30 in New York on the 5th is 14:30 UTC: the bar of the 4th is settled.
  expect(await series(lake, "2024-03-05T14:29:59.999Z")).toEqual([]);
  expect(await series(lake, "2024-03-04")).toEqual([]);
  const [open] = await series(lake, "2024-03-05T14:30:00Z");
  expect(open).toMatchObject({
    date: "2024-03-04",
    known_at: "2024-03-05T14:30:00Z",
    recorded_at: "2024-03-05T22:00:00Z",
    backfilled: true,
  });
  expect((await series(lake, "2024-03-05"))[0]?.backfilled).toBe(false);
  expect((await series(lake, null))[0]?.backfilled).toBe(false);
  // 04:59:59 UTC on the 6th is still the 5th in New York (EST, UTC-5).
  const [edge] = await lake.query<{ known: string }>("SELECT known_by('2024-03-05') AS known");
  expect(edge?.known).toBe("2024-03-06T04:59:59.999Z");
  const [summer] = await lake.query<{ known: string }>("SELECT known_by('2024-07-05') AS known");
  expect(summer?.known).toBe("2024-07-06T03:59:59.999Z");
});

test("bars fetched today are shown on the basis of a past day once every action since then is stored", async () => {
  const lake = await lakeHere();
  await lake.append([
    batchOf(barsDaily, fetched("2024-03-11", "2024-03-04", "2024-03-08")),
    batchOf(
      corporateActions,
      [dividend, split].map((row) => ({ ...row, known_at: "2024-03-11T22:00:00Z" })),
    ),
  ]);
  // Whether an action lies between is not known yet: no price is better than one on an unknown basis.
  for (const day of ["2024-03-05", "2024-03-07", "2024-03-10"]) expect(await series(lake, day)).toEqual([]);
  await lake.append([covered("2024-03-06")]);
  expectSame(await series(lake, "2024-03-05"), fetched("2024-03-05", "2024-03-04", "2024-03-04"));
  expectSame(await series(lake, "2024-03-06"), fetched("2024-03-06", "2024-03-04", "2024-03-05"));
  expectSame(await series(lake, "2024-03-08"), fetched("2024-03-08", "2024-03-04", "2024-03-07"));
  // The split's ex date begins with the open.
  expectSame(await series(lake, "2024-03-08T14:29:59Z"), fetched("2024-03-07", "2024-03-04", "2024-03-06"));
  expectSame(await series(lake, "2024-03-08T14:30:00Z"), fetched("2024-03-08", "2024-03-04", "2024-03-07"));
  expect((await series(lake, "2024-03-06")).map((row) => [row.basis_date, row.backfilled])).toEqual([
    ["2024-03-06", true],
    ["2024-03-06", true],
  ]);
  expect(await series(lake, "2024-03-04")).toEqual([]);
  await lake.append([batchOf(barsDaily, fetched("2024-03-11", "2024-03-04", "2024-03-05", "GAP"))]);
  await lake.append([covered("2024-03-07", "GAP")]);
  expect(await series(lake, "2024-03-05", "GAP")).toEqual([]);
  expect((await series(lake, "2024-03-06", "GAP")).length).toBe(2);
});

test("an intraday bar is known from its end, on the split basis of then", async () => {
  const lake = await lakeHere();
  const bar = {
    symbol: "ABC",
    interval: "5m",
    at: "2024-03-07T15:00:00Z",
    session_date: "2024-03-07",
    session: "regular",
    open: 102,
    high: 103,
    low: 101,
    close: 102.5,
    volume: 4000,
    vwap: 102.25,
    trade_count: 7,
    basis_date: "2024-03-11",
    known_at: "2024-03-11T22:00:00Z",
    source: "test",
  };
  await lake.append([
    batchOf(barsIntraday, [bar, { ...bar, interval: "1h", source: "other" }]),
    batchOf(corporateActions, [{ ...split, known_at: "2024-03-11T22:00:00Z" }]),
  ]);
  const known = (as_of: string | null) =>
    lake.query(
      `SELECT "interval", close, vwap, volume, known_at, backfilled FROM intraday_bars($as_of) ORDER BY known_at`,
      { as_of },
    );
  expect(await known("2024-03-07T16:00:00Z")).toEqual([]);
  expect((await known(null)).map(({ close }) => close)).toEqual([102.5, 102.5]);
  await lake.append([covered("2024-03-07")]);
  expect(await known("2024-03-07T15:04:59.999Z")).toEqual([]);
  const five = {
    interval: "5m",
    close: 410,
    vwap: 409,
    volume: 1000,
    known_at: "2024-03-07T15:05:00Z",
    backfilled: true,
  };
  expect(await known("2024-03-07T15:05:00Z")).toEqual([five]);
  expect(await known("2024-03-07T16:00:00Z")).toEqual([
    five,
    { ...five, interval: "1h", known_at: "2024-03-07T16:00:00Z" },
  ]);
});

test("an action is known from its ex date on, though it was fetched later, and never before", async () => {
  const lake = await lakeHere();
  await lake.append([
    batchOf(barsDaily, fetched("2024-03-11", "2024-03-04", "2024-03-08")),
    batchOf(
      corporateActions,
      [dividend, split].map((row) => ({ ...row, known_at: "2024-03-11T22:00:00Z" })),
    ),
    covered("2024-03-01"),
  ]);
  const known = (as_of: string) =>
    lake.query("SELECT kind, known_at, amount FROM scaled_actions($as_of) ORDER BY ex_date", { as_of });
  expect(await known("2024-03-05")).toEqual([]);
  // The amount as paid: 0.9 on the basis of its ex date, before the split.
  expect(await known("2024-03-07")).toEqual([
    { kind: "dividend", known_at: "2024-03-06T14:30:00Z", amount: 0.9 },
  ]);
  expect((await known("2024-03-08")).map(({ amount }) => amount)).toEqual([0.225, null]);
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
  expect(await series(lake, null)).toEqual([
    { ...gaps, known_at: "2024-03-05T14:30:00Z", recorded_at: gaps.known_at, backfilled: false },
  ]);
  const { known_at: recorded_at, ...now } = gaps;
  expect(await lake.query("SELECT * FROM bars_now()")).toEqual([{ ...now, recorded_at, backfilled: false }]);
});

interface World {
  bases: number[];
  /** The day from which the actions are complete; null when that is not known. */
  from: number | null;
  actions: {
    ex: number;
    known: number;
    kind: "split" | "dividend" | "capital_gain";
    factor: number | null;
  }[];
}

const dayText = (n: number) => new Date(Date.UTC(2024, 0, 1 + n)).toISOString().slice(0, 10);

/**
 * Computes the factors of one bar under bars(as_of) without the macro; null when bars(as_of) must leave the
 * bar out.
 */
function factorsOf(
  base: number,
  { actions, from }: World,
  asOf: number,
): { split: number | null; total: number | null } | null {
  if (base > asOf && (from === null || from > asOf + 1)) return null;
  const reports = Map.groupBy(actions, ({ kind, ex }) => `${kind} ${ex}`);
  const used = [...reports.values()].flatMap((same) => {
    const sorted = same.toSorted((a, b) => a.known - b.known);
    const isUndone = (sorted[0]?.ex ?? 0) > asOf;
    const said = isUndone ? sorted.filter(({ factor }) => factor !== null) : sorted;
    const then = said.filter(({ known }) => known <= (isUndone ? base : asOf));
    return then.at(-1) ?? said[0] ?? sorted[0] ?? [];
  });
  const due = used.filter(({ ex }) => (base <= asOf ? ex > base && ex <= asOf : ex > asOf && ex <= base));
  const product = (some: typeof due) =>
    some.reduce<number | null>(
      (all, { factor }) =>
        all === null || factor === null ? null : base <= asOf ? all * factor : all / factor,
      1,
    );
  return { split: product(due.filter(({ kind }) => kind === "split")), total: product(due) };
}

test("for any bases and actions, each bar is scaled by the product of the actions between its basis and as_of", async () => {
  const day = fc.integer({ min: 0, max: 12 });
  const act = fc.record({
    ex: day,
    known: day,
    kind: fc.constantFrom("split" as const, "dividend" as const, "capital_gain" as const),
    factor: fc.option(fc.constantFrom(0.25, 0.5, 0.99, 10, 1), { freq: 8 }),
  });
  const world = fc.record({
    bases: fc.array(day, { minLength: 1, maxLength: 5 }),
    from: fc.option(day, { freq: 4 }),
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
            known_at: `${dayText(base)}T18:00:00Z`,
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
      const complete = worlds.flatMap(({ from }, n) =>
        from === null
          ? []
          : [
              {
                symbol: `W${n}`,
                from_date: dayText(from),
                incomplete_through: null,
                known_at: "2024-02-01T00:00:00Z",
                source: "test",
              },
            ],
      );
      await lake.append([
        batchOf(barsDaily, bars),
        batchOf(corporateActions, reports),
        batchOf(actionCoverage, complete),
      ]);
      const found = await lake.query<BarRow>("SELECT * FROM bars($as_of)", { as_of: dayText(asOf) });
      const wanted = worlds.flatMap((world) =>
        world.bases.filter((base) => factorsOf(base, world, asOf) !== null),
      );
      expect(found.length).toBe(wanted.length);
      for (const row of found) {
        const n = Number(row.symbol.slice(1));
        const b = Math.round((Date.parse(row.date) - Date.UTC(2024, 0, 1)) / 86_400_000) + 10;
        const world = worlds[n] ?? { bases: [], actions: [], from: null };
        const { split, total } = factorsOf(world.bases[b] ?? 0, world, asOf) ?? { split: -1, total: -1 };
        const near = (value: number | null, wanted: number | null) =>
          wanted === null ? expect(value).toBeNull() : expectPrice(value ?? Number.NaN, wanted);
        near(row.close, split === null ? null : 8 * split);
        near(row.adj_close, total === null ? null : 4 * total);
        expect(row.volume).toBe(split === null ? null : wholeShares(1000 / split));
      }
      await open.pop()?.();
    },
  );
  await fc.assert(property, { numRuns: drawnRuns(10, 15) });
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
  // Cents times a price factor often lie half way between two prices of seven digits.
  const halves = Array.from({ length: 5_000 }, (_, i) => ((i + 1) * 0.01 * (i % 7 || 1)) / (i % 2 ? 4 : 8));
  const values = [600.9000000000001, 33.333332 * 3, 0.1925 * 4, 0.000123456789, 628930.256, 0, 1e-12];
  const written = [243.25667, 0.000012345678901, 8.912345123, 12_345_678.123457, 999_999.123456, 0.1];
  const all = [...values, ...written, ...halves, ...halves.map((price) => price * 1234.5), -33.3333325];
  const rows = await lake.query<{ price: number; adjusted: number | null }>(
    "SELECT price_digits(x) AS price, adjusted_digits(x) AS adjusted FROM (SELECT unnest($values::DOUBLE[]) AS x)",
    { values: all },
  );
  expect(rows.map(({ price }) => price)).toEqual(all.map(priceDigits));
  expect(rows.map(({ adjusted }) => adjusted)).toEqual(all.map(adjustedDigits));
});

test("an adjusted close is stored as it was computed, and rounded once, after all scaling", async () => {
  const lake = await lakeHere();
  const computed = 52.148345200524304;
  const [bar] = fetched("2024-03-05", "2024-03-04", "2024-03-04");
  if (!bar) throw new Error("no bar");
  await lake.append([batchOf(barsDaily, [{ ...bar, adj_close: computed }])]);
  const shown = async () => {
    const found: unknown[] = [];
    for (const from of ["bars(NULL)", "bars_now()", "bars('2024-03-20')", "bars_adjusted()"])
      found.push((await lake.query<BarRow>(`SELECT adj_close FROM ${from} ORDER BY date`))[0]?.adj_close);
    return found;
  };
  expect(await shown()).toEqual([52.14835, 52.14835, 52.14835, 52.14835]);
  // A price that a provider can have written stays.
  const written = [{ ...bar, date: "2024-03-05", adj_close: 243.25667 }];
  await lake.append([batchOf(barsDaily, written)]);
  expect((await lake.query<BarRow>("SELECT adj_close FROM bars_now() ORDER BY date"))[1]?.adj_close).toBe(
    243.25667,
  );
  expect(await lake.query("SELECT adj_close FROM bars_daily ORDER BY date LIMIT 1")).toEqual([
    { adj_close: computed },
  ]);
  await lake.append([batchOf(corporateActions, [split, dividend])]);
  // 52.14835 times the factors would be another price.
  const once = priceDigits(computed * SPLIT.factor * DIVIDEND.factor);
  expect(once).not.toBe(priceDigits(52.14835 * SPLIT.factor * DIVIDEND.factor));
  expect(await shown()).toEqual([once, once, once, once]);
});
