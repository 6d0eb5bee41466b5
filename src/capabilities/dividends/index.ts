// Dividends: what was declared, changed, cancelled and paid, as known on a day. Its face: what it needs, and what it gives.
import { UNKNOWN_TICKER_CACHE_S } from "../../limits.ts";
import type { Calendar } from "../../market/calendar.ts";
import { type CacheDeps, createCache } from "../../platform/cache/cache.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Job } from "../../platform/jobs/jobs.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import type { Log } from "../../platform/log.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import { dividendAnswers } from "./answers.ts";
import { dividendCollector, type Reading } from "./collect.ts";
import { dividendRoutes } from "./routes.ts";
import type { ActionSource, DividendSource, KnownTicker } from "./sources.ts";
import { dividendStore } from "./store.ts";
import { dividendWatch } from "./watch.ts";

export interface DividendNeeds {
  readonly source: DividendSource;
  readonly actions: ActionSource;
  readonly knownTicker: KnownTicker;
  readonly lake: Lake;
  readonly sqlite: Store;
  readonly clock: Clock;
  readonly calendar: Calendar;
  readonly log: Pick<Log, "warn">;
  readonly cacheDeps: CacheDeps;
}

/** Composes the capability: its routes and its job. */
export function dividends(needs: DividendNeeds) {
  const { lake, sqlite, clock, calendar, log } = needs;
  const store = dividendStore({ lake, sqlite });
  const collector = dividendCollector({ ...needs, store });
  const cache = createCache<Reading>(
    {
      name: "dividends",
      ttlS: ({ good_for_s }) => good_for_s,
      negativeS: UNKNOWN_TICKER_CACHE_S,
      entriesMax: 2_000,
    },
    needs.cacheDeps,
  );
  const answers = dividendAnswers({ collector, cache, store, calendar, clock });
  const reread = (symbol: string, signal: AbortSignal) =>
    cache.get(symbol, (shared) => collector.read(symbol, shared), { force: true, signal });
  const jobs: readonly Job[] = [dividendWatch({ collector, store, calendar, clock, log, reread })];
  return { routes: dividendRoutes(answers), jobs };
}
