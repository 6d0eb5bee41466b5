// SQL of changes as they are sent: the key and the rows as JSON.

import { type Dataset, literal, quoted } from "../dataset.ts";
import { instantText } from "../read/cell-text.ts";
import { type ChangedRows, subjectOf, symbolColumn } from "./change-rows.ts";

/** Columns of a change beside its cursor, in the order of answers; those of `JSON_COLUMNS` are JSON. */
export const CHANGE_COLUMNS = [
  "data_version",
  "recorded_at",
  "dataset",
  "op",
  "cause",
  "source",
  "symbol",
  "known_at",
  "key",
  "before",
  "after",
] as const;

/** SQL of a column as it stands in JSON answers. */
function jsonValue({ columns }: Dataset, name: string, row: string): string {
  const column = `${row}${quoted(name)}`;
  switch (columns[name]?.type) {
    case "DATE":
      return `${column}::VARCHAR`;
    case "TIMESTAMPTZ":
      return instantText(column);
    default:
      return column;
  }
}

/** SQL of some columns of a row as JSON text. */
function jsonOf(dataset: Dataset, names: readonly string[], row = ""): string {
  const fields = names.map((name) => `${quoted(name)} := ${jsonValue(dataset, name, row)}`);
  return `to_json(struct_pack(${fields.join(", ")}))::VARCHAR`;
}

/** SQL of the columns of `CHANGE_COLUMNS` over the rows of `changesOf` with `_recorded_at` and `_cause`. */
export function sentColumns(
  dataset: Dataset,
  { hasBefore }: Pick<ChangedRows, "hasBefore">,
  objects: "JSON" | "VARCHAR",
): string {
  const { columns, changes = {} } = dataset;
  const names = Object.keys(columns);
  const about = symbolColumn(dataset);
  const row = jsonOf(dataset, names);
  const source = columns.source ? "source" : changes.provider ? literal(changes.provider) : "NULL::VARCHAR";
  const before = hasBefore
    ? `CASE WHEN _is_gone THEN ${row} WHEN _before IS NOT NULL THEN ${jsonOf(dataset, names, "_before.")} END`
    : `CASE WHEN _is_gone THEN ${row} END`;
  const values: Record<(typeof CHANGE_COLUMNS)[number], string> = {
    data_version: "_generation",
    recorded_at: "_recorded_at",
    dataset: literal(dataset.name),
    op: "_op",
    cause: "_cause",
    source,
    symbol: about === null ? "NULL::VARCHAR" : quoted(about),
    known_at: columns.known_at ? "known_at" : "NULL::TIMESTAMPTZ",
    key: `(${jsonOf(dataset, subjectOf(dataset))})::${objects}`,
    before: `(${before})::${objects}`,
    after: `(CASE WHEN NOT _is_gone THEN ${row} END)::${objects}`,
  };
  return CHANGE_COLUMNS.map((name) => `${values[name]} AS ${name}`).join(", ");
}
