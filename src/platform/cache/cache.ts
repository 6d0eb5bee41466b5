// A cache of provider answers: in memory, and behind that in the database. Concurrent requests share one
// load.
import { isOutage } from "../errors.ts";
import { currentReading, isReplaying } from "../reading.ts";
import { singleFlight } from "../upstream/single-flight.ts";
import { type CacheDeps, type CacheOptions, type CacheStats, cacheEntries, type Entry } from "./entries.ts";

export type { CacheDeps, CacheOptions, CacheStats } from "./entries.ts";

export interface CacheHit<T> {
  /** Shared by all callers: do not change it. */
  readonly value: T;
  readonly state: "HIT" | "MISS" | "STALE";
  readonly storedAtMs: number;
  readonly expiresAtMs: number;
}

/** A signal, or a function that returns one and is called only when there is something to wait for. */
export type LazySignal = AbortSignal | (() => AbortSignal) | undefined;

export interface Cache<T> {
  /**
   * The value for `key`, loaded unless a fresh one is cached. `force` always loads: forced calls share one
   * load among themselves and never join one that was not forced. Errors of `load` are passed on and not
   * cached, except NotFound for `negativeS`. In an outage of the provider a call that is not forced gets an
   * expired value within `staleS`.
   */
  get(
    key: string,
    load: (signal: AbortSignal) => Promise<T>,
    options?: { readonly force?: boolean; readonly signal?: LazySignal },
  ): Promise<CacheHit<T>>;
  forget(key: string): void;
  stats(): CacheStats;
}

/** Machine clocks are set back slightly all the time; every lifetime is much longer than this. */
// An entry from 0.9 s ahead of the clock is served; one from 1.1 s ahead is loaded again.
const CLOCK_SLACK_MS = 1_000;

function hitOf<T>(entry: Entry<T>, state: CacheHit<T>["state"]): CacheHit<T> {
  if ("error" in entry.content) throw entry.content.error;
  const { storedAtMs, expiresAtMs } = entry;
  return { value: entry.content.value, state, storedAtMs, expiresAtMs };
}

/**
 * Not expired, and not from the future: after a machine clock is set back such an entry would live too long.
 */
const isFresh = ({ storedAtMs, expiresAtMs }: Entry<unknown>, nowMs: number): boolean =>
  expiresAtMs > nowMs && storedAtMs <= nowMs + CLOCK_SLACK_MS;

export function createCache<T>(options: CacheOptions<T>, deps: CacheDeps): Cache<T> {
  const { clock } = deps;
  const entries = cacheEntries(options, deps);
  const flights = singleFlight<Entry<T>>();
  const counts = { hits: 0, misses: 0, stale: 0 };
  let loads = 0;

  const loadAndStore = async (
    key: string,
    load: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ) => {
    const number = ++loads;
    try {
      const value = await load(signal);
      if (currentReading()?.damage.size) return passing(value);
      return entries.storeValue(key, value, number);
    } catch (error) {
      if (!currentReading()?.damage.size) entries.storeError(key, error, number);
      throw error;
    }
  };

  /** An entry that is not kept, as that of an answer without the rows of a damaged file. */
  const passing = (value: T): Entry<T> => {
    const nowMs = clock.nowMs();
    return { content: { value }, bytes: 0, load: 0, storedAtMs: nowMs, expiresAtMs: nowMs };
  };

  /** Loads without the cache, whose values are of the newest version. */
  const loadOnly = async (load: (signal: AbortSignal) => Promise<T>, signal: LazySignal) => {
    const until = typeof signal === "function" ? signal() : signal;
    return hitOf(passing(await load(until ?? new AbortController().signal)), "MISS");
  };

  const stats = () => ({ name: options.name, ...entries.size(), ...counts });
  deps.opened?.(stats);
  return {
    async get(key, load, { force = false, signal } = {}) {
      if (isReplaying()) return loadOnly(load, signal);
      if (typeof signal !== "function") signal?.throwIfAborted();
      const found = force ? undefined : entries.find(key);
      if (found && isFresh(found, clock.nowMs())) {
        counts.hits++;
        return hitOf(found, "HIT");
      }
      counts.misses++;
      const until = typeof signal === "function" ? signal() : signal;
      until?.throwIfAborted();
      // A forced load is at least as new as a plain one, so any call may join it; the reverse does not hold.
      // A plain call joins a forced load of its key; a forced call that finds a plain load starts one of its
      // own.
      const forced = `forced ${key}`;
      const flight = force || flights.has(forced) ? forced : `plain ${key}`;
      try {
        return hitOf(await flights.run(flight, until, (shared) => loadAndStore(key, load, shared)), "MISS");
      } catch (error) {
        const old = !force && isOutage(error) ? entries.findStale(key) : undefined;
        if (!old) throw error;
        counts.stale++;
        return hitOf(old, "STALE");
      }
    },
    forget: entries.forget,
    stats,
  };
}
