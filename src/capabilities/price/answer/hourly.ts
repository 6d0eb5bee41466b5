// Hourly history of one symbol in the shape of the daily one: from the provider, never stored, never
// dividend-adjusted.
import type { Services } from "../../../market/services.ts";
import type { TickerRequest } from "../../../market/ticker.ts";
import type { Period, TimeSpan } from "../../../market/time-span.ts";
import { InvalidRequest, NotFound } from "../../../platform/errors.ts";
import { type DailyQuery, timeSpanOf, viewpointOf } from "../request/daily-query.ts";
import { firstDayOf } from "../request/lookback.ts";
import type { PriceDataResponse } from "../schema.ts";
import type { IntradayAnswers, IntradayBars } from "./intraday.ts";

export interface HourlyDeps extends Pick<Services, "calendar" | "clock"> {
  readonly intraday: Pick<IntradayAnswers, "barsOf">;
  readonly sourceName: string;
}

/** Hourly bars of the span's ranges, by the days of the exchange; what lies between quarters is left out. */
function pointsOf(answer: IntradayBars, { ranges }: TimeSpan): PriceDataResponse["data"] {
  const zone = answer.timezone ?? "America/New_York";
  return answer.bars
    .map(({ session: _session, ...bar }) => ({
      date: Temporal.Instant.from(bar.timestamp).toZonedDateTimeISO(zone).toPlainDate().toString(),
      ...bar,
      adjusted_close: null,
    }))
    .filter(({ date }) => ranges.some(({ start, end }) => (start === null || date >= start) && date <= end));
}

/** All ranges are fetched in one request. */
export function hourlyAnswers({ intraday, calendar, clock, sourceName }: HourlyDeps) {
  return async function answerHourly(
    request: TickerRequest,
    query: DailyQuery,
    fallback: Period | undefined,
  ): Promise<PriceDataResponse> {
    if (query.as_of !== undefined)
      throw new InvalidRequest("bad_request", "Hourly bars are not stored, so as_of has no answer.", {
        hint: "Use interval=1d with as_of.",
      });
    if (query.stored_only)
      throw new InvalidRequest("bad_request", "Hourly bars are not stored, so stored_only has no answer.", {
        hint: "Use interval=1d with stored_only.",
      });
    const { ticker } = request;
    const now = clock.now();
    const viewpoint = viewpointOf(null, { calendar, clock });
    const { today } = viewpoint;
    const span = timeSpanOf(query, viewpoint, fallback);
    const { period } = span;
    const from = firstDayOf({ start: span.ranges[0]?.start ?? null, period }, "1h", today);
    const to = span.ranges.at(-1)?.end ?? today;
    const answer = await intraday.barsOf(request, {
      interval: "1h",
      start: from,
      end: to,
      prePost: false,
      signal: query.signal,
    });
    const data = pointsOf(answer, span);
    if (data.length === 0)
      throw new NotFound("no_data", `No 1h bars for ${ticker} from ${from} to ${to}.`, {
        ticker,
        upstream: sourceName,
      });
    return {
      ticker,
      interval: "1h",
      adjustment: "split",
      start_date: span.start,
      end_date: span.end,
      period,
      currency: answer.currency,
      exchange_timezone: answer.timezone,
      count: data.length,
      data,
      source: sourceName,
      cached: false,
      refreshed: query.force_refresh ?? false,
      last_updated: now.toString(),
      adjusted_through: null,
      warnings: answer.cut_at === null ? [] : [`The provider's hourly bars begin at ${answer.cut_at}.`],
    };
  };
}

export type HourlyAnswers = ReturnType<typeof hourlyAnswers>;
