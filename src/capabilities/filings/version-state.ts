// Records in the lake the state of a filer's filings, from which an earlier version is answered.
import { and, asc, eq, inArray, ne } from "drizzle-orm";
import { operationalStates } from "../../datasets/operational-states.ts";
import type { Services } from "../../market/services.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import { isReplaying, refuseInReplay } from "../../platform/reading.ts";
import { type CopiedRows, readOfOneVersion } from "../../platform/sqlite/one-version.ts";
import { recordedStates, type StateTable } from "../../platform/sqlite/recorded-states.ts";
import { addVersionRows, isFirstLoad, type StateRow } from "../../platform/sqlite/version-tables.ts";
import { CURRENT_REPORTS } from "./forms.ts";
import type { LakePublisher } from "./publish.ts";
import { filing_events, filing_filers, filing_parses, filings, unpublished } from "./tables.ts";

const FILINGS = `SELECT * EXCLUDE (recorded) FROM filings WHERE cik = ANY($ciks)
  QUALIFY row_number() OVER (PARTITION BY accession_number, cik ORDER BY indexed_at DESC, recorded DESC) = 1`;
const EVENTS = `SELECT * EXCLUDE (recorded) FROM filing_events
  WHERE accession_number IN (SELECT accession_number FROM filings WHERE cik = ANY($ciks))
  QUALIFY row_number() OVER (PARTITION BY accession_number, item_number ORDER BY parsed_at DESC, recorded DESC) = 1`;

/** When a list was read last changes with each reading, and decides nothing in an earlier version. */
const LISTS: StateTable = {
  table: filing_filers,
  rowsOf: (db, cik) =>
    db
      .select({
        cik: filing_filers.cik,
        name: filing_filers.name,
        tickers: filing_filers.tickers,
        predecessor_ciks: filing_filers.predecessor_ciks,
        covered_from: filing_filers.covered_from,
      })
      .from(filing_filers)
      .where(eq(filing_filers.cik, cik))
      .all(),
};

/** Only reports that are not read, or cannot be: all others are read. */
const UNREAD: StateTable = {
  table: filing_parses,
  rowsOf: (db, cik) =>
    db
      .select({ accession_number: filing_parses.accession_number, status: filing_parses.status })
      .from(filing_parses)
      .innerJoin(filings, eq(filings.accession_number, filing_parses.accession_number))
      .where(and(eq(filings.cik, cik), ne(filing_parses.status, "succeeded")))
      .orderBy(asc(filing_parses.accession_number))
      .all(),
};

const stored = (instant: unknown): string | null =>
  typeof instant === "string" ? instantText(instantMs(instant)) : null;

const asFiling = (row: StateRow): StateRow => ({
  ...row,
  accepted_at: stored(row.accepted_at),
  known_at: stored(row.known_at),
  indexed_at: stored(row.indexed_at),
  precision: row.accepted_at === null ? "day" : "second",
  published: true,
});
const asEvent = (row: StateRow): StateRow => ({ ...row, parsed_at: stored(row.parsed_at), published: true });

export interface FilingVersionDeps extends Pick<Services, "lake" | "sqlite" | "clock"> {
  readonly publisher: LakePublisher;
  /** Whether new filings are being read in the background. */
  isBusy(): boolean;
}

/** Whether the lake has the filings of these filers, and their events where asked. */
function publishedCheck({ sqlite }: Pick<FilingVersionDeps, "sqlite">) {
  const waitingFilings = (ciks: readonly string[]): boolean =>
    sqlite.use((db) => {
      const own = inArray(filings.cik, [...ciks]);
      const waiting = db
        .select({ cik: filings.cik })
        .from(filings)
        .where(unpublished(filings))
        .limit(1)
        .get();
      if (!waiting) return false;
      return (
        db
          .select({ cik: filings.cik })
          .from(filings)
          .where(and(unpublished(filings), own))
          .limit(1)
          .get() !== undefined
      );
    });
  const waitingEvents = (ciks: readonly string[]): boolean =>
    sqlite.use((db) => {
      const events = db
        .select({ accession: filing_events.accession_number })
        .from(filing_events)
        .where(unpublished(filing_events))
        .all()
        .map(({ accession }) => accession);
      if (events.length === 0) return false;
      const own = and(inArray(filings.accession_number, events), inArray(filings.cik, [...ciks]));
      return db.select({ cik: filings.cik }).from(filings).where(own).limit(1).get() !== undefined;
    });
  return { waitingFilings, waitingEvents };
}

