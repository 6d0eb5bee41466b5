// Keeps rows in memory between the statements that write one answer from them, so that the files are read
// once.

import { quoted } from "../dataset.ts";
import { bind, type DuckDb, type Params, type ReadOptions, withSearchPath } from "../duckdb.ts";

/** A table in memory; `drop` frees it. */
export interface StagedTable {
  /** Its name in SQL. */
  readonly table: string;
  drop(): Promise<void>;
}

/** Makes a table of the rows of a query. */
export async function stageRows(
  db: DuckDb,
  select: string,
  params: Params,
  options: ReadOptions,
): Promise<StagedTable> {
  const table = `main.${quoted(`staged_${crypto.randomUUID()}`)}`;
  const drop = () =>
    db.useToWrite(async (connection) => void (await connection.run(`DROP TABLE IF EXISTS ${table}`)));
  try {
    await db.use(
      (connection) =>
        withSearchPath(connection, options.searchPath, async () => {
          const statement = await connection.prepare(`CREATE TABLE ${table} AS ${select}`);
          try {
            bind(statement, params);
            await statement.run();
          } finally {
            statement.destroySync();
          }
        }),
      options,
    );
    return { table, drop };
  } catch (error) {
    await drop();
    throw error;
  }
}
