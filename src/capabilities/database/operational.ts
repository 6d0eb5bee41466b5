// The tables of the operational database: their sizes and columns.
import { type SQL, sql } from "drizzle-orm";
import { NotFound } from "../../platform/errors.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";

export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly isKey: boolean;
}

/** Excludes the tables of the engine and of the migrations, which hold no data of the service. */
const isOwn = (name: string) => !/^(sqlite_|__)/.test(name);

export function operationalTables(sqlite: Store) {
  const names = (): string[] =>
    sqlite
      .use((db) =>
        db.all<{ name: string }>(sql`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`),
      )
      .map(({ name }) => name)
      .filter(isOwn);

  /** The value of a query that returns one row with one column named `it`. */
  const singleValue = <T>(query: SQL): T => {
    const [row] = sqlite.use((db) => db.all<{ it: T }>(query));
    if (!row) throw new Error("the database returned no row");
    return row.it;
  };

  return {
    names,

    /** Rows of each table. */
    counts: (): { name: string; rows: number }[] =>
      names().map((name) => ({
        name,
        rows: singleValue<number>(sql`SELECT count(*) AS it FROM ${sql.identifier(name)}`),
      })),

    version: (): string => singleValue<string>(sql`SELECT sqlite_version() AS it`),

    /** The columns of one of the tables in `names`. Throws NotFound for any other. */
    columns(name: string): TableColumn[] {
      if (!names().includes(name)) throw new NotFound("not_found", "There is no such table.");
      return sqlite
        .use((db) =>
          db.all<{ name: string; type: string; notnull: number; pk: number }>(
            sql`SELECT name, type, "notnull", pk FROM pragma_table_info(${name})`,
          ),
        )
        .map(({ name: column, type, notnull, pk }) => ({
          name: column,
          type,
          nullable: notnull === 0 && pk === 0,
          isKey: pk > 0,
        }));
    },
  };
}
