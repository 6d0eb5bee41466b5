// How far back bars within the day may be asked for: in days towards clients, in instants towards the provider.
import { startOfDay } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import { type IntradayInterval, lookbackDays } from "../../market/interval.ts";
import type { TimeSpan } from "../../market/time-span.ts";
import { InvalidRequest } from "../../platform/errors.ts";

/** A period of two years holds a leap day at times: it may begin so much earlier, and is cut instead of refused. */
const PERIOD_SLACK_DAYS = 1;
/** The provider gives one-minute bars of at most 8 times 24 hours in one request; a week in autumn has an hour more. */
const MINUTE_HOURS_MAX = 8 * 24;
/** The provider's wall is exclusive and moves with its own clock. */
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
    `${interval} bars reach back ${days} days, to ${earliest}; ${start ?? "all history"} was asked for.`,
    { hint: "Take a later start or a longer interval." },
  );
}

/**
 * The instant to ask from: the start of the day, or the provider's wall where it lies within that day. A request
 * that begins before the wall is refused whole, so what lies before it is left out and the answer says from when on.
 */
export function askedFrom(
  start: string,
  end: Temporal.Instant,
  interval: IntradayInterval,
  now: Temporal.Instant,
): { at: Temporal.Instant; isCut: boolean } {
  const day = startOfDay(start);
  const wall =
    interval === "1m"
      ? end.subtract({ hours: MINUTE_HOURS_MAX })
      : now.subtract({ hours: lookbackDays(interval) * 24 }).add({ seconds: MARGIN_S });
  const isCut = Temporal.Instant.compare(wall, day) > 0;
  return { at: isCut ? wall : day, isCut };
}
