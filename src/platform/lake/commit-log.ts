// The times of the commits: one line per generation, beside the manifest, which would grow without end with them.

import { join } from "node:path";
import { literal } from "./dataset.ts";
import type { Disk } from "./disk.ts";

const COMMIT_LOG = "commits.csv";

/** Path of the log in the lake folder. */
export const commitLogIn = (lakeDir: string): string => join(lakeDir, COMMIT_LOG);

/**
 * Notes the time of a commit. Call it under the lock, before the manifest is replaced: the line of a commit that then fails
 * is followed by another of the same generation, and the last one counts.
 */
export async function noteCommit(
  disk: Disk,
  lakeDir: string,
  generation: number,
  at: Temporal.Instant,
): Promise<void> {
  await disk.appendLine(commitLogIn(lakeDir), `${generation},${at.toString()}`);
}

/**
 * SQL of a table with the columns generation and recorded_at; a generation of a release without the log is not in it.
 * A line that a crash cut off is passed over.
 */
export function commitTimes(path: string): string {
  return `(SELECT generation, arg_max(recorded_at, line) AS recorded_at FROM (
      SELECT generation, recorded_at, row_number() OVER () AS line FROM read_csv(${path}, header = false, auto_detect = false,
        delim = ',', columns = {'generation': 'BIGINT', 'recorded_at': 'TIMESTAMPTZ'}, ignore_errors = true))
    GROUP BY generation)`;
}

export const commitTimesIn = (lakeDir: string): string => commitTimes(literal(commitLogIn(lakeDir)));
