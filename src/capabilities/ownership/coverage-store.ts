// Which companies' lists and which days are complete in the index of filings, in the operational database.
import { and, asc, eq, gte, lt, lte, min, sql } from "drizzle-orm";
import { inBatches } from "../../market/bulk.ts";
import type { Services } from "../../market/services.ts";
import { instantText } from "../../platform/instant-text.ts";
import { backfill_items } from "../../platform/sqlite/tables.ts";
import type { Kind } from "./forms.ts";
import { ownership_days, ownership_lists } from "./tables.ts";

/** How far back a company's own list was read, and when. */
export type ListCoverage = Pick<typeof ownership_lists.$inferSelect, "covered_from" | "listed_at">;
type DaySource = typeof ownership_days.$inferSelect.source;

const ROWS_PER_STATEMENT = 200;
/** Prefix of quarterly data sets in the ledger of backfills. The name of the data set follows. */
export const DATA_SET_NAME = "insiders ";

export class CoverageStore {
  readonly #sqlite: Services["sqlite"];
  readonly #clock: Services["clock"];

  constructor({ sqlite, clock }: Pick<Services, "sqlite" | "clock">) {
    this.#sqlite = sqlite;
    this.#clock = clock;
  }

  /** Coverage by the company's own list; null when it was never read. */
  list(cik: string, kind: Kind): ListCoverage | null {
    const row = this.#sqlite.use((db) =>
      db
        .select()
        .from(ownership_lists)
        .where(and(eq(ownership_lists.cik, cik), eq(ownership_lists.kind, kind)))
        .get(),
    );
    return row ?? null;
  }

  /** Extends the coverage by the company's own list. */
  saveList(cik: string, kind: Kind, list: ListCoverage): void {
    this.#sqlite.write((db) =>
      db
        .insert(ownership_lists)
        .values({ cik, kind, ...list })
        .onConflictDoUpdate({
          target: [ownership_lists.cik, ownership_lists.kind],
          set: {
            covered_from: sql`min(${ownership_lists.covered_from}, excluded.covered_from)`,
            listed_at: sql`max(${ownership_lists.listed_at}, excluded.listed_at)`,
          },
        })
        .run(),
    );
  }

  /** Days of the span whose filings, of all companies, are in the index. */
  days(kind: Kind, from: string, to: string): Set<string> {
    const rows = this.#sqlite.use((db) =>
      db
        .select({ date: ownership_days.date })
        .from(ownership_days)
        .where(
          and(eq(ownership_days.kind, kind), gte(ownership_days.date, from), lte(ownership_days.date, to)),
        )
        .orderBy(asc(ownership_days.date))
        .all(),
    );
    return new Set(rows.map((row) => row.date));
  }

  /** The first day that was indexed from a daily index; null when none was. */
  firstDay(): string | null {
    const row = this.#sqlite.use((db) =>
      db
        .select({ date: min(ownership_days.date) })
        .from(ownership_days)
        .where(eq(ownership_days.source, "daily_index"))
        .get(),
    );
    return row?.date ?? null;
  }

  /** Marks days as complete. */
  saveDays(
    kind: Kind,
    days: readonly { readonly date: string; readonly filings: number }[],
    source: DaySource,
  ): void {
    const indexed_at = instantText(this.#clock.nowMs());
    const rows = days.map((day) => ({ ...day, kind, source, indexed_at }));
    this.#sqlite.write((db) => {
      for (const batch of inBatches(rows, ROWS_PER_STATEMENT))
        db.insert(ownership_days)
          .values(batch)
          .onConflictDoUpdate({
            target: [ownership_days.kind, ownership_days.date],
            set: {
              filings: sql`excluded.filings`,
              source: sql`excluded.source`,
              indexed_at: sql`excluded.indexed_at`,
            },
          })
          .run();
    });
  }

  /** Whether the backfill of a quarterly data set was ever begun. */
  hasDataSets(): boolean {
    const row = this.#sqlite.use((db) =>
      db
        .select({ item: backfill_items.item })
        .from(backfill_items)
        // A range of the key: `LIKE` would read every item.
        .where(
          and(
            gte(backfill_items.backfill, DATA_SET_NAME),
            lt(backfill_items.backfill, `${DATA_SET_NAME}\uffff`),
          ),
        )
        .limit(1)
        .get(),
    );
    return row !== undefined;
  }
}
