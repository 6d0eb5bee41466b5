// SQL of the changes of a dataset: each row that a range of commits added or ended, with the row of its key
// before it, in columns.

import { type Dataset, identityOf, literal, quoted, RECORDED, SUPERSEDED } from "../dataset.ts";
import { historySchemaOf, type LakeFile, type Schema } from "../manifest.ts";
import type { Snapshot } from "../snapshot.ts";
import { locateIn, selectFiles } from "../views.ts";
import type { LakeParts } from "../write/commit.ts";

export interface LedgerRange {
  /** Changes after this generation, up to and including `to`. */
  readonly from: number;
  readonly to: number;
  readonly datasets: readonly Dataset[];
  /**
   * Only rows about this symbol; in datasets whose rows are about companies, those about `companies` where
   * there are any.
   */
  readonly symbol?: string | undefined;
  readonly companies?: readonly SymbolHolder[] | undefined;
}

/** A company that has or had a symbol. Its rows count that were known before it lost the symbol. */
export interface SymbolHolder {
  readonly cik: string;
  /** RFC 3339; null while it has the symbol. */
  readonly until: string | null;
}

/**
 * insert: the first row of its key. revise: a later value. reread: the same row or document, read again.
 * withdraw: it no longer holds.
 */
export type ChangeOp = "insert" | "revise" | "reread" | "withdraw";

const SYMBOLS = ["symbol", "ticker"] as const;
const COMPANIES = ["issuer_cik", "cik"] as const;

const firstOf = ({ columns }: Dataset, names: readonly string[]): string | null =>
  names.find((name) => columns[name] !== undefined) ?? null;

/** The column that names what a row is about, if the dataset has one. */
export const symbolColumn = (dataset: Dataset): string | null => firstOf(dataset, SYMBOLS);

/**
 * The column with the CIK of the company that a row is about, where the key names no symbol: a symbol beside
 * the key is what the company was called when the row was written.
 */
export function companyColumn(dataset: Dataset): string | null {
  const isBySymbol = SYMBOLS.some((name) => dataset.key.includes(name));
  const isByCompany = symbolColumn(dataset) === null || COMPANIES.some((name) => dataset.key.includes(name));
  return !isBySymbol && isByCompany ? firstOf(dataset, COMPANIES) : null;
}

/** SQL that keeps rows about companies, each as long as it had the symbol. */
function aboutCompanies(column: string, companies: readonly SymbolHolder[]): string {
  const kept = companies.map(({ cik, until }) => {
    const isAbout = `${quoted(column)} = ${literal(cik)}`;
    return until === null
      ? isAbout
      : `${isAbout} AND coalesce(known_at < TIMESTAMPTZ ${literal(until)}, true)`;
  });
  return ` AND (${kept.join(" OR ")})`;
}

/** SQL that keeps rows about the range's symbol; null where the dataset has none. */
export function symbolFilter(
  dataset: Dataset,
  { symbol, companies = [] }: Pick<LedgerRange, "symbol" | "companies">,
): string | null {
  if (symbol === undefined) return "";
  const company = companyColumn(dataset);
  if (company !== null && companies.length > 0) return aboutCompanies(company, companies);
  const column = symbolColumn(dataset);
  return column === null ? null : ` AND ${quoted(column)} = ${literal(symbol)}`;
}

/**
 * The columns that identify what a row is about: those of the key, without the one that numbers its readings.
 */
export const subjectOf = ({ key, changes }: Dataset): readonly string[] =>
  key.filter((name) => name !== changes?.reading);

/** The column that orders the rows of a subject by age; null where only their commits do. */
const versionColumn = ({ fill, changes }: Dataset): string | null =>
  changes?.reading ?? (fill === "append" ? "known_at" : null);

/** Whether a later row of a subject follows an earlier one without replacing it. */
export const isSeries = (dataset: Dataset): boolean => versionColumn(dataset) !== null;

/** Returns the columns that order the rows of one subject, so that the row in force comes last. */
function orderOf(dataset: Dataset): readonly string[] {
  const version = versionColumn(dataset);
  return version === null ? [RECORDED] : [version, RECORDED];
}

const within = (range: readonly [number, number] | undefined, { from, to }: LedgerRange) =>
  range !== undefined && range[1] > from && range[0] <= to;

