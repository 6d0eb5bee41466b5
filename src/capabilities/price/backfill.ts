// Fills the lake with history of many symbols: daily through the same act as the routes, intraday for finished sessions.

import type { BarHistory } from "../../market/bar-history.ts";
import { mapSettled } from "../../market/bulk.ts";
import { type Calendar, newYorkDate, startOfDay } from "../../market/calendar.ts";
import { addDays, earlierDay } from "../../market/date.ts";
import { type IntradayInterval, intradayInterval, lookbackDays } from "../../market/interval.ts";
import type { Clock } from "../../platform/clock.ts";
import { AsofError, InvalidRequest } from "../../platform/errors.ts";
import { lastSettledDay, UNKNOWN_LISTING } from "./gaps.ts";
import type { History } from "./history.ts";
import type { BarSource } from "./sources.ts";
import type { PriceStore } from "./store.ts";

export interface BackfillAsk {
  /** "1d" or an intraday interval. */
  readonly interval: string;
  /** null: all history; for intraday, the provider's look-back. */
  readonly start: string | null;
  readonly end: string;
  /** Daily bars: ask the brokerage feed, a hundred symbols a question, before the price provider. */
  readonly feedFirst?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Told of each symbol as it ends; the error, when it failed. */
export type OnSymbol = (symbol: string, error: Error | null) => void;

export interface BackfillDeps {
  readonly history: History;
  readonly source: BarSource;
  readonly store: PriceStore;
  readonly calendar: Calendar;
  readonly clock: Clock;
}

/** The provider serves so many days of one-minute bars in one request. */
const DAYS_A_REQUEST: Partial<Record<IntradayInterval, number>> = { "1m": 7 };

function* pieces(start: string, end: string, days: number): Iterable<{ start: string; end: string }> {
  for (let from = start; from <= end; from = addDays(from, days)) {
    const to = addDays(from, days - 1);
    yield { start: from, end: earlierDay(to, end) };
  }
}

/** Each symbol's own failure is told; what nobody foresaw ends the run, or the symbol would count as collected. */
async function each(
  symbols: readonly string[],
  one: (symbol: string) => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const outcomes = await mapSettled(symbols, one, { concurrency: symbols.length || 1, signal });
  signal?.throwIfAborted();
  for (const outcome of outcomes) if (!outcome.ok) throw outcome.error;
}

/** The act behind `cli backfill prices`. Whatever is stored already is not asked for again. */
export function priceBackfill({ history, source, store, calendar, clock }: BackfillDeps) {
  const daily = async (symbols: readonly string[], ask: BackfillAsk, onSymbol: OnSymbol) => {
    const { start, end, signal } = ask;
    const ranges = [{ start, end }];
    const wanted = { symbols, ranges, force: false, signal };
    const answered = ask.feedFirst ? await history.feedFirst(wanted) : undefined;
    await each(
      symbols,
      async (symbol) => {
        const request = { ...wanted, symbols: [symbol], ...(answered ? { answered } : {}) };
        const collected = (await history.collect(request)).get(symbol);
        onSymbol(symbol, collected?.failure ?? null);
      },
      signal,
    );
  };

  const intraday = async (
    symbols: readonly string[],
    interval: IntradayInterval,
    ask: BackfillAsk,
    onSymbol: OnSymbol,
  ) => {
    const today = newYorkDate(clock.now());
    const earliest = addDays(today, 1 - lookbackDays(interval));
    const start = ask.start === null || ask.start < earliest ? earliest : ask.start;
    const settledEnd = lastSettledDay(UNKNOWN_LISTING, calendar, clock.now());
    const end = earlierDay(ask.end, settledEnd);
    const one = async (symbol: string) => {
      const stored = await store.intradayDates(symbol, interval, source.name);
      for (const piece of pieces(start, end, DAYS_A_REQUEST[interval] ?? 60)) {
        if (calendar.sessionsBetween(piece.start, piece.end).every((session) => stored.has(session)))
          continue;
        const answer: BarHistory = await source.chart({
          symbol,
          interval,
          start: startOfDay(piece.start),
          end: startOfDay(addDays(piece.end, 1)),
          prePost: true,
          signal: ask.signal,
        });
        await store.saveIntraday(symbol, interval, source.name, answer);
      }
    };
    await each(
      symbols,
      async (symbol) => {
        try {
          await one(symbol);
          onSymbol(symbol, null);
        } catch (error) {
          if (!(error instanceof AsofError)) throw error;
          onSymbol(symbol, error);
        }
      },
      ask.signal,
    );
  };

  return async (symbols: readonly string[], ask: BackfillAsk, onSymbol: OnSymbol): Promise<void> => {
    if (ask.interval === "1d") return daily(symbols, ask, onSymbol);
    const interval = intradayInterval(ask.interval);
    if (interval === null)
      throw new InvalidRequest("bad_request", `${ask.interval} is neither 1d nor an intraday interval.`);
    return intraday(symbols, interval, ask, onSymbol);
  };
}
