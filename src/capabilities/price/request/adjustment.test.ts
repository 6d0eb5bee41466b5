// The adjustment of single bars; whole answers are in test/routes/price-adjustment.test.ts.
import { expect, test } from "bun:test";
import type { DailyBar } from "../../../market/bar.ts";
import { adjustedSeries, factorAt, spannedSplits, withoutSpanned } from "./adjustment.ts";

const FACTORS = factorAt([
  { symbol: "A", since: "2026-01-05", ex_date: "2026-03-11", factor: 4 },
  { symbol: "A", since: "2026-03-11", ex_date: "9999-12-31", factor: 1 },
]);
const bar = (date: string, more: Partial<DailyBar> = {}): DailyBar => ({
  date,
  open: 100.01,
  high: 101,
  low: 99,
  close: 100,
  volume: 1000,
  adjusted_close: 98,
  ...more,
});

test("raw undoes the splits since the day, and knows nothing of days before they are complete", () => {
  const bars = [bar("2026-01-04"), bar("2026-03-10", { dividend: 0.1925 }), bar("2026-03-11")];
  const raw = adjustedSeries(bars, "raw", { factors: FACTORS, isSeam: false });
  expect(raw).toEqual([
    bar("2026-01-04", { open: null, high: null, low: null, close: null, volume: null }),
    bar("2026-03-10", { open: 400.04, high: 404, low: 396, close: 400, volume: 250, dividend: 0.77 }),
    bar("2026-03-11"),
  ]);
});

test("all is in proportion to the adjusted close, and unknown without one", () => {
  const [known, unknown] = adjustedSeries(
    [bar("2026-01-04"), bar("2026-03-10", { adjusted_close: null })],
    "all",
    {
      factors: FACTORS,
      isSeam: false,
    },
  );
  expect(known).toEqual(bar("2026-01-04", { open: 98.0098, high: 98.98, low: 97.02, close: 98 }));
  expect(unknown).toEqual(
    bar("2026-03-10", { open: null, high: null, low: null, close: null, adjusted_close: null }),
  );
});

test("a provisional bar across a seam has no raw prices: a split that is not listed may have happened", () => {
  const bars = [bar("2026-03-11"), bar("2026-03-12", { provisional: true })];
  const closes = (isSeam: boolean) =>
    adjustedSeries(bars, "raw", { factors: FACTORS, isSeam }).map(({ close }) => close);
  expect([closes(false), closes(true)]).toEqual([
    [100, 100],
    [100, null],
  ]);
});

test("a longer raw bar over a split has no figures; its dividend stays where all were paid on one side of it", () => {
  const week = (days: DailyBar[]) => {
    const longer = [bar("2026-03-02"), bar("2026-03-09", { dividend: 1, split_ratio: 4 })];
    const spanned = spannedSplits(longer, days, FACTORS);
    return { spanned, bars: withoutSpanned(longer, days, spanned) };
  };
  const before = [bar("2026-03-06"), bar("2026-03-10", { dividend: 0.4 })];
  const one = week([...before, bar("2026-03-12")]);
  // The first day that traded after the split stands for its ex date, on which there was no trade.
  expect(one.spanned).toEqual([{ bar: "2026-03-09", day: "2026-03-12", ratio: 4 }]);
  const unknown = { open: null, high: null, low: null, close: null, volume: null };
  expect(one.bars).toEqual([
    bar("2026-03-02"),
    bar("2026-03-09", { ...unknown, dividend: 1, split_ratio: 4 }),
  ]);
  const both = week([...before, bar("2026-03-12", { dividend: 0.1 })]);
  expect(both.bars[1]).toMatchObject({ close: null, dividend: null });
  // A split between two bars is in neither.
  expect(week([bar("2026-03-06"), bar("2026-03-12")]).spanned).toEqual([]);
});
