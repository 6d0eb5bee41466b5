// Tables made from an answer's schema: one column for each documented field of a row.
import type { TSchema } from "@sinclair/typebox";
import { tableOfRows } from "../platform/cells.ts";
import type { Table, TableColumnType } from "../platform/table.ts";

/** The schema without the alternative null; undefined where several others are left. */
function nonNull(schema: TSchema): TSchema | undefined {
  if (!Array.isArray(schema.anyOf)) return schema;
  const [first, ...others] = (schema.anyOf as TSchema[]).filter(({ type }) => type !== "null");
  return others.length === 0 && first ? nonNull(first) : undefined;
}

/** Fields that hold an instant are named by these rules throughout the service. */
const isInstant = (name: string) => name.endsWith("_at") || name === "timestamp";

function columnType(name: string, given: TSchema): TableColumnType {
  const schema = nonNull(given);
  switch (schema?.type) {
    case "integer":
      return "BIGINT";
    case "number":
      return "DOUBLE";
    case "boolean":
      return "BOOLEAN";
    case "string":
      return schema.format === "date" ? "DATE" : isInstant(name) ? "TIMESTAMPTZ" : "VARCHAR";
    default:
      return "VARCHAR";
  }
}

/** Lists and objects become JSON text; other values stay. */
const cell = (value: unknown) =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : (value ?? null);

/** The columns of rows with the given schema, in the order of its fields. */
export const columnsOfSchema = (row: TSchema): Table["columns"] =>
  Object.entries<TSchema>(row.properties ?? {}).map(([name, schema]) => ({
    name,
    type: columnType(name, schema),
  }));

/** A table of rows with the given schema. Lists and objects in a row become JSON text. */
export function tableOfSchema(name: string, row: TSchema, rows: readonly object[]): Table {
  const columns = columnsOfSchema(row);
  return tableOfRows(name, columns, function* () {
    for (const each of rows)
      yield columns.map((column) => cell((each as Readonly<Record<string, unknown>>)[column.name]));
  });
}
