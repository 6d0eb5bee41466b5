// The log of commits: one line per generation with what is known of the commit beside its rows. It is a file
// beside the manifest, which would otherwise grow without end.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Cause } from "../change-causes.ts";
import { literal } from "../dataset.ts";
import type { Disk } from "../disk.ts";
import type { DuckDb, QueryOptions } from "../duckdb.ts";
import { rowObjects } from "../duckdb-read.ts";
import { lineOf, linesOf } from "../lineage.ts";
import type { Manifest } from "../manifest.ts";

export const COMMIT_LOG = "commits.csv";

/** Path of the log in the lake folder. */
export const commitLogIn = (lakeDir: string): string => join(lakeDir, COMMIT_LOG);

/** The line of one commit in the log. */
export interface CommitNote {
  /** Rows written, by dataset. Rows that were only moved to another file do not count. */
  readonly rows: ReadonlyMap<string, number>;
  /**
   * Why the rows of a dataset changed, where the writer stated it; else the ledger derives it from the rows.
   */
  readonly causes: ReadonlyMap<string, Cause>;
}

/** Names and values without comma, semicolon or quote, so that a line needs no quoting. */
const fieldOf = (values: ReadonlyMap<string, string | number>) =>
  [...values].map(([name, value]) => `${name}=${value}`).join(";");

/**
 * Notes a commit. Call it under the lock, before the manifest is replaced: the line of a commit that then
 * fails is followed by another of the same generation, and the last one counts.
 */
export async function noteCommit(
  disk: Disk,
  lakeDir: string,
  generation: number,
  at: Temporal.Instant,
  { rows, causes }: CommitNote,
): Promise<void> {
  const line = [generation, at.toString(), fieldOf(rows), fieldOf(causes)].join(",");
  await disk.appendLine(commitLogIn(lakeDir), `${line},${lineHash(line)}`);
}

const HASH_CHARS = 12;
const lineHash = (line: string) =>
  new Bun.CryptoHasher("md5").update(line).digest("hex").slice(0, HASH_CHARS);

/** How a line of an earlier release begins: a generation and a whole time. It has no hash. */
const EARLIER = /^\d+,[^,]*Z(,|$)/;

/**
 * Says which lines are not as they were written, or missing. Lines of earlier releases have no hash, and
 * stand before all that have one. A line that a crash cut off is followed by another of its generation.
 */
export async function logProblems(
  lakeDir: string,
  manifest: Pick<Manifest, "generation" | "lines">,
): Promise<string[]> {
  const path = commitLogIn(lakeDir);
  const lines = existsSync(path) ? (await readFile(path, "utf8")).split("\n").filter(Boolean) : [];
  const isWhole = (line: string) => {
    const text = line.slice(0, -HASH_CHARS - 1);
    return line === `${text},${lineHash(text)}`;
  };
  const first = lines.findIndex(isWhole);
  const numberOf = (line = "") => line.split(",")[0] ?? "";
  const isDamaged = (line: string, at: number) => {
    const isShort = line.split(",").length < 5;
    const isCutOff = isShort && numberOf(lines[at + 1]).startsWith(numberOf(line));
    const isEarlier = isShort && (first < 0 || at < first) && EARLIER.test(line);
    return !isEarlier && !isWhole(line) && !isCutOff;
  };
  const starts = new Map(linesOf(manifest).map(({ from }, at, all) => [from, all[at - 1]?.to]));
  const problems: string[] = [];
  let [last, damaged]: [number | undefined, number] = [undefined, 0];
  for (const [at, line] of lines.entries()) {
    const number = Number(numberOf(line));
    if (isDamaged(line, at)) {
      problems.push(`its line ${at + 1} is damaged`);
      damaged += 1;
    }
    // A crash or a restore leaves numbers of no line of history.
    if (!isWhole(line) || lineOf(manifest, number) === null) continue;
    if (last !== undefined && (starts.get(number) ?? number - 1) > last + damaged)
      problems.push(`lines before its line ${at + 1} are missing`);
    [last, damaged] = [number, 0];
  }
  const isCut = Number(numberOf(lines.findLast(isWhole) ?? lines.at(-1))) < manifest.generation;
  return isCut ? [...problems, "its newest lines are missing"] : problems;
}

