// Computes adjusted prices from the prices as traded and the listed actions. The feed rounds each adjusted
// price to cents, which on a price of ten dollars hides what a small dividend took off, and in prices before
// a split the cents of the trade.
import type { FeedBar } from "../../../market/bar.ts";
import type { CorporateAction, LaterDividends } from "../../../market/bar-history.ts";
import { priceDigits } from "../../../market/float.ts";
import { type Closes, dividendFactor, partLeft, splitFactorAfter } from "./adjustment-check.ts";

type Prices = Pick<FeedBar, "open" | "high" | "low"> & { readonly close: number };

/**
 * Split-adjusted prices of a day from those as traded, where these are at hand; else as the feed has rounded
 * them.
 */
export function splitAdjusted(
  split: Prices,
  raw: FeedBar | undefined,
  actions: readonly CorporateAction[],
  date: string,
): Prices {
  const factor = splitFactorAfter(actions, date);
  if (raw === undefined || raw.close === null || factor === 1) return split;
  const times = (value: number | null) => (value === null ? null : priceDigits(value * factor));
  return {
    open: times(raw.open),
    high: times(raw.high),
    low: times(raw.low),
    close: priceDigits(raw.close * factor),
  };
}

/** The factor of the dividends from a day to `upTo`, computed once for each stretch of days without one. */
function stepFactors(dividends: readonly CorporateAction[], upTo: string): (date: string) => number | null {
  const days = [...new Set(dividends.map(({ ex_date }) => ex_date))].sort();
  const after = ["", ...days].map((day) => dividendFactor(dividends, day, upTo));
  return (date) => after[days.filter((day) => day <= date).length] ?? null;
}

/**
 * The part of the prices that dividends after the last day leave, where they are not listed or their closes
 * before are not at hand: what the feed's adjusted closes of all days allow within their rounding; 1 where
 * that is possible and none is listed.
 */
// Made up: a newest close of 100.00 that is 98.00 fully adjusted, and no dividend in the list: the part is
// 0.98.
function laterDividends(
  closes: readonly Closes[],
  dividends: readonly CorporateAction[],
): LaterDividends | null {
  const after = closes.findLast((bar) => bar.settled)?.date;
  if (after === undefined) return null;
  const factorOf = stepFactors(dividends, after);
  let [low, high] = [0, Number.POSITIVE_INFINITY];
  for (const bar of closes) {
    const seen = bar.settled ? partLeft(bar) : null;
    const own = seen && factorOf(seen.date);
    if (!seen || own === null) continue;
    low = Math.max(low, (seen.part - seen.slack) / own);
    high = Math.min(high, (seen.part + seen.slack) / own);
  }
  if (!Number.isFinite(high)) return null;
  const isListed = dividends.some(({ ex_date }) => ex_date > after);
  const part = !isListed && low <= 1 && high >= 1 ? 1 : (low + high) / 2;
  return { after, part, slack: Math.abs(high - low) / 2 / part };
}

interface DividendFactors {
  /**
   * Returns the factor of a day's settled close for the dividends from that day to the basis; null where it
   * is unknown.
   */
  readonly factorOf: (date: string) => number | null;
  /** Set where the dividends after the last bar are estimated. */
  readonly later: LaterDividends | null;
}

/** The factors of days. `isWhole`: every dividend up to the basis is listed, with the close before it. */
export function dividendFactors(
  closes: readonly Closes[],
  actions: readonly CorporateAction[],
  { basis, isWhole }: { readonly basis: string; readonly isWhole: boolean },
): DividendFactors {
  const dividends = actions.filter(({ kind }) => kind === "dividend");
  if (isWhole) return { factorOf: stepFactors(dividends, basis), later: null };
  const later = laterDividends(closes, dividends);
  if (later === null) return { factorOf: () => null, later };
  const ownFactorOf = stepFactors(dividends, later.after);
  const factorOf = (date: string) => {
    const own = ownFactorOf(date);
    return own === null ? null : own * later.part;
  };
  return { factorOf, later };
}
