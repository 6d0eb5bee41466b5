// Fetches the daily bars of one symbol and sorts them into settled bars, to be stored, and provisional ones.

import type { ProviderBar } from "../../../market/bar.ts";
import type { BarHistory, CorporateAction } from "../../../market/bar-history.ts";
import { newYorkDate } from "../../../market/calendar.ts";
import { addDays, earlierDay, laterDay } from "../../../market/date.ts";
import { sumDigits } from "../../../market/float.ts";
import type { Services } from "../../../market/services.ts";
import { UpstreamRefused } from "../../../platform/errors.ts";
import type { Fetched, KnownActions, Window } from "../fetched.ts";
import { EARLIEST_DATE, expectedDays, type ListingPeriod, lastSettledDay } from "../gaps.ts";
import type { DailyBarSource } from "../sources.ts";

export interface DailyFetchDeps extends Pick<Services, "calendar" | "clock"> {
  readonly source: DailyBarSource;
}

/**
 * Days asked for ahead of a window: a dividend on its first day is measured by the close before, and five
 * sessions that are stored show whether the prices are on the basis of the stored ones.
 */
const CONTEXT_DAYS = 10;

/**
 * The start to ask from: the window's, with context. When the window reaches the present it goes back to the
 * last day whose actions are known, so that no split or dividend between two fetches is missed.
 */
function startWithContext(window: Window, actionsThrough: string | null, reachesNow: boolean): string | null {
  if (window.start === null) return null;
  const from = addDays(window.start, -CONTEXT_DAYS);
  return reachesNow && actionsThrough !== null
    ? earlierDay(from, addDays(actionsThrough, -CONTEXT_DAYS))
    : from;
}

function absentDays(
  answer: BarHistory,
  window: Window,
  listing: ListingPeriod,
  deps: DailyFetchDeps,
): { date: string; kind: "null" | "absent" }[] {
  const now = deps.clock.now();
  const settledEnd = earlierDay(window.end, lastSettledDay(listing, deps.calendar, now));
  // Without a first trade, days before the first bar were asked for too, and are not asked for again at each
  // visit.
  const first = listing.first_trade_date ?? window.start ?? answer.bars[0]?.date;
  if (first === undefined) return [];
  const have = new Set(answer.bars.map((b) => b.date));
  const nulls = new Set(answer.dropped.null_rows);
  return expectedDays({ ...listing, first_trade_date: first }, window.start, settledEnd, deps.calendar)
    .filter((date) => !have.has(date))
    .map((date) => ({ date, kind: nulls.has(date) ? "null" : "absent" }));
}

function listingPeriodOf(
  answer: BarHistory,
  window: Window,
  known: ListingPeriod,
  reachesNow: boolean,
): ListingPeriod {
  const { meta } = answer;
  const firstBar = answer.bars[0]?.date ?? null;
  const inferred = window.start === null ? firstBar : null;
  const lastTrade =
    meta.timezone === null
      ? undefined
      : meta.regular_market_time?.toZonedDateTimeISO(meta.timezone).toPlainDate().toString();
  const newest = answer.bars.at(-1)?.date;
  // The last bar of a span that ended in the past does not show whether the symbol still trades.
  const lastBar = reachesNow ? newest : undefined;
  // The provider may give a fund's last trade months too early, beside newer prices.
  const isStale = lastTrade !== undefined && newest !== undefined && newest > lastTrade;
  return {
    first_trade_date: meta.first_trade_date ?? known.first_trade_date ?? inferred,
    last_trade_date: (isStale ? newest : lastTrade) ?? lastBar ?? known.last_trade_date,
    timezone: meta.timezone ?? known.timezone,
    instrument_type: meta.instrument_type ?? known.instrument_type,
  };
}

/**
 * Whether the actions after a window in the past are missing. Its prices are adjusted by every action up to
 * `basis`: `forward` where stored bars have an older basis, which would be scaled wrongly without them;
 * `back` where only the window's own bars need them, to be shown on an earlier basis; null where they are
 * stored.
 */
function lackOf(window: Window, { from, through }: KnownActions, basis: string): "forward" | "back" | null {
  if (through !== null && basis > through) return "forward";
  return from !== null && from <= addDays(window.end, 1) ? null : "back";
}

interface Asked {
  readonly answer: BarHistory;
  readonly reachesNow: boolean;
  /** Whether every action from the window on is stored or in the answer. */
  readonly hasActions: boolean;
}

/**
 * Asks for a window; on to the present where the actions after it are missing, in the same request. Where the
 * source refuses the longer span, as it may contradict itself there, or answers a part of it after the
 * window, the window is asked for alone.
 */
