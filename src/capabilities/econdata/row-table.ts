// The rows of a provider's answer as a table. Pure.
import { isRealDay } from "../../market/date.ts";
import type { PageFacts } from "../../platform/answer.ts";
import { tableOfRows } from "../../platform/cells.ts";
import type { Table, TableColumnType } from "../../platform/table.ts";

type Body = Readonly<Record<string, unknown>>;
type Row = Readonly<Record<string, unknown>>;

/** The fields under which the provider's endpoints list their rows. */
const LISTS = [
  "observations",
  "seriess",
  "releases",
  "release_dates",
  "sources",
  "tags",
  "categories",
  "vintage_dates",
] as const;

const isDay = (value: unknown) => typeof value === "string" && isRealDay(value);

/** The columns of observations by date, so that an answer without rows or without values has them too. */
const OBSERVATION: Readonly<Record<string, TableColumnType>> = {
  series_id: "VARCHAR",
  realtime_start: "DATE",
  realtime_end: "DATE",
  date: "DATE",
  value: "DOUBLE",
};
/** The `output_type` whose columns are named by vintages: two of FRED's four. */
const BY_VINTAGE: readonly unknown[] = [2, 3];

/**
 * The type that fits all values of a column; nulls fit any, and `unknown` is that of a column without values.
 */
function typeOf(values: readonly unknown[], unknown: TableColumnType): TableColumnType {
  const given = values.filter((value) => value !== null && value !== undefined);
  if (given.length === 0) return unknown;
  if (given.every((value) => Number.isSafeInteger(value))) return "BIGINT";
  if (given.every((value) => typeof value === "number" && Number.isFinite(value))) return "DOUBLE";
  if (given.every((value) => typeof value === "boolean")) return "BOOLEAN";
  return given.every(isDay) ? "DATE" : "VARCHAR";
}

const cellText = (value: unknown) =>
  value === null || value === undefined || typeof value === "string"
    ? (value ?? null)
    : JSON.stringify(value);

/** A value of an observation: the provider writes numbers as text and a dot for a missing one. */
function observed(value: unknown): unknown {
  if (typeof value !== "string" || isRealDay(value)) return value;
  const text = value.trim();
  if (text === "." || text === "") return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : value;
}

function rowsIn(body: Body): { readonly list: string; readonly rows: readonly Row[] } | null {
  const list = LISTS.find((name) => Array.isArray(body[name]));
  if (list === undefined) return null;
  const given = body[list] as readonly unknown[];
  const rows = given.map((each): Row => (typeof each === "string" ? { vintage_date: each } : Object(each)));
  return { list, rows };
}

/** Rows of an answer; null for one without a list. */
export const econRows = (body: Body): number | null => rowsIn(body)?.rows.length ?? null;

/** The table of an answer, with `series_id` before each observation; null for an answer without a list. */
export function econTable(body: Body, seriesId: string | undefined): Table | null {
  const found = rowsIn(body);
  if (!found) return null;
  const isObservations = found.list === "observations";
  const rows = isObservations
    ? found.rows.map((row) => ({
        series_id: seriesId ?? null,
        ...Object.fromEntries(Object.entries(row).map(([name, value]) => [name, observed(value)] as const)),
      }))
    : found.rows;
  const expected = isObservations && !BY_VINTAGE.includes(body.output_type) ? Object.keys(OBSERVATION) : [];
  const named = rows.flatMap((row) => Object.keys(row));
  const names = [...new Set(named.length > 0 ? named : expected)];
  const columns = names.map((name) => {
    const unknown = isObservations ? (OBSERVATION[name] ?? "DOUBLE") : "VARCHAR";
    const type = typeOf(
      rows.map((row: Row) => row[name]),
      unknown,
    );
    // The numbers of one answer may all be whole, and the next answer's must fit the same column.
    return { name, type: isObservations && type === "BIGINT" ? ("DOUBLE" as const) : type };
  });
  const name = `${found.list}${isObservations && seriesId ? `_${seriesId}` : ""}`;
  const shown = columns.length > 0 ? columns : [{ name: "date", type: "DATE" as const }];
  return tableOfRows(name, shown, function* () {
    for (const row of rows as readonly Row[])
      yield columns.map(({ name, type }) => (type === "VARCHAR" ? cellText(row[name]) : row[name]));
  });
}

/** Which of the provider's rows the answer leaves out. */
export function econPage(body: Body): PageFacts | undefined {
  const { count, offset, limit } = body;
  if (typeof count !== "number") return undefined;
  const next = typeof offset === "number" && typeof limit === "number" ? offset + limit : count;
  return { total: count, next: next < count ? { offset: next } : null };
}
