// Which filers' lists and which days of the daily index are indexed, in the operational database.
import { eq, sql } from "drizzle-orm";
import type { Services } from "../../market/services.ts";
import { instantText } from "../../platform/instant-text.ts";
import { filing_days, filing_filers } from "./tables.ts";

export interface FilerRecord {
  readonly cik: string;
  readonly name: string;
  /** Canonical symbols, the primary one first. */
  readonly tickers: readonly string[];
  readonly predecessor_ciks: readonly string[];
  /** First filing date from which no filing is missing. */
  readonly covered_from: string;
  /** When the filer's list was last read, RFC 3339 UTC. */
  readonly indexed_at: string;
}

export function filerStore({ sqlite, clock }: Pick<Services, "sqlite" | "clock">) {
  return {
    /** Null when the filer's list was never read. */
    filer(cik: string): FilerRecord | null {
      const row = sqlite.use((db) => db.select().from(filing_filers).where(eq(filing_filers.cik, cik)).get());
      if (!row) return null;
      return { ...row, tickers: JSON.parse(row.tickers), predecessor_ciks: JSON.parse(row.predecessor_ciks) };
    },

    /** The CIK of the indexed filer with this symbol; null when no indexed filer has it. */
    cikOfTicker: (symbol: string): string | null =>
      sqlite.use((db) =>
        db
          .select({ cik: filing_filers.cik })
          .from(filing_filers)
          .where(sql`EXISTS (SELECT 1 FROM json_each(${filing_filers.tickers}) WHERE value = ${symbol})`)
          .get(),
      )?.cik ?? null,

    saveFiler(filer: FilerRecord): void {
      const row = {
        ...filer,
        tickers: JSON.stringify(filer.tickers),
        predecessor_ciks: JSON.stringify(filer.predecessor_ciks),
      };
      sqlite.use((db) =>
        db
          .insert(filing_filers)
          .values(row)
          .onConflictDoUpdate({ target: filing_filers.cik, set: row })
          .run(),
      );
    },

    /** CIKs of the filers whose lists are indexed, ascending. */
    filers: (): string[] =>
      sqlite
        .use((db) =>
          db.select({ cik: filing_filers.cik }).from(filing_filers).orderBy(filing_filers.cik).all(),
        )
        .map((row) => row.cik),

    /** Whether the daily index of the day is stored. */
    hasDay: (date: string): boolean =>
      sqlite.use((db) => db.select().from(filing_days).where(eq(filing_days.date, date)).get()) !== undefined,

    saveDay(date: string, filingCount: number): void {
      const row = { date, filings: filingCount, indexed_at: instantText(clock.nowMs()) };
      sqlite.use((db) =>
        db.insert(filing_days).values(row).onConflictDoUpdate({ target: filing_days.date, set: row }).run(),
      );
    },
  };
}
