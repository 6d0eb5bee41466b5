// Finished sessions of the consolidated feed: stored bars first, the feed for what was not asked for yet.
import { JSON_BARS_MAX, MARKETFEED_INTRADAY_CACHE_S } from "../../limits.ts";
import { type Calendar, endOfDay, newYorkDate, startOfDay } from "../../market/calendar.ts";
import { earlierDay } from "../../market/date.ts";
import type { TickerRequest } from "../../market/ticker.ts";
import type { Cache } from "../../platform/cache/cache.ts";
import type { Clock } from "../../platform/clock.ts";
import { AsofError, InvalidRequest, NotFound } from "../../platform/errors.ts";
import { barsAnswer } from "./bars-answer.ts";
import { askManyBars } from "./batched-requests.ts";
import { lastWholeSession, SIP_DELAY_S, sessionRows } from "./sessions.ts";
import type { MarketFeed } from "./sources.ts";
import { type SpanAsk, spanOf } from "./span.ts";
import type { Covered, IntradayStore } from "./store.ts";
import { frameOf, hoursOf, type IntradayRow } from "./timeframes.ts";

export interface IntradayAsk extends SpanAsk {
  readonly interval: string;
  readonly include_extended: boolean;
  readonly force_refresh: boolean;
}

/** Rows of the running day, remembered for a moment, and the symbols the feed does not know. */
export interface Unfinished {
  readonly rows: readonly (readonly [symbol: string, readonly IntradayRow[]])[];
  readonly unknown: readonly (readonly [symbol: string, message: string])[];
}

