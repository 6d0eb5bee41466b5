// The ledger of the lake: what each commit added, revised, read again or withdrew, as the rows themselves tell it.

import type { LakeParts } from "./commit.ts";
import { commitsIn } from "./commit-log.ts";
import { type Dataset, identityOf, literal, quoted, RECORDED, SUPERSEDED } from "./dataset.ts";
import type { QueryOptions } from "./duckdb.ts";
import { rowsOf } from "./duckdb-read.ts";
import { historySchemaOf, type LakeFile, type Schema } from "./manifest.ts";
import type { Snapshot } from "./snapshot.ts";
import { locateIn, selectFiles } from "./views.ts";

/** insert: the first row of its key. revise: a later one. reread: the same row, read again. withdraw: it no longer holds. */
export type ChangeOp = "insert" | "revise" | "reread" | "withdraw";

export interface Change {
  /** The generation whose commit made the change. */
  readonly generation: number;
  readonly dataset: string;
  readonly op: ChangeOp;
  /** The symbol that the row is about; null where the dataset or the row has none. */
  readonly symbol: string | null;
  /** The columns of the dataset's key. */
  readonly key: Readonly<Record<string, unknown>>;
  /** The columns of the row before and after; null where there is none. */
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  /** When the row became known to the world; null for datasets without that. */
  readonly known_at: string | null;
  /** The time of the commit; null when the release that made it did not note it. */
  readonly recorded_at: string | null;
}

export interface LedgerRange {
  /** Changes after this generation, up to and including `to`. */
  readonly from: number;
  readonly to: number;
  readonly datasets: readonly Dataset[];
  /** Only rows about this symbol; datasets without symbols have none. */
  readonly symbol?: string | undefined;
}

const SYMBOLS = ["symbol", "ticker"] as const;

/** The column that names what a row is about, if the dataset has one. */
const symbolColumn = ({ columns }: Dataset): string | null =>
  SYMBOLS.find((name) => columns[name] !== undefined) ?? null;

/** SQL that keeps rows about the range's symbol; null where the dataset has none. */
function symbolFilter(dataset: Dataset, { symbol }: Pick<LedgerRange, "symbol">): string | null {
  if (symbol === undefined) return "";
  const column = symbolColumn(dataset);
  return column === null ? null : ` AND ${quoted(column)} = ${literal(symbol)}`;
}

/** SQL of a column as it stands in JSON answers. */
function jsonValue({ columns }: Dataset, name: string, row: string): string {
  const column = `${row}.${quoted(name)}`;
  switch (columns[name]?.type) {
    case "DATE":
      return `strftime(${column}, '%Y-%m-%d')`;
    case "TIMESTAMPTZ":
      return `CASE WHEN date_part('millisecond', ${column}) % 1000 = 0 THEN strftime(${column}, '%Y-%m-%dT%H:%M:%SZ')
        ELSE strftime(${column}, '%Y-%m-%dT%H:%M:%S.%gZ') END`;
    default:
      return column;
  }
}

/** SQL of some columns of a row as JSON text. */
function jsonOf(dataset: Dataset, names: readonly string[], row: string): string {
  const fields = names.map((name) => `${quoted(name)} := ${jsonValue(dataset, name, row)}`);
  return `to_json(struct_pack(${fields.join(", ")}))::VARCHAR`;
}

const within = (range: readonly [number, number] | undefined, { from, to }: LedgerRange) =>
  range !== undefined && range[1] > from && range[0] <= to;

/** What the ledger reads of one dataset. */
function sourcesOf(parts: LakeParts, snapshot: Snapshot, dataset: Dataset, range: LedgerRange) {
  const own = ({ dataset: name }: LakeFile) => name === dataset.name;
  const schemas = snapshot.manifest.schemas[dataset.name] ?? [];
  const select = (files: readonly LakeFile[], target?: Schema) =>
    `(${selectFiles(dataset, files, schemas, locateIn(parts.lakeDir), target)})`;
  const files = snapshot.files.filter(own);
  const history = snapshot.history.filter(own);
  const fresh = files.filter(({ recorded }) => within(recorded, range));
  const touched = history.filter((file) => within(file.recorded, range) || within(file.superseded, range));
  return {
    hasChanges: fresh.length + touched.length > 0,
    fresh: select(fresh),
    /** All rows that are or were current, for the row before a revision. */
    all: select(files),
    touched: select(touched, historySchemaOf(dataset)),
  };
}

