// SQL of the changes of a dataset: each row that a range of commits added or ended, with the row of its key before it.

import type { LakeParts } from "./commit.ts";
import { type Dataset, identityOf, literal, quoted, RECORDED, SUPERSEDED } from "./dataset.ts";
import { historySchemaOf, type LakeFile, type Schema } from "./manifest.ts";
import type { Snapshot } from "./snapshot.ts";
import { locateIn, selectFiles } from "./views.ts";

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
export function symbolFilter(dataset: Dataset, { symbol }: Pick<LedgerRange, "symbol">): string | null {
  if (symbol === undefined) return "";
  const column = symbolColumn(dataset);
  return column === null ? null : ` AND ${quoted(column)} = ${literal(symbol)}`;
}

/** The columns that identify what a row is about: those of the key, without the one that numbers its readings. */
const subjectOf = ({ key, changes }: Dataset): readonly string[] =>
  key.filter((name) => name !== changes?.reading);

/** The column that orders the rows of a subject by age; null where only their commits do. */
const versionColumn = ({ fill, changes }: Dataset): string | null =>
  changes?.reading ?? (fill === "append" ? "known_at" : null);

/** What orders the rows of one subject, the row that holds last. */
function orderOf(dataset: Dataset): readonly string[] {
  const version = versionColumn(dataset);
  return version === null ? [RECORDED] : [version, RECORDED];
}

