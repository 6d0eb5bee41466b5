// Reads the dividend calendar of an ex-dividend day for all exchanges and stores what is new.
import { newYorkDate } from "../../market/calendar.ts";
import { instantText } from "../../platform/instant-text.ts";
import { revise } from "./revise.ts";
import type { DividendSource, SourceDay, SourceDividend } from "./sources.ts";
import type { DividendStore } from "./store.ts";

/** The fields that every calendar has of a payment; the amount is as paid. */
export const datesOf = (row: SourceDividend) => ({
  ex_dividend_date: row.ex_dividend_date,
  declaration_date: row.declaration_date,
  record_date: row.record_date,
  payment_date: row.payment_date,
  amount: row.amount,
  reported_amount: null,
  basis_date: null,
});

/**
 * Creates the function that reads one day. It returns how many rows are new and throws the provider's errors.
 */
export function dividendDays({
  source,
  store,
}: {
  readonly source: DividendSource;
  readonly store: DividendStore;
}) {
  /**
   * Stores the calendar of one ex-dividend day, except of covered symbols: their own page is more detailed.
   */
  const saveDay = async (day: SourceDay): Promise<number> => {
    const { date, rows, received_at } = day;
    const covered = store.covered();
    const stored = Map.groupBy(
      (await store.onDay(date, source.name)).filter((row) => !covered.has(row.symbol)),
      (row) => row.symbol,
    );
    const seen = Map.groupBy(
      rows.filter((row) => !covered.has(row.symbol)),
      (row) => row.symbol,
    );
    // An empty day, or one with less than half of the stored symbols, is a broken list, not a wave of
    // cancellations.
    const isComplete = seen.size > 0 && seen.size * 2 >= stored.size;
    const added = [...new Set([...stored.keys(), ...seen.keys()])].flatMap((symbol) =>
      revise(stored.get(symbol) ?? [], {
        symbol,
        source: source.name,
        rows: (seen.get(symbol) ?? []).map((row) => ({
          ...datesOf(row),
          dividend_type: "cash",
          // The calendar names no currency, so the stored one stays.
          currency: stored.get(symbol)?.[0]?.currency ?? null,
        })),
        today: newYorkDate(received_at),
        known_at: instantText(received_at.epochMilliseconds),
        cancels: () => isComplete,
        splitRatio: () => 1,
      }),
    );
    return store.appendDay(added, {
      ex_dividend_date: date,
      rows: rows.length,
      known_at: instantText(received_at.epochMilliseconds),
    });
  };

  return async (date: string, signal?: AbortSignal): Promise<number> =>
    saveDay(await source.dividendsOn(date, signal));
}
