// Divides a range of the ledger into parts that are sorted one by one: large commits of one dataset, and what
// lies between them.

import type { QueryOptions } from "../duckdb.ts";
import { rowObjects } from "../duckdb-read.ts";
import type { Snapshot } from "../snapshot.ts";
import type { LakeParts } from "../write/commit.ts";
import { changeMarks, type LedgerRange } from "./change-rows.ts";

/**
 * Rows of one dataset in one commit from which they are a part of their own. A range with fewer is read at
 * once.
 */
export const LARGE_ROWS = 20_000;
/** And their share of all rows, so that there are few parts. */
const LARGE_SHARE = 0.05;

/** Generations after `from`, up to and including `to`. */
interface Generations {
  readonly from: number;
  readonly to: number;
}

/** A part of the ledger in its order. */
export interface Segment {
  /** By the name of the dataset, in the order of the names. */
  readonly pieces: ReadonlyMap<string, Generations>;
  /** The last generation. */
  readonly to: number;
  /** Whether the next part has rows of that generation too. */
  readonly continues: boolean;
}

interface Place {
  readonly place: number;
  readonly dataset: string;
  readonly first: number;
  readonly last: number;
}

const isOf = (pieces: ReadonlyMap<string, unknown>, names: ReadonlySet<string>) =>
  pieces.size === 1 && names.size === 1 && [...names].every((name) => pieces.has(name));

/** Puts together what has one place; neighbours of one dataset alone are one part. */
function segmentsOf(places: readonly Place[]): Segment[] {
  const made: { pieces: Map<string, Generations>; first: number; to: number }[] = [];
  for (const group of Map.groupBy(places, ({ place }) => place).values()) {
    const [first, to] = [
      Math.min(...group.map((one) => one.first)),
      Math.max(...group.map((one) => one.last)),
    ];
    const previous = made.at(-1);
    if (previous && isOf(previous.pieces, new Set(group.map(({ dataset }) => dataset)))) {
      for (const [name, { from }] of previous.pieces) previous.pieces.set(name, { from, to });
      previous.to = to;
    } else {
      const pieces = new Map(group.map((one) => [one.dataset, { from: one.first - 1, to: one.last }]));
      made.push({ pieces, first, to });
    }
  }
  return made.map(({ pieces, to }, at) => ({ pieces, to, continues: made[at + 1]?.first === to }));
}

/** The parts of a range, in the order of the ledger. */
export async function segmentsIn(
  parts: LakeParts,
  snapshot: Snapshot,
  range: LedgerRange,
  options: QueryOptions,
): Promise<Segment[]> {
  const marks = changeMarks(parts, snapshot, range);
  if (marks.rows < LARGE_ROWS) {
    const pieces = range.datasets.map(({ name }) => [name, range] as const).sort();
    return [{ pieces: new Map(pieces), to: range.to, continues: false }];
  }
  const found = await parts.db.read(
    `SELECT place, dataset, min(generation) AS first, max(generation) AS last FROM (
      SELECT *, 2 * sum(is_large::INTEGER) OVER (ORDER BY generation, dataset) - is_large::INTEGER AS place FROM (
        SELECT *, rows >= greatest(${LARGE_ROWS}, ${LARGE_SHARE} * sum(rows) OVER ()) AS is_large FROM (
          SELECT generation, dataset, count(*) AS rows FROM (${marks.sql}) GROUP BY ALL)))
     GROUP BY ALL ORDER BY place, dataset`,
    {},
    options,
  );
  return segmentsOf(
    rowObjects<Place>(found).map(({ place, dataset, first, last }) => ({
      place: Number(place),
      dataset,
      first: Number(first),
      last: Number(last),
    })),
  );
}