export interface IntradayDeps {
  readonly feed: MarketFeed;
  readonly store: IntradayStore;
  readonly calendar: Calendar;
  readonly clock: Clock;
  readonly unfinished: Cache<Unfinished>;
  /** Runs work that asks the feed in one of the few places there are; throws Busy `slot_wait_timeout`. */
  inSlot<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

const REGULAR_MINUTES = 390;
const EXTENDED_MINUTES = 960;

/** Days a symbol must be asked for, from the first that is not covered to the last. */
interface Missing {
  readonly start: string;
  readonly end: string;
}

function missingDaysOf(sessions: readonly string[], covered: readonly Covered[]): Missing | null {
  const open = sessions.filter((date) => !covered.some(({ start, end }) => date >= start && date <= end));
  const [start, end] = [open[0], open.at(-1)];
  return start === undefined || end === undefined ? null : { start, end };
}

/** More bars than JSON serves are refused before anybody is asked for them. */
function refuseHuge(symbols: number, sessions: number, minutes: number, isExtended: boolean): void {
  const bars = Math.ceil((symbols * sessions * (isExtended ? EXTENDED_MINUTES : REGULAR_MINUTES)) / minutes);
  if (bars > JSON_BARS_MAX)
    throw new InvalidRequest(
      "bad_request",
      `${symbols} symbols over ${sessions} sessions may have ${bars} bars; one answer has up to ${JSON_BARS_MAX}.`,
      { hint: "Ask for fewer tickers or days, or a longer interval." },
    );
}

export function intradayAnswers(deps: IntradayDeps) {
  const { feed, store, calendar, clock, unfinished } = deps;

  /** Asks for whole sessions and stores them. Gives rows by symbol, errors into `errors`. */
  const fetchWhole = async (
    symbols: readonly string[],
    frame: ReturnType<typeof frameOf>,
    { start, end }: Missing,
    errors: Map<string, AsofError>,
    signal: AbortSignal,
  ) => {
    const answer = await askManyBars(feed, {
      ...{ symbols, timeframe: frame.timeframe, adjustment: "raw", feed: "sip", signal },
      start: startOfDay(start),
      end: endOfDay(end).round({ smallestUnit: "second", roundingMode: "floor" }),
    });
    for (const [symbol, error] of answer.errors) errors.set(symbol, error);
    const saved = [...answer.bars].map(([symbol, bars]) => ({
      symbol,
      rows: sessionRows(bars, start, end, calendar),
    }));
    if (answer.receivedAt !== null) await store.save(saved, frame.of, start, end, answer.receivedAt);
    return { asked: answer.asked, rows: new Map(saved.map(({ symbol, rows }) => [symbol, rows])) };
  };

  /** The day whose bars are still coming: read anew each minute, never stored. */
  const fetchUnfinished = async (
    symbols: readonly string[],
    frame: ReturnType<typeof frameOf>,
    date: string,
    signal: AbortSignal,
  ): Promise<Unfinished> => {
    const [start, end] = [startOfDay(date), clock.now().subtract({ seconds: SIP_DELAY_S })];
    if (Temporal.Instant.compare(start, end) >= 0) return { rows: [], unknown: [] };
    const answer = await askManyBars(feed, {
      ...{ symbols, timeframe: frame.timeframe, adjustment: "raw", feed: "sip", signal },
      start,
      end: end.round({ smallestUnit: "second", roundingMode: "floor" }),
    });
    const outage = [...answer.errors.values()].find((error) => !(error instanceof NotFound));
    if (outage) throw outage;
    const rows = [...answer.bars].map(([symbol, bars]) => {
      const own = sessionRows(bars, date, date, calendar);
      // A bar that had not ended when it was asked for is not whole.
      const width = (frame.of === "1h" ? 60 : frame.of === frame.name ? frame.minutes : 30) * 60_000;
      return [symbol, own.filter((row) => row.at + width <= end.epochMilliseconds)] as const;
    });
    return { rows, unknown: [...answer.errors].map(([symbol, { message }]) => [symbol, message]) };
  };

  /** What is asked for: the days, those that are over, and the one that is not. */
  const planOf = (requests: readonly TickerRequest[], ask: IntradayAsk) => {
    const frame = frameOf(ask.interval, ask.include_extended);
    const now = clock.now();
    const { start, end } = spanOf(ask, now, calendar);
    const sessions = calendar.sessionsBetween(start, end);
    refuseHuge(requests.length, sessions.length, frame.minutes, ask.include_extended);
    const symbols = requests.map((request) => request.symbol);
    const whole = lastWholeSession(now, calendar);
    return {
      ...{ frame, start, end, symbols, lastFinished: earlierDay(whole, end) },
      finished: sessions.filter((date) => date <= whole),
      running: sessions.find((date) => date > whole && date <= newYorkDate(now)) ?? null,
    };
  };
  type Plan = ReturnType<typeof planOf>;

  /** Has stored what is not stored yet of the finished days. */
  const finish = async (
    { frame, start, end, symbols, finished }: Plan,
    force: boolean,
    signal: AbortSignal,
  ) => {
    const covered = store.covered(symbols, frame.of, start, end);
    const errors = new Map<string, AsofError>();
    const fresh = new Map<string, IntradayRow[]>();
    const lacks = Map.groupBy(
      symbols.flatMap((symbol) => {
        const missing = missingDaysOf(finished, force ? [] : covered(symbol));
        return missing ? [{ symbol, missing }] : [];
      }),
      ({ missing }) => `${missing.start} ${missing.end}`,
    );
    let asked = false;
    if (lacks.size > 0)
      await deps.inSlot(signal, async () => {
        for (const group of lacks.values()) {
          const missing = group[0]?.missing ?? { start, end };
          const some = group.map(({ symbol }) => symbol);
          const told = await fetchWhole(some, frame, missing, errors, signal);
          asked ||= told.asked;
          for (const [symbol, rows] of told.rows) fresh.set(symbol, rows);
        }
      });
    const fetched = symbols.flatMap((symbol) => covered(symbol).map((span) => span.fetchedAtMs));
    return { errors, fresh, asked, storedAtMs: Math.min(clock.nowMs(), ...fetched) };
  };

  /** The running day's rows; its failure is told where days that are over can be served without it. */
  const run = async (plan: Plan, force: boolean, errors: Map<string, AsofError>, signal: AbortSignal) => {
    const { frame, symbols, running, finished } = plan;
    if (running === null) return { rows: new Map<string, readonly IntradayRow[]>(), asked: false };
    const key = JSON.stringify([frame.of, running, ...symbols.toSorted()]);
    try {
      const cached = await unfinished.get(
        key,
        (shared) => deps.inSlot(shared, () => fetchUnfinished(symbols, frame, running, shared)),
        { force, signal },
      );
      for (const [symbol, message] of cached.value.unknown)
        errors.set(symbol, new NotFound("unknown_ticker", message, { ticker: symbol }));
      return { rows: new Map(cached.value.rows), asked: cached.state === "MISS" };
    } catch (error) {
      if (!(error instanceof AsofError) || finished.length === 0) throw error;
      for (const symbol of symbols) if (!errors.has(symbol)) errors.set(symbol, error);
      return { rows: new Map<string, readonly IntradayRow[]>(), asked: true };
    }
  };

  return async (requests: readonly TickerRequest[], ask: IntradayAsk, signal: AbortSignal) => {
    feed.demandKeys();
    const plan = planOf(requests, ask);
    const { frame, start, end, symbols, running, lastFinished } = plan;
    const { errors, fresh, ...done } = await finish(plan, ask.force_refresh, signal);
    const today = await run(plan, ask.force_refresh, errors, signal);
    const stored =
      plan.finished.length > 0
        ? await store.rows(symbols, frame.of, start, lastFinished, ask.include_extended, signal)
        : new Map<string, IntradayRow[]>();
    const rows = new Map(
      symbols.map((symbol): [string, IntradayRow[]] => {
        // Asked for anew, what the feed says now is the answer; what was stored first stays stored.
        const own = (ask.force_refresh ? fresh.get(symbol) : undefined) ?? stored.get(symbol) ?? [];
        const all = [...own, ...(today.rows.get(symbol) ?? [])];
        const shown = ask.include_extended ? all : all.filter((row) => row.session === "regular");
        return [symbol, frame.of === frame.name ? shown : hoursOf(shown, calendar)];
      }),
    );
    const cached = !done.asked && !today.asked;
    const body = barsAnswer({
      ...{ requests, interval: frame.name, start, end, rows, errors, cached, source: "alpaca_sip" },
      delayedMinutes: running === null ? 0 : SIP_DELAY_S / 60 - 1,
    });
    const lifeMs = (running === null ? MARKETFEED_INTRADAY_CACHE_S : UNFINISHED_CACHE_S) * 1000;
    const nowMs = clock.nowMs();
    // Whole sessions are final: what is older than its lifetime is good for another.
    const storedAtMs = cached && nowMs - done.storedAtMs < lifeMs ? done.storedAtMs : nowMs;
    const state = cached ? ("HIT" as const) : ("MISS" as const);
    return { body, cache: { state, storedAtMs, expiresAtMs: storedAtMs + lifeMs } };
  };
}

/** How long the bars of a day that still grows are served again. */
export const UNFINISHED_CACHE_S = 60;

export type IntradayAnswers = ReturnType<typeof intradayAnswers>;
