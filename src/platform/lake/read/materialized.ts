// In-memory tables with rows that many queries join with, each made once per version of the data it reads.
import { quoted } from "../dataset.ts";

interface MaterializedTable {
  readonly table: string;
  readonly made: Promise<void>;
  users: number;
}

/** Unused tables that stay, the most recently used ones; older ones are dropped when another is made. */
const IDLE_MAX = 8;

/**
 * Returns a function that passes `use` the name of a table with the rows of `select`. Calls with the same
 * `version` and `select` share one table.
 */
export function materializedTables(run: (sql: string) => Promise<void>) {
  /** In order of last use. */
  const tables = new Map<string, MaterializedTable>();
  let count = 0;
  const make = async (table: string, select: string) => {
    const idle = [...tables].filter(([, { users }]) => users === 0);
    const dropped = idle.slice(0, -IDLE_MAX);
    for (const [key] of dropped) tables.delete(key);
    for (const [, old] of dropped) await run(`DROP TABLE IF EXISTS ${old.table}`);
    await run(`CREATE TABLE ${table} AS ${select}`);
  };
  return async <T>(version: string, select: string, use: (table: string) => Promise<T>): Promise<T> => {
    const key = `${version} ${select}`;
    const known = tables.get(key);
    const name = known?.table ?? `main.${quoted(`materialized_${++count}`)}`;
    const entry = known ?? { table: name, made: make(name, select), users: 0 };
    tables.delete(key);
    tables.set(key, entry);
    entry.made.catch(() => tables.get(key) === entry && tables.delete(key));
    entry.users++;
    try {
      await entry.made;
      return await use(entry.table);
    } finally {
      entry.users--;
    }
  };
}
