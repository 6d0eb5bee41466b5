// Reads what snapshots are made of from the store: closes of month ends, splits, counts of shares. Fetches
// nothing.
import { inArray } from "drizzle-orm";
import { actions_checked } from "../../datasets/tables.ts";
import type { universeSnapshots } from "../../datasets/universe-snapshots.ts";
import { inBatches } from "../../market/bulk.ts";
import { type CountFact, PLACEHOLDER_MAX } from "../../market/share-count.ts";
import type { Split } from "../../market/share-split.ts";
import type { RowOf } from "../../platform/lake/dataset.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";

export type SnapshotRow = RowOf<typeof universeSnapshots>;

/** First and last stored session of a symbol. */
export interface Bounds {
  readonly first: string;
  readonly last: string;
}

export interface Close {
  readonly close: number | null;
  readonly currency: string | null;
}

/** Values of one IN list of SQLite. */
const VALUES_MAX = 10_000;

const grouped = <T extends { key: string }>(rows: readonly T[]) => Map.groupBy(rows, ({ key }) => key);

export function snapshotInputs({ lake, sqlite }: { readonly lake: Lake; readonly sqlite: Store }) {
  return {
    /** First and last stored session of each symbol. */
    async bounds(symbols: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Bounds>> {
      const rows = await lake.query<Bounds & { symbol: string }>(
        `SELECT symbol, min(date) AS first, max(date) AS last FROM bars_daily
         WHERE symbol = ANY($symbols) GROUP BY symbol`,
        { symbols },
        { signal },
      );
      return new Map(rows.map((row) => [row.symbol, row]));
    },

    /** Splits of symbols, oldest first. */
    async splits(
      symbols: readonly string[],
      signal: AbortSignal,
    ): Promise<ReadonlyMap<string, readonly Split[]>> {
      const rows = await lake.query<Split & { key: string }>(
        `SELECT symbol AS key, ex_date, numerator, denominator FROM actions(NULL)
         WHERE kind = 'split' AND symbol = ANY($symbols) ORDER BY symbol, ex_date`,
        { symbols },
        { signal },
      );
      return grouped(rows);
    },

    /** The day up to which the splits of a symbol are known. */
    through(symbols: readonly string[]): ReadonlyMap<string, string> {
      const known = new Map<string, string>();
      for (const batch of inBatches(symbols, VALUES_MAX)) {
        const rows = sqlite.use((db) =>
          db.select().from(actions_checked).where(inArray(actions_checked.symbol, batch)).all(),
        );
        for (const row of rows) known.set(row.symbol, row.through_date);
      }
      return known;
    },

    /** Reported counts of shares by filer, without doubtful ones and those of proxies and other forms. */
    async counts(
      ciks: readonly string[],
      signal: AbortSignal,
    ): Promise<ReadonlyMap<string, readonly CountFact[]>> {
      const rows = await lake.query<CountFact & { key: string }>(
        `SELECT cik AS key, value, period_end, coalesce(split_basis, filed_date) AS split_basis,
           accession_number, filed_date, known_at, taxonomy = 'dei' AS is_cover, weighted
         FROM financial_facts LEFT JOIN (SELECT accession_number, arg_max(value, period_end) AS weighted
           FROM financial_facts WHERE starts_with(line, 'weighted_average_shares') AND value > 0
             AND cik = ANY($ciks) AND NOT contains(coalesce(flags, ''), 'suspect') GROUP BY accession_number)
           USING (accession_number)
         WHERE line = 'shares_outstanding' AND value > ${PLACEHOLDER_MAX} AND cik = ANY($ciks)
           AND NOT regexp_matches(coalesce(flags, ''), 'suspect|conflicting|proxy_form|other_form')
         ORDER BY cik, period_end, filed_date`,
        { ciks },
        { signal },
      );
      return grouped(rows);
    },

    /** Closes of one session. */
    async closes(
      symbols: readonly string[],
      date: string,
      signal: AbortSignal,
    ): Promise<ReadonlyMap<string, Close>> {
      const rows = await lake.query<Close & { symbol: string }>(
        `SELECT symbol, close, currency FROM bars(NULL)
         WHERE date = CAST($date AS DATE) AND symbol = ANY($symbols)`,
        { date, symbols },
        { signal },
      );
      return new Map(rows.map((row) => [row.symbol, row]));
    },

    /** The current rows of one snapshot, by listing. */
    async snapshot(date: string, signal: AbortSignal): Promise<ReadonlyMap<string, SnapshotRow>> {
      const rows = await lake.query<SnapshotRow>(
        `SELECT * FROM universe_snapshots WHERE snapshot_date = CAST($date AS DATE)
         QUALIFY row_number() OVER (PARTITION BY listing ORDER BY known_at DESC) = 1`,
        { date },
        { signal },
      );
      return new Map(rows.map((row) => [row.listing, row]));
    },
  };
}

export type SnapshotInputs = ReturnType<typeof snapshotInputs>;
