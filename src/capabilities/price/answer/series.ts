// From stored columns and provisional bars to the series of an answer: one list of bars per symbol, on one
// basis.
import type { DailyBar, ProviderBar } from "../../../market/bar.ts";
import { adjustedDigits, sumDigits } from "../../../market/float.ts";
import { outlierDays } from "../../../market/outlier.ts";
import type { DateRange } from "../../../market/time-span.ts";
import type { StoredAction } from "../store/stored-actions.ts";

/** A provisional bar as a row of an answer. */
const provisionalBar = (bar: ProviderBar): DailyBar => ({
  date: bar.date,
  open: bar.open,
  high: bar.high,
  low: bar.low,
  close: bar.close,
  volume: bar.volume,
  adjusted_close: adjustedDigits(bar.adj_close),
  provisional: true,
});

/** Stored bars with the provisional ones of days that are not stored; both oldest first. */
export function withProvisional(stored: DailyBar[], provisional: readonly ProviderBar[]): DailyBar[] {
  const [first] = provisional;
  if (first === undefined) return stored;
  const have = new Set<string>();
  for (let i = stored.length - 1; i >= 0; i--) {
    const date = stored[i]?.date ?? "";
    if (date < first.date) break;
    have.add(date);
  }
  const more = provisional.filter((b) => !have.has(b.date)).map(provisionalBar);
  return more.length === 0 ? stored : [...stored, ...more].sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** Marks the bars with a price far off the closes around it. */
export function withOutliers(bars: DailyBar[]): DailyBar[] {
  const days = new Set(outlierDays(bars));
  for (const bar of bars) if (days.has(bar.date)) bar.outlier = true;
  return bars;
}

/**
 * Writes payments and split ratios onto the bars of their ex dates. Returns the actions that a warning
 * names: payments in another currency, entries that can be none, and gains that no price is scaled by.
 */
export function attachActions(
  bars: readonly Pick<DailyBar, "date" | "dividend" | "capital_gain" | "split_ratio">[],
  actions: readonly StoredAction[],
  currency: string | null,
): StoredAction[] {
  if (actions.length === 0) return [];
  const byDate = new Map(bars.map((b) => [b.date, b]));
  const left: StoredAction[] = [];
  for (const action of actions) {
    const { ex_date, kind, amount, ratio } = action;
    const bar = byDate.get(ex_date);
    if (kind === "unusable" || (kind === "capital_gain" && action.price_factor === 1)) left.push(action);
    if (!bar) continue;
    const isOtherCurrency = action.currency !== null && currency !== null && action.currency !== currency;
    if (kind === "split") {
      if (ratio !== null) bar.split_ratio = (bar.split_ratio ?? 1) * ratio;
    } else if ((kind === "dividend" || kind === "capital_gain") && amount !== null) {
      if (isOtherCurrency) left.push(action);
      else bar[kind] = sumDigits((bar[kind] ?? 0) + amount);
    }
  }
  return left;
}

/** "2026-08-03 to 2026-09-04", or several such ranges. */
export const rangeText = (ranges: readonly DateRange[]) =>
  ranges.map((r) => `${r.start ?? "the beginning"} to ${r.end}`).join(", ");
