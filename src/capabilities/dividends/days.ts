// Reads the calendar of an ex-dividend day, all exchanges, and stores what is new of it.
import { newYorkDate } from "../../market/calendar.ts";
import { revise } from "./revise.ts";
import type { DividendSource, SourceDay, SourceDividend } from "./sources.ts";
import type { DividendStore } from "./store.ts";

const ms = (at: Temporal.Instant) => at.toString({ smallestUnit: "millisecond" });

/** What every calendar says of a payment, as paid. */
export const datesOf = (row: SourceDividend) => ({
  ex_dividend_date: row.ex_dividend_date,
  declaration_date: row.declaration_date,
  record_date: row.record_date,
  payment_date: row.payment_date,
  amount: row.amount,
  reported_amount: null,
  basis_date: null,
});

/** Gives what reads a day: it throws what the provider throws, and answers how many rows are new. */
export function dividendDays({
  source,
  store,
}: {
  readonly source: DividendSource;
  readonly store: DividendStore;
}) {
  /** Stores the calendar of one ex-dividend day; of covered symbols their own page has the better word. */
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
    // An empty day, or one of less than half of what it had, is a broken list, not a wave of cancellations.
    const isWhole = seen.size > 0 && seen.size * 2 >= stored.size;
    const added = [...new Set([...stored.keys(), ...seen.keys()])].flatMap((symbol) =>
      revise(stored.get(symbol) ?? [], {
        symbol,
        source: source.name,
        rows: (seen.get(symbol) ?? []).map((row) => ({
          ...datesOf(row),
          dividend_type: "cash",
          // The calendar names no currency: what a page of the symbol said before stays.
          currency: stored.get(symbol)?.[0]?.currency ?? null,
        })),
        today: newYorkDate(received_at),
        known_at: ms(received_at),
        cancels: () => isWhole,
        splitRatio: () => 1,
      }),
    );
    return store.append(added);
  };

  return async (date: string, signal?: AbortSignal): Promise<number> =>
    saveDay(await source.dividendsOn(date, signal));
}