/** Returns the SQL sources of the ledger for one dataset. */
export function sourcesOf(parts: LakeParts, snapshot: Snapshot, dataset: Dataset, range: LedgerRange) {
  const own = ({ dataset: name }: LakeFile) => name === dataset.name;
  const schemas = snapshot.manifest.schemas[dataset.name] ?? [];
  const select = (files: readonly LakeFile[], target?: Schema) =>
    `(${selectFiles(dataset, files, schemas, locateIn(parts.lakeDir), target)})`;
  const files = snapshot.files.filter(own);
  const history = snapshot.history.filter(own);
  const fresh = files.filter(({ recorded }) => within(recorded, range));
  const added = history.filter((file) => within(file.recorded, range));
  const ended = history.filter((file) => within(file.superseded, range));
  return {
    hasChanges: fresh.length + added.length + ended.length > 0,
    /** Whether the range may have ended rows. */
    hasEnded: ended.length > 0,
    /** At least as many as were added and ended: a row of a history file may count for both. */
    rows: [...fresh, ...added, ...ended].reduce((sum, file) => sum + file.rows, 0),
    /**
     * Files with rows that the range added and that are current; and those with rows that were replaced
     * since.
     */
    fresh: select(fresh),
    replaced: select(added, historySchemaOf(dataset)),
    /** Files with rows that the range ended. */
    ended: select(ended, historySchemaOf(dataset)),
    /** All rows that are current, those of files that were begun by the range's end, and all that were. */
    all: select(files),
    upTo: select(files.filter(({ recorded }) => (recorded?.[0] ?? 0) <= range.to)),
    history: select(history, historySchemaOf(dataset)),
    wasReplaced: history.length > 0,
  };
}

/**
 * SQL of the generation and the dataset of each row that a range added or ended, null where it has none, and
 * how many rows its files have: at least as many as there are.
 */
export function changeMarks(
  parts: LakeParts,
  snapshot: Snapshot,
  range: LedgerRange,
): { readonly sql: string | null; readonly rows: number } {
  let rows = 0;
  const selects = range.datasets.flatMap((dataset) => {
    const sources = sourcesOf(parts, snapshot, dataset, range);
    const ofSymbol = symbolFilter(dataset, range);
    if (!sources.hasChanges || ofSymbol === null) return [];
    rows += sources.rows;
    const one = (source: string, column: string) =>
      `SELECT ${column} AS generation, ${literal(dataset.name)} AS dataset FROM ${source}
       WHERE ${column} > ${range.from} AND ${column} <= ${range.to}${ofSymbol}`;
    const { fresh, replaced, ended } = sources;
    return [one(fresh, RECORDED), one(replaced, RECORDED), one(ended, SUPERSEDED)];
  });
  return { sql: selects.length === 0 ? null : selects.join(" UNION ALL "), rows };
}

type Sources = ReturnType<typeof sourcesOf>;

/** SQL of the columns of a row as a struct. */
const structOf = ({ columns }: Dataset, row: string) =>
  `struct_pack(${Object.keys(columns)
    .map((name) => `${quoted(name)} := ${row}${quoted(name)}`)
    .join(", ")})`;

/**
 * SQL that says whether two rows are the same in the columns, as it stands in JSON: instants to the
 * millisecond.
 */
function areSame({ columns }: Dataset, names: readonly string[], one: string, other: string): string {
  const value = (row: string, name: string) =>
    columns[name]?.type === "TIMESTAMPTZ" ? `epoch_ms(${row}.${quoted(name)})` : `${row}.${quoted(name)}`;
  const same = names.map((name) => `${value(one, name)} IS NOT DISTINCT FROM ${value(other, name)}`);
  return `(${same.join(" AND ") || "true"})`;
}

/** SQL of the column `_public_from` of the rows of a dataset. */
const publicFrom = ({ changes }: Dataset) =>
  `(${changes?.publicFrom ?? "NULL"})::TIMESTAMPTZ AS _public_from`;

/** SQL of the cause that an operation has unless its commit states another. */
function causeOf({ changes = {} }: Dataset): string {
  if (changes.computed) return literal("computed");
  const inserted = changes.corrections ? "source_changed" : "published";
  return `CASE _op WHEN 'insert' THEN ${literal(inserted)} WHEN 'revise' THEN 'source_changed'
    WHEN 'withdraw' THEN 'withdrawn' ELSE ${changes.reread ? literal(changes.reread) : "NULL"} END`;
}

