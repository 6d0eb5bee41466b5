// Makes an answer of a provider's present values for days that may be stored: with `force_refresh` they are
// the answer, while the stored bars stay as they are.
import type { DailyBar, ProviderBar } from "../../../market/bar.ts";
import { adjustedDigits, priceDigits, wholeShares } from "../../../market/float.ts";
import type { DateRange } from "../../../market/time-span.ts";
import type { Refreshed } from "../fetched.ts";
import type { BasisFactors } from "../store/stored-bars.ts";

const times = (value: number | null, factor: number | null) =>
  value === null || factor === null ? null : priceDigits(value * factor);

/** A bar on the basis of the stored series. */
function onBasis(bar: ProviderBar, factors: BasisFactors | undefined): DailyBar | null {
  const { date, open, high, low, close, volume, adj_close } = bar;
  if (factors === undefined)
    return { date, open, high, low, close, volume, adjusted_close: adjustedDigits(adj_close) };
  const { split_factor: split, total_factor: total } = factors;
  if (split === null) return null;
  return {
    date,
    open: times(open, split),
    high: times(high, split),
    low: times(low, split),
    close: priceDigits(close * split),
    volume: volume === null ? null : wholeShares(volume / split),
    adjusted_close: times(adj_close, total),
  };
}

export interface RefreshedSeries {
  readonly bars: DailyBar[];
  /** Days whose stored bar is served, as the provider has none now. */
  readonly kept: readonly string[];
  isKept(date: string): boolean;
}

/**
 * The stored series with the provider's present values in place of the stored ones. A stored day of which the
 * provider says nothing now stays.
 * @param factors from the basis of the refresh to that of the series; undefined when both are the same
 */
export function withRefreshed(
  stored: readonly DailyBar[],
  refreshed: Refreshed,
  ranges: readonly DateRange[],
  factors: BasisFactors | undefined,
): RefreshedSeries {
  const isWithin = ({ date }: ProviderBar) =>
    ranges.some(({ start, end }) => (start === null || date >= start) && date <= end);
  const byDate = new Map(stored.map((bar) => [bar.date, bar]));
  const replaced = new Set<string>();
  for (const bar of refreshed.bars.filter(isWithin)) {
    const now = onBasis(bar, factors);
    if (now === null) continue;
    byDate.set(bar.date, now);
    replaced.add(bar.date);
  }
  return {
    bars: [...byDate.values()].sort((a, b) => (a.date < b.date ? -1 : 1)),
    kept: stored.flatMap(({ date }) => (replaced.has(date) ? [] : [date])),
    isKept: (date) => !replaced.has(date),
  };
}
