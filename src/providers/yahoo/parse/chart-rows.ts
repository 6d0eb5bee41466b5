// Reads the rows of a chart answer: parallel lists, checked against each other and combined into rows.
import { decodeFloat32, providerPrice } from "../../../market/float.ts";
import type { Wire } from "../wire.ts";

/** One row as Yahoo sent it, with prices decoded to decimals; a null close means that there is no bar. */
export interface ChartRow {
  /** Start of the bar, epoch seconds. */
  readonly seconds: number;
  readonly open: number | null;
  readonly high: number | null;
  readonly low: number | null;
  readonly close: number | null;
  readonly volume: number | null;
  readonly adj_close: number | null;
}

export interface ChartRows {
  /** Ascending by start; equal starts keep the order of the answer. */
  readonly rows: readonly ChartRow[];
  /** True when the answer has only closes: enough to show, not enough to store. */
  readonly isCloseOnly: boolean;
}

/** A price; null for 0, which Yahoo writes for an unknown price, and below it unless it is a future's. */
// Oil for delivery in May settled at -37.63 on 20 April 2020; a share at -37.63 has no price.
const priceOf =
  (isFuture: boolean, decode: (price: number) => number) =>
  (value: number | null | undefined): number | null =>
    value && (value > 0 || isFuture) ? decode(value) : null;

/** The highest and the lowest price; neither is known where the highest is below the lowest. */
// Made up: a high of 30.00 and a low of 40.40.
const rangeOf = (high: number | null, low: number | null) =>
  high !== null && low !== null && high < low ? { high: null, low: null } : { high, low };

/** A number of shares; null when negative, fractional or out of bounds. */
function count(value: number | null | undefined): number | null {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : null;
}

/** Adjusted closes; absent for intraday bars, and for daily bars when not requested. */
function readAdjusted(indicators: Wire, count: number): (number | null)[] {
  const list = indicators.at("adjclose");
  if (list.isMissing) return [];
  const adjusted = list.first().at("adjclose");
  return adjusted.isMissing ? [] : adjusted.numbers(count);
}

const LISTS = ["open", "high", "low", "volume"] as const;

/** Reads `chart.result[0]`. Without `timestamp` there are no bars; rejects lists of unequal length. */
export function readRows(result: Wire, isFuture = false): ChartRows {
  const timestamps = result.at("timestamp");
  const starts = timestamps.isMissing
    ? []
    : timestamps.items().map((t) => t.instant().epochMilliseconds / 1000);
  if (starts.length === 0) {
    const closes = result.at("indicators").at("quote").first().at("close");
    if (!closes.isMissing && closes.items().length > 0) throw timestamps.wrong("as long as the closes");
    return { rows: [], isCloseOnly: false };
  }
  const indicators = result.at("indicators");
  const quote = indicators.at("quote").first();
  const closes = quote.at("close").numbers(starts.length);
  const isCloseOnly = LISTS.every((name) => quote.at(name).value === undefined);
  const list = (name: (typeof LISTS)[number]) => (isCloseOnly ? [] : quote.at(name).numbers(starts.length));
  const [opens, highs, lows, volumes] = [list("open"), list("high"), list("low"), list("volume")];
  const adjusted = readAdjusted(indicators, starts.length);
  const price = priceOf(isFuture, providerPrice);
  // Kept as it was computed: it is rounded where it is answered, after it has been scaled to the basis of the
  // answer.
  const unrounded = priceOf(isFuture, decodeFloat32);
  const rows = starts.map(
    (seconds, i): ChartRow => ({
      seconds,
      open: price(opens[i]),
      ...rangeOf(price(highs[i]), price(lows[i])),
      close: price(closes[i]),
      volume: count(volumes[i]),
      adj_close: unrounded(adjusted[i]),
    }),
  );
  return { rows: rows.sort((a, b) => a.seconds - b.seconds), isCloseOnly };
}
