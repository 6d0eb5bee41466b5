// Daily history of many symbols from the consolidated feed, in the form all price providers share.

import type { FeedBar } from "../../market/bar.ts";
import type { BarHistory, DailyBarRequest } from "../../market/bar-history.ts";
import { UNKNOWN_INSTRUMENT } from "../../market/bar-history.ts";
import { inBatches } from "../../market/bulk.ts";
import { type Calendar, endOfDay, newYorkDate, startOfDay } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import { toAlpaca } from "../../market/spelling.ts";
import { type AsofError, NotFound, UpstreamRefused } from "../../platform/errors.ts";
import type { AlpacaClient } from "./client.ts";
import { type Adjustment, askBars, type BarsAnswer } from "./endpoints/bars.ts";
import { askActions, type ListedAction, PAID_WITHIN_DAYS } from "./endpoints/corporate-actions.ts";
import type { DropInvalid } from "./invalid-symbols.ts";
import { dividendFactors, splitAdjusted } from "./parse/adjusted-prices.ts";
import { actionsOnBasis, type Closes, findMismatch, hasUnlistedDividends } from "./parse/adjustment-check.ts";
import { UPSTREAM } from "./wire.ts";

/** Name of the consolidated feed in answers and in the lake. */
export const SIP = "alpaca_sip";
/** First day with bars. */
export const HISTORY_FIRST_DATE = "2016-01-01";
/** The basic plan offers the consolidated feed only for data older than 15 minutes. */
// At 15:00 it is asked for bars up to 14:44: the minute beyond the plan's 15 allows for its clock.
export const SIP_DELAY_S = 16 * 60;

const BATCH = 100;
/** A split may be listed, and prices rescaled for it, this many days before its ex date. */
// On 3 August a split of 17 August explains rescaled prices, one of 18 August does not.
const AHEAD_DAYS = 14;
const OPENING_S = 3_600;

/** A request for the days of one symbol. */
export interface OneDailyRequest extends DailyBarRequest {
  /** See BarsRequest. */
  readonly asof?: string | undefined;
}

/** A request for the days of many symbols. */
export interface DailyRequest extends Omit<OneDailyRequest, "symbol"> {
  /** Canonical. */
  readonly symbols: readonly string[];
}

/** By symbol. Prices are split-adjusted, closes also fully adjusted, by every action up to `basis_date`. */
export type DailyAnswers = ReadonlyMap<string, BarHistory | AsofError>;

/** The answers with a request's bars under each adjustment. */
interface AdjustedBars {
  readonly split: BarsAnswer;
  readonly all: BarsAnswer;
  /** Only of the symbols whose splits are checked. */
  readonly raw: BarsAnswer | null;
}

const DATES_MAX = 20_000;
const dates = new Map<number, string>();

/**
 * The New York date of a bar; cached, since the bars of all symbols start at the same few thousand moments.
 */
function dateOf({ at }: FeedBar): string {
  const ms = at.epochMilliseconds;
  const known = dates.get(ms);
  if (known !== undefined) return known;
  if (dates.size >= DATES_MAX) dates.clear();
  const date = newYorkDate(at);
  dates.set(ms, date);
  return date;
}

const byDate = (bars: readonly FeedBar[] = []) => new Map(bars.map((bar) => [dateOf(bar), bar]));

export interface DailyDeps {
  readonly ask: AlpacaClient;
  readonly calendar: Calendar;
  readonly drop: DropInvalid;
}

/**
 * The day up to which prices are adjusted: a session counts from one hour after its open, as with every
 * provider.
 */
// At 10:29 in New York the basis is the session before, at 10:30 that of the day.
function basisOf(askedAt: Temporal.Instant, calendar: Calendar): string {
  const session = calendar.latestSession(askedAt);
  const openS = calendar.sessionOpen(session).epochMilliseconds / 1000;
  return askedAt.epochMilliseconds / 1000 - openS < OPENING_S ? calendar.previousSession(session) : session;
}

function settledBy(date: string, at: Temporal.Instant, calendar: Calendar): boolean {
  if (!calendar.covers(date) || date >= calendar.lastDate) return false;
  return Temporal.Instant.compare(calendar.sessionOpen(calendar.nextSession(date)), at) <= 0;
}

