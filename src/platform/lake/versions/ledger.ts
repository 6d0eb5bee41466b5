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

/**
 * A generation up to which files have `rows` rows after `from`, by the manifest alone: a page of them ends
 * there at the latest. Of a symbol the manifest does not know how many rows there are.
 */
// Made up: of 1,200 files with a row each, a page of 5 rows opens the 5 oldest.
function latestEnd(
  { files }: Snapshot,
  { from, datasets, symbol }: Omit<LedgerRange, "to">,
  rows: number,
): number {
  if (symbol !== undefined) return Number.POSITIVE_INFINITY;
  const names = new Set(datasets.map(({ name }) => name));
  const ends = files.flatMap(({ dataset, recorded, rows: own }) =>
    recorded && recorded[0] > from && names.has(dataset) ? [{ end: recorded[1], own }] : [],
  );
  let found = 0;
  for (const { end, own } of ends.sort((a, b) => a.end - b.end)) {
    found += own;
    if (found >= rows) return end;
  }
  return Number.POSITIVE_INFINITY;
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
  const range = { ...request, to: Math.min(newest, latestEnd(snapshot, request, request.rows)) };
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

/** Which rows of the changes of a request to read. */
export interface LedgerPart {
  /** Leaves out so many rows at the beginning. */
  readonly after: number;
  readonly rows: number;
  /** The bytes of key and rows as JSON at which a part of more than one row ends. */
  readonly bytes: number;
}

/** Bytes of a change as JSON beside its key and rows, about. */
const FRAME_BYTES = 300;
const SIZE = ["key", "before", "after"].map((name) => `coalesce(strlen(${name}), 0)`).join(" + ");

/** SQL of a part: at most one row more than it has, which says that others follow. */
const partOf = (sql: string, { after, rows, bytes }: LedgerPart) =>
  `SELECT * EXCLUDE (_size) FROM (SELECT *, sum(${SIZE} + ${FRAME_BYTES}) OVER (ROWS UNBOUNDED PRECEDING) AS _size
    FROM (FROM (${sql}) LIMIT ${rows + 1} OFFSET ${after})) WHERE _size - ${SIZE} - ${FRAME_BYTES} <= ${bytes}`;

const sizeOf = ({ key, before, after }: StoredChange) =>
  FRAME_BYTES + [key, before, after].reduce((sum, text) => sum + Buffer.byteLength(text ?? ""), 0);

/** Whether a row is beyond the part, whose rows have so many bytes with it. */
const isBeyond = ({ rows, bytes }: LedgerPart, at: number, size: number) =>
  at >= rows || (at > 0 && size > bytes);

/**
 * Reads changes in the order of generation, dataset and key: those of a part, where one is given. `isCut`
 * says whether others follow it.
 */
export async function readLedger(
  parts: LakeParts,
  snapshot: Snapshot,
  { part, ...request }: LedgerRequest & { readonly part?: LedgerPart | undefined },
  options: QueryOptions = {},
): Promise<{ readonly changes: Change[]; readonly isCut: boolean }> {
  const read = readOf(parts, snapshot, request, options);
  const segments = await segmentsIn(parts, snapshot, request, read);
  const sql = orderedChanges(parts, snapshot, request, segments, "VARCHAR");
  if (sql === null) return { changes: [], isCut: false };
  const found = rowObjects<StoredChange>(await parts.db.read(part ? partOf(sql, part) : sql, {}, read));
  const size = found.reduce((sum, row) => sum + sizeOf(row), 0);
  const isCut = part !== undefined && isBeyond(part, found.length - 1, size);
  const changes = (isCut ? found.slice(0, -1) : found).map(({ key, before, after, ...change }) => ({
    ...change,
    key: parsed(key) ?? {},
    before: parsed(before),
    after: parsed(after),
  }));
  return { changes, isCut };
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
