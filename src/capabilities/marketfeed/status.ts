// GET /marketfeed/status: whether the feed is set up and answers, the exchange's hours, and what is stored.
import { type Calendar, newYorkDate } from "../../market/calendar.ts";
import type { Services } from "../../market/services.ts";
import type { Cache } from "../../platform/cache/cache.ts";
import { AsofError } from "../../platform/errors.ts";
import type { StatusAnswer } from "./schema.ts";
import type { MarketFeed } from "./sources.ts";
import type { IntradayStore } from "./store.ts";

/** A symbol the feed always has. */
const PROBE = "SPY";
/** How long the outcome of a probe is cached. */
export const PROBE_S = 60;

export interface ProbeResult {
  readonly reachable: boolean;
  readonly error: string | null;
}

export interface StatusDeps extends Pick<Services, "calendar" | "clock"> {
  readonly feed: MarketFeed;
  readonly store: IntradayStore;
  readonly probes: Cache<ProbeResult>;
  readonly maxConcurrent: number;
  active(): number;
}

/** The next open and the next close after `now`. */
export function nextHours(now: Temporal.Instant, calendar: Calendar) {
  const today = newYorkDate(now);
  const isAhead = (at: Temporal.Instant) => Temporal.Instant.compare(at, now) > 0;
  const day = calendar.sessionOnOrAfter(today);
  const next = calendar.nextSession(day);
  const open = isAhead(calendar.sessionOpen(day)) ? calendar.sessionOpen(day) : calendar.sessionOpen(next);
  const close = isAhead(calendar.sessionClose(day))
    ? calendar.sessionClose(day)
    : calendar.sessionClose(next);
  return { next_open: open.toString(), next_close: close.toString() };
}

export function statusAnswers(deps: StatusDeps) {
  const { feed, store, calendar, clock, probes } = deps;

  const probe = async (signal: AbortSignal): Promise<ProbeResult> => {
    try {
      await feed.snapshots([PROBE], signal);
      return { reachable: true, error: null };
    } catch (error) {
      if (signal.aborted || !(error instanceof AsofError)) throw error;
      return { reachable: false, error: error.message };
    }
  };

  return async function answerStatus(signal: AbortSignal): Promise<StatusAnswer> {
    const now = clock.now();
    const configured = feed.isConfigured();
    const probed = configured ? (await probes.get("probe", probe, { signal })).value : null;
    const { phase } = calendar.sessionAt(now);
    const { lastSuccessAt, lastError } = feed.health();
    return {
      configured,
      reachable: probed?.reachable ?? false,
      feed_historical: "sip",
      feed_realtime: "iex",
      market_open: phase === "regular",
      market_session: phase,
      ...nextHours(now, calendar),
      rate_limit: feed.rateLimit(),
      active_requests: deps.active(),
      max_concurrent: deps.maxConcurrent,
      last_success_at: lastSuccessAt,
      last_error: probed?.error ?? lastError,
      stored: await store.totals(),
    };
  };
}

export type StatusAnswers = ReturnType<typeof statusAnswers>;
