// From which day on the stored actions of symbols are complete: kept in memory, since every request for prices asks.
import type { actionCoverage } from "../../datasets/action-coverage.ts";
import type { RowOf } from "../../platform/lake/dataset.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import type { Fetched } from "./fetch-daily.ts";

export type CoverageRow = RowOf<typeof actionCoverage>;

export function storedCoverage(lake: Lake) {
  const days = new Map<string, string>();
  let loaded: Promise<void> | undefined;
  const note = (rows: readonly { readonly symbol: string; readonly from_date: string }[]) => {
    for (const { symbol, from_date } of rows) {
      const before = days.get(symbol);
      if (before === undefined || from_date < before) days.set(symbol, from_date);
    }
  };
  const load = async () =>
    note(
      await lake.query<{ symbol: string; from_date: string }>(
        "SELECT symbol, min(from_date) AS from_date FROM action_coverage GROUP BY symbol",
      ),
    );

  return {
    /** Reads what is stored, once. What another process stores later is only fetched again. */
    async ready(): Promise<void> {
      loaded ??= load();
      await loaded.catch((error: unknown) => {
        loaded = undefined;
        throw error;
      });
    },
    /** Null when it is not known, and before `ready`. */
    from: (symbol: string): string | null => days.get(symbol) ?? null,
    /** The rows to store of a batch: where it makes the actions complete from an earlier day on. */
    rowsOf: (batch: readonly Fetched[]): CoverageRow[] =>
      batch.flatMap(({ symbol, actionsFrom, answer, source }) => {
        const before = days.get(symbol);
        if (actionsFrom === null || (before !== undefined && before <= actionsFrom)) return [];
        return [{ symbol, from_date: actionsFrom, known_at: answer.received_at.toString(), source }];
      }),
    /** Takes over rows that were stored. */
    note,
  };
}
