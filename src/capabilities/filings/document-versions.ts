// Which documents of a filing were stored: noted in the lake when an answer shows one, and loaded for an
// earlier version. The bytes never change: the vault keeps them by their hash.
import { and, desc, eq, gte, lt, max } from "drizzle-orm";
import { operationalStates } from "../../datasets/operational-states.ts";
import type { Services } from "../../market/services.ts";
import { isReplaying } from "../../platform/reading.ts";
import { readOfOneVersion } from "../../platform/sqlite/one-version.ts";
import { recordedStates, type StateTable } from "../../platform/sqlite/recorded-states.ts";
import { vault_objects } from "../../platform/sqlite/tables.ts";
import { vaultFolder } from "../../providers/edgar/index.ts";
import { filing_parses, filings } from "./tables.ts";

/**
 * A range, which the index of the table serves: the keys of a folder end before the character that follows
 * its slash.
 */
const inFolder = (folder: string) =>
  and(gte(vault_objects.url, folder), lt(vault_objects.url, `${folder.slice(0, -1)}0`));

/** The newest bytes of each file; when they were received decides nothing in an earlier version. */
const FILES: StateTable = {
  table: vault_objects,
  rowsOf: (db, accession) => {
    const rows = db
      .select({ url: vault_objects.url, sha256: vault_objects.sha256 })
      .from(vault_objects)
      .where(inFolder(vaultFolder(accession)))
      .orderBy(vault_objects.url, desc(vault_objects.received_at))
      .all();
    return rows.filter(({ url }, i) => rows[i - 1]?.url !== url);
  },
};

/** The party whose folder addresses name. */
const PARTY: StateTable = {
  table: filings,
  rowsOf: (db, accession) =>
    db
      .select({ accession_number: filings.accession_number, cik: max(filings.cik) })
      .from(filings)
      .where(eq(filings.accession_number, accession))
      .groupBy(filings.accession_number)
      .all(),
};

/** No answer about documents depends on them, but the index is read with them. */
const PARSES: StateTable = { table: filing_parses, rowsOf: () => [] };

export function documentVersions({ lake, sqlite, clock }: Pick<Services, "lake" | "sqlite" | "clock">) {
  const services = { lake, sqlite, clock, dataset: operationalStates };
  const documents = recordedStates(services, { kind: "documents", tables: [FILES, PARTY, PARSES] });
  const sources = [documents];
  return {
    /** Notes the stored documents of a filing that an answer shows, so that its version has them. */
    note: (accession: string): Promise<void> =>
      readOfOneVersion({ lake, sqlite }, sources, [accession], () => undefined),

    /**
     * Loads the documents of a filing of the version that the request is answered from. Throws
     * `not_replayable` where it has none.
     */
    async load(accession: string): Promise<void> {
      if (isReplaying()) await documents.require(accession, `the documents of filing ${accession}`);
    },
  };
}

export type DocumentVersions = ReturnType<typeof documentVersions>;
