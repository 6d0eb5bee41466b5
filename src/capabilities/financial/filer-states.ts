// Stores the state of each filer in the operational database: when its figures were read, by which parser, up
// to which report.
import { eq } from "drizzle-orm";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import type { FigureWarning } from "../../providers/edgar/index.ts";
import { financial_filers } from "./tables.ts";
import { readWarnings } from "./warnings.ts";

export interface FilerState
  extends Omit<typeof financial_filers.$inferSelect, "warnings" | "schedule_warnings"> {
  readonly warnings: readonly FigureWarning[];
  readonly schedule_warnings: readonly FigureWarning[];
}

export function filerStates(sqlite: Store) {
  return {
    /** Null when the filer's figures were never read. */
    state(cik: string): FilerState | null {
      const row = sqlite.use((db) =>
        db.select().from(financial_filers).where(eq(financial_filers.cik, cik)).get(),
      );
      if (!row) return null;
      return {
        ...row,
        warnings: readWarnings(row.warnings),
        schedule_warnings: readWarnings(row.schedule_warnings),
      };
    },

    /** All filers with a stored state, ascending. */
    filers: (): string[] =>
      sqlite
        .use((db) =>
          db.select({ cik: financial_filers.cik }).from(financial_filers).orderBy(financial_filers.cik).all(),
        )
        .map((row) => row.cik),

    /**
     * Saves the state of a filer; fields left out stay as they are. To be called after its figures are
     * written.
     */
    saveState(
      cik: string,
      changes: Partial<Omit<FilerState, "cik">> & Pick<FilerState, "status" | "read_at">,
    ): void {
      const { warnings, schedule_warnings, ...plain } = changes;
      const set = {
        ...plain,
        ...(warnings ? { warnings: JSON.stringify(warnings) } : {}),
        ...(schedule_warnings ? { schedule_warnings: JSON.stringify(schedule_warnings) } : {}),
      };
      sqlite.write((db) =>
        db
          .insert(financial_filers)
          .values({ cik, facts: 0, warnings: "[]", ...set })
          .onConflictDoUpdate({ target: financial_filers.cik, set })
          .run(),
      );
    },
  };
}
