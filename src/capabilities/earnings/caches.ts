// The caches of readings: what was read from the providers, by symbol or by day, and how long it is good.
import { EARNINGS_CACHE_S, UNKNOWN_TICKER_CACHE_S } from "../../limits.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import type { Services } from "../../market/services.ts";
import { type Cache, createCache } from "../../platform/cache/cache.ts";
import type { Reading } from "./collect.ts";

/** The calendar of a day this long past changes little. */
// On 11 August the calendar of 3 August is good for a week, that of 5 August for an hour.
const PAST_DAYS = 7;
const PAST_CACHE_S = 7 * 24 * 3600;

export interface ReadingCaches {
  /** Surprises and the next report, by symbol. */
  readonly surprises: Cache<Reading>;
  readonly next: Cache<Reading>;
  /** The market's calendar, by New York day. */
  readonly days: Pick<Cache<Reading>, "get">;
}

export function readingCaches({ clock, cacheDeps }: Pick<Services, "clock" | "cacheDeps">): ReadingCaches {
  const cacheOf = (name: string, ttlS: number) =>
    createCache<Reading>({ name, ttlS, negativeS: UNKNOWN_TICKER_CACHE_S, entriesMax: 2_000 }, cacheDeps);
  const recentDays = cacheOf("earnings_days", EARNINGS_CACHE_S);
  const pastDays = cacheOf("earnings_past_days", PAST_CACHE_S);
  const isPast = (day: string) => day < addDays(newYorkDate(clock.now()), -PAST_DAYS);
  return {
    surprises: cacheOf("earnings_surprises", EARNINGS_CACHE_S),
    next: cacheOf("earnings_next", EARNINGS_CACHE_S),
    days: { get: (day, load, options) => (isPast(day) ? pastDays : recentDays).get(day, load, options) },
  };
}
