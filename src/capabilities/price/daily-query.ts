// A request for daily bars, read once: its interval, its days, and which providers may be asked for it.
import { type Calendar, newYorkDate } from "../../market/calendar.ts";
import { type DailyInterval, priceInterval } from "../../market/interval.ts";
import { type Period, resolveTimeSpan, type TimeSelection, type TimeSpan } from "../../market/time-span.ts";
import type { Clock } from "../../platform/clock.ts";
import { InvalidRequest } from "../../platform/errors.ts";

/** What the routes ask of daily history. */
export interface DailyQuery extends TimeSelection {
  readonly interval: string;
  readonly as_of?: string | undefined;
  readonly revisions?: boolean | undefined;
  readonly force_refresh?: boolean | undefined;
  /**
   * The part of the brokerage feed: `first` when the request has many symbols, which the feed takes a hundred at a time;
   * `answered` when the feed has already answered for the symbol in the same request.
   */
  readonly feed?: "first" | "answered" | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Which providers a request may ask for the days it misses. */
export interface FetchPlan {
  /**
   * - `stored_only`: none; `as_of` shows what was stored by then.
   * - `provider`: the price provider.
   * - `feed_then_provider`: the brokerage feed, then the price provider for what is still missing.
   * - `provider_after_feed`: the price provider, for what the feed left missing earlier in the same request.
   */
  readonly source: "stored_only" | "provider" | "feed_then_provider" | "provider_after_feed";
  /** Fetches the days that are stored, too. */
  readonly refetch: boolean;
}

export function fetchPlan({ as_of, force_refresh, feed }: DailyQuery): FetchPlan {
  if (as_of !== undefined) return { source: "stored_only", refetch: false };
  // The feed has refetched what is stored: asking the price provider for it as well would fetch each day twice.
  if (feed === "answered") return { source: "provider_after_feed", refetch: false };
  return { source: feed === "first" ? "feed_then_provider" : "provider", refetch: force_refresh ?? false };
}

/** Throws InvalidRequest for any other interval. */
export function dailyIntervalOf(text: string): DailyInterval {
  const interval = priceInterval(text);
  if (interval !== null && interval !== "1h") return interval;
  throw new InvalidRequest("bad_request", `${text} is not a daily interval.`);
}

/**
 * The days of a time selection. `today` is the day the selection is seen from: today, the day of `as_of`, or a symbol's
 * last trade. Without `fallback` a selection is required. Throws InvalidRequest when the selection contradicts itself.
 */
export function timeSpanOf(
  selection: TimeSelection,
  today: string,
  fallback: Period | undefined,
  { calendar, clock }: { readonly calendar: Calendar; readonly clock: Clock },
): TimeSpan {
  const now = clock.now();
  const latestSession = today === newYorkDate(now) ? calendar.latestSession(now) : today;
  const result = resolveTimeSpan(selection, {
    today,
    latestSession,
    ...(fallback ? { default: fallback } : { required: true }),
  });
  if (result.ok) return result.span;
  throw new InvalidRequest(result.code, result.detail);
}
