// Stores which tags the cash-flow statements of reports present: one row for each report and reading.
import { presentedStatements } from "../../datasets/presented-statements.ts";
import { batcher } from "../../platform/batcher.ts";
import type { RowOf } from "../../platform/lake/dataset.ts";
import { batchOf, type Lake } from "../../platform/lake/lake.ts";

export type PresentationRow = RowOf<typeof presentedStatements>;
export type StoredPresentation = Pick<PresentationRow, "accession_number" | "reading" | "tags" | "read_at">;

const LAST_READINGS = `SELECT accession_number, reading, tags, read_at FROM ${presentedStatements.name}
  WHERE accession_number = ANY($accessions)
  QUALIFY row_number() OVER (PARTITION BY accession_number ORDER BY reading DESC) = 1`;

export function presentationStore(lake: Lake) {
  const reads = batcher<string, StoredPresentation | undefined>({
    async run(accessions) {
      const rows = await lake.query<StoredPresentation>(LAST_READINGS, {
        accessions: [...new Set(accessions)],
      });
      const byAccession = new Map(rows.map((row) => [row.accession_number, row]));
      return accessions.map((accession) => byAccession.get(accession));
    },
  });
  return {
    /**
     * The last reading of a report; undefined when it was never read. Reads requested at about the same time
     * share one query.
     */
    last: (accession: string) => reads.add(accession),
    async add(rows: readonly PresentationRow[]): Promise<void> {
      await lake.append([batchOf(presentedStatements, rows)]);
    },
  };
}