/** SQL of the changes of one dataset, values as JSON text; null where none of its files has any. */
function changesOf(
  parts: LakeParts,
  snapshot: Snapshot,
  dataset: Dataset,
  range: LedgerRange,
): string | null {
  const about = symbolColumn(dataset);
  const ofSymbol = symbolFilter(dataset, range);
  if (ofSymbol === null) return null;
  const sources = sourcesOf(parts, snapshot, dataset, range);
  if (!sources.hasChanges) return null;
  const during = (column: string) => `${column} > ${range.from} AND ${column} <= ${range.to}`;
  const names = Object.keys(dataset.columns);
  const same = identityOf(dataset)
    .map((name) => `a.${quoted(name)} = e.${quoted(name)}`)
    .join(" AND ");
  const keys = dataset.key.map(quoted).join(", ");
  const row = `struct_pack(${names.map((name) => `${quoted(name)} := ${quoted(name)}`).join(", ")})`;
  const [after, before, previous] = ["a", "e", "a.previous"].map((of) => jsonOf(dataset, names, of));
  const known = (of: string) =>
    dataset.columns.known_at ? jsonValue(dataset, "known_at", of) : "NULL::VARCHAR";
  const symbol = (of: string) => (about === null ? "NULL::VARCHAR" : `${of}.${quoted(about)}`);
  const withdrawn = dataset.columns.withdrawn ? "WHEN a.withdrawn THEN 'withdraw'" : "";
  return `SELECT * FROM (WITH
    rows AS (SELECT * FROM ${sources.fresh} WHERE ${during(RECORDED)}${ofSymbol}
      UNION ALL SELECT * EXCLUDE (${SUPERSEDED}) FROM ${sources.touched} WHERE ${during(RECORDED)}${ofSymbol}),
    ended AS (SELECT * FROM ${sources.touched} WHERE ${during(SUPERSEDED)}${ofSymbol}),
    series AS (SELECT * FROM ${sources.all} SEMI JOIN rows USING (${keys})
      UNION ALL SELECT * EXCLUDE (${SUPERSEDED}) FROM ${sources.touched} WHERE ${during(RECORDED)}${ofSymbol}),
    added AS (SELECT *, lag(${row}) OVER (PARTITION BY ${keys} ORDER BY ${dataset.columns.known_at ? "known_at, " : ""}${RECORDED}) AS previous
      FROM series QUALIFY ${during(RECORDED)}${ofSymbol})
    SELECT a.${RECORDED} AS generation, ${literal(dataset.name)} AS dataset, ${symbol("a")} AS symbol,
      ${jsonOf(dataset, dataset.key, "a")} AS key,
      CASE WHEN e.${SUPERSEDED} IS NOT NULL THEN 'reread' ${withdrawn}
        WHEN a.previous IS NULL THEN 'insert' ELSE 'revise' END AS op,
      CASE WHEN e.${SUPERSEDED} IS NOT NULL THEN ${before} WHEN a.previous IS NOT NULL THEN ${previous} END AS before,
      ${after} AS after, ${known("a")} AS known_at
    FROM added a LEFT JOIN ended e ON ${same} AND e.${SUPERSEDED} = a.${RECORDED}
    UNION ALL SELECT e.${SUPERSEDED}, ${literal(dataset.name)}, ${symbol("e")}, ${jsonOf(dataset, dataset.key, "e")},
      'withdraw', ${before}, NULL, ${known("e")}
    FROM ended e ANTI JOIN rows a ON ${same} AND e.${SUPERSEDED} = a.${RECORDED})
    WHERE before IS DISTINCT FROM after`;
}

