// Days whose bar has a price far off the closes around it, which no trade explains. Pure.
import type { DailyBar } from "./bar.ts";

/** A price this many times off a close is far off it. */
// 496 between closes of 4.96 and 5.00. Made up: 80 between them is not, as in a rush of buyers.
export const OUTLIER_TIMES = 20;
/** Closes on each side that a price is compared with. */
const AROUND = 2;

const isFar = (price: number, close: number) =>
  price > 0 && close > 0 && Math.max(price / close, close / price) >= OUTLIER_TIMES;

/**
 * The days of bars, ascending, with a price that is far off the closes around it: off three of four, or off
 * all where they are fewer. A level that lasts is none.
 */
export function outlierDays(bars: readonly DailyBar[]): string[] {
  const isNear = (price: number | null, close: number | null | undefined) =>
    price === null || close === null || close === undefined || !isFar(price, close);
  return bars.flatMap(({ date, open, high, low, close }, at) => {
    const prices = [open, high, low, close];
    const [before, after] = [bars[at - 1]?.close, bars[at + 1]?.close];
    if (prices.every((price) => isNear(price, before) && isNear(price, after))) return [];
    const around = bars
      .slice(Math.max(0, at - AROUND), at + AROUND + 1)
      .flatMap((bar) => (bar.date === date ? [] : (bar.close ?? [])));
    const nearMax = around.length === 2 * AROUND ? 1 : 0;
    const isOff = (price: number | null) =>
      price !== null && around.filter((each) => isNear(price, each)).length <= nearMax;
    return prices.some(isOff) ? [date] : [];
  });
}