/** SQL of a column as it stands in JSON answers. */
function jsonValue({ columns }: Dataset, name: string, row: string): string {
  const column = `${row}.${quoted(name)}`;
  switch (columns[name]?.type) {
    case "DATE":
      return `${column}::VARCHAR`;
    case "TIMESTAMPTZ":
      // The cast costs a third of strftime, but leaves out zeros at the end of milliseconds.
      return `CASE WHEN epoch_ms(${column}) % 1000 = 0 THEN replace(make_timestamp(epoch_us(${column}))::VARCHAR, ' ', 'T') || 'Z'
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
export function sourcesOf(parts: LakeParts, snapshot: Snapshot, dataset: Dataset, range: LedgerRange) {
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
    hasHistory: touched.length > 0,
    fresh: select(fresh),
    touched: select(touched, historySchemaOf(dataset)),
    /** All rows that are current, and all that were. */
    all: select(files),
    history: select(history, historySchemaOf(dataset)),
  };
}

type Sources = ReturnType<typeof sourcesOf>;

/** SQL of what a change says beside its rows; `of` is the row that it is about. */
function factsOf(dataset: Dataset, of: string) {
  const { columns, changes = {} } = dataset;
  const about = symbolColumn(dataset);
  const source = columns.source
    ? `${of}.source`
    : changes.provider
      ? literal(changes.provider)
      : "NULL::VARCHAR";
  return `${literal(dataset.name)} AS dataset, ${about === null ? "NULL::VARCHAR" : `${of}.${quoted(about)}`} AS symbol,
    ${jsonOf(dataset, subjectOf(dataset), of)} AS key,
    ${columns.known_at ? `${of}.known_at` : "NULL::TIMESTAMPTZ"} AS known_at, ${source} AS source,
    ${of}._public_from`;
}

/** SQL of the column `_public_from` of the rows of a dataset. */
const publicFrom = ({ changes }: Dataset) =>
  `(${changes?.publicFrom ?? "NULL"})::TIMESTAMPTZ AS _public_from`;

/** SQL of the cause that an operation has unless its commit states another. */
function causeOf({ changes = {} }: Dataset): string {
  if (changes.computed) return literal("computed");
  const inserted = changes.corrections ? "source_changed" : "published";
  return `CASE op WHEN 'insert' THEN ${literal(inserted)} WHEN 'revise' THEN 'source_changed'
    WHEN 'withdraw' THEN 'withdrawn' ELSE ${changes.reread ? literal(changes.reread) : "NULL"} END`;
}

/** SQL of the rows that a range added, each with the row that it replaces or follows; null where the key has none. */
function addedRows(dataset: Dataset, sources: Sources, range: LedgerRange, ofSymbol: string): string {
  const during = (column: string) => `${column} > ${range.from} AND ${column} <= ${range.to}`;
  const names = [...Object.keys(dataset.columns), RECORDED].map(quoted);
  const rows = `SELECT ${names.join(", ")} FROM ${sources.fresh} WHERE ${during(RECORDED)}${ofSymbol}
    UNION ALL SELECT ${names.join(", ")} FROM ${sources.touched} WHERE ${during(RECORDED)}${ofSymbol}`;
  const version = versionColumn(dataset);
  if (version === null) return `added AS (SELECT *, NULL AS _previous FROM (${rows}))`;
  const subject = subjectOf(dataset).map(quoted).join(", ");
  const row = `struct_pack(${names.map((name) => `${name} := ${name}`).join(", ")})`;
  const series =
    range.from === 0 && ofSymbol === ""
      ? `SELECT * FROM ${sources.all}`
      : `SELECT * FROM ${sources.all} SEMI JOIN (${rows}) USING (${subject})`;
  // A row that is older than one stored before it changes nothing that held: it follows none, and none follows it.
  return `series AS (SELECT *, coalesce(${quoted(version)} < max(${quoted(version)}) OVER (PARTITION BY ${subject}
      ORDER BY ${RECORDED}, ${quoted(version)} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), false) AS _is_late
      FROM (${series}) WHERE ${RECORDED} <= ${range.to}),
    added AS (SELECT * EXCLUDE (_is_late) REPLACE (CASE WHEN NOT _is_late THEN _previous END AS _previous) FROM (
      SELECT *, lag(${row}) OVER (PARTITION BY ${subject}, _is_late ORDER BY ${RECORDED}, ${quoted(version)}) AS _previous
      FROM series) WHERE ${during(RECORDED)}${ofSymbol})`;
}

/** SQL that keeps the last change of each subject, over all commits up to `newest`. */
function lastOnly(dataset: Dataset, sources: Sources, newest: number): { with: string; join: string } {
  const subject = subjectOf(dataset).map(quoted);
  const marks = (from: string, order: readonly string[], column: string) =>
    `SELECT ${subject.join(", ")}, row(${order.map(quoted).join(", ")}) AS place FROM ${from} WHERE ${column} <= ${newest}`;
  const order = orderOf(dataset);
  const parts = [marks(sources.all, order, RECORDED)];
  if (versionColumn(dataset) === null)
    parts.push(
      marks(sources.history, [RECORDED], RECORDED),
      marks(sources.history, [SUPERSEDED], SUPERSEDED),
    );
  return {
    with: `lasts AS (SELECT ${subject.join(", ")}, max(place) AS place FROM (${parts.join(" UNION ALL ")}) GROUP BY ALL),`,
    join: `SEMI JOIN lasts l ON ${subject.map((name) => `l.${name} = a.${name}`).join(" AND ")} AND l.place = `,
  };
}

/**
 * SQL of the changes of one dataset, rows as JSON text; null where none of its files has any. With `lastUpTo` only the last
 * change of each key up to that generation is left.
 */
export function changesOf(
  parts: LakeParts,
  snapshot: Snapshot,
  dataset: Dataset,
  range: LedgerRange & { readonly lastUpTo?: number | undefined },
): string | null {
  const ofSymbol = symbolFilter(dataset, range);
  if (ofSymbol === null) return null;
  const sources = sourcesOf(parts, snapshot, dataset, range);
  if (!sources.hasChanges) return null;
  const names = Object.keys(dataset.columns);
  const isSeries = versionColumn(dataset) !== null;
  const isReplaced = sources.hasHistory;
  const [after, ended, previous] = ["a", "e", "a._previous"].map((of) => jsonOf(dataset, names, of));
  const withdrawn = dataset.columns.withdrawn ? "WHEN a.withdrawn THEN 'withdraw'" : "";
  const followed = dataset.changes?.reading ? "reread" : "revise";
  const same = identityOf(dataset)
    .map((name) => `a.${quoted(name)} = e.${quoted(name)}`)
    .join(" AND ");
  // Only rows with one before them are compared: most have none, and the engine stops at the first part that holds.
  const differs = [
    isReplaced ? `(e.${SUPERSEDED} IS NULL OR ${ended} <> ${after})` : "true",
    isSeries
      ? `(a._previous IS NULL ${isReplaced ? `OR e.${SUPERSEDED} IS NOT NULL` : ""} OR ${previous} <> ${after})`
      : "true",
  ].join(" AND ");
  const last = range.lastUpTo === undefined ? null : lastOnly(dataset, sources, range.lastUpTo);
  const lastOf = (order: readonly string[]) =>
    last === null ? "" : `${last.join} row(${order.map((name) => `a.${quoted(name)}`).join(", ")})`;
  const added = `SELECT a.${RECORDED} AS generation, ${factsOf(dataset, "a")},
      CASE ${isReplaced ? `WHEN e.${SUPERSEDED} IS NOT NULL THEN 'reread'` : ""} ${withdrawn}
        WHEN ${isSeries ? "a._previous IS NULL" : "true"} THEN 'insert' ELSE '${followed}' END AS op,
      (CASE ${isReplaced ? `WHEN e.${SUPERSEDED} IS NOT NULL THEN ${ended}` : ""}
        WHEN ${isSeries ? "a._previous IS NOT NULL" : "false"} THEN ${isSeries ? previous : "NULL"} END)::VARCHAR AS before, ${after} AS after
    FROM (SELECT *, ${publicFrom(dataset)} FROM added a ${lastOf(orderOf(dataset))}) a
    ${isReplaced ? `LEFT JOIN ended e ON ${same} AND e.${SUPERSEDED} = a.${RECORDED}` : ""}
    WHERE ${differs}`;
  const gone = `SELECT e.${SUPERSEDED}, ${factsOf(dataset, "e")}, 'withdraw', ${ended}, NULL
    FROM (SELECT *, ${publicFrom(dataset)} FROM ended a ${lastOf([SUPERSEDED])}) e ANTI JOIN added a ON ${same} AND e.${SUPERSEDED} = a.${RECORDED}`;
  return `SELECT *, ${causeOf(dataset)} AS usual_cause FROM (WITH ${last?.with ?? ""}
    ended AS (SELECT * FROM ${sources.touched}
      WHERE ${SUPERSEDED} > ${range.from} AND ${SUPERSEDED} <= ${range.to}${ofSymbol}),
    ${addedRows(dataset, sources, range, ofSymbol)}
    ${added} ${isReplaced ? `UNION ALL ${gone}` : ""})`;
}
