// Entries of a cache: a bounded map in memory over the rows of the database. The newest load wins.
import { LRUCache } from "lru-cache";
import type { Clock } from "../clock.ts";
import { NotFound } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Store } from "../sqlite/sqlite.ts";
import { type CacheRows, cacheRows } from "./rows.ts";

export interface CacheOptions<T> {
  /** Name of the cache, e.g. "index-constituents"; part of the key in the database. */
  readonly name: string;
  /** Lifetime of an entry in seconds. */
  readonly ttlS: number | ((value: T) => number);
  /** Seconds after that during which the entry still serves when the provider fails; default 0, never. */
  readonly staleS?: number;
  /** Seconds for which a NotFound is cached; default 0, not at all. In memory only. */
  readonly negativeS?: number;
  /**
   * Share of the lifetime by which it varies either way, so that many entries do not expire together; default
   * 0.
   */
  readonly jitter?: number;
  /** Most entries in memory; the database holds ten times as many. */
  readonly entriesMax?: number;
  /** Most bytes of values in memory; a single larger value is not cached. */
  readonly bytesMax?: number;
  /** Whether entries outlive the process; default true. False for lifetimes of seconds. */
  readonly durable?: boolean;
}

export interface CacheDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly random?: () => number;
  /** Called for each cache that is created, so that one list has them all. */
  opened?(stats: () => CacheStats): void;
}

/** Size of a cache, and its counts since the process started. */
export interface CacheStats {
  readonly name: string;
  readonly entries: number;
  readonly bytes: number;
  readonly hits: number;
  readonly misses: number;
  /** Expired values served because the provider failed. */
  readonly stale: number;
}

/** A cached value, or the NotFound of the provider. */
export interface Entry<T> {
  readonly content: { readonly value: T } | { readonly error: NotFound };
  readonly bytes: number;
  readonly storedAtMs: number;
  readonly expiresAtMs: number;
  /** Number of the load it came from: an older load that ends later must not replace a newer value. */
  readonly load: number;
}

export interface CacheEntries<T> {
  /** The entry of `key`, expired or not. */
  find(key: string): Entry<T> | undefined;
  /** The entry of `key`, if it may still serve in an outage. */
  findStale(key: string): Entry<T> | undefined;
  storeValue(key: string, value: T, load: number): Entry<T>;
  storeError(key: string, error: unknown, load: number): void;
  forget(key: string): void;
  size(): { entries: number; bytes: number };
}

// By default 1,000 companies of 64 KB fill the memory; the database holds 10,000.
const ENTRIES_MAX = 1_000;
const BYTES_MAX = 64 * 1024 * 1024;
const ROWS_PER_ENTRY = 10;

/** The rows of a durable cache; null for one in memory only. */
function durableRows<T>(options: CacheOptions<T>, deps: CacheDeps): CacheRows | null {
  if (options.durable === false) return null;
  const rowsMax = (options.entriesMax ?? ENTRIES_MAX) * ROWS_PER_ENTRY;
  return cacheRows({ name: options.name, staleS: options.staleS ?? 0, rowsMax }, deps);
}

function lifetimeMs<T>({ ttlS, jitter = 0 }: CacheOptions<T>, value: T, random: () => number): number {
  const seconds = typeof ttlS === "function" ? ttlS(value) : ttlS;
  return Math.round(seconds * 1000 * (jitter === 0 ? 1 : 1 + jitter * (2 * random() - 1)));
}

function memoryCache<T>(options: CacheOptions<T>): LRUCache<string, Entry<T>> {
  return new LRUCache({
    max: options.entriesMax ?? ENTRIES_MAX,
    maxSize: options.bytesMax ?? BYTES_MAX,
    sizeCalculation: (entry) => entry.bytes,
  });
}

export function cacheEntries<T>(options: CacheOptions<T>, deps: CacheDeps): CacheEntries<T> {
  const { clock, random = Math.random } = deps;
  const { negativeS = 0, staleS = 0, bytesMax = BYTES_MAX } = options;
  const memory = memoryCache(options);
  const rows = durableRows(options, deps);
  const isNewest = (key: string, load: number) => (memory.peek(key)?.load ?? 0) < load;

  const find = (key: string): Entry<T> | undefined => {
    const entry = memory.get(key);
    if (entry) return entry;
    const row = rows?.read(key);
    if (!row) return undefined;
    const { body, storedAtMs, expiresAtMs } = row;
    const content = { value: row.value as T };
    const read = { content, bytes: Buffer.byteLength(body), storedAtMs, expiresAtMs, load: 0 };
    memory.set(key, read);
    return read;
  };
  const forget = (key: string) => {
    memory.delete(key);
    rows?.remove(key);
  };

  return {
    find,
    findStale(key) {
      const old = staleS > 0 ? find(key) : undefined;
      const serves = old && "value" in old.content && clock.nowMs() < old.expiresAtMs + staleS * 1000;
      return serves ? old : undefined;
    },
    storeValue(key, value, load) {
      const body = JSON.stringify(value) ?? "null";
      const bytes = Buffer.byteLength(body);
      const storedAtMs = clock.nowMs();
      const expiresAtMs = storedAtMs + lifetimeMs(options, value, random);
      const entry = { content: { value }, bytes, storedAtMs, expiresAtMs, load };
      if (isNewest(key, load) && bytes <= bytesMax && expiresAtMs > storedAtMs) {
        memory.set(key, entry);
        rows?.write(key, { body, storedAtMs, expiresAtMs });
      }
      return entry;
    },
    storeError(key, error, load) {
      if (!(error instanceof NotFound) || !isNewest(key, load)) return;
      // The provider says it is gone: the former value must not come back in an outage.
      forget(key);
      if (negativeS <= 0) return;
      const storedAtMs = clock.nowMs();
      const expiresAtMs = storedAtMs + negativeS * 1000;
      memory.set(key, { content: { error }, bytes: 1, storedAtMs, expiresAtMs, load });
    },
    forget,
    size: () => ({ entries: memory.size, bytes: memory.calculatedSize }),
  };
}