/** SQL of the changes of all datasets of a range; null where there are none. */
function allChanges(parts: LakeParts, snapshot: Snapshot, range: LedgerRange): string | null {
  const selects = range.datasets.flatMap((dataset) => changesOf(parts, snapshot, dataset, range) ?? []);
  return selects.length === 0 ? null : selects.join(" UNION ALL ");
}

export interface LedgerRequest {
  /** Changes after this generation. */
  readonly after: number;
  /** Changes up to and including this generation; default: the newest. */
  readonly upTo?: number | undefined;
  /** Commits are read whole until there are this many rows. */
  readonly rows: number;
  readonly datasets: readonly Dataset[];
  readonly symbol?: string | undefined;
}

export interface LedgerPage {
  readonly changes: readonly Change[];
  /** The generation that the page ends with: every change up to it has been read. */
  readonly to: number;
  /** The newest generation, or `upTo`. */
  readonly newest: number;
}

/** The last generation to read, so that whole commits make up about `rows` rows. */
async function pageEnd(
  parts: LakeParts,
  snapshot: Snapshot,
  request: LedgerRequest,
  newest: number,
  options: QueryOptions,
): Promise<number> {
  const range = { ...request, from: request.after, to: newest };
  const counts = request.datasets.flatMap((dataset) => {
    const { hasChanges, fresh, touched } = sourcesOf(parts, snapshot, dataset, range);
    const ofSymbol = symbolFilter(dataset, range);
    if (!hasChanges || ofSymbol === null) return [];
    const one = (source: string, column: string) =>
      `SELECT ${column} AS generation FROM ${source} WHERE ${column} > ${range.from} AND ${column} <= ${newest}${ofSymbol}`;
    return [one(fresh, RECORDED), one(touched, RECORDED), one(touched, SUPERSEDED)];
  });
  if (counts.length === 0) return newest;
  const found = await parts.db.read(
    `SELECT min(generation) AS generation FROM (SELECT generation, sum(count(*)) OVER (ORDER BY generation) AS rows
       FROM (${counts.join(" UNION ALL ")}) GROUP BY generation) WHERE rows >= ${request.rows}`,
    {},
    options,
  );
  return Number(found.columns[0]?.[0] ?? newest);
}

interface StoredChange {
  generation: number;
  dataset: string;
  op: ChangeOp;
  symbol: string | null;
  key: string;
  before: string | null;
  after: string | null;
  known_at: string | null;
  recorded_at: string | null;
}

const parsed = (text: string | null) =>
  text === null ? null : (JSON.parse(text) as Readonly<Record<string, unknown>>);

/** Reads the changes after a generation, in the order of generation, dataset and key, ending with a whole commit. */
export async function readLedger(
  parts: LakeParts,
  snapshot: Snapshot,
  request: LedgerRequest,
  options: QueryOptions = {},
): Promise<LedgerPage> {
  const newest = Math.min(request.upTo ?? snapshot.manifest.generation, snapshot.manifest.generation);
  const to = await pageEnd(parts, snapshot, request, newest, options);
  const range = { from: request.after, to, datasets: request.datasets, symbol: request.symbol };
  const changed = allChanges(parts, snapshot, range);
  if (changed === null) return { changes: [], to, newest };
  const found = await parts.db.read(
    `SELECT c.*, t.recorded_at FROM (${changed}) c
     LEFT JOIN ${commitsIn(parts.lakeDir)} t ON t.generation = c.generation
     ORDER BY c.generation, c.dataset, c.key, c.known_at, c.op`,
    {},
    options,
  );
  const changes = rowsOf<StoredChange>(found).map(({ key, before, after, ...change }) => ({
    ...change,
    key: parsed(key) ?? {},
    before: parsed(before),
    after: parsed(after),
  }));
  return { changes, to, newest };
}

/** How many changes of one kind a dataset, or a symbol, has. */
export interface ChangeCount {
  readonly dataset: string;
  readonly op: ChangeOp;
  readonly symbol: string | null;
  readonly changes: number;
}

/** Counts the changes of a range by dataset, kind and symbol. */
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
      `SELECT dataset, op, symbol, count(*) AS changes FROM (${changed}) GROUP BY ALL ORDER BY ALL`,
      {},
      options,
    ),
  );
}