export function filingVersions(deps: FilingVersionDeps) {
  const { lake, sqlite, clock, publisher, isBusy } = deps;
  const { waitingFilings, waitingEvents } = publishedCheck(deps);
  const services = { lake, sqlite, clock, dataset: operationalStates };
  const lists = recordedStates(services, { kind: "filing_list", tables: [LISTS] });
  const reports = recordedStates(services, { kind: "current_reports", tables: [UNREAD] });
  const copies = (isWaiting: (ciks: readonly string[]) => boolean): CopiedRows => ({
    isReady: (ciks) => !isWaiting(ciks),
    bringUp: () => publisher.publish(),
    isBusy,
  });
  const index = [lists, copies(waitingFilings)];
  const search = [...index, { ...reports, isBusy }];
  const events = [...search, copies(waitingEvents)];

  const loadFilings = async (ciks: readonly string[], signal: AbortSignal): Promise<void> => {
    const fresh = ciks.filter((cik) => isFirstLoad(`filings ${cik}`));
    const rows = fresh.length === 0 ? [] : await lake.query<StateRow>(FILINGS, { ciks: fresh }, { signal });
    addVersionRows(filings, rows.map(asFiling));
    addVersionRows(filing_parses, []);
  };

  /** Loads which reports were read, and their events; all that are not noted as unread were. */
  const loadReports = async (ciks: readonly string[], signal: AbortSignal): Promise<void> => {
    const has = await reports.load(ciks);
    const fresh = ciks.filter((cik) => has.has(cik) && isFirstLoad(`events ${cik}`));
    if (fresh.length === 0) return;
    const rows = await lake.query<StateRow>(EVENTS, { ciks: fresh }, { signal });
    addVersionRows(filing_events, rows.map(asEvent));
    sqlite.use((db) => {
      const noted = new Set(
        db
          .select({ accession: filing_parses.accession_number })
          .from(filing_parses)
          .all()
          .map(({ accession }) => accession),
      );
      const read = db
        .selectDistinct({ accession_number: filings.accession_number })
        .from(filings)
        .where(and(inArray(filings.cik, fresh), inArray(filings.form_type, [...CURRENT_REPORTS])))
        .all()
        .filter(({ accession_number }) => !noted.has(accession_number));
      addVersionRows(
        filing_parses,
        read.map((row) => ({ ...row, status: "succeeded" })),
      );
    });
  };

  return {
    /** Reads a part of an answer that depends on the index, on which reports are read, or on their events. */
    read: <T>(what: "index" | "search" | "events", ciks: readonly string[], read: () => T): Promise<T> =>
      readOfOneVersion({ lake, sqlite }, { index, search, events }[what], ciks, read),

    /**
     * Loads the list of a filer of the version that the request is answered from. Throws `not_replayable`
     * where it has none.
     */
    async loadList(cik: string, signal: AbortSignal): Promise<void> {
      if (!isReplaying()) return;
      await lists.require(cik, "the company's list of filings");
      await loadFilings([cik], signal);
    },

    /**
     * Loads the events of filers whose lists are loaded. Throws `not_replayable` where the version does not
     * know which reports were read.
     */
    async loadReports(ciks: readonly string[], signal: AbortSignal): Promise<void> {
      if (!isReplaying()) return;
      const [own = ""] = ciks;
      await reports.require(own, "which current reports were read");
      await loadReports(ciks, signal);
    },

    /**
     * Throws `not_replayable` where a version has no filings of the days before `covered_from`, and these are
     * asked for.
     */
    requireFrom(start: string, covered_from: string): void {
      if (start < covered_from)
        refuseInReplay(
          `filings before ${covered_from}`,
          `Give a start_date from ${covered_from} on, or leave out data_version.`,
        );
    },
  };
}

export type FilingVersions = ReturnType<typeof filingVersions>;