/**
 * SQL of the rows that a range added, each with the row that it replaces or follows; null where the key has
 * none.
 */
function addedRows(dataset: Dataset, sources: Sources, range: LedgerRange, ofSymbol: string): string {
  const during = (column: string) => `${column} > ${range.from} AND ${column} <= ${range.to}`;
  const names = [...Object.keys(dataset.columns), RECORDED].map(quoted);
  const rows = `SELECT ${names.join(", ")} FROM ${sources.fresh} WHERE ${during(RECORDED)}${ofSymbol}
    UNION ALL SELECT ${names.join(", ")} FROM ${sources.replaced} WHERE ${during(RECORDED)}${ofSymbol}`;
  const version = versionColumn(dataset);
  if (version === null) return `added AS (SELECT *, NULL AS _previous FROM (${rows}))`;
  const subject = subjectOf(dataset).map(quoted).join(", ");
  const row = structOf(dataset, "");
  const series =
    range.from === 0 && ofSymbol === ""
      ? `SELECT * FROM ${sources.upTo}`
      : `SELECT * FROM ${sources.upTo} SEMI JOIN (${rows}) USING (${subject})`;
  // A row that is older than one stored before it changes nothing that held: it follows none, and none
  // follows it.
  return `series AS (SELECT *, coalesce(${quoted(version)} < max(${quoted(version)}) OVER (PARTITION BY ${subject}
      ORDER BY ${RECORDED}, ${quoted(version)} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), false) AS _is_late
      FROM (${series}) WHERE ${RECORDED} <= ${range.to}),
    added AS (SELECT * EXCLUDE (_is_late) REPLACE (CASE WHEN NOT _is_late THEN _previous END AS _previous) FROM (
      SELECT *, lag(${row}) OVER (PARTITION BY ${subject}, _is_late ORDER BY ${RECORDED}, ${quoted(version)}) AS _previous
      FROM series) WHERE ${during(RECORDED)}${ofSymbol})`;
}

/**
 * SQL of the subject and the place of all changes of a dataset: rows that were added, but for equal readings,
 * and rows taken out.
 */
function placesOf(dataset: Dataset, { all, history, wasReplaced }: Sources, newest: number): string {
  const subject = subjectOf(dataset).map(quoted);
  const marks = (from: string, order: readonly string[], column: string) =>
    `SELECT ${subject.join(", ")}, row(${order.map(quoted).join(", ")}) AS place FROM ${from} WHERE ${column} <= ${newest}`;
  if (isSeries(dataset) || !wasReplaced) return marks(all, orderOf(dataset), RECORDED);
  const names = Object.keys(dataset.columns);
  const identity = identityOf(dataset);
  const others = names.filter((name) => !identity.includes(name));
  const columns = [...names, RECORDED].map(quoted).join(", ");
  const rows = `(SELECT ${columns} FROM ${all} UNION ALL SELECT ${columns} FROM ${history}) a`;
  const replaces = `${identity.map((name) => `a.${quoted(name)} = e.${quoted(name)}`).join(" AND ")} AND a.${RECORDED} = e.${SUPERSEDED}`;
  const added = `${rows} ANTI JOIN ${history} e ON ${replaces} AND ${areSame(dataset, others, "a", "e")}`;
  const gone = `${history} e ANTI JOIN ${rows} ON ${replaces}`;
  return `${marks(added, [RECORDED], RECORDED)} UNION ALL ${marks(gone, [SUPERSEDED], SUPERSEDED)}`;
}

/** SQL that keeps the last change of each subject, over all commits up to `newest`. */
function lastOnly(dataset: Dataset, sources: Sources, newest: number): { with: string; join: string } {
  const subject = subjectOf(dataset).map(quoted);
  return {
    with: `lasts AS (SELECT ${subject.join(", ")}, max(place) AS place FROM (${placesOf(dataset, sources, newest)}) GROUP BY ALL),`,
    join: `SEMI JOIN lasts l ON ${subject.map((name) => `l.${name} = a.${name}`).join(" AND ")} AND l.place = `,
  };
}

