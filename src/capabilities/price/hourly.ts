// Hourly history of one symbol in the shape of the daily one: from the provider, never stored, never dividend-adjusted.
import { type Calendar, newYorkDate } from "../../market/calendar.ts";
import type { TickerRequest } from "../../market/ticker.ts";
import { type Period, resolveTimeSpan } from "../../market/time-span.ts";
import type { Clock } from "../../platform/clock.ts";
import { InvalidRequest, NotFound } from "../../platform/errors.ts";
import type { DailyAsk } from "./daily.ts";
import type { IntradayAnswers } from "./intraday.ts";
import { firstDayOf } from "./lookback.ts";
import type { PriceDataResponse } from "./schema.ts";

export interface HourlyDeps {
  readonly intraday: IntradayAnswers;
  readonly calendar: Calendar;
  readonly clock: Clock;
  readonly sourceName: string;
}

/** The use case. All ranges are read in one request; what lies between quarters is left out. */
export function hourlyAnswers({ intraday, calendar, clock, sourceName }: HourlyDeps) {
  return async (
    request: TickerRequest,
    ask: DailyAsk,
    fallback: Period | undefined,
  ): Promise<PriceDataResponse> => {
    if (ask.as_of !== undefined)
      throw new InvalidRequest(
        "bad_request",
        "Hourly bars are not stored, so there is nothing to ask as of a moment.",
        {
          hint: "Use interval=1d with as_of.",
        },
      );
    const { ticker } = request;
    const now = clock.now();
    const today = newYorkDate(now);
    const result = resolveTimeSpan(ask, {
      today,
      latestSession: calendar.latestSession(now),
      ...(fallback ? { default: fallback } : { required: true }),
    });
    if (!result.ok) throw new InvalidRequest(result.code, result.detail);
    const { span } = result;
    const { period } = span;
    const from = firstDayOf({ start: span.ranges[0]?.start ?? null, period }, "1h", today);
    const to = span.ranges.at(-1)?.end ?? today;
    const answer = await intraday.barsOf(request, "1h", from, to, false, ask.signal);
    const zone = answer.timezone ?? "America/New_York";
    const data = answer.bars
      .map(({ session: _session, ...bar }) => ({
        date: Temporal.Instant.from(bar.timestamp).toZonedDateTimeISO(zone).toPlainDate().toString(),
        ...bar,
        adjusted_close: null,
      }))
      .filter((bar) =>
        span.ranges.some((r) => (r.start === null || bar.date >= r.start) && bar.date <= r.end),
      );
    if (data.length === 0)
      throw new NotFound("no_data", `No 1h bars for ${ticker} from ${from} to ${to}.`, {
        ticker,
        upstream: sourceName,
      });
    return {
      ticker,
      interval: "1h",
      start_date: span.start,
      end_date: span.end,
      period: span.period,
      currency: answer.currency,
      exchange_timezone: answer.timezone,
      count: data.length,
      data,
      source: sourceName,
      cached: false,
      last_updated: now.toString(),
      adjusted_through: null,
      warnings: answer.cut_at === null ? [] : [`The provider's hourly bars begin at ${answer.cut_at}.`],
    };
  };
}

export type HourlyAnswers = ReturnType<typeof hourlyAnswers>;
