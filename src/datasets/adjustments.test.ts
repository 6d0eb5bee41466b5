// The factors between two bases, and the bars: those of the macros, planned for what is stored, are those of
// the plain definition.

import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { drawnRuns } from "../../test/support/seed.ts";
import { openWholeLake } from "../../test/support/whole-lake.ts";
import { batchOf, type Lake } from "../platform/lake/lake.ts";
import { FINAL_BASIS } from "./bars-daily.ts";
import {
  actionCoverage,
  barsDaily,
  barsDailyRevisions,
  corporateActions,
  finraFiles,
  MACROS,
  shortVolume,
} from "./index.ts";

setDefaultTimeout(1_200_000);

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function lakeHere(): Promise<Lake> {
  const dir = await mkdtemp(join(tmpdir(), "adjustments-"));
  const lake = await openWholeLake(dir);
  open.push(async () => {
    await lake.close();
    await rm(dir, { recursive: true });
  });
  return lake;
}

const SOURCE = { basis_date: "2024-03-08", known_at: "2024-03-08T22:00:00Z", source: "test" };
const BAR = {
  symbol: "ABC",
  date: "2024-03-04",
  open: 99,
  high: 101.5,
  low: 98.25,
  close: 100,
  volume: 1001,
  adj_close: 97.123456789012,
  currency: "USD",
  ...SOURCE,
};
const SPLIT = {
  symbol: "ABC",
  ex_date: "2024-03-08",
  kind: "split",
  amount: null,
  currency: null,
  numerator: 4,
  denominator: 1,
  price_factor: 0.25,
  missing_through: null,
  ...SOURCE,
};
const COMPLETE = {
  symbol: "ABC",
  from_date: "2024-01-01",
  incomplete_through: null,
  known_at: SOURCE.known_at,
  source: "test",
};

/** The query of a macro where it can plan for nothing: no range of the stored rows is known to it. */
function unplanned(name: string, asOf: string): string {
  const unknown = { range: () => null, partitions: () => ["any"] };
  const body = MACROS.find((macro) => macro.name === name)?.body(unknown) ?? "";
  return `(${body.replaceAll(/\bas_of\b/g, asOf)})`;
}

test("bars that nothing can scale are not joined with factors, and are those that the join gives", async () => {
  const lake = await lakeHere();
  const days = ["2024-03-04", "2024-03-05", "2024-03-06", "2024-03-07", "2024-03-08"];
  const own = days.map((date) => ({ ...BAR, date }));
  const former = { ...BAR, symbol: "OLD", basis_date: FINAL_BASIS, known_at: "2024-03-05T22:00:00Z" };
  await lake.append([batchOf(barsDaily, [...own, former]), batchOf(corporateActions, [SPLIT])]);
  const both = async (asOf: string) => {
    const plan = JSON.stringify(await lake.query(`EXPLAIN SELECT * FROM bars(${asOf})`));
    const of = (from: string) => lake.query(`SELECT * FROM ${from} ORDER BY symbol, date`);
    const rows = await of(`bars(${asOf})`);
    expect(rows).toEqual(await of(unplanned("bars", asOf)));
    return { isJoined: plan.includes("WINDOW"), count: rows.length };
  };
  const moments = ["NULL", "'2024-03-20'", "'2024-03-08T14:30:00Z'", "'2024-03-06'", "'2024-02-01'"];
  const found: unknown[] = [];
  for (const asOf of moments) found.push(await both(asOf));
  expect(found).toEqual([6, 6, 5, 1, 0].map((count) => ({ isJoined: false, count })));
  // Once the actions between are known to be complete, the same bars can be shown on an earlier basis.
  await lake.append([batchOf(actionCoverage, [COMPLETE])]);
  found.length = 0;
  for (const asOf of moments) found.push(await both(asOf));
  expect(found).toEqual([6, 6, 5, 3, 0].map((count) => ({ isJoined: true, count })));
});

