// From which day on the stored actions of symbols are complete: kept in memory, since every request for
// prices asks.
import type { actionCoverage } from "../../../datasets/action-coverage.ts";
import { addDays, earlierDay, laterDay } from "../../../market/date.ts";
import type { RowOf } from "../../../platform/lake/dataset.ts";
import type { Lake } from "../../../platform/lake/lake.ts";
import { unnoted } from "../../../platform/reading.ts";
import type { Fetched } from "../fetched.ts";

export type CoverageRow = RowOf<typeof actionCoverage>;

/** The stored claims about a symbol's actions. */
interface Claims {
  /** The earliest day from which on its actions were complete; null without such a row. */
  from: string | null;
  /** The newest day of a withdrawal. */
  incompleteThrough: string | null;
}

export function storedCoverage(lake: Lake) {
  const claims = new Map<string, Claims>();
  let loaded: Promise<void> | undefined;
  const note = (rows: readonly Pick<CoverageRow, "symbol" | "from_date" | "incomplete_through">[]) => {
    for (const { symbol, from_date, incomplete_through } of rows) {
      const before = claims.get(symbol);
      claims.set(symbol, {
        from: earlierDay(from_date, before?.from ?? from_date),
        incompleteThrough: laterDay(incomplete_through ?? "", before?.incompleteThrough ?? "") || null,
      });
    }
  };
  const load = async () =>
    note(
      await lake.query<Pick<CoverageRow, "symbol" | "from_date" | "incomplete_through">>(
        `SELECT symbol, min(from_date) AS from_date, max(incomplete_through) AS incomplete_through
         FROM action_coverage GROUP BY symbol`,
      ),
    );

  /**
   * The row that says that a fetch's adjusted closes include dividends that are not listed, unless it is
   * stored.
   */
  const withdrawal = ({ symbol, answer, source }: Fetched): CoverageRow[] => {
    const through = answer.basis_date;
    if (!answer.hasUnlistedDividends || (claims.get(symbol)?.incompleteThrough ?? "") >= through) return [];
    const known_at = answer.received_at.toString();
    return [{ symbol, from_date: addDays(through, 1), incomplete_through: through, known_at, source }];
  };

  return {
    /** Reads what is stored, once. What another process stores later is only fetched again. */
    async ready(): Promise<void> {
      loaded ??= unnoted(load);
      await loaded.catch((error: unknown) => {
        loaded = undefined;
        throw error;
      });
    },
    /** The from_date of complete_actions(). Null when it is not known, and before `ready`. */
    from: (symbol: string): string | null => claims.get(symbol)?.from ?? null,
    /**
     * The rows to store of a batch: where it makes the actions complete from an earlier day on, or shows that
     * dividends are missing.
     */
    coverageRows: (batch: readonly Fetched[]): CoverageRow[] =>
      batch.flatMap((fetched) => {
        const { symbol, actionsFrom, answer, source } = fetched;
        const before = claims.get(symbol)?.from ?? null;
        if (actionsFrom === null || (before !== null && before <= actionsFrom)) return withdrawal(fetched);
        const known_at = answer.received_at.toString();
        return [
          ...withdrawal(fetched),
          { symbol, from_date: actionsFrom, incomplete_through: null, known_at, source },
        ];
      }),
    /** Takes over rows that were stored. */
    note,
  };
}
