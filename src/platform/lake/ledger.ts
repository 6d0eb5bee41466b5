// The ledger of the lake: what each commit added, revised, read again or withdrew, as the rows themselves tell it.

import { BACKFILLED_AFTER_DAYS, type Cause } from "./change-causes.ts";
import { changesOf, type LedgerRange, sourcesOf, symbolFilter } from "./change-rows.ts";
import type { LakeParts } from "./commit.ts";
import { commitsIn } from "./commit-log.ts";
import { type CopiedFile, type CopyFormat, copyQuery } from "./copy.ts";
import { literal, RECORDED, SUPERSEDED } from "./dataset.ts";
import type { QueryOptions } from "./duckdb.ts";
import { rowsOf } from "./duckdb-read.ts";
import type { Snapshot } from "./snapshot.ts";

export type { LedgerRange } from "./change-rows.ts";

/**
 * insert: the first row of its key. revise: a later value. reread: the same row or document, read again. withdraw: it no
 * longer holds.
 */
export type ChangeOp = "insert" | "revise" | "reread" | "withdraw";

export interface Change {
  /** Every change up to this generation has been read once this row is: its own for the last row of a commit. */
  readonly cursor: number;
  /** The generation whose commit made the change. */
  readonly data_version: number;
  /** The time of the commit, RFC 3339 UTC; null when the release that made it did not note it. */
  readonly recorded_at: string | null;
  readonly dataset: string;
  readonly op: ChangeOp;
  /** Whether the world changed or the service did; null for commits of releases that did not note it. */
  readonly cause: Cause | null;
  /** What gave the row; null where the dataset does not say. */
  readonly source: string | null;
  /** The symbol that the row is about; null where the dataset or the row has none. */
  readonly symbol: string | null;
  /** When the row became known to the world; null for datasets without that. */
  readonly known_at: string | null;
  /** The columns that identify what the row is about. */
  readonly key: Readonly<Record<string, unknown>>;
  /** The columns of the row before and after; null where there is none. */
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** Which changes to keep. */
export interface ChangeFilter {
  readonly op?: ChangeOp | undefined;
  readonly cause?: Cause | undefined;
}

/** SQL of a table of the causes that writers stated: generation, dataset, stated. */
const statedCauses = (
  commits: string,
) => `(SELECT generation, split_part(each, '=', 1) AS dataset, split_part(each, '=', 2) AS stated
    FROM (SELECT generation, unnest(string_split(causes, ';')) AS each FROM ${commits} WHERE causes <> ''))`;

/** SQL of the changes of all datasets of a range, with the time and the cause of their commits; null where there are none. */
function allChanges(parts: LakeParts, snapshot: Snapshot, range: LedgerRequest): string | null {
  const selects = range.datasets.flatMap((dataset) => changesOf(parts, snapshot, dataset, range) ?? []);
  if (selects.length === 0) return null;
  const commits = commitsIn(parts.lakeDir);
  const filters = [
    ...(range.op ? [`op = ${literal(range.op)}`] : []),
    ...(range.cause ? [`cause = ${literal(range.cause)}`] : []),
  ];
  return `SELECT * FROM (SELECT c.* EXCLUDE (usual_cause, _public_from), t.recorded_at,
      CASE WHEN t.causes IS NULL THEN NULL WHEN s.stated IS NOT NULL THEN s.stated
        WHEN c.usual_cause = 'published' AND c._public_from IS NULL THEN 'observed'
        WHEN c.usual_cause = 'published' AND c._public_from < t.recorded_at - INTERVAL ${BACKFILLED_AFTER_DAYS} DAY THEN 'backfilled'
        ELSE c.usual_cause END AS cause
    FROM (${selects.join(" UNION ALL ")}) c
    LEFT JOIN ${commits} t ON t.generation = c.generation
    LEFT JOIN ${statedCauses(commits)} s ON s.generation = c.generation AND s.dataset = c.dataset)
    ${filters.length > 0 ? `WHERE ${filters.join(" AND ")}` : ""}`;
}

/** Which changes to read: those of whole commits. */
export interface LedgerRequest extends LedgerRange, ChangeFilter {
  /** Only the last change of each key, as it is at this generation. */
  readonly lastUpTo?: number | undefined;
}

/** Where a page of the ledger ends. */
export interface LedgerEnd {
  /** The generation that the page ends with: every change up to it has been read. */
  readonly to: number;
  /** The newest generation, or the one that the request ends with. */
  readonly newest: number;
}

/** Finds the commit at which a page ends, so that whole commits make up about `rows` rows. */
export async function ledgerEnd(
  parts: LakeParts,
  snapshot: Snapshot,
  request: Omit<LedgerRange, "to"> & { readonly to?: number | undefined; readonly rows: number },
  options: QueryOptions = {},
): Promise<LedgerEnd> {
  const { generation } = snapshot.manifest;
  const newest = Math.min(request.to ?? generation, generation);
  const range = { ...request, to: newest };
  const counts = request.datasets.flatMap((dataset) => {
    const { hasChanges, fresh, touched } = sourcesOf(parts, snapshot, dataset, range);
    const ofSymbol = symbolFilter(dataset, range);
    if (!hasChanges || ofSymbol === null) return [];
    const one = (source: string, column: string) =>
      `SELECT ${column} AS generation FROM ${source} WHERE ${column} > ${range.from} AND ${column} <= ${newest}${ofSymbol}`;
    return [one(fresh, RECORDED), one(touched, RECORDED), one(touched, SUPERSEDED)];
  });
  if (counts.length === 0) return { to: newest, newest };
  const found = await parts.db.read(
    `SELECT min(generation) AS generation FROM (SELECT generation, sum(count(*)) OVER (ORDER BY generation) AS rows
       FROM (${counts.join(" UNION ALL ")}) GROUP BY generation) WHERE rows >= ${request.rows}`,
    {},
    options,
  );
  return { to: Number(found.columns[0]?.[0] ?? newest), newest };
}

/**
 * SQL of the changes in their order, with `objects` as JSON values or as text; null where there are none. The engine gives the rows
 * of a window without partitions in the window's order, so they are sorted once: rows that are equal in it have one order too.
 */
function ordered(
  parts: LakeParts,
  snapshot: Snapshot,
  request: LedgerRequest,
  objects: "JSON" | "VARCHAR",
): string | null {
  const changed = allChanges(parts, snapshot, request);
  if (changed === null) return null;
  const order = "generation, dataset, key, known_at, op";
  const texts = ["key", "before", "after"].map((name) => `${name}::${objects} AS ${name}`).join(", ");
  return `SELECT CASE WHEN lead(generation) OVER (ORDER BY ${order}) = generation THEN generation - 1 ELSE generation END AS cursor,
      generation AS data_version, recorded_at, dataset, op, cause, source, symbol, known_at, ${texts}
    FROM (${changed})`;
}

type StoredChange = Omit<Change, "key" | "before" | "after"> & {
  key: string;
  before: string | null;
  after: string | null;
};

const parsed = (text: string | null) =>
  text === null ? null : (JSON.parse(text) as Readonly<Record<string, unknown>>);

/** Reads changes in the order of generation, dataset and key. */
export async function readLedger(
  parts: LakeParts,
  snapshot: Snapshot,
  request: LedgerRequest,
  options: QueryOptions = {},
): Promise<Change[]> {
  const sql = ordered(parts, snapshot, request, "VARCHAR");
  if (sql === null) return [];
  return rowsOf<StoredChange>(await parts.db.read(sql, {}, options)).map(
    ({ key, before, after, ...change }) => ({
      ...change,
      key: parsed(key) ?? {},
      before: parsed(before),
      after: parsed(after),
    }),
  );
}

/** How a file of changes is written. */
export interface LedgerForm {
  readonly format: CopyFormat;
  /** Whether key, before and after are JSON values (in ndjson) or texts. */
  readonly objects: "JSON" | "VARCHAR";
}

/** Writes the same to a file, so that no row passes through JavaScript; null where there are none. */
export async function copyLedger(
  parts: LakeParts,
  snapshot: Snapshot,
  request: LedgerRequest,
  { format, objects }: LedgerForm,
  options: QueryOptions = {},
): Promise<CopiedFile | null> {
  const sql = ordered(parts, snapshot, request, objects);
  return sql === null ? null : copyQuery(parts, sql, {}, format, options);
}

/** How many changes of one kind a dataset, or a symbol, has. */
export interface ChangeCount {
  readonly dataset: string;
  readonly op: ChangeOp;
  readonly cause: Cause | null;
  readonly symbol: string | null;
  readonly changes: number;
}

/** Counts the changes of a range by dataset, kind, cause and symbol. */
export async function countChanges(
  parts: LakeParts,
  snapshot: Snapshot,
  range: LedgerRange,
  options: QueryOptions = {},
): Promise<ChangeCount[]> {
  const changed = allChanges(parts, snapshot, range);
  if (changed === null) return [];
  return rowsOf<ChangeCount>(
    await parts.db.read(
      `SELECT dataset, op, cause, symbol, count(*) AS changes FROM (${changed}) GROUP BY ALL ORDER BY ALL`,
      {},
      options,
    ),
  );
}
