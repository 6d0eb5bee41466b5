// Answers on daily, weekly and monthly bars: one symbol in full, or many symbols side by side.
import { aggregateDaily, type DailyBar, type PeriodBar } from "../../market/bar.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { withClientTicker } from "../../market/client-ticker.ts";
import { addDays, earlierDay, laterDay } from "../../market/date.ts";
import { type DailyInterval, priceInterval } from "../../market/interval.ts";
import { parseAsOf } from "../../market/known-at.ts";
import type { TickerRequest } from "../../market/ticker.ts";
import {
  type DateRange,
  type Period,
  resolveTimeSpan,
  type TimeSelection,
  type TimeSpan,
} from "../../market/time-span.ts";
import { type AsofError, InvalidRequest, NotFound } from "../../platform/errors.ts";
import type { ColumnsResult } from "../../platform/lake/lake.ts";
import type { Collected, History, HistoryDeps } from "./history.ts";
import type { MultiBarsResponse, PriceDataResponse } from "./schema.ts";
import {
  actionsBySymbol,
  attachActions,
  barsBySymbol,
  freshnessOf,
  rangeText,
  type SeriesAction,
  sourcesBySymbol,
  withProvisional,
} from "./series.ts";

/** What the routes ask of daily history. */
export interface DailyAsk extends TimeSelection {
  readonly interval: string;
  readonly as_of?: string | undefined;
  readonly revisions?: boolean | undefined;
  readonly force_refresh?: boolean | undefined;
  /** Asked side by side with others: the brokerage feed, which takes many at once, is asked before the price provider. */
  readonly feedFirst?: boolean | undefined;
  /** The feed has just answered for the symbol in the same request: of it only what still is missing is asked. */
  readonly answered?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A symbol that has not traded for so long has its periods counted from its last trade. */
const STOPPED_AFTER_DAYS = 14;

/** The moment `as_of` means; its form was checked with the request. */
function asOfInstant(text: string | undefined): Temporal.Instant | null {
  if (text === undefined) return null;
  const parsed = parseAsOf(text);
  if (parsed.ok) return parsed.at;
  throw new InvalidRequest("bad_request", parsed.detail);
}

const NOBODY: ReadonlySet<string> = new Set();

interface Series {
  readonly bars: readonly PeriodBar[];
  readonly collected: Collected | undefined;
  /** Who said its stored bars. */
  readonly sources: readonly string[];
  /** Dividends that are not in the currency of the prices. */
  readonly otherCurrency: readonly SeriesAction[];
  /** What was read for it, and for the symbols read with it. */
  readonly stored: ColumnsResult;
}

/** A bar of the many-symbol answer. Written out: copying the rest of 100,000 bars takes several times as long. */
function stamped(bar: PeriodBar): MultiBarsResponse["bars"][string][number] {
  const { date: timestamp, open, high, low, close, volume, adjusted_close } = bar;
  const made: MultiBarsResponse["bars"][string][number] = {
    timestamp,
    open,
    high,
    low,
    close,
    volume,
    adjusted_close,
  };
  if (bar.dividend !== undefined) made.dividend = bar.dividend;
  if (bar.split_ratio !== undefined) made.split_ratio = bar.split_ratio;
  if (bar.provisional) made.provisional = true;
  if (bar.partial) made.partial = true;
  return made;
}

/** Who said the bars of a series, stored or moving: one name, or several by comma; null without any. */
function sourceText({ bars, sources }: Series, provisional: string | null): string | null {
  const isProvisional = bars.at(-1)?.provisional === true && provisional !== null;
  const all = new Set(isProvisional ? [...sources, provisional] : sources);
  return all.size === 0 ? null : [...all].sort().join(",");
}

/** The days that no bar is of. */
function without(days: readonly string[], bars: readonly DailyBar[]): readonly string[] {
  if (days.length === 0) return days;
  const have = new Set(bars.map((bar) => bar.date));
  return days.filter((day) => !have.has(day));
}

/** The use cases over one history. */
export function dailyAnswers(deps: HistoryDeps, history: History) {
  const { store, calendar, clock, source } = deps;

  const spanOf = (selection: TimeSelection, today: string, fallback: Period | undefined): TimeSpan => {
    const latestSession = today === newYorkDate(clock.now()) ? calendar.latestSession(clock.now()) : today;
    const result = resolveTimeSpan(selection, {
      today,
      latestSession,
      ...(fallback ? { default: fallback } : { required: true }),
    });
    if (!result.ok) throw new InvalidRequest(result.code, result.detail);
    return result.span;
  };

  const shape = (
    daily: DailyBar[],
    interval: DailyInterval,
    ranges: readonly DateRange[],
    missing: readonly string[],
  ): PeriodBar[] => {
    if (interval === "1d") return daily;
    const settled = daily.findLast((b) => !b.provisional)?.date ?? "";
    const end = ranges.at(-1)?.end ?? settled;
    const through =
      settled < end ? (calendar.covers(settled) ? addDays(calendar.nextSession(settled), -1) : settled) : end;
    return aggregateDaily(daily, interval, {
      from: ranges[0]?.start ?? null,
      through: earlierDay(through, end),
      calendar,
      missing,
    });
  };

  /** Series of several symbols in one read, each on one basis. */
  const read = async (
    symbols: readonly string[],
    ranges: readonly DateRange[],
    interval: DailyInterval,
    ask: DailyAsk,
  ) => {
    const asOf = asOfInstant(ask.as_of);
    const readStored = async () => {
      const readAt = performance.now();
      const [stored, actions] = await Promise.all([
        store.bars(symbols, ranges, asOf, ask.signal),
        store.actions(symbols, ranges, asOf),
      ]);
      return {
        readAt,
        stored,
        series: barsBySymbol(stored),
        actions: actionsBySymbol(actions),
        sources: sourcesBySymbol(stored),
      };
    };
    const force = asOf === null && !ask.answered && (ask.force_refresh ?? false);
    // Read first, collect then: mostly nothing is missing, and what was read tells so.
    let found = force ? null : await readStored();
    let collected = new Map<string, Collected>();
    if (asOf === null) {
      const { readAt = 0, series } = found ?? {};
      const held = series && {
        readAt,
        of: (symbol: string) => (series.get(symbol) ?? []).map((b) => b.date),
      };
      const wanted = { symbols, ranges, force, signal: ask.signal };
      const answered = ask.answered
        ? new Set(symbols)
        : ask.feedFirst
          ? await history.feedFirst(wanted, held)
          : NOBODY;
      const unread = answered.size > 0 && !ask.answered;
      collected = await history.collect({ ...wanted, answered }, unread ? undefined : held);
      if ([...collected.values()].some((c) => c.asked)) found = null;
    }
    const { stored, series, actions, sources } = found ?? (await readStored());
    const factsOf = actions.size > 0 ? history.facts([...actions.keys()]) : null;
    return (symbol: string): Series => {
      const kept = series.get(symbol) ?? [];
      const bars = asOf === null ? withProvisional(kept, history.provisional(symbol, ranges)) : kept;
      const otherCurrency = attachActions(
        bars,
        actions.get(symbol) ?? [],
        factsOf?.(symbol).currency ?? null,
      );
      const asked = collected.get(symbol);
      const outcome = asked && { ...asked, missing: without(asked.missing, bars) };
      return {
        bars: shape(bars, interval, ranges, outcome?.missing ?? []),
        collected: outcome,
        sources: sources.get(symbol) ?? [],
        otherCurrency,
        stored,
      };
    };
  };

  /** Warnings that say what is missing and why. */
  const warningsOf = ({ collected }: Series): string[] => {
    if (!collected) return [];
    const { failure, missing } = collected;
    const warnings = failure ? [`What is missing could not be collected: ${failure.message}`] : [];
    if (missing.length > 0) {
      const [first] = missing;
      const span =
        missing.length === 1 ? `${first}` : `${missing.length} days between ${first} and ${missing.at(-1)}`;
      warnings.push(`No bar for ${span}.`);
    }
    return warnings;
  };

  const otherCurrencyDividends = ({ otherCurrency }: Series, currency: string | null): string[] =>
    otherCurrency.map(
      (paid) =>
        `The dividend of ${paid.ex_date} is ${paid.amount} ${paid.currency} a share: prices are in ${currency}, so no bar bears it.`,
    );

  /** Why there is not one bar: the provider's failure, or that there is nothing. */
  const nothing = (
    request: TickerRequest,
    span: TimeSpan,
    series: Series,
    asOf: string | undefined,
    since: string | null,
  ): AsofError => {
    const { ticker } = request;
    if (series.collected?.failure) return withClientTicker(series.collected.failure, request);
    const hint =
      asOf !== undefined
        ? "With as_of only what this service had collected by then is known, and nothing is fetched."
        : since !== null
          ? `Its first trade was on ${since}.`
          : undefined;
    return new NotFound("no_data", `No bars for ${ticker} from ${rangeText(span.ranges)}.`, { ticker, hint });
  };

  const point = ({ date, ...bar }: PeriodBar, interval: DailyInterval, timezone: string | null) => ({
    date,
    timestamp:
      interval === "1d" &&
      timezone === "America/New_York" &&
      calendar.covers(date) &&
      calendar.isSession(date)
        ? calendar.sessionOpen(date).toString()
        : date,
    ...bar,
  });

  const one = async (
    request: TickerRequest,
    ask: DailyAsk,
    fallback: Period | undefined,
  ): Promise<PriceDataResponse> => {
    const interval = priceInterval(ask.interval);
    if (interval === null || interval === "1h")
      throw new InvalidRequest("bad_request", `${ask.interval} is not a daily interval.`);
    const { symbol, ticker } = request;
    const asOf = asOfInstant(ask.as_of);
    const today = newYorkDate(asOf ?? clock.now());
    let span = spanOf(ask, today, fallback);
    let series = (await read([symbol], span.ranges, interval, ask))(symbol);
    let facts = history.facts([symbol])(symbol);
    const lastTrade = facts.listing?.last_trade_date ?? null;
    const hasStopped = asOf === null && lastTrade !== null && lastTrade < addDays(today, -STOPPED_AFTER_DAYS);
    if (span.period !== null && span.period !== "max" && hasStopped && lastTrade !== null) {
      span = spanOf({ period: span.period }, lastTrade, undefined);
      series = (await read([symbol], span.ranges, interval, ask))(symbol);
      facts = history.facts([symbol])(symbol);
    }
    const failure = series.collected?.failure ?? null;
    if (ask.force_refresh && failure) throw withClientTicker(failure, request);
    if (series.bars.length === 0)
      throw nothing(request, span, series, ask.as_of, facts.listing?.first_trade_date ?? null);
    const fresh = freshnessOf(series.stored);
    const lastExDate = asOf && (await store.lastExDate(symbol, asOf, today));
    const timezone = facts.listing?.timezone ?? null;
    const stopped =
      hasStopped && span.period !== null
        ? [`${ticker} last traded on ${lastTrade}: the period ends there.`]
        : [];
    return {
      ticker,
      interval,
      start_date: span.start ?? series.bars[0]?.date ?? null,
      end_date: span.end,
      period: span.period,
      currency: facts.currency,
      exchange_timezone: timezone,
      count: series.bars.length,
      data: series.bars.map((bar) => point(bar, interval, timezone)),
      source: sourceText(series, history.provisionalSource(symbol)) ?? source.name,
      cached: !(series.collected?.asked ?? false),
      last_updated: fresh.known_at,
      adjusted_through:
        asOf === null
          ? (facts.actionsThrough ?? fresh.basis_date)
          : laterDay(fresh.basis_date ?? "", lastExDate ?? "") || null,
      ...(asOf === null ? {} : { as_of: asOf.toString() }),
      ...(ask.revisions ? { revisions: await store.revisions(symbol, span.ranges, asOf) } : {}),
      warnings: [...stopped, ...warningsOf(series), ...otherCurrencyDividends(series, facts.currency)],
    };
  };

  const many = async (requests: readonly TickerRequest[], ask: DailyAsk): Promise<MultiBarsResponse> => {
    const interval = priceInterval(ask.interval);
    if (interval === null || interval === "1h")
      throw new InvalidRequest("bad_request", `${ask.interval} is not a daily interval.`);
    const span = spanOf(ask, newYorkDate(asOfInstant(ask.as_of) ?? clock.now()), undefined);
    const seriesOf = await read(
      requests.map((r) => r.symbol),
      span.ranges,
      interval,
      ask,
    );
    const bars: MultiBarsResponse["bars"] = Object.create(null);
    const told: NonNullable<MultiBarsResponse["sources"]> = Object.create(null);
    const errors: MultiBarsResponse["errors"] = Object.create(null);
    const missing: string[] = [];
    const failures: AsofError[] = [];
    let [count, cached] = [0, true];
    for (const request of requests) {
      const { ticker, symbol } = request;
      const series = seriesOf(symbol);
      const { failure = null, asked = false } = series.collected ?? {};
      if (asked) cached = false;
      if (failure) {
        errors[ticker] = withClientTicker(failure, request).message;
        failures.push(failure);
      }
      if (series.bars.length === 0) missing.push(ticker);
      else told[ticker] = sourceText(series, history.provisionalSource(symbol)) ?? source.name;
      bars[ticker] = series.bars.map(stamped);
      count += series.bars.length;
    }
    const [first] = failures.filter((f) => !(f instanceof NotFound));
    if (count === 0 && first && failures.length === requests.length) throw first;
    const all = [...new Set(Object.values(told).flatMap((text) => text.split(",")))].sort();
    return {
      source: all.join(",") || source.name,
      interval,
      count,
      bars,
      ...(all.length > 1 ? { sources: told } : {}),
      symbols_requested: requests.length,
      symbols_returned: requests.length - missing.length,
      missing,
      errors,
      start_date: span.start ?? "",
      end_date: span.end,
      cached,
    };
  };

  return {
    one,
    many,
    /** Lets the brokerage feed answer for many at once ahead of asking for one after the other. */
    async feedFirst(requests: readonly TickerRequest[], ask: DailyAsk): Promise<ReadonlySet<string>> {
      if (ask.as_of !== undefined || ask.interval === "1h") return NOBODY;
      const { ranges } = spanOf(ask, newYorkDate(clock.now()), undefined);
      const symbols = requests.map((r) => r.symbol);
      return history.feedFirst({ symbols, ranges, force: ask.force_refresh ?? false, signal: ask.signal });
    },
    /** Throws when a selection of time contradicts itself, before any ticker is worked on. */
    checkSpan: (selection: TimeSelection) => {
      spanOf(selection, newYorkDate(clock.now()), undefined);
    },
  };
}

export type DailyAnswers = ReturnType<typeof dailyAnswers>;
