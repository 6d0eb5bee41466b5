// Answers as they are kept: a bounded memory over the rows of the database, newest load wins.
import { LRUCache } from "lru-cache";
import { NotFound } from "../errors.ts";
import type { CacheDeps, CacheOptions } from "./cache.ts";
import { type CacheRows, cacheRows } from "./rows.ts";

/** One kept answer, or the provider's word that there is none. */
export interface Entry<T> {
  readonly content: { readonly value: T } | { readonly fault: NotFound };
  readonly bytes: number;
  readonly storedAtMs: number;
  readonly expiresAtMs: number;
  /** Number of the load it came from: an older load that ends later must not replace a newer answer. */
  readonly load: number;
}

export interface CacheEntries<T> {
  /** What is kept for `key`, good or not. */
  find(key: string): Entry<T> | undefined;
  /** What is kept for `key`, if it may still serve when the provider fails. */
  findStale(key: string): Entry<T> | undefined;
  storeValue(key: string, value: T, load: number): Entry<T>;
  storeError(key: string, error: unknown, load: number): void;
  forget(key: string): void;
  size(): { entries: number; bytes: number };
}

const ENTRIES_MAX = 1_000;
const BYTES_MAX = 64 * 1024 * 1024;
const ROWS_PER_ENTRY = 10;

/** The database behind the memory, or nothing of the kind. */
function rowsBehind<T>(options: CacheOptions<T>, needs: CacheDeps): CacheRows | null {
  if (options.durable === false) return null;
  const rowsMax = (options.entriesMax ?? ENTRIES_MAX) * ROWS_PER_ENTRY;
  return cacheRows({ name: options.name, staleS: options.staleS ?? 0, rowsMax }, needs);
}

function lifetimeMs<T>({ ttlS, jitter = 0 }: CacheOptions<T>, value: T, random: () => number): number {
  const seconds = typeof ttlS === "function" ? ttlS(value) : ttlS;
  return Math.round(seconds * 1000 * (jitter === 0 ? 1 : 1 + jitter * (2 * random() - 1)));
}

function memoryOf<T>(options: CacheOptions<T>): LRUCache<string, Entry<T>> {
  return new LRUCache({
    max: options.entriesMax ?? ENTRIES_MAX,
    maxSize: options.bytesMax ?? BYTES_MAX,
    sizeCalculation: (entry) => entry.bytes,
  });
}

export function cacheEntries<T>(options: CacheOptions<T>, needs: CacheDeps): CacheEntries<T> {
  const { clock, random = Math.random } = needs;
  const { negativeS = 0, staleS = 0, bytesMax = BYTES_MAX } = options;
  const near = memoryOf(options);
  const rows = rowsBehind(options, needs);
  const isNewest = (key: string, load: number) => (near.peek(key)?.load ?? 0) < load;

  const find = (key: string): Entry<T> | undefined => {
    const entry = near.get(key);
    if (entry) return entry;
    const row = rows?.read(key);
    if (!row) return undefined;
    const { body, storedAtMs, expiresAtMs } = row;
    const content = { value: row.value as T };
    const read = { content, bytes: Buffer.byteLength(body), storedAtMs, expiresAtMs, load: 0 };
    near.set(key, read);
    return read;
  };
  const forget = (key: string) => {
    near.delete(key);
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
        near.set(key, entry);
        rows?.write(key, { body, storedAtMs, expiresAtMs });
      }
      return entry;
    },
    storeError(key, error, load) {
      if (!(error instanceof NotFound) || !isNewest(key, load)) return;
      // The provider says that it is gone: the former answer must not come back when the provider fails.
      forget(key);
      if (negativeS <= 0) return;
      const storedAtMs = clock.nowMs();
      const expiresAtMs = storedAtMs + negativeS * 1000;
      near.set(key, { content: { fault: error }, bytes: 1, storedAtMs, expiresAtMs, load });
    },
    forget,
    size: () => ({ entries: near.size, bytes: near.calculatedSize }),
  };
}
