// Schemas of views and macros that some reads need beside the main one: made when first used, dropped when
// others were used since.

import { quoted } from "../dataset.ts";
import { type DuckDb, inOneTransaction } from "../duckdb.ts";

/**
 * Keeps at most `keptMax` schemas; the one that was asked for longest ago goes first, but never while it is
 * in use.
 */
export function madeSchemas(db: DuckDb, keptMax: number) {
  /** The DDL of each schema that exists, and the work of making it; the oldest use first. */
  const made = new Map<string, { sql: string; ready: Promise<void> }>();
  const inUse = new Map<string, number>();
  /** Schemas that are being dropped: one of the same name is made after that. */
  const dropping = new Map<string, Promise<void>>();
  const run = (...ddl: string[]) => db.useToWrite((connection) => inOneTransaction(connection, ddl));
  const dropUnused = async () => {
    for (const schema of made.keys()) {
      if (made.size <= keptMax) return;
      if (inUse.has(schema)) continue;
      made.delete(schema);
      const dropped = run(`DROP SCHEMA IF EXISTS ${quoted(schema)} CASCADE`).finally(() =>
        dropping.delete(schema),
      );
      dropping.set(schema, dropped);
      await dropped;
    }
  };
  const make = async (
    schema: string,
    sql: string,
    more: (() => Promise<readonly string[]>) | undefined,
    before: Promise<void> | undefined,
  ) => {
    await Promise.allSettled([before, dropping.get(schema)]);
    await run(`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`, sql);
    const ddl = (await more?.()) ?? [];
    if (ddl.length > 0) await run(...ddl);
  };
  return {
    /**
     * Makes the schema unless it is there with the same DDL. `more` gives DDL that needs what the first has
     * made.
     */
    async ensure(schema: string, sql: string, more?: () => Promise<readonly string[]>): Promise<void> {
      const known = made.get(schema);
      const ready = known?.sql === sql ? known.ready : make(schema, sql, more, known?.ready);
      made.delete(schema);
      made.set(schema, { sql, ready });
      await ready.catch((error) => {
        if (made.get(schema)?.ready === ready) made.delete(schema);
        throw error;
      });
    },
    /** Keeps a schema while `work` runs. */
    async keep<T>(schema: string, work: () => Promise<T>): Promise<T> {
      inUse.set(schema, (inUse.get(schema) ?? 0) + 1);
      try {
        return await work();
      } finally {
        const left = (inUse.get(schema) ?? 1) - 1;
        if (left > 0) inUse.set(schema, left);
        else inUse.delete(schema);
        await dropUnused();
      }
    },
  };
}
