// The running day of the single-exchange feed: always fetched live, never stored.
import { newYorkDate, startOfDay } from "../../market/calendar.ts";
import type { Services } from "../../market/services.ts";
import type { TickerRequest } from "../../market/ticker.ts";
import { barsAnswer } from "./bars-answer.ts";
import { fetchBars } from "./batched-requests.ts";
import { sessionRows } from "./sessions.ts";
import type { MarketFeed } from "./sources.ts";
import { rowsInTimeframe, timeframeOf } from "./timeframes.ts";

export interface TodayDeps extends Pick<Services, "calendar" | "clock"> {
  readonly feed: MarketFeed;
  inSlot<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

export interface TodayRequest {
  readonly interval: string;
  readonly include_extended: boolean;
}

export function todayAnswers({ feed, calendar, clock, inSlot }: TodayDeps) {
  return async function readToday(
    requests: readonly TickerRequest[],
    request: TodayRequest,
    signal: AbortSignal,
  ) {
    feed.demandKeys();
    const frame = timeframeOf(request.interval, request.include_extended);
    const date = newYorkDate(clock.now());
    const { bars, errors } = await inSlot(signal, () =>
      fetchBars(feed, {
        symbols: requests.map(({ symbol }) => symbol),
        timeframe: frame.timeframe,
        start: startOfDay(date),
        end: clock.now().round({ smallestUnit: "second", roundingMode: "floor" }),
        adjustment: "raw",
        feed: "iex",
        signal,
      }),
    );
    const rows = new Map(
      [...bars].map(([symbol, own]) => {
        const all = sessionRows(own, date, date, calendar);
        return [symbol, rowsInTimeframe(all, frame, request.include_extended, calendar)];
      }),
    );
    return barsAnswer({
      requests,
      interval: frame.name,
      start: date,
      end: date,
      source: "alpaca_iex",
      rows,
      errors,
      delayedMinutes: 0,
      cached: false,
    });
  };
}

export type TodayAnswers = ReturnType<typeof todayAnswers>;
