// Bars within the day, straight from the provider: one symbol with extended hours, or many in regular hours, remembered.
import { INTRADAY_DELAY_MINUTES } from "../../limits.ts";
import type { IntradayBar } from "../../market/bar.ts";
import { mapSettled } from "../../market/bulk.ts";
import { type Calendar, newYorkDate, startOfDay } from "../../market/calendar.ts";
import { throwWithClientTicker, withClientTicker } from "../../market/client-ticker.ts";
import { addDays } from "../../market/date.ts";
import { type IntradayInterval, intradayInterval } from "../../market/interval.ts";
import type { TickerRequest } from "../../market/ticker.ts";
import { type Period, resolveTimeSpan, type TimeSelection } from "../../market/time-span.ts";
import type { Memory } from "../../platform/cache/cache.ts";
import type { Clock } from "../../platform/clock.ts";
import { AsofError, InvalidRequest, NotFound } from "../../platform/errors.ts";
import { askedFrom, firstDayOf } from "./lookback.ts";
import type { IntradayResponse, MultiBarsResponse } from "./schema.ts";
import type { BarSource } from "./sources.ts";

/** One symbol's bars with what the provider says beside them. */
export interface IntradayAnswer {
  readonly bars: readonly IntradayBar[];
  readonly timezone: string | null;
  readonly currency: string | null;
  readonly previous_close: number | null;
  /** When the provider's memory begins, where that is within the first day asked for. */
  readonly cut_at: string | null;
}

export interface IntradayDeps {
  readonly source: BarSource;
  readonly calendar: Calendar;
  readonly clock: Clock;
  readonly remembered: Memory<IntradayAnswer>;
}

type Tail<T extends readonly unknown[]> = T extends readonly [unknown, ...infer ReadAheadEntry]
  ? ReadAheadEntry
  : never;

/** Symbols asked for at once; the provider's own pace is the real limit. */
const CONCURRENCY = 100;

function intervalOf(text: string): IntradayInterval {
  const interval = intradayInterval(text);
  if (interval === null) throw new InvalidRequest("bad_request", `${text} is not an intraday interval.`);
  return interval;
}

