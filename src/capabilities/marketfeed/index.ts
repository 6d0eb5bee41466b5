// The brokerage feed: intraday bars, snapshots, its status, and the backfill of the panel. Composes the
// capability.
import type { Elysia } from "elysia";
import { MARKETFEED_SLOT_WAIT_S, MARKETFEED_SLOTS } from "../../limits.ts";
import type { Services } from "../../market/services.ts";
import { createCache } from "../../platform/cache/cache.ts";
import type { Clock } from "../../platform/clock.ts";
import { Busy } from "../../platform/errors.ts";
import { createSemaphore, SemaphoreTimeout } from "../../platform/upstream/semaphore.ts";
import { marketfeedAnswers } from "./answers.ts";
import { backfillLedger } from "./backfill-ledger.ts";
import { intradayAnswers, UNFINISHED_CACHE_S } from "./intraday.ts";
import type { Unfinished } from "./intraday-fetch.ts";
import { backfillJob, panelBackfill } from "./panel-backfill.ts";
import { panelItems } from "./panel-items.ts";
import { panelSymbols } from "./panel-symbols.ts";
import { provisionalJob } from "./provisional-job.ts";
import { marketfeedRoutes } from "./routes.ts";
import { snapshotAnswers } from "./snapshot.ts";
import type { MarketFeed, PanelCloses, PanelFill, PanelProvisional } from "./sources.ts";
import { PROBE_S, type ProbeResult, statusAnswers } from "./status.ts";
import { intradayStore } from "./store.ts";
import { todayAnswers } from "./today.ts";

export interface MarketfeedDeps
  extends Pick<Services, "lake" | "sqlite" | "clock" | "log" | "calendar" | "cacheDeps" | "runNow"> {
  readonly feed: MarketFeed;
  /** First day of the feed's history. */
  readonly historyFrom: string;
  /** Fetches and stores the panel's bars. */
  readonly panel: {
    readonly fill: PanelFill;
    readonly closes: PanelCloses;
    readonly provisional: PanelProvisional;
  };
  /** Guards the admin routes. */
  readonly admin: Elysia;
}

/** Limits concurrent requests for bars. */
function slots(clock: Clock) {
  const semaphore = createSemaphore(
    { slots: MARKETFEED_SLOTS, waitMsMax: MARKETFEED_SLOT_WAIT_S * 1000 },
    clock,
  );
  return {
    active: () => semaphore.active(),
    async inSlot<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      try {
        return await semaphore.run(signal, work);
      } catch (error) {
        if (!(error instanceof SemaphoreTimeout)) throw error;
        throw new Busy(
          "slot_wait_timeout",
          `All ${MARKETFEED_SLOTS} slots for requests to the brokerage feed stayed taken for ${MARKETFEED_SLOT_WAIT_S} s.`,
          { upstream: "marketfeed", retryAfterS: MARKETFEED_SLOT_WAIT_S },
        );
      }
    },
  };
}

/** The capability: its routes, its job, and the backfill the command line runs. */
export function marketfeed(deps: MarketfeedDeps) {
  const { feed, historyFrom, panel, lake, sqlite, clock, log, calendar, cacheDeps, runNow } = deps;
  const store = intradayStore({ lake, sqlite, clock });
  const { active, inSlot } = slots(clock);
  const unfinished = createCache<Unfinished>(
    { name: "marketfeed_unfinished", ttlS: UNFINISHED_CACHE_S, durable: false },
    cacheDeps,
  );
  const probes = createCache<ProbeResult>(
    { name: "marketfeed_probe", ttlS: PROBE_S, durable: false },
    cacheDeps,
  );
  const symbols = panelSymbols(lake);
  const isConfigured = () => feed.isConfigured();
  const backfill = panelBackfill({
    symbols,
    fill: panel.fill,
    closes: panel.closes,
    ledger: backfillLedger({ sqlite, clock, log }),
    items: panelItems({ sqlite, clock }),
    historyFrom,
    clock,
    calendar,
    runNow,
    isConfigured,
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
    routes: marketfeedRoutes(answers, deps.admin),
    jobs: [
      backfillJob(backfill, calendar),
      provisionalJob({ symbols, provisional: panel.provisional, calendar, clock, isConfigured }),
    ],
    backfill,
  };
}
