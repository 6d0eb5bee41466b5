// When a filer's figures were read, and how far splits are known: noted in the lake when an answer uses it,
// and loaded for an earlier version.
import { eq } from "drizzle-orm";
import { operationalStates } from "../../datasets/operational-states.ts";
import { actions_checked } from "../../datasets/tables.ts";
import type { Services } from "../../market/services.ts";
import { isReplaying } from "../../platform/reading.ts";
import { readOfOneVersion } from "../../platform/sqlite/one-version.ts";
import { recordedStates, type StateTable } from "../../platform/sqlite/recorded-states.ts";
import { financial_filers } from "./tables.ts";

const FILERS: StateTable = {
  table: financial_filers,
  rowsOf: (db, cik) => db.select().from(financial_filers).where(eq(financial_filers.cik, cik)).all(),
};

/** Up to which day a symbol's splits are known; when that was found out decides nothing. */
const SPLITS: StateTable = {
  table: actions_checked,
  rowsOf: (db, symbol) =>
    db
      .select({ symbol: actions_checked.symbol, through_date: actions_checked.through_date })
      .from(actions_checked)
      .where(eq(actions_checked.symbol, symbol))
      .all(),
};

export function statementVersions({ lake, sqlite, clock }: Pick<Services, "lake" | "sqlite" | "clock">) {
  const services = { lake, sqlite, clock, dataset: operationalStates };
  const filers = recordedStates(services, { kind: "statements", tables: [FILERS] });
  const splits = recordedStates(services, { kind: "splits", tables: [SPLITS] });
  const [ofFilers, ofSplits] = [[filers], [splits]];
  return {
    /** Reads a part of an answer that depends on when the figures of filers were read. */
    read: <T>(ciks: readonly string[], read: () => T): Promise<T> =>
      readOfOneVersion({ lake, sqlite }, ofFilers, ciks, read),

    /**
     * Loads the state of filers of the version that the request is answered from. Throws `not_replayable`
     * where it has none of the first.
     */
    async load(ciks: readonly string[]): Promise<void> {
      const [own = ""] = ciks;
      await filers.require(own, "when the company's figures were read");
      await filers.load(ciks);
    },

    /** The last day up to which the splits of a symbol are known; null when they never were read. */
    async splitsKnownTo(symbol: string): Promise<string | null> {
      if (isReplaying()) await splits.require(symbol, `how far splits of ${symbol} were known`);
      const read = () =>
        sqlite.use((db) => db.select().from(actions_checked).where(eq(actions_checked.symbol, symbol)).get())
          ?.through_date ?? null;
      return readOfOneVersion({ lake, sqlite }, ofSplits, [symbol], read);
    },
  };
}

export type StatementVersions = ReturnType<typeof statementVersions>;
