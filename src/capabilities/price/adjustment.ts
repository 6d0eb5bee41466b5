// Puts the prices of a series on the adjustment that a request asks for. The macro `bars_adjusted` does the same in SQL.
import type { DailyBar, Ohlcv } from "../../market/bar.ts";
import { paidDigits, priceDigits } from "../../market/float.ts";

export const ADJUSTMENTS = ["raw", "split", "all"] as const;

/**
 * - `raw`: as traded on the day.
 * - `split`: on today's basis, or that of as_of. What the store gives, and the default.
 * - `all`: by splits and dividends, in proportion to the adjusted close.
 */
export type Adjustment = (typeof ADJUSTMENTS)[number];

/** Of bars with a date in [since, ex_date): what their prices are multiplied by to be as traded; null when that is unknown. */
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

/** A bar on the split basis with its prices, and for `raw` its volume, on the adjustment; null where they are unknown. */
export function adjustedBar<T extends Priced>(bar: T, adjustment: Adjustment, factors: FactorAt): T {
  if (adjustment === "split") return bar;
  const { open, high, low, close, volume, adjusted_close } = bar;
  const byDividends = close === null || adjusted_close === null ? null : adjusted_close / close;
  const factor = adjustment === "raw" ? factors(bar.date) : byDividends;
  const prices = {
    open: times(open, factor),
    high: times(high, factor),
    low: times(low, factor),
    close: adjustment === "all" ? adjusted_close : times(close, factor),
  };
  if (adjustment === "all") return { ...bar, ...prices };
  const traded = volume === null || factor === null ? null : Math.round(volume / factor);
  return { ...bar, ...prices, volume: traded };
}

/** The bars of a series on the adjustment, with the dividend of a `raw` bar as it was paid. */
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
    if (adjustment === "raw" && bar.dividend !== undefined) made.dividend = paid(bar.dividend, own(bar.date));
    return made;
  });
}

/** Says which bars have no prices on the adjustment, and what helps. */
export function unknownWarnings(bars: readonly DailyBar[], adjustment: Adjustment): string[] {
  if (adjustment === "split") return [];
  const without = bars.filter(({ close }) => close === null);
  const [first] = without;
  if (first === undefined) return [];
  const where = `in ${without.length} of ${bars.length} bars, ${first.date} to ${without.at(-1)?.date}`;
  return adjustment === "raw"
    ? [
        `The prices as traded are null ${where}: a split since then may not be stored. Request these days once with force_refresh=true and without as_of.`,
      ]
    : [`The prices adjusted by dividends are null ${where}, as adjusted_close is. Use adjustment=split.`];
}
