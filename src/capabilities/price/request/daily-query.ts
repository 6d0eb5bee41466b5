// A request for daily bars, read once: its interval, its days, and which providers may be asked for it.
import { type Calendar, newYorkDate } from "../../../market/calendar.ts";
import { addDays, earlierDay } from "../../../market/date.ts";
import { type DailyInterval, priceInterval } from "../../../market/interval.ts";
import { windowEnd } from "../../../market/known-at.ts";
import {
  type DateRange,
  type Period,
  resolveTimeSpan,
  type TimeSelection,
  type TimeSpan,
} from "../../../market/time-span.ts";
import type { Clock } from "../../../platform/clock.ts";
import { InvalidRequest } from "../../../platform/errors.ts";
import type { Refreshed } from "../fetched.ts";
import type { Adjustment } from "./adjustment.ts";

/** The routes' request for daily history. */
export interface DailyQuery extends TimeSelection {
  readonly interval: string;
  readonly as_of?: string | undefined;
  /** Default: `split`. */
  readonly adjustment?: Adjustment | undefined;
  readonly revisions?: boolean | undefined;
  readonly force_refresh?: boolean | undefined;
  readonly stored_only?: boolean | undefined;
  /**
   * The role of the brokerage feed, set by the routes of many symbols and by bulk requests: `first` when the
   * request has many symbols, which the feed takes a hundred at a time; its answers when it has already
   * answered for the symbol in the same request.
   */
  readonly feed?: "first" | FeedAnswers | undefined;
  readonly firstPart?: FirstPart | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** When a request is answered with what was fetched so far, and the rest is fetched in the background. */
export interface FirstPart {
  /** Seconds of fetching, by the price provider. */
  readonly waitS: number;
  /** So many symbols are all fetched before the answer, however long it takes. */
  readonly wholeMax: number;
}

/** Which providers a request may ask for the days it misses. */
export interface FetchPlan {
  /**
   * - `stored_only`: none.
   * - `provider`: the price provider.
   * - `feed_then_provider`: the brokerage feed, then the price provider for what is still missing.
   * - `provider_after_feed`: the price provider, for what the feed left missing earlier in the same request.
   */
  readonly source: "stored_only" | "provider" | "feed_then_provider" | "provider_after_feed";
  /** Fetches the days that are stored, too. */
  readonly refetch: boolean;
  /** The feed's earlier answers in the same request. */
  readonly feedAnswers?: FeedAnswers | undefined;
  /** undefined: the answer waits for every symbol. */
  readonly firstPart?: FirstPart | undefined;
}

/**
 * The symbols the brokerage feed has answered for, each with its present values where they were refetched.
 */
export type FeedAnswers = ReadonlyMap<string, Refreshed | null>;

/** How the missing days are fetched. Throws InvalidRequest where the request asks for opposites. */
export function fetchPlan({ as_of, force_refresh, stored_only, feed, firstPart }: DailyQuery): FetchPlan {
  if (stored_only && force_refresh)
    throw new InvalidRequest("bad_request", "stored_only and force_refresh contradict each other.", {
      hint: "Give one of them.",
    });
  if (as_of !== undefined && force_refresh)
    throw new InvalidRequest(
      "bad_request",
      "as_of and force_refresh contradict each other: a provider says what is true now.",
      { hint: "Give one of them." },
    );
  if (stored_only) return { source: "stored_only", refetch: false };
  // The feed has refetched what is stored: asking the price provider for it as well would fetch each day
  // twice.
  if (feed !== undefined && feed !== "first")
    return { source: "provider_after_feed", refetch: false, feedAnswers: feed };
  return {
    source: feed === "first" ? "feed_then_provider" : "provider",
    refetch: force_refresh ?? false,
    firstPart,
  };
}

/** Throws InvalidRequest for any other interval. */
export function dailyIntervalOf(text: string): DailyInterval {
  const interval = priceInterval(text);
  if (interval !== null && interval !== "1h") return interval;
  throw new InvalidRequest("bad_request", `${text} is not a daily interval.`);
}

/** The day a time selection counts back from, and the session with which its period 1d begins. */
export interface Viewpoint {
  readonly today: string;
  readonly latestSession: string;
  /** Whether `as_of` is in the past. */
  readonly isPast: boolean;
}

/** Days back within which every day of the calendar has a session before it. */
const WITHOUT_SESSION_DAYS_MAX = 14;

/**
 * The viewpoint of `as_of`, or of now without it. Under `as_of` 1d is the latest settled session: no younger
 * bar is served.
 */
export function viewpointOf(
  asOf: Temporal.Instant | null,
  { calendar, clock }: { readonly calendar: Calendar; readonly clock: Clock },
): Viewpoint {
  const now = clock.now();
  const end = windowEnd(asOf, now);
  const today = newYorkDate(end);
  const isPast = Temporal.Instant.compare(end, now) < 0;
  if (!calendar.covers(today) || !calendar.covers(addDays(today, -WITHOUT_SESSION_DAYS_MAX)))
    return { today, latestSession: today, isPast };
  const latest = calendar.latestSession(end);
  return { today, latestSession: asOf === null ? latest : calendar.previousSession(latest), isPast };
}

/**
 * The part of the ranges whose bars are known by `asOf`: those of days before the newest session that has
 * opened.
 */
export function knownRanges(
  ranges: readonly DateRange[],
  asOf: Temporal.Instant | null,
  calendar: Calendar,
): readonly DateRange[] {
  if (asOf === null) return ranges;
  const day = newYorkDate(asOf);
  const isCovered = calendar.covers(day) && calendar.covers(addDays(day, -WITHOUT_SESSION_DAYS_MAX));
  const last = addDays(isCovered ? calendar.latestSession(asOf) : day, -1);
  return ranges.flatMap(({ start, end }) =>
    start !== null && start > last ? [] : [{ start, end: earlierDay(end, last) }],
  );
}

/**
 * The days of a time selection, seen from now, from `as_of` or from a symbol's last trade. Without `fallback`
 * a selection is required. Throws InvalidRequest when the selection contradicts itself.
 */
export function timeSpanOf(
  selection: TimeSelection,
  viewpoint: Viewpoint,
  fallback: Period | undefined,
): TimeSpan {
  const result = resolveTimeSpan(selection, {
    ...viewpoint,
    ...(fallback ? { default: fallback } : { required: true }),
  });
  if (result.ok) return result.span;
  throw new InvalidRequest(result.code, result.detail);
}
