// Reads closes of stored daily bars and restates them on the share basis of a report, for metrics with a
// price. Fetches nothing.
import { addDays, earlierDay } from "../../../market/date.ts";
import type { Services } from "../../../market/services.ts";
import { priceRatio, type Split, type SplitsOf } from "../../../market/share-split.ts";
import type { CloseOn } from "./records.ts";

/**
 * Longest gap between two sessions of the exchange: a bar older than this is not the last close before a day.
 */
const DAYS_BACK_MAX = 7;

interface StoredBar {
  /** The requested date. */
  readonly wanted: string;
  readonly date: string;
  readonly close: number | null;
  readonly currency: string | null;
}

export interface Closes {
  /** The close of the last session on or before `date`, on the basis of a day, else as `CloseOn`. */
  closeOn(date: string, splitBasis: string, currency: string): ReturnType<CloseOn>;
  /** The splits known at the moment. */
  readonly splits: readonly Split[];
  /** The requested dates without a stored close. */
  readonly lacking: readonly string[];
}

const BARS = `SELECT w.wanted, b.date, b.close, b.currency
  FROM (SELECT CAST(unnest($dates) AS DATE) AS wanted) w ASOF JOIN
    (SELECT date, close, currency FROM bars(CAST($as_of AS TIMESTAMPTZ))
     WHERE symbol = $symbol AND date BETWEEN CAST($start AS DATE) AND CAST($end AS DATE)) b
    ON w.wanted >= b.date`;

/** The stored prices of a symbol around the requested dates. */
interface StoredPrices {
  readonly symbol: string;
  /** By the requested date: the bar of the last session on or before it. */
  readonly bars: ReadonlyMap<string, StoredBar>;
  readonly splits: readonly Split[];
  /** Last day up to which the symbol's splits are known; null when they never were read. */
  readonly through: string | null;
}

/** Looks closes up in stored prices. Gives a reason instead unless currency and share basis are certain. */
function closesFrom(
  { symbol, bars, splits, through }: StoredPrices,
  dates: readonly string[],
  asOf: string | null,
): Closes {
  const when = `from the day on which the period became known, or the ${DAYS_BACK_MAX} days before,`;
  const noClose = `No close of ${symbol} ${when} ${asOf === null ? "is stored" : "was known at as_of"}.`;
  const barOf = (date: string) => {
    const bar = bars.get(date);
    const isNear = bar !== undefined && bar.date >= addDays(date, -DAYS_BACK_MAX);
    return isNear && bar.close !== null ? { close: bar.close, currency: bar.currency } : null;
  };
  const closeOn: Closes["closeOn"] = (date, splitBasis, currency) => {
    const bar = barOf(date);
    if (bar === null) return { why: noClose };
    if (bar.currency !== currency)
      return {
        why: `The price is in ${bar.currency ?? "an unknown currency"}, the statements are in ${currency}.`,
      };
    const factor = (through ?? "") < splitBasis ? null : priceRatio(splits, splitBasis);
    if (factor === null) return { why: `Splits of ${symbol} are not known up to ${splitBasis}.` };
    return { close: bar.close * factor };
  };
  return { closeOn, splits, lacking: dates.filter((date) => barOf(date) === null) };
}

const NO_CLOSES: Closes = {
  closeOn: () => ({ why: "No period has a known date." }),
  splits: [],
  lacking: [],
};

export function storedCloses({ lake, splitsOf }: Pick<Services, "lake"> & { readonly splitsOf: SplitsOf }) {
  /** Closes of a symbol on or before each of `dates` (ascending), as known at `asOf`. */
  return async (
    symbol: string,
    dates: readonly string[],
    asOf: Temporal.Instant | null,
    signal: AbortSignal,
  ): Promise<Closes> => {
    const as_of = asOf === null ? null : asOf.toString();
    const first = dates[0];
    const last = dates.at(-1);
    if (first === undefined || last === undefined) return NO_CLOSES;
    const span = { start: addDays(first, -DAYS_BACK_MAX), end: last };
    const bars = await lake.query<StoredBar>(BARS, { symbol, dates, as_of, ...span }, { signal });
    // Splits count from the open of their ex date, whenever they were read.
    const { splits, through, wanted } = await splitsOf(symbol, asOf, signal);
    const prices = { symbol, bars: new Map(bars.map((bar) => [bar.wanted, bar])), splits };
    return closesFrom({ ...prices, through: through && earlierDay(through, wanted) }, dates, as_of);
  };
}

export type ClosesOf = ReturnType<typeof storedCloses>;
