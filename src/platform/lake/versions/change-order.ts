// SQL of the changes of a range in their one order: by generation, dataset and key.

import { BACKFILLED_AFTER_DAYS, type Cause } from "../change-causes.ts";
import { type Dataset, literal, quoted } from "../dataset.ts";
import type { Snapshot } from "../snapshot.ts";
import type { LakeParts } from "../write/commit.ts";
import { commitsIn } from "../write/commit-log.ts";
import { CHANGE_COLUMNS, sentColumns } from "./change-json.ts";
import {
  type ChangedRows,
  type ChangeOp,
  changesOf,
  isSeries,
  type LedgerRange,
  subjectOf,
} from "./change-rows.ts";
import type { Segment } from "./change-segments.ts";

/** Which changes to read: those of whole commits. */
export interface LedgerRequest extends LedgerRange {
  /** Only changes of this kind, of this cause. */
  readonly op?: ChangeOp | undefined;
  readonly cause?: Cause | undefined;
  /** Only the last change of each key, as it is at this generation. */
  readonly lastUpTo?: number | undefined;
}

/**
 * The tables `commits` and `stated` of a range: the time of each commit, and the causes that its writers
 * stated, by dataset.
 */
function commitTables({ lakeDir }: LakeParts, { from, to }: LedgerRange): string {
  return `commits AS MATERIALIZED (SELECT generation, recorded_at, causes,
      recorded_at - INTERVAL ${BACKFILLED_AFTER_DAYS} DAY AS backfilled_before
      FROM ${commitsIn(lakeDir)} WHERE generation > ${from} AND generation <= ${to}),
    stated AS MATERIALIZED (SELECT generation, split_part(each, '=', 1) AS dataset, split_part(each, '=', 2) AS cause
      FROM (SELECT generation, unnest(string_split(causes, ';')) AS each FROM commits WHERE causes <> ''))`;
}

/** SQL of the changes of a dataset, with the time and the cause of their commits. */
function withCauses({ name }: Dataset, { sql }: ChangedRows, { op, cause }: LedgerRequest): string {
  const filters = [...(op ? [`_op = ${literal(op)}`] : []), ...(cause ? [`_cause = ${literal(cause)}`] : [])];
  return `SELECT * FROM (SELECT c.* EXCLUDE (_usual_cause, _public_from), t.recorded_at AS _recorded_at,
      CASE WHEN t.causes IS NULL THEN NULL WHEN s.cause IS NOT NULL THEN s.cause
        WHEN c._usual_cause = 'published' AND c._public_from IS NULL THEN 'observed'
        WHEN c._usual_cause = 'published' AND c._public_from < t.backfilled_before THEN 'backfilled'
        ELSE c._usual_cause END AS _cause
    FROM (${sql}) c
    LEFT JOIN commits t ON t.generation = c._generation
    LEFT JOIN (FROM stated WHERE dataset = ${literal(name)}) s ON s.generation = c._generation)
    ${filters.length > 0 ? `WHERE ${filters.join(" AND ")}` : ""}`;
}

/** The changes of a dataset in a range; null where it has none. */
function changesIn(parts: LakeParts, snapshot: Snapshot, dataset: Dataset, request: LedgerRequest) {
  const rows = changesOf(parts, snapshot, dataset, request);
  return rows === null ? null : { rows, sql: withCauses(dataset, rows, request) };
}

/**
 * SQL of the changes of all datasets of a range as `dataset`, `op`, `cause` and `symbol`; null where there
 * are none.
 */
export function changeKinds(parts: LakeParts, snapshot: Snapshot, request: LedgerRequest): string | null {
  const selects = request.datasets.flatMap((dataset) => {
    const changed = changesIn(parts, snapshot, dataset, request);
    return changed === null
      ? []
      : `SELECT dataset, op, cause, symbol FROM (SELECT ${sentColumns(dataset, changed.rows, "VARCHAR")} FROM (${changed.sql}))`;
  });
  return selects.length === 0 ? null : `WITH ${commitTables(parts, request)} ${selects.join(" UNION ALL ")}`;
}

/** SQL of `cursor`: the last row of a commit has its own generation, the others the one before. */
const cursorOf = (order: string, { to, continues }: Segment) =>
  `CASE WHEN lead(_generation) OVER (ORDER BY ${order}) = _generation ${continues ? `OR _generation = ${to}` : ""}
    THEN _generation - 1 ELSE _generation END AS cursor`;

