// Reads closes of stored daily bars and restates them on the share basis of a report, for metrics with a price. Fetches nothing.
import { eq } from "drizzle-orm";
import { actions_checked } from "../../../datasets/tables.ts";
import { addDays } from "../../../market/date.ts";
import type { Services } from "../../../market/services.ts";
import type { CloseOn } from "./records.ts";

/** Longest gap between two sessions of the exchange: a bar older than this is not the last close before a day. */
const DAYS_BACK_MAX = 7;

interface StoredBar {
  /** The requested date. */
  readonly wanted: string;
  readonly date: string;
  readonly close: number | null;
  readonly currency: string | null;
}

interface Split {
  readonly ex_date: string;
  readonly ratio: number | null;
}

export interface Closes {
  readonly closeOn: CloseOn;
  /** Why stored closes could not be used, each reason once. */
  readonly warnings: () => readonly string[];
}

/** Factor that undoes the splits after `basis` in a price; null when a ratio is unknown. */
function unsplit(splits: readonly Split[], basis: string): number | null {
  let factor = 1;
  for (const { ex_date, ratio } of splits) {
    if (ex_date <= basis) continue;
    if (ratio === null || !(ratio > 0)) return null;
    factor *= ratio;
  }
  return factor;
}

const BARS = `SELECT w.wanted, b.date, b.close, b.currency
  FROM (SELECT CAST(unnest($dates) AS DATE) AS wanted) w ASOF JOIN
    (SELECT date, close, currency FROM bars(CAST($as_of AS TIMESTAMPTZ))
     WHERE symbol = $symbol AND date BETWEEN CAST($start AS DATE) AND CAST($end AS DATE)) b
    ON w.wanted >= b.date`;

const SPLITS = `SELECT ex_date, numerator / denominator AS ratio FROM actions(CAST($as_of AS TIMESTAMPTZ))
  WHERE symbol = $symbol AND kind = 'split'
    AND ex_date <= (least(known_by(CAST($as_of AS TIMESTAMPTZ)), now()) AT TIME ZONE 'America/New_York')::DATE`;

/** What is stored of a symbol's prices around the requested dates. */
interface StoredPrices {
  readonly symbol: string;
  /** By the requested date: the bar of the last session on or before it. */
  readonly bars: ReadonlyMap<string, StoredBar>;
  readonly splits: readonly Split[];
  /** Last day up to which the symbol's splits are known; "" when they never were read. */
  readonly splitsKnownTo: string;
}

/** Looks closes up in stored prices. Returns null, and notes the reason, unless currency and share basis are certain. */
function closesFrom({ symbol, bars, splits, splitsKnownTo }: StoredPrices): Closes {
  const reasons = new Set<string>();
  const closeOn: CloseOn = (date, splitBasis, currency) => {
    const bar = bars.get(date);
    if (!bar || bar.close === null || bar.date < addDays(date, -DAYS_BACK_MAX)) return null;
    if (bar.currency !== currency) {
      reasons.add(
        `The price is in ${bar.currency ?? "an unknown currency"}, the statements are in ${currency}: metrics with a price are null.`,
      );
      return null;
    }
    const factor = splitsKnownTo < splitBasis ? null : unsplit(splits, splitBasis);
    if (factor === null) {
      reasons.add(
        `Splits of ${symbol} are not known up to ${splitBasis}: metrics with a price of that basis are null.`,
      );
      return null;
    }
    return bar.close * factor;
  };
  return { closeOn, warnings: () => [...reasons] };
}

export function storedCloses({ lake, sqlite }: Pick<Services, "lake" | "sqlite">) {
  const splitsKnownTo = (symbol: string): string =>
    sqlite.use((db) => db.select().from(actions_checked).where(eq(actions_checked.symbol, symbol)).get())
      ?.through_date ?? "";

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
    if (first === undefined || last === undefined) return { closeOn: () => null, warnings: () => [] };
    const knownTo = splitsKnownTo(symbol);
    const span = { start: addDays(first, -DAYS_BACK_MAX), end: last };
    const bars = await lake.query<StoredBar>(BARS, { symbol, dates, as_of, ...span }, { signal });
    const splits = bars.length === 0 ? [] : await lake.query<Split>(SPLITS, { symbol, as_of }, { signal });
    return closesFrom({
      symbol,
      bars: new Map(bars.map((bar) => [bar.wanted, bar])),
      splits,
      splitsKnownTo: knownTo,
    });
  };
}

export type ClosesOf = ReturnType<typeof storedCloses>;
