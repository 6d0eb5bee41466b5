// The brokerage feed: intraday bars, snapshots, its status, and the backfill of the panel. Its face.
import type { Elysia } from "elysia";
import { MARKETFEED_SLOT_WAIT_S, MARKETFEED_SLOTS } from "../../limits.ts";
import type { Calendar } from "../../market/calendar.ts";
import { type CacheDeps, createCache } from "../../platform/cache/cache.ts";
import type { Clock } from "../../platform/clock.ts";
import { Busy } from "../../platform/errors.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import { SemaphoreTimeout, createSemaphore } from "../../platform/upstream/semaphore.ts";
import { marketfeedAnswers } from "./answers.ts";
import { panelRuns } from "./backfill-ledger.ts";
import { intradayAnswers, UNFINISHED_CACHE_S, type Unfinished } from "./intraday.ts";
import { backfillJob, panelBackfill } from "./panel-backfill.ts";
import { panelSymbols } from "./panel-symbols.ts";
import { marketfeedRoutes } from "./routes.ts";
import { snapshotAnswers } from "./snapshot.ts";
import type { MarketFeed, PanelCloses, PanelFill } from "./sources.ts";
import { PROBE_S, type Probed, statusAnswers } from "./status.ts";
import { intradayStore } from "./store.ts";
import { todayAnswers } from "./today.ts";

export interface MarketfeedNeeds {
  readonly feed: MarketFeed;
  /** First day of the feed's history. */
  readonly historyFrom: string;
  /** Stores the panel's bars. */
  readonly panel: { readonly fill: PanelFill; readonly closes: PanelCloses };
  readonly lake: Lake;
  readonly sqlite: Store;
  readonly clock: Clock;
  readonly calendar: Calendar;
  readonly cacheDeps: CacheDeps;
  readonly admin: Elysia;
  readonly runNow: Jobs["runNow"];
}

/** The few places in which clients' questions of bars are worked on. */
function places(clock: Clock) {
  const semaphore = createSemaphore({ slots: MARKETFEED_SLOTS, waitMsMax: MARKETFEED_SLOT_WAIT_S * 1000 }, clock);
  return {
    active: () => semaphore.active(),
    async inSlot<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      try {
        return await semaphore.run(signal, work);
      } catch (error) {
        if (!(error instanceof SemaphoreTimeout)) throw error;
        throw new Busy(
          "slot_wait_timeout",
          `All ${MARKETFEED_SLOTS} places for questions of the brokerage feed stayed taken for ${MARKETFEED_SLOT_WAIT_S} s.`,
          { upstream: "marketfeed", retryAfterS: MARKETFEED_SLOT_WAIT_S },
        );
      }
    },
  };
}

/** Composes the capability: its routes, its job, and what the command line runs. */
export function marketfeed(needs: MarketfeedNeeds) {
  const { feed, historyFrom, panel, lake, sqlite, clock, calendar, cacheDeps, runNow } = needs;
  const store = intradayStore({ lake, sqlite, clock });
  const { active, inSlot } = places(clock);
  const unfinished = createCache<Unfinished>(
    { name: "marketfeed_unfinished", ttlS: UNFINISHED_CACHE_S, durable: false },
    cacheDeps,
  );
  const probes = createCache<Probed>({ name: "marketfeed_probe", ttlS: PROBE_S, durable: false }, cacheDeps);
  const backfill = panelBackfill({
    ...{ fill: panel.fill, closes: panel.closes, clock, calendar, runNow, historyFrom },
    symbols: panelSymbols(lake),
    runs: panelRuns({ sqlite, clock }),
    isConfigured: () => feed.isConfigured(),
    demandKeys: () => feed.demandKeys(),
  });
  const answers = marketfeedAnswers({
    status: statusAnswers({ feed, store, calendar, clock, probes, active, maxConcurrent: MARKETFEED_SLOTS }),
    intraday: intradayAnswers({ feed, store, calendar, clock, unfinished, inSlot }),
    today: todayAnswers({ feed, calendar, clock, inSlot }),
    snapshot: snapshotAnswers({ feed, clock }),
    backfill,
  });
  return {
    routes: marketfeedRoutes(answers, needs.admin),
    jobs: [backfillJob(backfill, calendar)],
    backfill,
  };
}