/**
 * A piece of a segment: SQL of its rows, of the columns of their order, and of the columns that they are sent
 * in.
 */
interface Piece {
  readonly rows: string;
  readonly key: readonly string[];
  readonly ties: readonly string[];
  readonly columns: string;
  /** Whether all rows are of one commit that only added keys: each has one row. */
  readonly isOneInsert: boolean;
}

/**
 * SQL of the place of a row by its key. The text at its end makes it a BLOB: a short key, such as a day
 * alone, would be a BIGINT.
 */
const sortKeyOf = (key: readonly string[]) =>
  `create_sort_key(${[...key, "''"].map((name) => `${name}, 'ASC NULLS LAST'`).join(", ")})`;

/**
 * SQL of a segment that one commit inserted. Finding its last row by its key and sorting takes half as long
 * as a window.
 */
function sortedInsert({ rows, key, columns }: Piece, { continues }: Segment): string {
  const place = sortKeyOf(key);
  const isLast = continues ? "false" : `${place} = (SELECT max(${place}) FROM (${rows}))`;
  const cursor = `CASE WHEN ${isLast} THEN _generation ELSE _generation - 1 END AS cursor`;
  return `SELECT cursor, ${columns} FROM (SELECT *, ${cursor} FROM (${rows}) ORDER BY ${key.join(", ")})`;
}

/**
 * SQL of a segment. Rows of one dataset are sorted as they are stored and made JSON thereafter, those of
 * several before.
 */
function sorted(segment: Segment, pieces: readonly Piece[]): string {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) {
    if (only.isOneInsert) return sortedInsert(only, segment);
    const cursor = cursorOf(["_generation", ...only.key, ...only.ties].join(", "), segment);
    return `SELECT cursor, ${only.columns} FROM (SELECT *, ${cursor} FROM (${only.rows}))`;
  }
  const selects = pieces.map(({ rows, key, columns }) => {
    return `SELECT _generation, ${sortKeyOf(key)} AS _place, ${columns} FROM (${rows})`;
  });
  const order = "_generation, dataset, _place, known_at, op";
  return `SELECT ${cursorOf(order, segment)}, ${CHANGE_COLUMNS.join(", ")} FROM (${selects.join(" UNION ALL ")})`;
}

/**
 * SQL of the changes in their order, with `objects` as JSON values or as text; null where there are none. The
 * engine gives the rows of a window without partitions in the window's order, so they are sorted once.
 */
export function orderedChanges(
  parts: LakeParts,
  snapshot: Snapshot,
  request: LedgerRequest,
  segments: readonly Segment[],
  objects: "JSON" | "VARCHAR",
): string | null {
  const datasets = new Map(request.datasets.map((dataset) => [dataset.name, dataset]));
  /** Changes that are read once for several segments. */
  const shared = new Map<string, string>();
  const isShared = (dataset: Dataset) =>
    (isSeries(dataset) || request.lastUpTo !== undefined) &&
    segments.filter(({ pieces }) => pieces.has(dataset.name)).length > 1;
  const piecesOf = ({ pieces }: Segment): Piece[] =>
    [...pieces].flatMap(([name, { from, to }]) => {
      const dataset = datasets.get(name);
      if (dataset === undefined) return [];
      const table = isShared(dataset) ? quoted(`changed_${name}`) : null;
      const changed = changesIn(parts, snapshot, dataset, table ? request : { ...request, from, to });
      if (changed === null) return [];
      if (table) shared.set(table, changed.sql);
      return {
        rows: table ? `FROM ${table} WHERE _generation > ${from} AND _generation <= ${to}` : changed.sql,
        key: subjectOf(dataset).map(quoted),
        // A commit changes a key of the others once.
        ties: isSeries(dataset) ? [...(dataset.columns.known_at ? ["known_at"] : []), "_op"] : [],
        columns: sentColumns(dataset, changed.rows, objects),
        isOneInsert: to - from === 1 && !isSeries(dataset) && !changed.rows.hasBefore,
      };
    });
  const selects = segments.flatMap((segment) => {
    const pieces = piecesOf(segment);
    return pieces.length === 0 ? [] : [sorted(segment, pieces)];
  });
  const tables = [...shared].map(([name, sql]) => `${name} AS MATERIALIZED (${sql})`);
  return selects.length === 0
    ? null
    : `WITH ${[commitTables(parts, request), ...tables].join(", ")} ${selects.join(" UNION ALL ")}`;
}
