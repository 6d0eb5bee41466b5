// Puts the prices of a series on the adjustment that a request asks for. The macro `bars_adjusted` does the
// same in SQL.
import type { DailyBar, Ohlcv, PeriodBar } from "../../../market/bar.ts";
import { paidDigits, priceDigits, wholeShares } from "../../../market/float.ts";

export const ADJUSTMENTS = ["raw", "split", "all"] as const;

/**
 * - `raw`: as traded on the day.
 * - `split`: on today's basis, or that of as_of. What the store gives, and the default.
 * - `all`: by splits and dividends, in proportion to the adjusted close.
 */
export type Adjustment = (typeof ADJUSTMENTS)[number];

/**
 * Of bars with a date in [since, ex_date): what their prices are multiplied by to be as traded; null when
 * that is unknown.
 */
export interface TradeFactor {
  readonly symbol: string;
  readonly since: string;
  readonly ex_date: string;
  readonly factor: number | null;
}

/** The factor of a day; null where it is unknown. */
export type FactorAt = (date: string) => number | null;

export const factorAt =
  (factors: readonly TradeFactor[]): FactorAt =>
  (date) =>
    factors.find(({ since, ex_date }) => since <= date && date < ex_date)?.factor ?? null;

const times = (value: number | null, factor: number | null) =>
  value === null || factor === null ? null : factor === 1 ? value : priceDigits(value * factor);

const paid = (amount: number | null, factor: number | null) =>
  amount === null || factor === null ? null : factor === 1 ? amount : paidDigits(amount, factor);

interface Priced extends Ohlcv {
  readonly date: string;
  readonly adjusted_close: number | null;
}

/**
 * A bar on the split basis with its prices, and for `raw` its volume, on the adjustment; null where they are
 * unknown.
 */
export function adjustedBar<T extends Priced>(bar: T, adjustment: Adjustment, factors: FactorAt): T {
  if (adjustment === "split") return bar;
  const { open, high, low, close, volume, adjusted_close } = bar;
  const byDividends = close === null || adjusted_close === null ? null : adjusted_close / close;
  const factor = adjustment === "raw" ? factors(bar.date) : byDividends;
  const prices = {
    open: times(open, factor),
    high: times(high, factor),
    low: times(low, factor),
    close: times(close, factor),
  };
  if (adjustment === "all") return { ...bar, ...prices };
  const traded = volume === null || factor === null ? null : wholeShares(volume / factor);
  return { ...bar, ...prices, volume: traded };
}

const PAYMENTS = ["dividend", "capital_gain"] as const;

/** The bars of a series on the adjustment, with the payments of a `raw` bar as they were paid. */
export function adjustedSeries(
  bars: DailyBar[],
  adjustment: Adjustment,
  { factors, isSeam }: { readonly factors: FactorAt; readonly isSeam: boolean },
): DailyBar[] {
  if (adjustment === "split") return bars;
  return bars.map((bar) => {
    // Across a seam a split may have happened that the provider does not list yet.
    const own: FactorAt = isSeam && bar.provisional ? () => null : factors;
    const made = adjustedBar(bar, adjustment, own);
    for (const kind of adjustment === "raw" ? PAYMENTS : [])
      if (bar[kind] !== undefined) made[kind] = paid(bar[kind], own(bar.date));
    return made;
  });
}

/** A bar of several sessions, some of which traded before a split and some after it. */
export interface SpannedSplit {
  /** The date of the bar. */
  readonly bar: string;
  /** The first session that traded after the split. */
  readonly day: string;
  /** New shares for one old. */
  readonly ratio: number;
}

/**
 * The bars made of sessions on two sides of a split, with the split. `days` are their sessions, both
 * ascending.
 */
export function spannedSplits(
  bars: readonly PeriodBar[],
  days: readonly DailyBar[],
  factors: FactorAt,
): readonly SpannedSplit[] {
  const barOf = (date: string) => bars.findLast((bar) => bar.date <= date)?.date;
  return days.flatMap(({ date: day }, i) => {
    const before = days[i - 1]?.date;
    const [old, now] = [before === undefined ? null : factors(before), factors(day)];
    if (before === undefined || old === null || now === null || old === now) return [];
    const bar = barOf(day);
    return bar !== undefined && bar === barOf(before) ? [{ bar, day, ratio: old / now }] : [];
  });
}

/**
 * Longer bars of prices as traded. Prices and volumes from before and after a split count different shares:
 * no one bar of them is true, so its figures are null. A payment stays where all of the bar's were paid on
 * one side of the split.
 */
export function withoutSpanned(
  bars: PeriodBar[],
  days: readonly DailyBar[],
  spanned: readonly SpannedSplit[],
): PeriodBar[] {
  if (spanned.length === 0) return bars;
  return bars.map((bar, i) => {
    const splits = spanned.filter((split) => split.bar === bar.date);
    if (splits.length === 0) return bar;
    const next = bars[i + 1]?.date ?? "9999-12-31";
    const own = days.filter(({ date }) => date >= bar.date && date < next);
    const made: PeriodBar = { ...bar, open: null, high: null, low: null, close: null, volume: null };
    for (const kind of PAYMENTS) {
      const paid = own.filter((day) => day[kind] !== undefined);
      const sides = new Set(paid.map(({ date }) => splits.filter(({ day }) => day <= date).length));
      if (sides.size > 1) made[kind] = null;
    }
    return made;
  });
}

const ratioText = (ratio: number) => {
  const [large, isReverse] = ratio >= 1 ? [ratio, false] : [1 / ratio, true];
  const shares = Number(large.toPrecision(6));
  return isReverse ? `1:${shares}` : `${shares}:1`;
};

/** Says which bars have no prices as traded since a split lies within them, and what helps. */
export function spannedWarnings(spanned: readonly SpannedSplit[]): string[] {
  if (spanned.length === 0) return [];
  const bars = [...new Set(spanned.map(({ bar }) => bar))].join(", ");
  const splits = spanned.map(({ day, ratio }) => `${ratioText(ratio)} on ${day}`).join(", ");
  return [
    `The prices as traded are null in the bar of ${bars}: it has sessions before and after a split (${splits}), whose prices count different shares. Use interval=1d or adjustment=split.`,
  ];
}

/** Says which bars have no prices on the adjustment, and what helps. */
export function unknownWarnings(
  bars: readonly DailyBar[],
  adjustment: Adjustment,
  spanned: readonly SpannedSplit[] = [],
): string[] {
  if (adjustment === "split") return [];
  const isSpanned = new Set(spanned.map(({ bar }) => bar));
  const without = bars.filter(({ close, date }) => close === null && !isSpanned.has(date));
  const [first] = without;
  if (first === undefined) return spannedWarnings(spanned);
  const where = `in ${without.length} of ${bars.length} bars, ${first.date} to ${without.at(-1)?.date}`;
  return adjustment === "raw"
    ? [
        `The prices as traded are null ${where}: a split since then may not be stored. Request these days once with force_refresh=true and without as_of.`,
        ...spannedWarnings(spanned),
      ]
    : [`The prices adjusted by dividends are null ${where}, as adjusted_close is. Use adjustment=split.`];
}
