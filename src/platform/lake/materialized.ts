// Rows that many queries join with, kept in memory as a table for as long as the lake says the same.
import { quoted } from "./dataset.ts";

interface Kept {
  readonly table: string;
  readonly made: Promise<void>;
  users: number;
}

/** Tables without a user that stay, the last used; older ones go as another is made. */
const IDLE_MAX = 8;

/** Lends a table with what `select` says in this `version` of what it reads, made once for all who ask for it. */
export function materializedTables(run: (sql: string) => Promise<void>) {
  /** The last used stands last. */
  const kept = new Map<string, Kept>();
  let count = 0;
  const make = async (table: string, select: string) => {
    const idle = [...kept].filter(([, { users }]) => users === 0);
    const gone = idle.slice(0, -IDLE_MAX);
    for (const [key] of gone) kept.delete(key);
    for (const [, old] of gone) await run(`DROP TABLE IF EXISTS ${old.table}`);
    await run(`CREATE TABLE ${table} AS ${select}`);
  };
  return async <T>(version: string, select: string, use: (table: string) => Promise<T>): Promise<T> => {
    const key = `${version} ${select}`;
    const known = kept.get(key);
    const table = known?.table ?? quoted(`kept_${++count}`);
    const own = known ?? { table, made: make(table, select), users: 0 };
    kept.delete(key);
    kept.set(key, own);
    own.made.catch(() => kept.get(key) === own && kept.delete(key));
    own.users++;
    try {
      await own.made;
      return await use(own.table);
    } finally {
      own.users--;
    }
  };
}
