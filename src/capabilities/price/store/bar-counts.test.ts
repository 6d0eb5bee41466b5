// A symbol is whole when its stored days are exactly the expected ones, however many others share them. What
// one pass over the files counts is what the served bars are.

import { afterEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeClock } from "../../../../test/support/fake-clock.ts";
import { openWholeLake } from "../../../../test/support/whole-lake.ts";
import { FINAL_BASIS } from "../../../datasets/bars-daily.ts";
import { barsDaily, corporateActions } from "../../../datasets/index.ts";
import { batchOf, type Lake } from "../../../platform/lake/lake.ts";
import { type BarCounts, barScan, countBars, incompleteSymbols } from "./bar-counts.ts";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

const barOf = (symbol: string, date: string, basis_date: string) => ({
  symbol,
  date,
  open: 1,
  high: 1,
  low: 1,
  close: 1,
  volume: 1,
  adj_close: 1,
  currency: "USD",
  basis_date,
  known_at: "2026-03-08T21:00:00Z",
  source: "made",
});

async function lakeOf(
  stored: Readonly<Record<string, readonly string[]>>,
  former: Record<string, string> = {},
) {
  const dir = await mkdtemp(join(tmpdir(), "whole-"));
  const lake: Lake = await openWholeLake(dir, fakeClock("2026-03-11T21:00:00Z"));
  open.push(async () => {
    await lake.close();
    await rm(dir, { recursive: true });
  });
  await lake.append([
    batchOf(barsDaily, [
      ...Object.entries(stored).flatMap(([symbol, days]) =>
        days.map((day) => barOf(symbol, day, "2026-03-08")),
      ),
      ...Object.entries(former).map(([symbol, day]) => barOf(symbol, day, FINAL_BASIS)),
    ]),
  ]);
  return lake;
}

const WEEK = ["2026-03-02", "2026-03-03", "2026-03-04", "2026-03-05", "2026-03-06"];
const LATER = WEEK.slice(2);
/** Days over more than two weeks, whose bits take three bytes. */
const LONG = [...WEEK, "2026-03-09", "2026-03-10", "2026-03-20"];
const EVERY_DAY = [...WEEK.slice(0, 3), "2026-03-08"];
const RANGES = [{ start: "2026-03-01", end: "2026-03-31" }];

test("missing days, further days and other days are found, of symbols that are expected from different days on", async () => {
  const lake = await lakeOf(
    {
      WHOLE: WEEK,
      LATE: LATER,
      OTHER: EVERY_DAY,
      HOLE: WEEK.toSpliced(1, 1),
      MORE: [...WEEK, "2026-03-07"],
      MOVED: [...WEEK.slice(0, 4), "2026-03-07"],
      BEFORE: WEEK,
      OUTSIDE: [...WEEK, "2026-04-01"],
      UNASKED: WEEK,
      FORMER: LATER,
      LONG,
      LONG_MOVED: LONG.with(-1, "2026-03-19"),
    },
    { FORMER: "2026-03-02" },
  );
  const asked = [
    ...["WHOLE", "HOLE", "MORE", "MOVED", "OUTSIDE", "NONE"].map((symbol) => ({ symbol, days: WEEK })),
    // BEFORE has two days more than are expected of it, which others are expected to have.
    ...["LATE", "BEFORE", "FORMER"].map((symbol) => ({ symbol, days: LATER })),
    { symbol: "OTHER", days: EVERY_DAY },
    ...["LONG", "LONG_MOVED"].map((symbol) => ({ symbol, days: LONG })),
    { symbol: "UNLISTED", days: [] },
  ];
  const incomplete = ["HOLE", "MORE", "MOVED", "NONE", "BEFORE", "LONG_MOVED"];
  expect(await incompleteSymbols(lake, asked, RANGES)).toEqual(incomplete);
  expect(await incompleteSymbols(lake, [{ symbol: "WHOLE", days: [] }], RANGES)).toEqual(["WHOLE"]);
  const symbols = asked.map(({ symbol }) => symbol);
  const scan = barScan(lake, { symbols, ranges: RANGES });
  expect(await scan.incomplete(asked.slice(0, 1))).toEqual([]);
  expect(await scan.incomplete(asked)).toEqual(incomplete);
  await lake.append([batchOf(barsDaily, [barOf("HOLE", WEEK[1] ?? "", "2026-03-08")])]);
  expect(await incompleteSymbols(lake, asked, RANGES)).toEqual(incomplete.slice(1));
  expect(await barScan(lake, { symbols, ranges: RANGES }).incomplete(asked)).toEqual(incomplete.slice(1));
});

const inOrder = (rows: readonly BarCounts[]) =>
  rows
    .map((row) => ({ ...row, sources: [...row.sources].sort() }))
    .sort((a, b) => (a.symbol < b.symbol ? -1 : 1));

test("counts of one pass are those of the bars as served, also where an action has an unknown factor", async () => {
  const lake = await lakeOf(
    { WHOLE: WEEK, LATE: LATER, UNKNOWN: WEEK, UNASKED: WEEK },
    { WHOLE: "2026-02-27" },
  );
  const known = { currency: "USD", basis_date: "2026-03-10", known_at: "2026-03-10T21:00:00Z" };
  const bar = { symbol: "LATE", open: 1, high: 1, low: 1, close: 1, volume: 1, ...known };
  const dividend = {
    kind: "dividend",
    amount: 0.1,
    numerator: null,
    denominator: null,
    missing_through: null,
  };
  await lake.append([
    batchOf(barsDaily, [
      { ...bar, date: "2026-03-09", adj_close: null, source: "other" },
      { ...bar, date: "2026-03-10", adj_close: null, source: "made" },
    ]),
    batchOf(corporateActions, [
      { symbol: "UNKNOWN", ex_date: "2026-03-09", price_factor: null, ...dividend, ...known, source: "made" },
      { symbol: "WHOLE", ex_date: "2026-03-09", price_factor: 0.9, ...dividend, ...known, source: "made" },
    ]),
  ]);
  const span = { symbols: ["WHOLE", "LATE", "UNKNOWN", "NONE"], ranges: RANGES };
  const counts = inOrder(await barScan(lake, span).counts());
  expect(counts).toEqual(inOrder(await countBars(lake, { ...span, asOf: null })));
  const whole = { bars: 5, last_date: "2026-03-06", sources: ["made"], lowest: 1, highest: 1 };
  const unadjusted = {
    lowest: 1,
    highest: 1,
    unadjusted: 2,
    first_unadjusted: "2026-03-09",
    last_unadjusted: "2026-03-10",
  };
  expect(counts).toEqual([
    { symbol: "LATE", bars: 5, last_date: "2026-03-10", sources: ["made", "other"], ...unadjusted },
    {
      symbol: "UNKNOWN",
      ...whole,
      unadjusted: 5,
      first_unadjusted: "2026-03-02",
      last_unadjusted: "2026-03-06",
    },
    { symbol: "WHOLE", ...whole, unadjusted: 0, first_unadjusted: null, last_unadjusted: null },
  ]);
});
