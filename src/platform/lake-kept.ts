// Rows that many queries join with, kept in memory as a table for as long as the lake says the same.
import { quoted } from "./dataset.ts";
import type { DuckDb } from "./duckdb.ts";

interface Kept {
  readonly table: string;
  readonly made: Promise<void>;
  usedMs: number;
}

/** Longer than any request: who was given the name of a table finds it. */
const UNUSED_MS = 15 * 60_000;

/** Gives the name of the table that holds what `select` says in this `version` of what it reads. */
export function keptTables(db: DuckDb) {
  const kept = new Map<string, Kept>();
  let count = 0;
  const run = (sql: string) => db.useToWrite(async (connection) => void (await connection.run(sql)));
  const dropUnused = async (nowMs: number) => {
    for (const [key, { table, usedMs }] of kept) {
      if (nowMs - usedMs < UNUSED_MS) continue;
      kept.delete(key);
      await run(`DROP TABLE IF EXISTS ${table}`);
    }
  };
  return async (version: string, select: string): Promise<string> => {
    const nowMs = performance.now();
    const key = `${version} ${select}`;
    let own = kept.get(key);
    if (!own) {
      const table = quoted(`kept_${++count}`);
      const made = dropUnused(nowMs).then(() => run(`CREATE TABLE ${table} AS ${select}`));
      own = { table, made, usedMs: nowMs };
      kept.set(key, own);
      made.catch(() => kept.delete(key));
    }
    own.usedMs = nowMs;
    await own.made;
    return own.table;
  };
}
