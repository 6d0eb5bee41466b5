// Answers worth keeping for a while: in memory, behind that in the database, each loaded once however many ask.
import type { Clock } from "../clock.ts";
import { isOutage } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Store } from "../sqlite/sqlite.ts";
import { singleFlight } from "../upstream/single-flight.ts";
import { cacheEntries, type Entry } from "./entries.ts";

export interface CacheOptions<T> {
  /** What is remembered, e.g. "index-constituents"; part of the key in the database. */
  readonly name: string;
  /** How long an answer is good. */
  readonly ttlS: number | ((value: T) => number);
  /** How long after that it still serves when the provider fails; default 0, never. */
  readonly staleS?: number;
  /** How long "no such thing" is believed; default 0, not at all. Kept in memory only. */
  readonly negativeS?: number;
  /** Share of the lifetime by which it varies either way, so that many do not end together; default 0. */
  readonly jitter?: number;
  /** Most answers in memory; ten times as many stay in the database. */
  readonly entriesMax?: number;
  /** Most bytes of answers in memory; a single answer above it is not remembered. */
  readonly bytesMax?: number;
  /** Whether it outlives the process; default true. False for what is good for seconds only. */
  readonly durable?: boolean;
}

export interface CacheDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly random?: () => number;
  /** Told of each memory that is opened, so that one list has them all. */
  opened?(stats: () => CacheStats): void;
}

/** How full a memory is, and how often it helped since the process started. */
export interface CacheStats {
  readonly name: string;
  readonly entries: number;
  readonly bytes: number;
  readonly hits: number;
  readonly misses: number;
  /** Old answers given since the provider failed. */
  readonly stale: number;
}

export interface CacheHit<T> {
  /** Shared by all who ask: read it, never change it. */
  readonly value: T;
  readonly state: "HIT" | "MISS" | "STALE";
  readonly storedAtMs: number;
  readonly expiresAtMs: number;
}

/** A signal, or what gives it: that is called only where there is something to wait for. */
export type LazySignal = AbortSignal | (() => AbortSignal) | undefined;

export interface Memory<T> {
  /**
   * The answer for `key`, loaded when none good is there. `force` always loads: forced calls share one load among
   * themselves and never join one that was not forced. `load`'s errors are passed on and not remembered, NotFound
   * for `negativeS`; where the provider is at fault and nobody forced, an old answer within `staleS` comes as STALE.
   */
  get(
    key: string,
    load: (signal: AbortSignal) => Promise<T>,
    how?: { readonly force?: boolean; readonly signal?: LazySignal },
  ): Promise<CacheHit<T>>;
  forget(key: string): void;
  stats(): CacheStats;
}

/** Machine clocks are set back a little all the time; nothing is good for so short that it matters. */
const CLOCK_SLACK_MS = 1_000;

function cached<T>(entry: Entry<T>, state: CacheHit<T>["state"]): CacheHit<T> {
  if ("fault" in entry.content) throw entry.content.fault;
  const { storedAtMs, expiresAtMs } = entry;
  return { value: entry.content.value, state, storedAtMs, expiresAtMs };
}

/** From before it expires, but not from the future: a machine clock set back would make it good for longer. */
const isGood = ({ storedAtMs, expiresAtMs }: Entry<unknown>, nowMs: number): boolean =>
  expiresAtMs > nowMs && storedAtMs <= nowMs + CLOCK_SLACK_MS;

export function createCache<T>(options: CacheOptions<T>, needs: CacheDeps): Memory<T> {
  const { clock } = needs;
  const kept = cacheEntries(options, needs);
  const flights = singleFlight<Entry<T>>();
  const counts = { hits: 0, misses: 0, stale: 0 };
  let loads = 0;

  const loadAndKeep = async (key: string, load: (signal: AbortSignal) => Promise<T>, signal: AbortSignal) => {
    const number = ++loads;
    try {
      return kept.storeValue(key, await load(signal), number);
    } catch (error) {
      kept.storeError(key, error, number);
      throw error;
    }
  };

  const stats = () => ({ name: options.name, ...kept.size(), ...counts });
  needs.opened?.(stats);
  return {
    async get(key, load, { force = false, signal } = {}) {
      if (typeof signal !== "function") signal?.throwIfAborted();
      const found = force ? undefined : kept.find(key);
      if (found && isGood(found, clock.nowMs())) {
        counts.hits++;
        return cached(found, "HIT");
      }
      counts.misses++;
      const until = typeof signal === "function" ? signal() : signal;
      until?.throwIfAborted();
      // A forced load is at least as new as one of one's own, so anybody may join it; the reverse does not hold.
      const forced = `forced ${key}`;
      const flight = force || flights.has(forced) ? forced : `plain ${key}`;
      try {
        return cached(await flights.run(flight, until, (shared) => loadAndKeep(key, load, shared)), "MISS");
      } catch (error) {
        const old = !force && isOutage(error) ? kept.findStale(key) : undefined;
        if (!old) throw error;
        counts.stale++;
        return cached(old, "STALE");
      }
    },
    forget: kept.forget,
    stats,
  };
}
