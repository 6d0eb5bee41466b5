// Finished sessions of the consolidated feed: stored bars first, the feed for what was not asked for yet.
import { JSON_BARS_MAX, MARKETFEED_INTRADAY_CACHE_S } from "../../limits.ts";
import { type Calendar, endOfDay, newYorkDate, startOfDay } from "../../market/calendar.ts";
import { earlierDay } from "../../market/date.ts";
import type { TickerRequest } from "../../market/ticker.ts";
import type { Clock } from "../../platform/clock.ts";
import { AsofError, InvalidRequest, NotFound } from "../../platform/errors.ts";
import type { Memory } from "../../platform/remember.ts";
import { askManyBars } from "./ask-bars.ts";
import { barsAnswer } from "./bars-answer.ts";
import { type FrameName, frameOf, hoursOf, type IntradayRow } from "./frames.ts";
import { lastWholeSession, SIP_DELAY_S, sessionRows } from "./sessions.ts";
import type { MarketFeed } from "./sources.ts";
import { type SpanAsk, spanOf } from "./span.ts";
import type { Covered, IntradayStore } from "./store.ts";

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
  readonly unfinished: Memory<Unfinished>;
  /** Runs work that asks the feed in one of the few places there are; throws Busy `slot_wait_timeout`. */
  inSlot<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

const REGULAR_MINUTES = 390;
const EXTENDED_MINUTES = 960;

/** Days a symbol must be asked for, from the first that is not covered to the last. */
interface Lack {
  readonly start: string;
  readonly end: string;
}

function lackOf(sessions: readonly string[], covered: readonly Covered[]): Lack | null {
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
    { start, end }: Lack,
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

  return async (requests: readonly TickerRequest[], ask: IntradayAsk, signal: AbortSignal) => {
    feed.demandKeys();
    const frame = frameOf(ask.interval, ask.include_extended);
    const now = clock.now();
    const { start, end } = spanOf(ask, now, calendar);
    const sessions = calendar.sessionsBetween(start, end);
    refuseHuge(requests.length, sessions.length, frame.minutes, ask.include_extended);
    const symbols = requests.map((request) => request.symbol);
    const whole = lastWholeSession(now, calendar);
    const finished = sessions.filter((date) => date <= whole);
    const running = sessions.find((date) => date > whole && date <= newYorkDate(now)) ?? null;
    const errors = new Map<string, AsofError>();
    const covered = store.covered(symbols, frame.of, start, end);
    const lacks = new Map<string, string[]>();
    for (const symbol of symbols) {
      const lack = lackOf(finished, ask.force_refresh ? [] : covered(symbol));
      if (lack === null) continue;
      const key = `${lack.start} ${lack.end}`;
      const known = lacks.get(key);
      if (known) known.push(symbol);
      else lacks.set(key, [symbol]);
    }
    const fresh = new Map<string, IntradayRow[]>();
    let moving: Unfinished = { rows: [], unknown: [] };
    let cached = true;
    let storedAtMs = Math.min(
      now.epochMilliseconds,
      ...symbols.flatMap((symbol) => covered(symbol).map((span) => span.fetchedAtMs)),
    );
    if (lacks.size > 0)
      await deps.inSlot(signal, async () => {
        for (const [key, some] of lacks) {
          const [from = start, to = end] = key.split(" ");
          const { asked, rows } = await fetchWhole(some, frame, { start: from, end: to }, errors, signal);
          if (asked) cached = false;
          for (const [symbol, own] of rows) fresh.set(symbol, own);
        }
      });
    if (running !== null) {
      const key = JSON.stringify([frame.of, running, ...symbols.toSorted()]);
      try {
        const recalled = await unfinished.get(
          key,
          (shared) => deps.inSlot(shared, () => fetchUnfinished(symbols, frame, running, shared)),
          { force: ask.force_refresh, signal },
        );
        moving = recalled.value;
        if (recalled.state === "MISS") cached = false;
        storedAtMs = Math.min(storedAtMs, recalled.storedAtMs);
        for (const [symbol, message] of moving.unknown)
          errors.set(symbol, new NotFound("unknown_ticker", message, { ticker: symbol }));
      } catch (error) {
        // Days that are over are served without the running one, which is told.
        if (!(error instanceof AsofError) || finished.length === 0) throw error;
        for (const symbol of symbols) if (!errors.has(symbol)) errors.set(symbol, error);
        cached = false;
      }
    }
    const stored =
      finished.length > 0
        ? await store.rows(symbols, frame.of, start, earlierDay(whole, end), ask.include_extended, signal)
        : new Map<string, IntradayRow[]>();
    const shown = (row: IntradayRow) => ask.include_extended || row.session === "regular";
    const today = new Map(moving.rows);
    const rows = new Map(
      symbols.map((symbol): [string, IntradayRow[]] => {
        // Asked for anew, what the feed says now is the answer; what was stored first stays stored.
        const own = ask.force_refresh && fresh.has(symbol) ? fresh.get(symbol) : stored.get(symbol);
        const all = [...(own ?? []), ...(today.get(symbol) ?? [])].filter(shown);
        return [symbol, frame.of === frame.name ? all : hoursOf(all, calendar)];
      }),
    );
    const body = barsAnswer({
      ...{ requests, interval: frame.name as FrameName, start, end, rows, errors, cached },
      ...{ source: "alpaca_sip", delayedMinutes: running === null ? 0 : SIP_DELAY_S / 60 - 1 },
    });
    const lifeMs = (running === null ? MARKETFEED_INTRADAY_CACHE_S : UNFINISHED_CACHE_S) * 1000;
    const nowMs = clock.nowMs();
    const state = cached ? ("HIT" as const) : ("MISS" as const);
    // Whole sessions are final: what is older than its lifetime is good for another.
    const at = cached && nowMs - storedAtMs < lifeMs ? storedAtMs : nowMs;
    return { body, cache: { state, storedAtMs: at, expiresAtMs: at + lifeMs } };
  };
}

/** How long the bars of a day that still grows are served again. */
export const UNFINISHED_CACHE_S = 60;

export type IntradayAnswers = ReturnType<typeof intradayAnswers>;
