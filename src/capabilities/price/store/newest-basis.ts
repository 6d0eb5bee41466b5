// The newest basis of the bars of symbols. Every bar of a symbol counts, but the manifest says which files
// can hold a newer basis than one that is known, so that a read of some days opens few files of others.
import { barsDaily } from "../../../datasets/bars-daily.ts";
import { addDays } from "../../../market/date.ts";
import type { DateRange } from "../../../market/time-span.ts";
import type { Lake } from "../../../platform/lake/lake.ts";
import type { DaysRead } from "../../../platform/lake/read/day-views.ts";
import { among, barDays, OWN, readBy } from "./stored-span.ts";

/** No basis is later: `FINAL_BASIS`, the day after it, marks bars without one of their own. */
const LAST_BASIS = "9999-12-30";

const laterThan = (basis: string): DaysRead => ({
  datasets: [barsDaily],
  column: "basis_date",
  ranges: [{ start: addDays(basis, 1), end: LAST_BASIS }],
});

/** The part of a request for bars that it reads anyway. */
export interface BarsRead {
  /** The days. */
  readonly ranges: readonly DateRange[];
  /**
   * Where the bars were read already: the newest basis of those of the request's one symbol, at most that of
   * its bars as stored.
   */
  readonly basis?: () => string | null;
}

/** The newest basis of each symbol's bars. A symbol without bars is absent. */
export async function newestBases(
  lake: Pick<Lake, "query">,
  symbols: readonly string[],
  { ranges, basis }: BarsRead,
): Promise<ReadonlyMap<string, string>> {
  const newest = new Map<string, string>();
  const read = async (of: readonly string[], days: DaysRead | undefined): Promise<void> => {
    if (of.length === 0) return;
    const rows = await lake.query<{ symbol: string; basis: string }>(
      `SELECT symbol, max(basis_date) AS basis FROM bars_daily WHERE ${among(of)} AND ${OWN} GROUP BY symbol`,
      {},
      { ...readBy(of), days },
    );
    for (const { symbol, basis } of rows) if (basis > (newest.get(symbol) ?? "")) newest.set(symbol, basis);
  };
  const known = basis?.() ?? null;
  if (known === null) await read(symbols, barDays(ranges));
  else for (const symbol of symbols) newest.set(symbol, known);
  const without = symbols.filter((symbol) => !newest.has(symbol));
  const [oldest] = [...newest.values()].sort();
  if (oldest !== undefined) await read([...newest.keys()], laterThan(oldest));
  await read(without, undefined);
  return newest;
}
