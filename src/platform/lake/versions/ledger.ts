// The ledger of the lake: what each commit added, revised, read again or withdrew, as the rows themselves
// tell it.

import type { Batch } from "../../table.ts";
import type { Cause } from "../change-causes.ts";
import type { QueryOptions, ReadOptions } from "../duckdb.ts";
import { rowObjects } from "../duckdb-read.ts";
import { type CopiedFile, type CopyFormat, copyQuery } from "../read/copy.ts";
import type { Snapshot } from "../snapshot.ts";
import type { LakeParts } from "../write/commit.ts";
import { changeKinds, type LedgerRequest, orderedChanges } from "./change-order.ts";
import { type ChangeOp, changeMarks, type LedgerRange } from "./change-rows.ts";
import { LARGE_ROWS, segmentsIn } from "./change-segments.ts";

export type { LedgerRequest } from "./change-order.ts";
export type { ChangeOp, LedgerRange } from "./change-rows.ts";

export interface Change {
  /**
   * Every change up to this generation has been read once this row is: its own for the last row of a commit.
   */
  readonly cursor: number;
  /** The generation whose commit made the change. */
  readonly data_version: number;
  /** The time of the commit, RFC 3339 UTC; null when the release that made it did not note it. */
  readonly recorded_at: string | null;
  readonly dataset: string;
  readonly op: ChangeOp;
  /** Whether the world changed or the service did; null for commits of releases that did not note it. */
  readonly cause: Cause | null;
  /** The source of the row; null where the dataset does not say. */
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

/** Where a page of the ledger ends. */
export interface LedgerEnd {
  /** The generation that the page ends with: every change up to it has been read. */
  readonly to: number;
  /** The newest generation, or the one that the request ends with. */
  readonly newest: number;
}

/**
 * How a range is read: a large one takes as long as it has rows in its files, and cheap reads do not wait for
 * it.
 */
const readOf = (
  parts: LakeParts,
  snapshot: Snapshot,
  range: LedgerRange,
  options: QueryOptions,
): ReadOptions => ({ ...options, heavy: changeMarks(parts, snapshot, range).rows >= LARGE_ROWS });

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
  const { sql, rows } = changeMarks(parts, snapshot, range);
  if (sql === null) return { to: newest, newest };
  const found = await parts.db.read(
    `SELECT min(generation) AS generation FROM (SELECT generation, sum(count(*)) OVER (ORDER BY generation) AS rows
       FROM (${sql}) GROUP BY generation) WHERE rows >= ${request.rows}`,
    {},
    { ...options, heavy: rows >= LARGE_ROWS },
  );
  return { to: Number(found.columns[0]?.[0] ?? newest), newest };
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
  const read = readOf(parts, snapshot, request, options);
  const segments = await segmentsIn(parts, snapshot, request, read);
  const sql = orderedChanges(parts, snapshot, request, segments, "VARCHAR");
  if (sql === null) return [];
  return rowObjects<StoredChange>(await parts.db.read(sql, {}, read)).map(
    ({ key, before, after, ...change }) => ({
      ...change,
      key: parsed(key) ?? {},
      before: parsed(before),
      after: parsed(after),
    }),
  );
}

/** Reads the same as batches. */
export async function ledgerBatches(
  parts: LakeParts,
  snapshot: Snapshot,
  request: LedgerRequest,
  options: QueryOptions = {},
): Promise<Batch[]> {
  const read = readOf(parts, snapshot, request, options);
  const segments = await segmentsIn(parts, snapshot, request, read);
  const sql = orderedChanges(parts, snapshot, request, segments, "VARCHAR");
  return sql === null ? [] : parts.db.batches(sql, {}, read);
}

/** How a file of changes is written. */
export interface LedgerForm {
  readonly format: CopyFormat;
  /** Whether key, before and after are JSON values (in ndjson) or texts. */
  readonly objects: "JSON" | "VARCHAR";
  /** Leaves out the header line of CSV. */
  readonly rowsOnly?: boolean;
}

/** Writes the same to a file, so that no row passes through JavaScript; null where there are none. */
export async function copyLedger(
  parts: LakeParts,
  snapshot: Snapshot,
  request: LedgerRequest,
  { format, objects, rowsOnly }: LedgerForm,
  options: QueryOptions = {},
): Promise<CopiedFile | null> {
  const read = readOf(parts, snapshot, request, options);
  const segments = await segmentsIn(parts, snapshot, request, read);
  const sql = orderedChanges(parts, snapshot, request, segments, objects);
  return sql === null ? null : copyQuery(parts, sql, {}, format, { ...read, rowsOnly });
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
  const changed = changeKinds(parts, snapshot, range);
  if (changed === null) return [];
  return rowObjects<ChangeCount>(
    await parts.db.read(
      `SELECT dataset, op, cause, symbol, count(*) AS changes FROM (${changed}) GROUP BY ALL ORDER BY ALL`,
      {},
      readOf(parts, snapshot, range, options),
    ),
  );
}
