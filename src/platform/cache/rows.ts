// Cache entries that outlive the process: rows of the operational database, bounded in number.
import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { Clock } from "../clock.ts";
import { instantMs, instantText } from "../instant-text.ts";
import type { Log } from "../log.ts";
import type { Store } from "../sqlite/sqlite.ts";
import { cache_entries } from "../sqlite/tables.ts";

/** A stored entry. `body` is JSON. */
export interface CacheRow {
  readonly body: string;
  readonly storedAtMs: number;
  readonly expiresAtMs: number;
}

/** Never throws: a database that cannot be read or written counts as an empty cache. */
export interface CacheRows {
  read(key: string): (CacheRow & { readonly value: unknown }) | undefined;
  write(key: string, row: CacheRow): void;
  remove(key: string): void;
}

/** Old rows are deleted after every so many writes. */
// A cache of 10,000 rows may have 10,099 for a while.
const WRITES_PER_SWEEP = 100;

interface Limits {
  readonly name: string;
  readonly staleS: number;
  readonly rowsMax: number;
}

/** Deletes rows that can no longer serve, and the oldest beyond `rowsMax`. */
function sweep(store: Store, { name, staleS, rowsMax }: Limits, nowMs: number): void {
  const ofName = eq(cache_entries.name, name);
  store.write((db) => {
    const expired = instantText(nowMs - staleS * 1000);
    db.delete(cache_entries)
      .where(and(ofName, lt(cache_entries.expires_at, expired)))
      .run();
    const oldestToKeep = db
      .select({ stored_at: cache_entries.stored_at })
      .from(cache_entries)
      .where(ofName)
      .orderBy(desc(cache_entries.stored_at))
      .limit(1)
      .offset(rowsMax - 1)
      .get();
    if (!oldestToKeep) return;
    db.delete(cache_entries)
      .where(and(ofName, lt(cache_entries.stored_at, oldestToKeep.stored_at)))
      .run();
  });
}

export function cacheRows(
  limits: Limits,
  deps: { readonly store: Store; readonly clock: Clock; readonly log: Log },
): CacheRows {
  const { name } = limits;
  const { store, clock, log } = deps;
  let writes = 0;

  const attempt = <R>(work: () => R): R | undefined => {
    try {
      return work();
    } catch (error) {
      log.warn("cache rows could not be read or written", { cache: name, error });
      return undefined;
    }
  };
  const at = (key: string) => and(eq(cache_entries.name, name), eq(cache_entries.key, key));

  return {
    read: (key) =>
      attempt(() => {
        const row = store.use((db) => db.select().from(cache_entries).where(at(key)).get());
        if (!row) return undefined;
        const body = new TextDecoder().decode(row.body);
        const times = { storedAtMs: instantMs(row.stored_at), expiresAtMs: instantMs(row.expires_at) };
        return { body, value: JSON.parse(body) as unknown, ...times };
      }),
    write: (key, row) =>
      attempt(() => {
        const content = {
          body: Buffer.from(row.body),
          meta: "{}",
          stored_at: instantText(row.storedAtMs),
          expires_at: instantText(row.expiresAtMs),
        };
        store.use((db) =>
          db
            .insert(cache_entries)
            .values({ name, key, ...content })
            .onConflictDoUpdate({
              target: [cache_entries.name, cache_entries.key],
              set: content,
              // Another process may have stored a newer value meanwhile.
              setWhere: sql`${cache_entries.stored_at} <= excluded.stored_at`,
            })
            .run(),
        );
        if (++writes % WRITES_PER_SWEEP === 0) sweep(store, limits, clock.nowMs());
      }),
    remove: (key) => {
      attempt(() => store.use((db) => db.delete(cache_entries).where(at(key)).run()));
    },
  };
}
