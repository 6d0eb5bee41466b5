// The mapping of companies to articles in the lake; every version stays.
import { encycEntities } from "../../datasets/index.ts";
import type { RowOf } from "../../platform/lake/dataset.ts";
import { batchOf, type Lake } from "../../platform/lake/lake.ts";
import type { Candidate } from "./score.ts";

type Row = RowOf<typeof encycEntities>;

export interface EntityRecord extends Omit<Row, "candidates" | "resolution_method"> {
  readonly resolution_method: "cik" | "ticker" | "search" | "manual" | "none";
  readonly candidates: readonly Candidate[];
}

/** A record that has an article. */
export type MappedEntity = EntityRecord & { readonly encyc_title: string };

export const isMapped = (record: EntityRecord | null): record is MappedEntity =>
  record !== null && record.encyc_title !== null;

const recordOf = (row: Row): EntityRecord => ({
  ...row,
  resolution_method: row.resolution_method as EntityRecord["resolution_method"],
  candidates: JSON.parse(row.candidates) as Candidate[],
});

export function entityStore(lake: Lake) {
  return {
    /**
     * The newest record as known at `asOf` (null: now) about a company with one of the CIKs (null: about
     * any), or about one without a CIK; null when no search was made by then.
     */
    async find(
      symbol: string,
      asOf: string | null,
      ciks: readonly string[] | null,
      signal?: AbortSignal,
    ): Promise<EntityRecord | null> {
      const about = ciks === null ? "true" : "(cik IS NULL OR cik = ANY($ciks))";
      const rows = await lake.query<Row>(
        `SELECT * FROM encyc_entities WHERE symbol = $symbol AND known_at <= known_by($as_of) AND ${about}
         ORDER BY known_at DESC LIMIT 1`,
        { symbol, as_of: asOf, ...(ciks === null ? {} : { ciks }) },
        signal ? { signal } : {},
      );
      return rows[0] ? recordOf(rows[0]) : null;
    },
    /** Every company that has an article now, by symbol. */
    async mapped(): Promise<readonly MappedEntity[]> {
      const rows = await lake.query<Row>(
        "SELECT * FROM encyc_entities_as_of(NULL) WHERE encyc_title IS NOT NULL ORDER BY symbol",
      );
      return rows.map(recordOf).filter(isMapped);
    },
    async save(record: EntityRecord): Promise<void> {
      await lake.append([
        batchOf(encycEntities, [{ ...record, candidates: JSON.stringify(record.candidates) }]),
      ]);
    },
  };
}

export type EntityStore = ReturnType<typeof entityStore>;