function answerOf(
  spelled: string,
  forms: AdjustedBars,
  listed: readonly ListedAction[],
  request: DailyRequest,
  calendar: Calendar,
): BarHistory | AsofError {
  const { split, all, raw } = forms;
  const rows = split.bars.get(spelled) ?? [];
  const [alls, raws] = [byDate(all.bars.get(spelled)), byDate(raw?.bars.get(spelled))];
  const basis = basisOf(split.askedAt, calendar);
  const priced = rows.flatMap((bar) => (bar.close === null ? [] : [{ bar, close: bar.close }]));
  const closes = priced.map(
    ({ bar, close }): Closes => ({
      date: dateOf(bar),
      settled: settledBy(dateOf(bar), split.askedAt, calendar),
      split: close,
      all: alls.get(dateOf(bar))?.close ?? null,
      raw: raws.get(dateOf(bar))?.close ?? null,
    }),
  );
  const actions = actionsOnBasis(listed, closes, basis);
  const reachesBasis = calendar.nextSession(closes.findLast((c) => c.settled)?.date ?? "1990-01-02") >= basis;
  const mismatch = findMismatch(listed, closes, actions, { basis, reachesBasis });
  if (mismatch)
    return new UpstreamRefused(UPSTREAM, `The brokerage feed's history cannot be used: ${mismatch}`);
  const { start, end } = request;
  const hasEnded = !reachesBasis && end >= basis;
  const hasUnlisted = hasEnded && hasUnlistedDividends(closes, actions, basis);
  const isWhole = reachesBasis || (hasEnded && !hasUnlisted);
  const { factorOf, later } = dividendFactors(closes, actions, { basis, isWhole });
  return {
    hasUnlistedDividends: hasUnlisted,
    ...(later === null || hasUnlisted ? {} : { laterDividends: later }),
    meta: { ...UNKNOWN_INSTRUMENT, currency: split.currency, timezone: "America/New_York" },
    bars: priced.map(({ bar, close }, i) => {
      const { date = "", settled = false } = closes[i] ?? {};
      const { at, open, high, low, volume } = bar;
      // The forms of a running session were read at different moments: nothing is computed from two of them.
      if (!settled)
        return { date, at, open, high, low, close, volume, adj_close: close, settled, session: "regular" };
      const prices = splitAdjusted({ open, high, low, close }, raws.get(date), actions, date);
      const factor = factorOf(date);
      const adj_close = factor === null ? null : prices.close * factor;
      return { date, at, ...prices, volume, adj_close, settled, session: "regular" };
    }),
    actions: actions.filter((a) => (start === null || a.ex_date >= start) && a.ex_date <= end),
    dropped: { null_rows: rows.filter((bar) => bar.close === null).map(dateOf) },
    basis_date: basis,
    received_at: all.receivedAt,
  };
}

/** The moments of the first and last bar to request: within the feed's history and older than its delay. */
function spanOf({ start, end }: DailyRequest, now: Temporal.Instant) {
  const first = start !== null && start > HISTORY_FIRST_DATE ? start : HISTORY_FIRST_DATE;
  const delayed = now.subtract({ seconds: SIP_DELAY_S });
  const last = endOfDay(end).round({ smallestUnit: "second", roundingMode: "floor" });
  return {
    first,
    start: startOfDay(first),
    end: Temporal.Instant.compare(last, delayed) < 0 ? last : delayed,
  };
}

/** The actions that may affect bars from `first` on, by symbol in the feed's spelling. */
async function actionsBySymbol(
  ask: AlpacaClient,
  symbols: readonly string[],
  first: string,
  today: string,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, readonly ListedAction[]>> {
  const [from, to] = [addDays(first, -AHEAD_DAYS), addDays(today, PAID_WITHIN_DAYS)];
  const listed = await askActions(ask, symbols, from, to, signal);
  const until = addDays(today, AHEAD_DAYS);
  return Map.groupBy(
    listed.filter((action) => action.ex_date <= until),
    (action) => action.symbol,
  );
}

/**
 * Answers a batch of symbols in the feed's spelling. Leaves out symbols the feed refuses or has no bars of.
 */
async function answerBatch(
  { ask, calendar, drop }: DailyDeps,
  spelled: readonly string[],
  request: DailyRequest,
): Promise<DailyAnswers> {
  const { asof, signal } = request;
  const now = ask.clock.now();
  const { first, start, end } = spanOf(request, now);
  if (Temporal.Instant.compare(start, end) >= 0) return new Map();
  const bars = (symbols: readonly string[], adjustment: Adjustment) =>
    askBars(ask, { symbols, timeframe: "1Day", start, end, adjustment, feed: "sip", asof, signal });
  const { answer: split } = await drop(spelled, (left) => bars(left, "split"));
  const found = [...(split?.bars.keys() ?? [])];
  if (!split || found.length === 0) return new Map();
  const all = await bars(found, "all");
  const listed = await actionsBySymbol(ask, found, first, newYorkDate(now), signal);
  const hasSplit = (symbol: string) =>
    (listed.get(symbol) ?? []).some((action) => action.kind === "split" && action.ex_date > first);
  // A split after a symbol was given up is listed under the new one: only unadjusted prices show it.
  const basis = basisOf(split.askedAt, calendar);
  const hasEnded = (symbol: string) => {
    const last = split.bars.get(symbol)?.at(-1);
    return last !== undefined && request.end >= basis && calendar.nextSession(dateOf(last)) < basis;
  };
  const checked = found.filter((symbol) => hasSplit(symbol) || hasEnded(symbol));
  const raw = checked.length === 0 ? null : await bars(checked, "raw");
  return new Map(
    found.map((symbol) => [
      symbol,
      answerOf(symbol, { split, all, raw }, listed.get(symbol) ?? [], request, calendar),
    ]),
  );
}

/**
 * Creates a function that answers each requested symbol: with its bars, NotFound where the feed has none, or
 * UpstreamRefused where its prices contradict its list of actions. It throws what AlpacaClient.get throws.
 */
export function alpacaDaily(deps: DailyDeps) {
  return async (request: DailyRequest): Promise<DailyAnswers> => {
    const spelling = new Map(request.symbols.map((symbol) => [symbol, toAlpaca(symbol)]));
    const carried = [...spelling.values()].filter((spelled) => spelled !== null);
    const found = new Map<string, BarHistory | AsofError>();
    for (const batch of inBatches([...new Set(carried)], BATCH))
      for (const [spelled, answer] of await answerBatch(deps, batch, request)) found.set(spelled, answer);
    return new Map(
      request.symbols.map((symbol) => {
        const spelled = spelling.get(symbol) ?? null;
        const nothing = new NotFound("no_data", `The brokerage feed has no bars of ${symbol}`, {
          ticker: symbol,
          upstream: UPSTREAM,
        });
        return [symbol, (spelled === null ? null : found.get(spelled)) ?? nothing];
      }),
    );
  };
}