async function ask(
  symbol: string,
  window: Window,
  known: KnownActions | null,
  isPresent: boolean,
  { source, calendar, clock }: DailyFetchDeps,
  signal: AbortSignal | undefined,
): Promise<Asked> {
  const today = newYorkDate(clock.now());
  const request = async (reachesNow: boolean, hasActions: boolean): Promise<Asked> => {
    const start = startWithContext(window, known?.through ?? null, reachesNow);
    const end = reachesNow ? today : window.end;
    return { answer: await source.daily({ symbol, start, end, signal }), reachesNow, hasActions };
  };
  if (isPresent || known === null) return request(isPresent, true);
  const toNow = async (lack: "forward" | "back") => {
    const wide = await request(true, true).catch((error: unknown) => {
      if (lack === "forward" || !(error instanceof UpstreamRefused)) throw error;
      return request(false, false);
    });
    // An answer that begins after the window has neither its bars nor all of its actions.
    const first = wide.answer.bars[0]?.date;
    return lack === "back" && first !== undefined && first > window.end ? request(false, false) : wide;
  };
  // An action takes effect with the open of a session. Elsewhere than in New York a day may be ahead of it.
  const expected = lackOf(window, known, calendar.latestSession(clock.now()).toString());
  if (expected !== null) return toNow(expected);
  const asked = await request(false, true);
  const found = lackOf(window, known, asked.answer.basis_date);
  return found === null ? asked : toNow(found);
}

/**
 * The first day from which the answer has every bar and action. The days ahead of the window count as far as
 * the answer has bars of them, but not those up to a payment that is measured by a close before the answer.
 */
function completeFrom(start: string | null, { bars, actions }: BarHistory): string {
  if (start === null) return EARLIEST_DATE;
  const from = addDays(start, CONTEXT_DAYS);
  const first = earlierDay(bars[0]?.date ?? from, from);
  const open = actions.filter((a) => a.kind !== "split" && a.price_factor === null && a.ex_date < from);
  return open.reduce((day, { ex_date }) => laterDay(day, addDays(ex_date, 1)), first);
}

/**
 * Fetches a window of daily bars of one symbol; stores nothing. Where the actions after a window in the past
 * are unknown, the answer goes on to the present.
 * @param known the actions that are stored of the symbol; null when those of this fetch will not be stored
 */
export async function fetchDaily(
  symbol: string,
  window: Window,
  known: KnownActions | null,
  listed: ListingPeriod,
  deps: DailyFetchDeps,
  signal?: AbortSignal,
): Promise<Fetched> {
  const { source, calendar, clock } = deps;
  const isPresent = window.end >= lastSettledDay(listed, calendar, clock.now());
  const { answer, reachesNow, hasActions } = await ask(symbol, window, known, isPresent, deps, signal);
  const start = startWithContext(window, known?.through ?? null, reachesNow);
  const ownFrom = completeFrom(start, answer);
  const listing = listingPeriodOf(answer, window, listed, reachesNow);
  const lastSettled = lastSettledDay(listing, calendar, clock.now());
  const isOwn = ({ date }: ProviderBar) => isPresent || date <= window.end;
  const isSettled = (bar: ProviderBar) => bar.settled && bar.date <= lastSettled;
  const own = answer.bars.filter(isOwn);
  return {
    symbol,
    source: source.name,
    answer,
    settled: own.filter(isSettled),
    provisional: own.filter((bar) => !isSettled(bar)),
    compared: answer.bars.filter((bar) => !isOwn(bar) && isSettled(bar)),
    actions: combine(answer.actions),
    absent: absentDays(
      answer,
      { ...window, start: window.start && earlierDay(window.start, ownFrom) },
      listing,
      deps,
    ),
    listing,
    actionsThrough: answer.basis_date,
    actionsFrom: known === null || !hasActions ? null : earlierDay(ownFrom, known.from ?? ownFrom),
  };
}

/**
 * Joins payments of one kind on one ex date: their amounts add up, and so does what they take off the price.
 */
function combine(actions: readonly CorporateAction[]): CorporateAction[] {
  const byKey = new Map<string, CorporateAction>();
  for (const action of actions) {
    const key = `${action.kind} ${action.ex_date}`;
    const before = byKey.get(key);
    if (!before || action.kind === "split") byKey.set(key, action);
    else
      byKey.set(key, {
        ...before,
        amount:
          before.amount === null || action.amount === null ? null : sumDigits(before.amount + action.amount),
        price_factor:
          before.price_factor === null || action.price_factor === null
            ? null
            : before.price_factor + action.price_factor - 1,
      });
  }
  return [...byKey.values()];
}
