// The running day of the single-exchange feed: always asked for live, never stored.
import { type Calendar, newYorkDate, startOfDay } from "../../market/calendar.ts";
import type { TickerRequest } from "../../market/ticker.ts";
import type { Clock } from "../../platform/clock.ts";
import { barsAnswer } from "./bars-answer.ts";
import { askManyBars } from "./batched-requests.ts";
import { sessionRows } from "./sessions.ts";
import type { MarketFeed } from "./sources.ts";
import { frameOf, hoursOf } from "./timeframes.ts";

export interface TodayDeps {
  readonly feed: MarketFeed;
  readonly calendar: Calendar;
  readonly clock: Clock;
  inSlot<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

export function todayAnswers({ feed, calendar, clock, inSlot }: TodayDeps) {
  return async (
    requests: readonly TickerRequest[],
    ask: { readonly interval: string; readonly include_extended: boolean },
    signal: AbortSignal,
  ) => {
    feed.demandKeys();
    const frame = frameOf(ask.interval, ask.include_extended);
    const date = newYorkDate(clock.now());
    const { bars, errors } = await inSlot(signal, () =>
      askManyBars(feed, {
        ...{ symbols: requests.map((request) => request.symbol), timeframe: frame.timeframe, signal },
        ...{ adjustment: "raw", feed: "iex", start: startOfDay(date) },
        end: clock.now().round({ smallestUnit: "second", roundingMode: "floor" }),
      }),
    );
    const rows = new Map(
      [...bars].map(([symbol, own]) => {
        const all = sessionRows(own, date, date, calendar).filter(
          (row) => ask.include_extended || row.session === "regular",
        );
        return [symbol, frame.of === frame.name ? all : hoursOf(all, calendar)];
      }),
    );
    return barsAnswer({
      ...{ requests, interval: frame.name, start: date, end: date, rows, errors },
      ...{ source: "alpaca_iex", delayedMinutes: 0, cached: false },
    });
  };
}

export type TodayAnswers = ReturnType<typeof todayAnswers>;
