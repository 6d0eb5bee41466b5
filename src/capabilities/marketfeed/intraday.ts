// Finished sessions of the consolidated feed: stored bars first, the feed for what was not fetched yet.
import { JSON_BARS_MAX, MARKETFEED_INTRADAY_CACHE_S } from "../../limits.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { earlierDay } from "../../market/date.ts";
import type { TickerRequest } from "../../market/ticker.ts";
import type { Cache } from "../../platform/cache/cache.ts";
import { AsofError, InvalidRequest, NotFound } from "../../platform/errors.ts";
import { barsAnswer } from "./bars-answer.ts";
import { type IntradayFetchDeps, intradayFetch, type Unfinished } from "./intraday-fetch.ts";
import { lastWholeSession, SIP_DELAY_S } from "./sessions.ts";
import { type SpanQuery, spanOf } from "./span.ts";
import type { StoredSpan } from "./store.ts";
import { type IntradayRow, rowsInTimeframe, timeframeOf } from "./timeframes.ts";

export interface IntradayRequest extends SpanQuery {
  readonly interval: string;
  readonly include_extended: boolean;
  readonly force_refresh: boolean;
}

export interface IntradayDeps extends IntradayFetchDeps {
  readonly unfinished: Cache<Unfinished>;
  /** Runs work that asks the feed in one of its few slots; throws Busy `slot_wait_timeout`. */
  inSlot<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** How long the bars of a day that still grows are cached. */
export const UNFINISHED_CACHE_S = 60;
const REGULAR_MINUTES = 390;
const EXTENDED_MINUTES = 960;

type Rows = ReadonlyMap<string, readonly IntradayRow[]>;
const NO_ROWS: Rows = new Map();

/** A span from the first session that is not stored to the last. */
interface MissingSpan {
  readonly start: string;
  readonly end: string;
}

function missingSpanOf(sessions: readonly string[], stored: readonly StoredSpan[]): MissingSpan | null {
  const open = sessions.filter((date) => !stored.some(({ start, end }) => date >= start && date <= end));
  const [start, end] = [open[0], open.at(-1)];
  return start === undefined || end === undefined ? null : { start, end };
}

/** Refuses more bars than JSON serves before anything is fetched. */
function refuseHuge(symbols: number, sessions: number, minutes: number, isExtended: boolean): void {
  const bars = Math.ceil((symbols * sessions * (isExtended ? EXTENDED_MINUTES : REGULAR_MINUTES)) / minutes);
  if (bars > JSON_BARS_MAX)
    throw new InvalidRequest(
      "bad_request",
      `${symbols} symbols over ${sessions} sessions may have ${bars} bars; one answer has up to ${JSON_BARS_MAX}.`,
      { hint: "Request fewer tickers or days, or a longer interval." },
    );
}

/** Plans a request: its days, which of them are finished, and the one that is not. */
function planOf(
  requests: readonly TickerRequest[],
  request: IntradayRequest,
  { calendar, clock }: Pick<IntradayDeps, "calendar" | "clock">,
) {
  const frame = timeframeOf(request.interval, request.include_extended);
  const now = clock.now();
  const { start, end } = spanOf(request, now, calendar);
  const sessions = calendar.sessionsBetween(start, end);
  refuseHuge(requests.length, sessions.length, frame.minutes, request.include_extended);
  const whole = lastWholeSession(now, calendar);
  return {
    frame,
    start,
    end,
    symbols: requests.map(({ symbol }) => symbol),
    isExtended: request.include_extended,
    force: request.force_refresh,
    lastFinished: earlierDay(whole, end),
    finished: sessions.filter((date) => date <= whole),
    running: sessions.find((date) => date > whole && date <= newYorkDate(now)) ?? null,
  };
}
type Plan = ReturnType<typeof planOf>;

/**
 * Answers a request: fetches finished sessions that are not stored, then the running day, and reads what is
 * stored.
 */
export function intradayAnswers(deps: IntradayDeps) {
  const { feed, store, calendar, clock } = deps;
  const fillStore = storeFiller(deps);
  const runningDay = runningDayReader(deps);

  return async function answerIntraday(
    requests: readonly TickerRequest[],
    request: IntradayRequest,
    signal: AbortSignal,
  ) {
    feed.demandKeys();
    const plan = planOf(requests, request, deps);
    const { frame, start, end, symbols, isExtended, force, running, lastFinished } = plan;
    const { fetched, errors, ...filled } = await fillStore(plan, signal);
    const today = await runningDay(plan, errors, signal);
    const stored: Rows =
      plan.finished.length > 0
        ? await store.rows(symbols, frame.stored, start, lastFinished, isExtended, signal)
        : NO_ROWS;
    const rows = new Map(
      symbols.map((symbol) => {
        // A forced request shows what the feed gives now; the bars stored first stay stored.
        const finished = (force ? fetched.get(symbol) : undefined) ?? stored.get(symbol) ?? [];
        const all = [...finished, ...(today.rows.get(symbol) ?? [])];
        return [symbol, rowsInTimeframe(all, frame, isExtended, calendar)];
      }),
    );
    const cached = !filled.asked && !today.asked;
    const body = barsAnswer({
      requests,
      interval: frame.name,
      start,
      end,
      source: "alpaca_sip",
      rows,
      errors,
      delayedMinutes: running === null ? 0 : SIP_DELAY_S / 60 - 1,
      cached,
    });
    const lifetimeMs = (running === null ? MARKETFEED_INTRADAY_CACHE_S : UNFINISHED_CACHE_S) * 1000;
    const nowMs = clock.nowMs();
    // Whole sessions are final: rows older than the lifetime are valid for another.
    const storedAtMs = cached && nowMs - filled.storedAtMs < lifetimeMs ? filled.storedAtMs : nowMs;
    const state = cached ? ("HIT" as const) : ("MISS" as const);
    return { body, cache: { state, storedAtMs, expiresAtMs: storedAtMs + lifetimeMs } };
  };
}

/** Fetches and stores the finished sessions that are not stored yet; all of them when forced. */
function storeFiller(deps: IntradayDeps) {
  const { store, clock } = deps;
  const fetch = intradayFetch(deps);
  return async function fillStore(
    { frame, start, end, symbols, finished, force }: Plan,
    signal: AbortSignal,
  ) {
    const storedSpans = store.spans(symbols, frame.stored, start, end);
    const errors = new Map<string, AsofError>();
    const fetched = new Map<string, readonly IntradayRow[]>();
    const bySpan = Map.groupBy(
      symbols.flatMap((symbol) => {
        const span = missingSpanOf(finished, force ? [] : storedSpans(symbol));
        return span ? [{ symbol, span }] : [];
      }),
      ({ span }) => `${span.start} ${span.end}`,
    );
    let asked = false;
    if (bySpan.size > 0)
      await deps.inSlot(signal, async () => {
        for (const group of bySpan.values()) {
          const span = group[0]?.span ?? { start, end };
          const some = group.map(({ symbol }) => symbol);
          const answer = await fetch.whole(some, frame, span, signal);
          asked ||= answer.asked;
          for (const [symbol, error] of answer.errors) errors.set(symbol, error);
          for (const [symbol, rows] of answer.rows) fetched.set(symbol, rows);
        }
      });
    const fetchedAtMs = symbols.flatMap((symbol) => storedSpans(symbol).map((span) => span.fetchedAtMs));
    return { errors, fetched, asked, storedAtMs: Math.min(clock.nowMs(), ...fetchedAtMs) };
  };
}

/**
 * Reads the running day, cached for a minute and never stored. When finished sessions can be served without
 * it, its failure is an error of each symbol in `errors`.
 */
function runningDayReader(deps: IntradayDeps) {
  const fetch = intradayFetch(deps);
  return async function readRunningDay(
    { frame, symbols, running, finished, force }: Plan,
    errors: Map<string, AsofError>,
    signal: AbortSignal,
  ): Promise<{ rows: Rows; asked: boolean }> {
    if (running === null) return { rows: NO_ROWS, asked: false };
    const key = JSON.stringify([frame.stored, running, ...symbols.toSorted()]);
    const load = (shared: AbortSignal) =>
      deps.inSlot(shared, () => fetch.unfinished(symbols, frame, running, shared));
    try {
      const hit = await deps.unfinished.get(key, load, { force, signal });
      for (const [symbol, message] of hit.value.unknown)
        errors.set(symbol, new NotFound("unknown_ticker", message, { ticker: symbol }));
      return { rows: new Map(hit.value.rows), asked: hit.state === "MISS" };
    } catch (error) {
      if (!(error instanceof AsofError) || finished.length === 0) throw error;
      for (const symbol of symbols) if (!errors.has(symbol)) errors.set(symbol, error);
      return { rows: NO_ROWS, asked: true };
    }
  };
}

export type IntradayAnswers = ReturnType<typeof intradayAnswers>;