const DAYS = 14;
const dayText = (n: number) => new Date(Date.UTC(2024, 2, 1 + n)).toISOString().slice(0, 10);
const day = fc.integer({ min: 0, max: DAYS });
const symbol = fc.constantFrom("A", "B", "C", "D");
const BAR_MADE = fc.record({ symbol, on: day, later: day, close: fc.integer({ min: 1, max: 90_000 }) });
const ACTION_MADE = fc.record({
  symbol,
  ex: day,
  known: day,
  kind: fc.constantFrom("split", "dividend"),
  factor: fc.option(fc.constantFrom(0.25, 0.5, 0.987, 3), { freq: 6 }),
  missing: fc.option(day, { freq: 1 }),
});
const COVERAGE_MADE = fc.record({ symbol, from: day, incomplete: fc.option(day, { freq: 1 }) });
const LAKE_MADE = fc.record({
  bars: fc.array(BAR_MADE, { minLength: 1, maxLength: 40 }),
  actions: fc.array(ACTION_MADE, { maxLength: 12 }),
  coverage: fc.array(COVERAGE_MADE, { maxLength: 3 }),
});

/**
 * Stores a made-up lake: bars on many bases and later values of them, actions reported twice, late or not yet
 * in force.
 */
async function store(
  lake: Lake,
  { bars, actions, coverage }: ReturnType<typeof LAKE_MADE.generate>["value"],
) {
  const rows = bars.map(({ symbol, on, later, close }) => ({
    ...BAR,
    symbol,
    date: dayText(on),
    close: close / 100,
    adj_close: close / 101,
    basis_date: later === 13 ? FINAL_BASIS : dayText(Math.max(on, later)),
    known_at: `${dayText(Math.max(on, later))}T22:00:00Z`,
  }));
  const reports = actions.map(({ symbol, ex, known, kind, factor, missing }) => ({
    ...SPLIT,
    symbol,
    kind,
    ex_date: dayText(ex),
    price_factor: factor,
    missing_through: missing === null ? null : dayText(Math.max(ex, missing)),
    known_at: `${dayText(known)}T22:00:00Z`,
  }));
  const complete = coverage.map(({ symbol, from, incomplete }) => ({
    ...COMPLETE,
    symbol,
    from_date: dayText(from),
    incomplete_through: incomplete === null ? null : dayText(incomplete),
  }));
  await lake.append([
    batchOf(barsDaily, rows),
    batchOf(barsDailyRevisions, rows),
    batchOf(corporateActions, reports),
    batchOf(actionCoverage, complete),
  ]);
}

/** The factors to the basis of `at` of actions up to it, each multiplied with all later ones the long way. */
const multiplied = (
  at: string,
) => `WITH due AS (SELECT symbol, ex_date, kind, price_factor FROM actions(${at})
    WHERE ex_date <= least(known_day(${at}), current_date))
  SELECT days.symbol, days.ex_date, (SELECT coalesce(max(ex_date), '-infinity') FROM due
      WHERE symbol = days.symbol AND ex_date < days.ex_date) AS since,
    ${["kind = 'split'", "true"].map(
      (
        which,
        n,
      ) => `(SELECT CASE WHEN count(*) > count(price_factor) THEN NULL ELSE coalesce(product(price_factor), 1) END
      FROM due WHERE symbol = days.symbol AND ex_date >= days.ex_date AND ${which}) AS f${n}`,
    )}
  FROM (SELECT DISTINCT symbol, ex_date FROM due) days`;

test("whatever is stored, the macros give what they give where they can plan for nothing", async () => {
  const all = ["NULL", ...[0, 4, 8, 12].map((n) => `'${dayText(n)}'`), "'2024-03-07T14:30:00Z'"];
  // Two of the moments for each lake; all of them in `bun run endure`.
  const some = { minLength: drawnRuns(2, all.length), maxLength: drawnRuns(2, all.length) };
  const property = fc.asyncProperty(LAKE_MADE, fc.subarray(all, some), async (made, moments) => {
    const lake = await lakeHere();
    await store(lake, made);
    const read = (from: string) => lake.query(`SELECT * FROM ${from} ORDER BY ALL`);
    for (const at of moments) {
      for (const name of ["bars", "bar_revisions"])
        expect(await read(`${name}(${at})`)).toEqual(await read(unplanned(name, at)));
      const digits = "round(f0, 12) AS f0, round(f1, 12) AS f1";
      const factors = `SELECT symbol, ex_date, since, split_factor AS f0, total_factor AS f1 FROM adjustments(${at}, through := DATE '-infinity')`;
      expect(await read(`(SELECT * REPLACE (${digits}) FROM (${factors}))`)).toEqual(
        await read(`(SELECT * REPLACE (${digits}) FROM (${multiplied(at)}))`),
      );
    }
    expect(await read("(SELECT * EXCLUDE (known_at) FROM bars(NULL))")).toEqual(await read("bars_now()"));
    await open.pop()?.();
  });
  await fc.assert(property, { numRuns: 12 });
});

