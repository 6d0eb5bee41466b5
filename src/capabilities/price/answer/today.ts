// The running (or latest) session's open, high, low, close: the settled daily bar, else an aggregate of
// one-minute bars.
import { aggregateIntradayToDay } from "../../../market/bar.ts";
import type { Services } from "../../../market/services.ts";
import type { TickerRequest } from "../../../market/ticker.ts";
import { NotFound } from "../../../platform/errors.ts";
import type { PriceDataResponse, TodayOHLCResponse } from "../schema.ts";
import type { DailyAnswers } from "./daily.ts";
import type { IntradayAnswers } from "./intraday.ts";

type Point = PriceDataResponse["data"][number];

const NEW_YORK = "America/New_York";
/**
 * The provider rounds the previous close of an intraday answer to a thousandth; a larger difference is
 * another basis.
 */
const SAME_RATIO = 0.02;
const SAME_PRICE = 0.001;

const round = (x: number) => Number(x.toPrecision(12));

function change(close: number | null, before: number | null) {
  if (close === null || before === null) return { change: null, change_percent: null };
  return {
    change: round(close - before),
    change_percent: before === 0 ? null : round(((close - before) / before) * 100),
  };
}

/**
 * The close of the session before: the daily bar's, which is not rounded, unless it is of an earlier session
 * or, on the morning of a split, still on the old basis. Then the previous close of the intraday answer.
 */
function closeBefore(daily: number | null, intraday: number | null): number | null {
  if (daily === null || intraday === null) return daily ?? intraday;
  const isSame = Math.abs(daily - intraday) <= Math.max(SAME_PRICE, SAME_RATIO * intraday);
  return isSame ? daily : intraday;
}

/** Today's session, and the newest daily bar. */
export function newestAnswers(
  { calendar, clock }: Pick<Services, "calendar" | "clock">,
  daily: Pick<DailyAnswers, "one">,
  intraday: Pick<IntradayAnswers, "barsOf">,
) {
  /**
   * A month is longer than any closure of the exchange; of a symbol that stopped, it ends with the last
   * trade.
   */
  const recent = (request: TickerRequest, signal?: AbortSignal) =>
    daily.one(request, { interval: "1d", period: "1m", signal }, undefined);

  const fromMinutes = async (
    request: TickerRequest,
    rows: readonly Point[],
    signal?: AbortSignal,
  ): Promise<TodayOHLCResponse | null> => {
    const date = calendar.latestSession(clock.now());
    const answer = await intraday.barsOf(request, {
      interval: "1m",
      start: date,
      end: date,
      prePost: false,
      signal,
    });
    const day = aggregateIntradayToDay([...answer.bars]);
    const last = answer.bars.at(-1);
    if (day === null || last === undefined) return null;
    const before = calendar.previousSession(date);
    const previous_close = closeBefore(
      rows.find((r) => r.date === before)?.close ?? null,
      answer.previous_close,
    );
    const { bar_count, ...prices } = day;
    return {
      ticker: request.ticker,
      date,
      ...prices,
      previous_close,
      ...change(day.close, previous_close),
      is_final: false,
      source: "aggregated_1m",
      bar_count,
      as_of: last.timestamp,
    };
  };

  const fromDaily = (
    ticker: string,
    rows: readonly Point[],
    isNewYork: boolean,
  ): TodayOHLCResponse | null => {
    const bar = rows.at(-1);
    if (bar === undefined) return null;
    const before = rows.at(-2);
    const isNext =
      !isNewYork || !calendar.covers(bar.date) || before?.date === calendar.previousSession(bar.date);
    const previous_close = isNext ? (before?.close ?? null) : null;
    const isFinal = bar.provisional !== true;
    return {
      ticker,
      date: bar.date,
      open: bar.open,
      high: bar.high,
      low: bar.low,
      close: bar.close,
      volume: bar.volume,
      previous_close,
      ...change(bar.close, previous_close),
      is_final: isFinal,
      source: "daily",
      bar_count: 1,
      as_of:
        isFinal && isNewYork && calendar.covers(bar.date) && calendar.isSession(bar.date)
          ? calendar.sessionClose(bar.date).toString()
          : null,
    };
  };

  return {
    /**
     * Today's session: one-minute bars while the daily bar is provisional, the daily bar once it is settled.
     * On other exchanges than New York's always the daily bar: only the provider knows when their sessions
     * begin and end.
     */
    async today(request: TickerRequest, signal?: AbortSignal): Promise<TodayOHLCResponse> {
      const { data, exchange_timezone } = await recent(request, signal);
      const isNewYork = exchange_timezone === null || exchange_timezone === NEW_YORK;
      const newest = data.at(-1);
      const isSettled =
        newest !== undefined &&
        newest.provisional !== true &&
        newest.date >= calendar.latestSession(clock.now());
      const fromBars = () => fromDaily(request.ticker, data, isNewYork);
      const answer =
        isSettled || !isNewYork ? fromBars() : ((await fromMinutes(request, data, signal)) ?? fromBars());
      if (answer) return answer;
      throw new NotFound("no_data", `No recent trade of ${request.ticker}.`, { ticker: request.ticker });
    },
    /** The newest daily bar, provisional or settled. */
    async latest(request: TickerRequest, signal?: AbortSignal) {
      const { data, currency, source } = await recent(request, signal);
      const newest = data.at(-1);
      if (newest) return { ticker: request.ticker, currency, source, ...newest };
      throw new NotFound("no_data", `No recent trade of ${request.ticker}.`, { ticker: request.ticker });
    },
  };
}
