// The rows of the operational database that an earlier version of the store has: tables in memory, for the
// work of one request.
import { getTableColumns, getTableName, type SQL } from "drizzle-orm";
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { currentReading, type VersionRows } from "../reading.ts";
import { type Db, openRowsInMemory } from "./sqlite.ts";

export type StateRow = Readonly<Record<string, unknown>>;

/** Rows of one insert: a statement has at most 32,766 values. */
const ROWS_PER_INSERT = 500;

const quoted = (name: string) => `"${name}"`;

const openRows = (): VersionRows => ({ db: openRowsInMemory(), loaded: new Set() });

/** A table with the columns of `table` and none of its constraints. */
function createTable(db: Db, table: SQLiteTable): void {
  const { name, columns } = getTableConfig(table);
  const declared = columns.map((column) => `${quoted(column.name)} ${column.getSQLType()}`).join(", ");
  db.run(`CREATE TABLE IF NOT EXISTS ${quoted(name)} (${declared})`);
}

/**
 * Adds rows of the version that the current request is answered from; columns that a row leaves out are null.
 */
export function addVersionRows(table: SQLiteTable, rows: readonly StateRow[]): void {
  const replay = currentReading()?.replay;
  if (!replay) throw new Error("rows of a version are for requests that are answered from one");
  replay.tables ??= openRows();
  const db = replay.tables.db as Db;
  createTable(db, table);
  const names = Object.keys(getTableColumns(table));
  for (let first = 0; first < rows.length; first += ROWS_PER_INSERT) {
    const batch = rows
      .slice(first, first + ROWS_PER_INSERT)
      .map((row) => Object.fromEntries(names.map((name) => [name, row[name] ?? null])));
    db.insert(table)
      .values(batch as Record<string, SQL>[])
      .run();
  }
}

/** Whether the current request loads something for the first time; a name is loaded once. */
export function isFirstLoad(name: string): boolean {
  const replay = currentReading()?.replay;
  if (!replay) return false;
  replay.tables ??= openRows();
  if (replay.tables.loaded.has(name)) return false;
  replay.tables.loaded.add(name);
  return true;
}

export const tableName = (table: SQLiteTable): string => getTableName(table);
