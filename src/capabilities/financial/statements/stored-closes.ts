// Closes of stored daily bars on the share basis of a report: what metrics made with a price are made of. Fetches nothing.
import { inArray } from "drizzle-orm";
import { addDays } from "../../../market/date.ts";
import type { Lake } from "../../../platform/lake/lake.ts";
import type { Store } from "../../../platform/sqlite/sqlite.ts";
import { actions_checked } from "../../../platform/sqlite/tables.ts";
import type { CloseOn } from "./records.ts";

/** No two sessions of the exchange lie further apart; an older bar is not the close of that day. */
const DAYS_BACK_MAX = 7;

interface Session {
  readonly wanted: string;
  readonly close: number | null;
  readonly currency: string | null;
}

interface Split {
  readonly ex_date: string;
  readonly ratio: number | null;
}

export interface Closes {
  readonly closeOn: CloseOn;
  /** Why a close that lies in the store could not be used, each reason once. */
  readonly warnings: () => readonly string[];
}

/** What a price is multiplied by to leave out the splits after `basis`; null when a ratio is unknown. */
function unsplit(splits: readonly Split[], basis: string): number | null {
  let factor = 1;
  for (const { ex_date, ratio } of splits) {
    if (ex_date <= basis) continue;
    if (ratio === null || !(ratio > 0)) return null;
    factor *= ratio;
  }
  return factor;
}

export function storedCloses({ lake, sqlite }: { readonly lake: Lake; readonly sqlite: Store }) {
  /**
   * Closes of a symbol around `dates`, as known at `asOf`. A close is given only where it is certain to be on the
   * report's basis: splits must be known up to that day, and the currencies be the same.
   */
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
    const [checked] = sqlite.use((db) =>
      db
        .select()
        .from(actions_checked)
        .where(inArray(actions_checked.symbol, [symbol]))
        .all(),
    );
    const bars = await lake.query<Session & { date: string }>(
      `SELECT w.wanted, b.date, b.close, b.currency
       FROM (SELECT CAST(unnest($dates) AS DATE) AS wanted) w ASOF JOIN
         (SELECT date, close, currency FROM bars(CAST($as_of AS TIMESTAMPTZ))
          WHERE symbol = $symbol AND date BETWEEN CAST($start AS DATE) AND CAST($end AS DATE)) b
         ON w.wanted >= b.date`,
      { symbol, dates, as_of, start: addDays(first, -DAYS_BACK_MAX), end: last },
      { signal },
    );
    const splits =
      bars.length === 0
        ? []
        : await lake.query<Split>(
            `SELECT ex_date, numerator / denominator AS ratio FROM actions(CAST($as_of AS TIMESTAMPTZ))
             WHERE symbol = $symbol AND kind = 'split'
               AND ex_date <= (least(known_by(CAST($as_of AS TIMESTAMPTZ)), now()) AT TIME ZONE 'America/New_York')::DATE`,
            { symbol, as_of },
            { signal },
          );
    const byDate = new Map(bars.map((bar) => [bar.wanted, bar]));
    const reasons = new Set<string>();
    const closeOn: CloseOn = (date, splitBasis, currency) => {
      const bar = byDate.get(date);
      if (!bar || bar.close === null || bar.date < addDays(date, -DAYS_BACK_MAX)) return null;
      if (bar.currency !== currency) {
        reasons.add(
          `The price is in ${bar.currency ?? "an unknown currency"}, the statements are in ${currency}: metrics with a price are null.`,
        );
        return null;
      }
      const factor = (checked?.through_date ?? "") < splitBasis ? null : unsplit(splits, splitBasis);
      if (factor === null) {
        reasons.add(
          `Splits of ${symbol} are not known up to ${splitBasis}: metrics with a price of that basis are null.`,
        );
        return null;
      }
      return bar.close * factor;
    };
    return { closeOn, warnings: () => [...reasons] };
  };
}

export type ClosesOf = ReturnType<typeof storedCloses>;
