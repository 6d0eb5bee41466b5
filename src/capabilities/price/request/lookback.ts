// The look-back of bars within the day: in days for clients, in instants for the provider.
import { startOfDay } from "../../../market/calendar.ts";
import { addDays } from "../../../market/date.ts";
import { type IntradayInterval, lookbackDays } from "../../../market/interval.ts";
import type { TimeSpan } from "../../../market/time-span.ts";
import { InvalidRequest } from "../../../platform/errors.ts";

/** Two years may hold a leap day: a period may begin this much earlier, and is cut instead of refused. */
const PERIOD_SLACK_DAYS = 1;
/**
 * The provider serves at most 8 × 24 hours of one-minute bars in one request; a week in autumn has an hour
 * more.
 */
const MINUTE_HOURS_MAX = 8 * 24;
/** The provider's limit is exclusive and moves with its own clock. */
const MARGIN_S = 60;

/** First day of a span within the look-back. Throws InvalidRequest `lookback_exceeded` naming the limit. */
export function firstDayOf(
  span: Pick<TimeSpan, "start" | "period">,
  interval: IntradayInterval,
  today: string,
): string {
  const days = lookbackDays(interval);
  const earliest = addDays(today, -days);
  const { start, period } = span;
  if (start !== null && start >= earliest) return start;
  if (start !== null && period !== null && start >= addDays(earliest, -PERIOD_SLACK_DAYS)) return earliest;
  throw new InvalidRequest(
    "lookback_exceeded",
    `${interval} bars reach back ${days} days, to ${earliest}; ${start ?? "all history"} was requested.`,
    { hint: "Take a later start or a longer interval." },
  );
}

/**
 * The instant to ask from: the start of the day, or the provider's limit when it lies within that day. The
 * provider refuses a request that begins before its limit, so that part is left out (`isCut`) and the answer
 * states it.
 */
export function requestStart(
  start: string,
  end: Temporal.Instant,
  interval: IntradayInterval,
  now: Temporal.Instant,
): { at: Temporal.Instant; isCut: boolean } {
  const day = startOfDay(start);
  const limit =
    interval === "1m"
      ? end.subtract({ hours: MINUTE_HOURS_MAX })
      : now.subtract({ hours: lookbackDays(interval) * 24 }).add({ seconds: MARGIN_S });
  const isCut = Temporal.Instant.compare(limit, day) > 0;
  return { at: isCut ? limit : day, isCut };
}