// Made up: 2 of 10.00 was paid, a fifth of the close, and the close is corrected by 5 % to 10.50.
const FIFTH = {
  ...SPLIT,
  kind: "dividend",
  amount: 2,
  numerator: null,
  denominator: null,
  price_factor: 0.8,
};
const CORRECTED = { ...FIFTH, price_factor: 1 - 2 / 10.5 };
/** Lines of the file of 4 March, and the file itself: the panel has the bars of these. */
const LINE = {
  date: BAR.date,
  short_volume: 1,
  short_exempt_volume: null,
  total_volume: 2,
  market: "Q",
  facility: "CNMS",
  known_at: "2024-03-05T05:00:00Z",
  fetched_at: "2024-03-05T05:00:00Z",
  source: "test",
};
const FILE = {
  facility: LINE.facility,
  date: LINE.date,
  rows: 3,
  test_rows: 0,
  sha256: "",
  last_modified: null,
  known_at: LINE.known_at,
  fetched_at: LINE.fetched_at,
  source: "test",
};

/** The adjusted closes of 4 March by symbol, as the bars and the panel have them, and the later values. */
async function closesAt(lake: Lake, as_of: string | null) {
  const read = async (from: string) => {
    const sql = `SELECT symbol, adj_close FROM ${from} WHERE date = '2024-03-04' ORDER BY symbol`;
    const rows = await lake.query<{ symbol: string; adj_close: number | null }>(sql, { as_of });
    return Object.fromEntries(rows.map(({ symbol, adj_close }) => [symbol, adj_close]));
  };
  const bars = await read("bars($as_of)");
  expect(await read("pit_panel('2024-03-01', '2024-03-31', $as_of)")).toEqual(bars);
  return { bars, later: await read("bar_revisions($as_of)") };
}

test("a dividend is undone by the factor known with the bar, whatever the close before it is corrected to", async () => {
  const lake = await lakeHere();
  const bar = { ...BAR, close: 10, adj_close: 8, known_at: "2024-03-08T22:00:00Z" };
  const second = {
    ...bar,
    symbol: "SECOND",
    adj_close: 10 * (1 - 2 / 10.5),
    known_at: "2024-03-09T15:00:00Z",
  };
  const late = { ...bar, symbol: "LATE", adj_close: 10 };
  const symbols = ["ABC", "LATE", "SECOND"];
  const missing = { symbol: "LATE", missing_through: "2024-03-08" };
  await lake.append([
    batchOf(
      actionCoverage,
      symbols.map((symbol) => ({ ...COMPLETE, symbol })),
    ),
    batchOf(corporateActions, [
      { ...FIFTH, known_at: bar.known_at },
      { ...FIFTH, symbol: "SECOND", known_at: bar.known_at },
      { ...CORRECTED, symbol: "SECOND", known_at: second.known_at },
      { ...FIFTH, ...missing, known_at: second.known_at },
    ]),
    batchOf(barsDaily, [bar, second, late]),
    batchOf(barsDailyRevisions, [bar]),
    batchOf(
      shortVolume,
      symbols.map((symbol) => ({ ...LINE, symbol })),
    ),
    batchOf(finraFiles, [FILE]),
  ]);
  const moments = [null, "2024-03-11", "2024-03-08", "2024-03-07"];
  const asked: unknown[] = [];
  for (const at of moments) asked.push(await closesAt(lake, at));
  const now = { ABC: 8, LATE: 8, SECOND: 8.095238 };
  const then = { ABC: 10, LATE: 10, SECOND: 10 };
  expect(asked).toMatchObject([now, now, now, then].map((bars) => ({ bars })));
  // Corrected on the day of the bar's own fetch, and days later.
  await lake.append([
    batchOf(corporateActions, [
      { ...CORRECTED, known_at: "2024-03-08T23:00:00Z" },
      { ...CORRECTED, ...missing, known_at: "2024-03-13T15:00:00Z" },
      { ...FIFTH, symbol: "SECOND", price_factor: 0.7, known_at: "2024-03-13T15:00:00Z" },
    ]),
  ]);
  for (const [n, at] of moments.entries()) expect(await closesAt(lake, at)).toEqual(asked[n] as never);
});