const COLUMNS = `{${["generation", "recorded_at", "rows", "causes", "hash"].map((name) => `'${name}': 'VARCHAR'`).join(", ")}}`;
/** SQL of the table where there is no log yet. */
const NO_COMMITS =
  "(SELECT 0::BIGINT AS generation, NULL::TIMESTAMPTZ AS recorded_at, NULL::VARCHAR AS rows, NULL::VARCHAR AS causes WHERE false)";

/**
 * SQL of a table with a row for each generation that the log names: recorded_at, rows, causes. Earlier
 * releases wrote fewer columns; those are null. A line that is not as it was written counts as none, as
 * logProblems has it. A line that a crash cut off is followed by the line of the commit that took its number.
 */
export function commitTable(path: string): string {
  return `(SELECT generation, unnest(newest) FROM (
    SELECT generation, arg_max({'recorded_at': recorded_at, 'rows': rows, 'causes': causes}, line) AS newest FROM (
      SELECT TRY_CAST(generation AS BIGINT) AS generation, TRY_CAST(recorded_at AS TIMESTAMPTZ) AS recorded_at, rows, causes, line, is_whole,
        coalesce(line < min(line) FILTER (WHERE is_whole) OVER (), true) AND recorded_at LIKE '%Z'
          AND hash IS NULL AND NOT regexp_matches(coalesce(causes, ''), '[0-9a-f]{${HASH_CHARS}}$') AS is_earlier
      FROM (SELECT *, row_number() OVER () AS line,
          coalesce(hash = left(md5(concat_ws(',', generation, recorded_at, rows, causes)), ${HASH_CHARS}), false) AS is_whole
        FROM read_csv(${path}, header = false, auto_detect = false, delim = ',', quote = '',
          escape = '', nullstr = '-', columns = ${COLUMNS}, null_padding = true, ignore_errors = true, strict_mode = false)))
    WHERE (is_whole OR is_earlier) AND generation IS NOT NULL AND recorded_at IS NOT NULL GROUP BY generation))`;
}

export const commitsIn = (lakeDir: string): string =>
  existsSync(commitLogIn(lakeDir)) ? commitTable(literal(commitLogIn(lakeDir))) : NO_COMMITS;

/** One commit of the lake. */
export interface Commit {
  readonly generation: number;
  /** The time of the commit, RFC 3339 UTC; null where it was not noted. */
  readonly recorded_at: string | null;
  /** Rows written, by dataset; null where they were not noted. */
  readonly rows: Readonly<Record<string, number>> | null;
}

export interface CommitRequest {
  /** Only these, whether they were noted or not. */
  readonly only?: readonly number[] | undefined;
  readonly limit?: number;
  readonly offset?: number;
}

/** A page of commits, and how many there are. */
export interface Commits {
  readonly commits: Commit[];
  readonly total: number;
}

const countsIn = (text: string): Record<string, number> =>
  Object.fromEntries(
    text
      .split(";")
      .filter(Boolean)
      .map((each) => {
        const [name = "", count] = each.split("=");
        return [name, Number(count)];
      }),
  );

/** Reads the commits that were noted of the lake's lines of history, or those asked for, newest first. */
export async function readCommits(
  { db, lakeDir }: { readonly db: DuckDb; readonly lakeDir: string },
  { manifest }: { readonly manifest: Pick<Manifest, "generation" | "lines"> },
  { only, limit = 1, offset = 0 }: CommitRequest,
  options: QueryOptions = {},
): Promise<Commits> {
  const noted = commitsIn(lakeDir);
  // A crash may leave the line of a commit that never was.
  const isThere = linesOf(manifest).map(
    ({ from, to = manifest.generation }) => `generation BETWEEN ${from} AND ${to}`,
  );
  const found = await db.read(
    `WITH found AS (SELECT generation, recorded_at, rows FROM ${
      only
        ? `(SELECT unnest([${only}]::BIGINT[]) AS generation) LEFT JOIN ${noted} USING (generation)`
        : `${noted} WHERE ${isThere.join(" OR ")}`
    }) FROM (SELECT count(*) AS total FROM found)
    LEFT JOIN (FROM found ORDER BY generation DESC LIMIT ${limit} OFFSET ${offset}) ON true`,
    {},
    options,
  );
  const page = rowObjects<
    Record<"total" | "generation", number> & Record<"recorded_at" | "rows", string | null>
  >(found);
  return {
    total: page[0]?.total ?? 0,
    commits: page
      .filter(({ generation }) => generation !== null)
      .map(({ generation, recorded_at, rows }) => ({
        generation,
        recorded_at,
        rows: rows === null ? null : countsIn(rows),
      })),
  };
}