/** The use cases. */
export function intradayAnswers({ source, calendar, clock, remembered }: IntradayDeps) {
  /** First and last day asked for, within the provider's look-back. */
  const spanOf = (selection: TimeSelection, interval: IntradayInterval) => {
    const now = clock.now();
    const today = newYorkDate(now);
    const latestSession = calendar.latestSession(now);
    const result = resolveTimeSpan(selection, { today, latestSession, default: "1d" });
    if (!result.ok) throw new InvalidRequest(result.code, result.detail);
    const { start, end, period } = result.span;
    const from = period === "1d" ? latestSession : start;
    return { start: firstDayOf({ start: from, period }, interval, today), end };
  };

  const fetchBars = async (
    symbol: string,
    interval: IntradayInterval,
    start: string,
    end: string,
    prePost: boolean,
    signal?: AbortSignal,
  ) => {
    const until = startOfDay(addDays(end, 1));
    const from = askedFrom(start, until, interval, clock.now());
    const answer = await source.chart({
      symbol,
      interval,
      start: from.at,
      end: until,
      prePost,
      signal,
    });
    const bars = answer.bars.map(({ at, open, high, low, close, volume, session }) => ({
      timestamp: at.toString(),
      open,
      high,
      low,
      close,
      volume,
      session,
    }));
    const { timezone, currency, previous_close } = answer.meta;
    return { bars, timezone, currency, previous_close, cut_at: from.isCut ? from.at.toString() : null };
  };

  /** The bars of one request's symbol; errors name it as the client wrote it. */
  const barsOf = (request: TickerRequest, ...rest: Tail<Parameters<typeof fetchBars>>) =>
    fetchBars(request.symbol, ...rest).catch(throwWithClientTicker(request));

  const one = async (
    request: TickerRequest,
    ask: { interval: string; period: Period },
    signal?: AbortSignal,
  ): Promise<IntradayResponse> => {
    const interval = intervalOf(ask.interval);
    const { start, end } = spanOf({ period: ask.period }, interval);
    const { ticker } = request;
    const answer = await barsOf(request, interval, start, end, true, signal);
    if (answer.bars.length === 0)
      throw new NotFound("no_data", `No ${interval} bars for ${ticker} from ${start} to ${end}.`, {
        ticker,
        upstream: source.name,
      });
    return {
      ticker,
      interval,
      period: ask.period,
      timezone: answer.timezone ?? "America/New_York",
      previous_close: answer.previous_close,
      delayed_minutes: INTRADAY_DELAY_MINUTES,
      ...(answer.cut_at === null ? {} : { clamped_from: answer.cut_at }),
      count: answer.bars.length,
      data: [...answer.bars],
    };
  };

  const many = async (
    requests: readonly TickerRequest[],
    ask: { interval: string; start_date?: string | undefined; end_date?: string | undefined; force: boolean },
    signal?: AbortSignal,
  ) => {
    const interval = intervalOf(ask.interval);
    const { start, end } = spanOf({ start_date: ask.start_date, end_date: ask.end_date }, interval);
    const outcomes = await mapSettled(
      requests,
      ({ symbol }) =>
        remembered.get(
          `${symbol} ${interval} ${start} ${end}`,
          (shared) => fetchBars(symbol, interval, start, end, false, shared),
          {
            force: ask.force,
            signal,
          },
        ),
      { concurrency: CONCURRENCY, signal },
    );
    signal?.throwIfAborted();
    const bars: MultiBarsResponse["bars"] = Object.create(null);
    const errors: MultiBarsResponse["errors"] = Object.create(null);
    const missing: string[] = [];
    const failures: AsofError[] = [];
    let [count, cached, storedAtMs, expiresAtMs] = [
      0,
      true,
      Number.POSITIVE_INFINITY,
      Number.POSITIVE_INFINITY,
    ];
    for (const outcome of outcomes) {
      const { ticker } = outcome.item;
      const rows = outcome.ok ? outcome.value.value.bars : [];
      bars[ticker] = rows.map(({ session: _session, ...bar }) => bar);
      count += rows.length;
      if (rows.length === 0) missing.push(ticker);
      if (outcome.ok) {
        if (outcome.value.state === "MISS") cached = false;
        storedAtMs = Math.min(storedAtMs, outcome.value.storedAtMs);
        expiresAtMs = Math.min(expiresAtMs, outcome.value.expiresAtMs);
        continue;
      }
      cached = false;
      if (!(outcome.error instanceof AsofError)) throw outcome.error;
      errors[ticker] = withClientTicker(outcome.error, outcome.item).message;
      failures.push(outcome.error);
    }
    const [first] = failures.filter((f) => !(f instanceof NotFound));
    if (first && failures.length === requests.length) throw first;
    const cut = outcomes
      .map((outcome) => (outcome.ok ? outcome.value.value.cut_at : null))
      .find((at) => at !== null);
    const body: MultiBarsResponse = {
      source: source.name,
      interval,
      count,
      bars,
      symbols_requested: requests.length,
      symbols_returned: requests.length - missing.length,
      missing,
      errors,
      start_date: start,
      end_date: end,
      delayed_minutes: INTRADAY_DELAY_MINUTES,
      ...(cut === undefined ? {} : { clamped_from: cut }),
      cached,
    };
    const nowMs = clock.nowMs();
    const cache = {
      state: cached ? ("HIT" as const) : ("MISS" as const),
      storedAtMs: Math.min(storedAtMs, nowMs),
      expiresAtMs: Number.isFinite(expiresAtMs) ? expiresAtMs : nowMs,
    };
    return { body, cache };
  };

  return { one, many, barsOf };
}

export type IntradayAnswers = ReturnType<typeof intradayAnswers>;
