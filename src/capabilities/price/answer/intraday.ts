// Bars within the day, from the provider: one symbol with extended hours, or many in regular hours, which are
// cached.
import { INTRADAY_DELAY_MINUTES } from "../../../limits.ts";
import { absentTickers } from "../../../market/absence.ts";
import type { IntradayBar } from "../../../market/bar.ts";
import { mapSettled, type Settled } from "../../../market/bulk.ts";
import { newYorkDate, startOfDay } from "../../../market/calendar.ts";
import { throwWithClientTicker, withClientTicker } from "../../../market/client-ticker.ts";
import { addDays } from "../../../market/date.ts";
import { type IntradayInterval, intradayInterval } from "../../../market/interval.ts";
import type { Services } from "../../../market/services.ts";
import type { TickerRequest } from "../../../market/ticker.ts";
import { type Period, resolveTimeSpan, type TimeSelection } from "../../../market/time-span.ts";
import type { Cache, CacheHit } from "../../../platform/cache/cache.ts";
import { AsofError, InvalidRequest, NotFound } from "../../../platform/errors.ts";
import { firstDayOf, requestStart } from "../request/lookback.ts";
import type { IntradayResponse, MultiBarsResponse } from "../schema.ts";
import type { BarSource } from "../sources.ts";

/** One symbol's bars with the facts of the provider's answer. */
export interface IntradayBars {
  readonly bars: readonly IntradayBar[];
  readonly timezone: string | null;
  readonly currency: string | null;
  readonly previous_close: number | null;
  /** Start of the provider's look-back, when it lies within the first day asked for. */
  readonly cut_at: string | null;
}

export interface IntradayDeps extends Pick<Services, "calendar" | "clock"> {
  readonly source: BarSource;
  readonly cache: Cache<IntradayBars>;
}

/** Days of bars; both inclusive. */
export interface IntradayRequest {
  readonly interval: IntradayInterval;
  readonly start: string;
  readonly end: string;
  /** Extended hours too. */
  readonly prePost: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface ManyIntradayQuery {
  readonly interval: string;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly force: boolean;
}

/** Symbols asked for at once; the provider's own pace is the real limit. */
const CONCURRENCY = 100;

const NO_BARS = { kind: "nothing_there", sentence: "The provider has no bar of these days." } as const;

function intervalOf(text: string): IntradayInterval {
  const interval = intradayInterval(text);
  if (interval === null) throw new InvalidRequest("bad_request", `${text} is not an intraday interval.`);
  return interval;
}

export function intradayAnswers({ source, calendar, clock, cache }: IntradayDeps) {
  /** First and last day of a selection, within the provider's look-back. */
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
    { interval, start, end, prePost, signal }: IntradayRequest,
  ): Promise<IntradayBars> => {
    const until = startOfDay(addDays(end, 1));
    const from = requestStart(start, until, interval, clock.now());
    const answer = await source.chart({ symbol, interval, start: from.at, end: until, prePost, signal });
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

  /** Fetches the bars of one symbol; errors name it as the client wrote it. */
  const barsOf = (request: TickerRequest, days: IntradayRequest) =>
    fetchBars(request.symbol, days).catch(throwWithClientTicker(request));

  const one = async (
    request: TickerRequest,
    query: { readonly interval: string; readonly period: Period },
    signal?: AbortSignal,
  ): Promise<IntradayResponse> => {
    const interval = intervalOf(query.interval);
    const { start, end } = spanOf({ period: query.period }, interval);
    const { ticker } = request;
    const answer = await barsOf(request, { interval, start, end, prePost: true, signal });
    if (answer.bars.length === 0)
      throw new NotFound("no_data", `No ${interval} bars for ${ticker} from ${start} to ${end}.`, {
        ticker,
        upstream: source.name,
      });
    return {
      ticker,
      interval,
      period: query.period,
      timezone: answer.timezone ?? "America/New_York",
      previous_close: answer.previous_close,
      delayed_minutes: INTRADAY_DELAY_MINUTES,
      ...(answer.cut_at === null ? {} : { clamped_from: answer.cut_at }),
      count: answer.bars.length,
      data: [...answer.bars],
    };
  };

  const many = async (requests: readonly TickerRequest[], query: ManyIntradayQuery, signal?: AbortSignal) => {
    const interval = intervalOf(query.interval);
    const { start, end } = spanOf({ start_date: query.start_date, end_date: query.end_date }, interval);
    const outcomes = await mapSettled(
      requests,
      ({ symbol }) =>
        cache.get(
          `${symbol} ${interval} ${start} ${end}`,
          (shared) => fetchBars(symbol, { interval, start, end, prePost: false, signal: shared }),
          { force: query.force, signal },
        ),
      { concurrency: CONCURRENCY, signal },
    );
    signal?.throwIfAborted();
    const { bars, errors, missing, count, cached, warnings } = sideBySide(outcomes);
    const hits = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
    const cut = hits.map((hit) => hit.value.cut_at).find((at) => at !== null);
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
      refreshed: query.force,
      warnings,
    };
    const nowMs = clock.nowMs();
    return {
      body,
      cache: {
        state: cached ? ("HIT" as const) : ("MISS" as const),
        storedAtMs: Math.min(nowMs, ...hits.map((hit) => hit.storedAtMs)),
        expiresAtMs: hits.length === 0 ? nowMs : Math.min(...hits.map((hit) => hit.expiresAtMs)),
      },
    };
  };

  return { one, many, barsOf };
}

/**
 * The bars of many symbols by ticker as sent. Throws the provider's failure when it failed for every symbol.
 */
function sideBySide(outcomes: readonly Settled<TickerRequest, CacheHit<IntradayBars>>[]) {
  const bars: MultiBarsResponse["bars"] = Object.create(null);
  const errors: MultiBarsResponse["errors"] = Object.create(null);
  const missing: string[] = [];
  const failures = new Map<string, AsofError>();
  let [count, cached] = [0, true];
  for (const outcome of outcomes) {
    const { ticker } = outcome.item;
    const rows = outcome.ok ? outcome.value.value.bars : [];
    bars[ticker] = rows.map(({ session: _session, ...bar }) => bar);
    count += rows.length;
    if (rows.length === 0) missing.push(ticker);
    if (!outcome.ok || outcome.value.state === "MISS") cached = false;
    if (outcome.ok) continue;
    if (!(outcome.error instanceof AsofError)) throw outcome.error;
    errors[ticker] = withClientTicker(outcome.error, outcome.item).message;
    failures.set(ticker, outcome.error);
  }
  const outage = [...failures.values()].find((failure) => !(failure instanceof NotFound));
  if (outage && failures.size === outcomes.length) throw outage;
  const warnings = absentTickers(missing, (ticker) => failures.get(ticker), NO_BARS);
  return { bars, errors, missing, count, cached, warnings };
}

export type IntradayAnswers = ReturnType<typeof intradayAnswers>;