/** The changes of one dataset. */
export interface ChangedRows {
  /**
   * SQL of a row for each change: `_generation`, `_op`, `_usual_cause`, `_public_from`, the columns of the
   * row that it is about, `_is_gone` where that row was taken out, and in `_before` the row before it, null
   * where there is none.
   */
  readonly sql: string;
  /** Whether any row may have one before it. */
  readonly hasBefore: boolean;
}

/**
 * The changes of one dataset; null where none of its files has any. With `lastUpTo` only the last change of
 * each key up to that generation is left.
 */
export function changesOf(
  parts: LakeParts,
  snapshot: Snapshot,
  dataset: Dataset,
  range: LedgerRange & { readonly lastUpTo?: number | undefined },
): ChangedRows | null {
  const ofSymbol = symbolFilter(dataset, range);
  if (ofSymbol === null) return null;
  const sources = sourcesOf(parts, snapshot, dataset, range);
  if (!sources.hasChanges) return null;
  const names = Object.keys(dataset.columns);
  const [hasSeries, isReplaced] = [isSeries(dataset), sources.hasEnded];
  const columns = (of: string) => names.map((name) => `${of}.${quoted(name)}`).join(", ");
  const withdrawn = dataset.columns.withdrawn ? "WHEN a.withdrawn THEN 'withdraw'" : "";
  const followed = dataset.changes?.reading ? "reread" : "revise";
  const identity = identityOf(dataset);
  const same = identity.map((name) => `a.${quoted(name)} = e.${quoted(name)}`).join(" AND ");
  const others = names.filter((name) => !identity.includes(name));
  // Only rows with one before them are compared: most have none, and the engine stops at the first part that
  // holds.
  const differs = [
    ...(isReplaced ? [`(e.${SUPERSEDED} IS NULL OR NOT ${areSame(dataset, others, "a", "e")})`] : []),
    ...(hasSeries
      ? [
          `(a._previous IS NULL ${isReplaced ? `OR e.${SUPERSEDED} IS NOT NULL` : ""} OR NOT ${areSame(dataset, names, "a", "a._previous")})`,
        ]
      : []),
  ];
  const before = [
    ...(isReplaced ? [`WHEN e.${SUPERSEDED} IS NOT NULL THEN ${structOf(dataset, "e.")}`] : []),
    ...(hasSeries ? ["WHEN a._previous IS NOT NULL THEN a._previous"] : []),
  ];
  const last = range.lastUpTo === undefined ? null : lastOnly(dataset, sources, range.lastUpTo);
  const lastOf = (order: readonly string[]) =>
    last === null ? "" : `${last.join} row(${order.map((name) => `a.${quoted(name)}`).join(", ")})`;
  const added = `SELECT a.${RECORDED} AS _generation,
      CASE ${isReplaced ? `WHEN e.${SUPERSEDED} IS NOT NULL THEN 'reread'` : ""} ${withdrawn}
        WHEN ${hasSeries ? "a._previous IS NULL" : "true"} THEN 'insert' ELSE '${followed}' END AS _op,
      a._public_from, false AS _is_gone, ${columns("a")}, ${before.length > 0 ? `CASE ${before.join(" ")} END` : "NULL"} AS _before
    FROM (SELECT *, ${publicFrom(dataset)} FROM added a ${lastOf(orderOf(dataset))}) a
    ${isReplaced ? `LEFT JOIN ended e ON ${same} AND e.${SUPERSEDED} = a.${RECORDED}` : ""}
    ${differs.length > 0 ? `WHERE ${differs.join(" AND ")}` : ""}`;
  const gone = `SELECT e.${SUPERSEDED}, 'withdraw', e._public_from, true, ${columns("e")}, NULL
    FROM (SELECT *, ${publicFrom(dataset)} FROM ended a ${lastOf([SUPERSEDED])}) e ANTI JOIN added a ON ${same} AND e.${SUPERSEDED} = a.${RECORDED}`;
  const sql = `SELECT *, ${causeOf(dataset)} AS _usual_cause FROM (WITH ${last?.with ?? ""}
    ended AS (SELECT * FROM ${sources.ended}
      WHERE ${SUPERSEDED} > ${range.from} AND ${SUPERSEDED} <= ${range.to}${ofSymbol}),
    ${addedRows(dataset, sources, range, ofSymbol)}
    ${added} ${isReplaced ? `UNION ALL ${gone}` : ""})`;
  return { sql, hasBefore: before.length > 0 };
}
